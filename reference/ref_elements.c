/* ref_elements.c - elements in memory, results in memory, and missing values. */
#include "ref_elements.h"
#include "ref_half.h"

#include <math.h>
#include <string.h>

bool ref_is_half(enum ref_type type)
{
    return type == REF_F16 || type == REF_BF16;
}

bool ref_is_complex(enum ref_type type)
{
    return type == REF_C64 || type == REF_C128;
}

enum ref_type ref_row_type(enum ref_type type)
{
    return type == REF_C128 ? REF_F64 : ref_is_half(type) || type == REF_C64 ? REF_F32 : type;
}

double ref_number(enum ref_type type, const void *array, uint64_t i)
{
    if (ref_is_half(type)) {
        return ref_half_value(type, ((const uint16_t *)array)[i]);
    }
    return type == REF_F64 || type == REF_C128 ? ((const double *)array)[i]
                                               : (double)((const float *)array)[i];
}

enum ref_type ref_result_type(const struct ref_request *q)
{
    return ref_is_half(q->type) && !q->result_in_input ? REF_F32
           : ref_is_half(q->type)                      ? q->type
           : ref_row_type(q->type) == REF_F32          ? REF_F32
                                                       : REF_F64;
}

void ref_write_part(const struct ref_request *q, double r, void *result, int part)
{
    enum ref_type type = ref_result_type(q);
    size_t size = type == REF_F64 ? sizeof(double) : type == REF_F32 ? sizeof(float) : 2;
    ref_write(type, r, (unsigned char *)result + (size_t)part * size);
}

void ref_write(enum ref_type type, double r, void *result)
{
    if (ref_is_half(type)) {
        uint16_t bits = ref_half_bits(type, r);
        memcpy(result, &bits, sizeof bits);
    } else if (type == REF_F32) {
        float narrow = (float)r;        /* r is a value of binary32 */
        uint32_t nan_bits = 0x7fc00000; /* SPEC.md section 5 step 1 */
        memcpy(result, isnan(r) ? (void *)&nan_bits : (void *)&narrow, sizeof narrow);
    } else {
        uint64_t nan_bits = UINT64_C(0x7ff8000000000000);
        memcpy(result, isnan(r) ? (void *)&nan_bits : (void *)&r, sizeof r);
    }
}

void ref_mark_missing(enum ref_type type, double value, const void *x, uint64_t n,
                      unsigned char *keep)
{
    double sought = value; /* rounded once to the type */
    if (ref_is_half(type)) {
        sought = ref_half_value(type, ref_half_bits(type, value));
    } else if (ref_row_type(type) != REF_F64) {
        sought = (double)(float)value;
    }
    for (uint64_t i = 0; i < n; i++) {
        double a = ref_number(type, x, ref_is_complex(type) ? 2 * i : i);
        double b = ref_is_complex(type) ? ref_number(type, x, 2 * i + 1) : 0.0;
        if (isnan(value) ? isnan(a) || isnan(b) : a == sought && b == 0.0) {
            keep[i] = 0;
        }
    }
}
