#include "value.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value value_f64(double v)
{
    return (struct value){.binary32 = false, .f64 = v};
}

struct value value_f32(float v)
{
    return (struct value){.binary32 = true, .f32 = v, .f64 = (double)v};
}

struct value value_of_result(samesum_type type, const void *result)
{
    if (samesum_result_size(type) == sizeof(float)) {
        float v;
        memcpy(&v, result, sizeof v);
        return value_f32(v);
    }
    double v;
    memcpy(&v, result, sizeof v);
    return value_f64(v);
}

static bool reads_back(struct value v, const char *text)
{
    return v.binary32 ? strtof(text, NULL) == v.f32 : strtod(text, NULL) == v.f64;
}

/* Finds the fewest digits d and the exponent e for which d * 10^e reads back to v > 0. */
static void shortest(struct value v, uint64_t *digits, int *exponent)
{
    for (int count = 1; count <= 17; count++) {
        char text[VALUE_TEXT], *e;
        snprintf(text, sizeof text, "%.*e", count - 1, v.f64);
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
    if (isnan(v.f64) || isinf(v.f64) || v.f64 == 0) {
        const char *what = isnan(v.f64) ? "nan" : v.f64 == 0 ? "0" : "inf";
        bool minus = signbit(v.f64) && !isnan(v.f64);
        snprintf(text, VALUE_TEXT, "%s%s", minus ? "-" : "", what);
        return;
    }
    struct value magnitude = v;
    magnitude.f64 = fabs(v.f64);
    magnitude.f32 = fabsf(v.f32);
    uint64_t number;
    int exponent;
    shortest(magnitude, &number, &exponent);
    for (; number % 10 == 0; number /= 10)
        exponent++;

    char digits[24], *to = text;
    int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    int point = count + exponent; /* digits before the decimal point */
    if (v.f64 < 0)
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
    snprintf(text, VALUE_TEXT, "%a", v.f64);
}

void value_bits(struct value v, char text[VALUE_TEXT])
{
    if (v.binary32) {
        uint32_t bits;
        memcpy(&bits, &v.f32, sizeof bits);
        snprintf(text, VALUE_TEXT, "0x%08" PRIx32, bits);
    } else {
        uint64_t bits;
        memcpy(&bits, &v.f64, sizeof bits);
        snprintf(text, VALUE_TEXT, "0x%016" PRIx64, bits);
    }
}
