#include "value.h"

#include "number.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value value_f64(double v)
{
    return (struct value){.type = DTYPE_F64, .number = v};
}

struct value value_f32(float v)
{
    return (struct value){.type = DTYPE_F32, .number = (double)v};
}

struct value value_load(enum dtype type, const void *from)
{
    return (struct value){.type = type, .number = number_load(type, from)};
}

static bool reads_back(struct value v, const char *text)
{
    return number_from_text(text, NULL, v.type) == v.number;
}

/* Finds the fewest digits d and the exponent e for which d * 10^e reads back to v > 0. */
static void shortest(struct value v, uint64_t *digits, int *exponent)
{
    for (int count = 1; count <= 17; count++) {
        char text[VALUE_TEXT], *e;
        snprintf(text, sizeof text, "%.*e", count - 1, v.number);
        *digits = 0;
        for (e = text; *e != 'e'; e++)
            if (*e != '.')
                *digits = *digits * 10 + (uint64_t)(*e - '0');
        *exponent = atoi(e + 1) - (count - 1);
        if (reads_back(v, text))
            return;
        /* Above a power of two the numbers lie twice as far apart as below. There the next decimal
         * above may read back although the nearest one, below, does not. */
        snprintf(text, sizeof text, "%" PRIu64 "e%d", *digits + 1, *exponent);
        if (reads_back(v, text)) {
            ++*digits;
            return;
        }
    }
}

void value_decimal(struct value v, char text[VALUE_TEXT])
{
    if (isnan(v.number) || isinf(v.number) || v.number == 0) {
        const char *what = isnan(v.number) ? "nan" : v.number == 0 ? "0" : "inf";
        bool minus = signbit(v.number) && !isnan(v.number);
        snprintf(text, VALUE_TEXT, "%s%s", minus ? "-" : "", what);
        return;
    }
    struct value magnitude = v;
    magnitude.number = fabs(v.number);
    uint64_t number;
    int exponent;
    shortest(magnitude, &number, &exponent);
    for (; number % 10 == 0; number /= 10)
        exponent++;

    char digits[24], *to = text;
    int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    int point = count + exponent; /* digits before the decimal point */
    if (v.number < 0)
        *to++ = '-';
    if (point < -3 || point > 16) {
        const char *dot = count > 1 ? "." : "";
        sprintf(to, "%c%s%se%+03d", digits[0], dot, digits + 1, point - 1);
    } else if (point <= 0) {
        sprintf(to, "0.%.*s%s", -point, "000", digits);
    } else if (point >= count) {
        sprintf(to, "%s%.*s", digits, point - count, "0000000000000000");
    } else {
        sprintf(to, "%.*s.%s", point, digits, digits + point);
    }
}

void value_hex(struct value v, char text[VALUE_TEXT])
{
    snprintf(text, VALUE_TEXT, "%a", v.number);
}

void value_bits(struct value v, char text[VALUE_TEXT])
{
    uint16_t half;
    uint32_t single;
    uint64_t wide;
    if (dtype_is_half(v.type)) {
        number_store(v.type, v.number, &half);
        snprintf(text, VALUE_TEXT, "0x%04" PRIx16, half);
    } else if (v.type == DTYPE_F32) {
        number_store(v.type, v.number, &single);
        snprintf(text, VALUE_TEXT, "0x%08" PRIx32, single);
    } else {
        number_store(v.type, v.number, &wide);
        snprintf(text, VALUE_TEXT, "0x%016" PRIx64, wide);
    }
}
