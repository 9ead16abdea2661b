/* ref_half.h - the numbers of binary16 and bfloat16. */
#ifndef SAMESUM_REFERENCE_HALF_H
#define SAMESUM_REFERENCE_HALF_H

#include "ref.h"

/* The value of the bits of a REF_F16 or REF_BF16, exact in binary32. */
double ref_half_value(enum ref_type type, uint16_t bits);
/* The nearest number's bits, ties to even; NaN in its canonical form. */
uint16_t ref_half_bits(enum ref_type type, double value);

#endif
