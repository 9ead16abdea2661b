/* raw.c - files that hold elements and nothing else, little-endian. */
#include "input.h"
#include "message.h"

#include <string.h>

void raw_open(struct input *in, const struct file_options *options)
{
    const char *dot = strrchr(in->name, '.');
    enum dtype implied = dot ? dtype_from_suffix(dot) : DTYPE_NONE;
    in->dtype = implied != DTYPE_NONE ? implied : options->dtype;
    if (in->dtype == DTYPE_NONE)
        die_usage("%s: raw data need --dtype, for example --dtype f64", in->name);
    const struct dtype_row *type = dtype_row(in->dtype);
    if (options->dtype != DTYPE_NONE && options->dtype != in->dtype)
        die_bad("%s: --dtype %s contradicts the suffix, which says %s", in->name,
                dtype_row(options->dtype)->name, type->name);
    in->size = type->size;
    if (in->bytes.regular) {
        if (in->bytes.left % in->size)
            die_bad("%s: the size is %llu bytes, not a multiple of %zu, the bytes of one %s "
                    "element: it is truncated or of another type",
                    in->name, (unsigned long long)in->bytes.left, in->size, type->name);
        in->count_known = true;
        in->n = in->bytes.left / in->size;
        in->shape = shape_of(in->n);
    }
    array_open(in, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, false);
}
