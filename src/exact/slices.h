/* The front end of level exact: cuts the elements of a block into slices on fixed grids whose sums
 * stay exact in binary64 (Rump's extraction, with a running sum as its own extractor), and adds
 * those up as integers. */
#ifndef SS_SLICES_H
#define SS_SLICES_H

#include <stddef.h>
#include <stdint.h>
#include "samesum.h"

enum {
    SS_BLOCK =
        4096, /* elements of a block at most; a lane then adds at most 2^12 terms to a slice */
    SS_SLICE_BITS =
        39, /* from one grid to the next; 38 from the largest term's exponent to the first */
    SS_SLICES_MOST = 9,
    /* Terms are below 2^(exponent + 1). Within these, every grid and running sum is a normal
     * number, or the grid is that of the subnormals. */
    SS_EXPONENT_LEAST = -1036,
    SS_EXPONENT_MOST = 1008
};

typedef struct ss_slices {
    int64_t sum[SS_SLICES_MOST]; /* in units of 2^ss_grid(exponent, k) */
    double most;                 /* the largest |term|, a NaN passed over */
    double least;                /* products of binary64: the smallest |product| */
    int complete;                /* every bit of every term is in sum; else sum has no meaning */
} ss_slices;

/* The exponent of slice k's grid, where terms are below 2^(exponent + 1). */
static inline int ss_grid(int exponent, int k)
{
    int g = exponent - SS_SLICE_BITS * k - 38;
    return g < -1074 ? -1074 : g;
}

/* n <= SS_BLOCK elements; exponent within the limits above. It need not fit: see complete, which
 * also is 0 where a term reaches 2^(exponent + 1), or is a NaN or infinite. */
typedef void ss_slice_fn(const void *x, const void *y, size_t n, int exponent, ss_slices *out);

/* Numbers of slices that kernels are made for: terms of an element below its first, and above. A
 * product of binary64 numbers is two terms, p and its error, and takes two slices more. */
enum { SS_FEW, SS_SOME, SS_MANY, SS_SLICINGS };
static inline int ss_slice_count(int slicing, int two_terms)
{
    static const int count[SS_SLICINGS] = {2, 3, 7};
    return count[slicing] + 2 * two_terms;
}

enum { SS_EXACT_OPS = 4 };

/* [binary32 elements][op][slicing] */
typedef struct ss_slicers {
    ss_slice_fn *slice[2][SS_EXACT_OPS][SS_SLICINGS];
} ss_slicers;

extern const ss_slicers ss_slicers_scalar, ss_slicers_avx2, ss_slicers_avx512, ss_slicers_neon;

#endif
