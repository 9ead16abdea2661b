#include "result.h"

#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The printed forms; of a complex result the two parts' . */
struct forms {
    int count;
    char decimal[2][VALUE_TEXT], hex[2][VALUE_TEXT], bits[2][VALUE_TEXT];
};

static void set_forms(struct forms *f, const struct result *r)
{
    const struct dtype_row *part = dtype_row(dtype_row(r->type)->part);
    f->count = dtype_is_complex(r->type) ? 2 : 1;
    for (int k = 0; k < f->count; k++) {
        struct value v = value_load(part->dtype, (const char *)r->bytes + (size_t)k * part->size);
        value_decimal(v, f->decimal[k]);
        value_hex(v, f->hex[k]);
        value_bits(v, f->bits[k]);
    }
}

static uint64_t index_of(const struct result *r)
{
    uint64_t index;
    memcpy(&index, r->bytes, sizeof index);
    return index;
}

/* "name": "text", or of both parts ["text", "text"] */
static void print_member(const char *name, int count, char text[2][VALUE_TEXT])
{
    if (count == 1)
        printf("\"%s\": \"%s\", ", name, text[0]);
    else
        printf("\"%s\": [\"%s\", \"%s\"], ", name, text[0], text[1]);
}

static void print_json(const struct result *r, struct forms *f)
{
    printf("{\"op\": \"%s\", \"level\": ", r->op);
    if (r->level)
        printf("\"%s\"", r->level);
    else
        fputs("null", stdout);
    printf(", \"dtype\": \"%s\", \"result_type\": \"%s\", \"n\": %" PRIu64 ", ", r->dtype,
           dtype_row(r->type)->name, r->n);
    if (r->type == DTYPE_INDEX) {
        printf("\"value\": \"%" PRIu64 "\", \"hex\": null, \"bits\": null, ", index_of(r));
    } else {
        print_member("value", f->count, f->decimal);
        print_member("hex", f->count, f->hex);
        print_member("bits", f->count, f->bits);
    }
    printf("\"masked\": %" PRIu64 ", \"nonfinite\": {\"count\": %" PRIu64 ", \"first\": ",
           r->masked, r->nonfinite.count);
    if (r->nonfinite.count)
        printf("%" PRIu64, r->nonfinite.first);
    else
        fputs("null", stdout);
    printf("}, \"arithmetic\": %d}", samesum_arithmetic_version());
}

static void print_forms(int count, char text[2][VALUE_TEXT], char end)
{
    fputs(text[0], stdout);
    if (count > 1)
        printf(" %s", text[1]);
    putchar(end);
}

void result_print(const struct result *r, enum output output)
{
    struct forms f;
    if (r->type != DTYPE_INDEX) {
        set_forms(&f, r);
    } else if (output != OUTPUT_JSON) {
        printf("%" PRIu64 "\n", index_of(r));
        return;
    }
    switch (output) {
    case OUTPUT_TEXT:
        print_forms(f.count, f.decimal, ' ');
        print_forms(f.count, f.hex, ' ');
        print_forms(f.count, f.bits, '\n');
        break;
    case OUTPUT_BITS:
        print_forms(f.count, f.bits, '\n');
        break;
    case OUTPUT_HEX:
        print_forms(f.count, f.hex, '\n');
        break;
    case OUTPUT_JSON:
        print_json(r, &f);
        break;
    }
}
