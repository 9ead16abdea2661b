/* ref_elements.h - elements and results of every type in memory. */
#ifndef SAMESUM_REFERENCE_ELEMENTS_H
#define SAMESUM_REFERENCE_ELEMENTS_H

#include "ref.h"

bool ref_is_half(enum ref_type type);
bool ref_is_complex(enum ref_type type);
/* The type of the rows that stand for this one, or for a complex number's parts: REF_F64, REF_F32
 * or REF_F32_WIDE. */
enum ref_type ref_row_type(enum ref_type type);
/* Number i of an array; a complex element is two numbers. */
double ref_number(enum ref_type type, const void *array, uint64_t i);

/* What the numbers of a result are: REF_F64, REF_F32, REF_F16 or REF_BF16. */
enum ref_type ref_result_type(const struct ref_request *q);
/* Writes a number; type is one of those, or REF_F32_WIDE. It is rounded once more where the type
 * cannot hold it; NaN gets its canonical form (SPEC.md 5 step 1). */
void ref_write(enum ref_type type, double r, void *result);
/* Writes number 0 or 1 of a result. */
void ref_write_part(const struct ref_request *q, double r, void *result, int part);

/* Min, max, argmin, argmax and minmax of real data; as ref_row() (ref_extreme.c). */
int ref_extreme(const struct ref_request *q, const void *x, const unsigned char *keep, uint64_t n,
                void *result);

#endif
