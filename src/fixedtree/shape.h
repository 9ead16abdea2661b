/* The shape of the tree (SPEC.md, sections 1 and 4.1), stated here once for host and device, in
 * integers alone. Element i sits in row i / 16, lane i % 16; node (k, i) covers rows [i 2^k, (i +
 * 1) 2^k). */
#ifndef SS_SHAPE_H
#define SS_SHAPE_H

#include <stdint.h>

#ifdef __CUDACC__
#define SS_SHAPE_FN static __host__ __device__ inline
#else
#define SS_SHAPE_FN static inline
#endif

enum {
    SS_LANES = 16,
    SS_SEGMENT_LEVEL = 8, /* up to here level kahan is plain (SPEC.md, section 4.3) */
    SS_SEGMENT_ROWS = 1 << SS_SEGMENT_LEVEL,
    SS_SEGMENT = SS_SEGMENT_ROWS * SS_LANES /* elements */
};

/* The number of zero bits below the lowest one bit; 64 for 0. */
SS_SHAPE_FN int ss_trailing_zeros(uint64_t v)
{
    int k = 0;
    for (int step = 32; step > 0; step /= 2) {
        if ((v & ((UINT64_C(1) << step) - 1)) == 0) {
            v >>= step;
            k += step;
        }
    }
    return v & 1 ? k : 64;
}

/* What lies left and right of the border before row r first meets in a node of this level. Of two
 * neighbouring borders the one of the lower level is therefore combined first. */
SS_SHAPE_FN int ss_meeting_level(uint64_t row)
{
    return ss_trailing_zeros(row) + 1;
}

/* The level of the largest aligned node that begins at row r and ends at or before row end. */
SS_SHAPE_FN int ss_aligned_level(uint64_t row, uint64_t end)
{
    int k = ss_trailing_zeros(row);
    uint64_t rows = end - row;
    while (k > 63 || (rows >> k) == 0)
        k--;
    return k;
}

#endif
