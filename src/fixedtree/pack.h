/* What turns elements of any layout into a tile: at most SS_SEGMENT of them side by side, absent
 * ones replaced. Each backend has its own table, made from the same loops (pack_kernel.h). x and
 * out need no alignment and do not overlap. */
#ifndef SS_PACK_H
#define SS_PACK_H

#include <stddef.h>
#include <stdint.h>
#include "samesum.h"

enum { SS_ELEMENT_SIZES = 4 }; /* 2, 4, 8 and 16 bytes */

/* Functions named by a real type are at [SAMESUM_F64], [SAMESUM_F32], [SAMESUM_F16] and
 * [SAMESUM_BF16]; [SAMESUM_F32_WIDE] is that of F32. */
enum { SS_REAL_TYPES = 5 };

typedef struct ss_packers {
    /* [log2 of the element's bytes, less 1]: n elements, stride bytes apart, to out. */
    void (*gather[SS_ELEMENT_SIZES])(const char *x, ptrdiff_t stride, size_t n, void *out);
    /* [0] binary32, [1] binary64, for the second factor y of a complex dot (SPEC.md 6.8): the 2n
     * numbers whose
     * products with the 2n parts of x add up to that part of the dot. Real part: (re, -im),
     * imaginary: (im, re); with conj (re, im) and (im, -re). */
    void (*factor[2])(const void *y, int part, int conj, size_t n, void *out);
    /* n halves as binary32 ([0] f16, [1] bf16), n binary32 as binary64 ([2]). */
    void (*widen[3])(const void *x, size_t n, void *out);
    /* keep[i] becomes 0: drop_value where x[i] == value, a number of that type (no NaN); drop_nan
     * where x[i] is a NaN. */
    void (*drop_value[SS_REAL_TYPES])(const void *x, double value, size_t n, unsigned char *keep);
    void (*drop_nan[SS_REAL_TYPES])(const void *x, size_t n, unsigned char *keep);
    /* How many of keep[0..n-1], each 0 or 1, are 1. */
    size_t (*count)(const unsigned char *keep, size_t n);
    /* out[i] becomes x[i], or the element with those bits where keep[i] is 0. Out may be x. Sizes
     * as in gather, of 2 to 8. */
    void (*blank[SS_ELEMENT_SIZES - 1])(const void *x, uint64_t bits, const unsigned char *keep,
                                        size_t n, void *out);
    /* How many of n elements are NaN or infinite. */
    size_t (*nonfinite[SS_REAL_TYPES])(const void *x, size_t n);
    /* In place, [0] binary32, [1] binary64: x[i] becomes fl(x[i] - m). */
    void (*deviate[2])(void *x, double m, size_t n);
} ss_packers;

/* What min and max are of n > 0 elements: in binary64, which holds every element. The zeros are
 * told apart: -0.0 is below +0.0. Where all are NaN, min and max have no meaning. */
typedef struct ss_extremes {
    double min, max;
    int nan, all_nan;
} ss_extremes;
typedef void ss_extremes_fn(const void *x, size_t n, ss_extremes *out);

#endif
