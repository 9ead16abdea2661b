#include "npy_write.h"

#include "message.h"
#include "outfile.h"

#include <stdio.h>
#include <string.h>

void npy_write(const char *name, enum dtype dtype, const struct shape *shape, const void *data,
               size_t count)
{
    /* magic, version and length take 10 bytes; blanks fill up to a multiple of 64, as numpy's do */
    char header[2048], axes[1536];
    shape_text(shape, axes, sizeof axes);
    const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    int length = snprintf(header + 10, sizeof header - 74,
                          "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }", order,
                          dtype_row(dtype)->npy, axes);
    size_t end = 10 + (size_t)length;
    while (end % 64 != 63)
        header[end++] = ' ';
    header[end++] = '\n';
    memcpy(header, "\x93NUMPY\x01", 8);
    header[8] = (char)((end - 10) & 0xff);
    header[9] = (char)((end - 10) >> 8);

    struct outfile f;
    outfile_open(&f, name);
    outfile_write(&f, header, end);
    outfile_write(&f, data, count * dtype_row(dtype)->size);
    outfile_close(&f);
}
