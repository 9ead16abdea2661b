#include "result.h"

#include <inttypes.h>
#include <stdio.h>

static void print_json(const struct result *r, const char *decimal, const char *hex,
                       const char *bits)
{
    printf("{\"op\": \"%s\", \"level\": \"%s\", \"dtype\": \"%s\", \"result_type\": \"%s\", "
           "\"n\": %" PRIu64 ", \"value\": \"%s\", \"hex\": \"%s\", \"bits\": \"%s\", "
           "\"masked\": %" PRIu64 ", \"nonfinite\": {\"count\": %" PRIu64 ", \"first\": ",
           r->op, r->level, r->dtype, r->value.binary32 ? "f32" : "f64", r->n, decimal, hex, bits,
           r->masked, r->nonfinite.count);
    if (r->nonfinite.count)
        printf("%" PRIu64, r->nonfinite.first);
    else
        fputs("null", stdout);
    printf("}, \"arithmetic\": %d}\n", samesum_arithmetic_version());
}

void result_print(const struct result *r, enum output output)
{
    char decimal[VALUE_TEXT], hex[VALUE_TEXT], bits[VALUE_TEXT];
    value_decimal(r->value, decimal);
    value_hex(r->value, hex);
    value_bits(r->value, bits);
    switch (output) {
    case OUTPUT_TEXT:
        printf("%s %s %s\n", decimal, hex, bits);
        break;
    case OUTPUT_BITS:
        puts(bits);
        break;
    case OUTPUT_HEX:
        puts(hex);
        break;
    case OUTPUT_JSON:
        print_json(r, decimal, hex, bits);
        break;
    }
}
