/* Arrays in host memory, cut and packed for their way to the device. Knows no CUDA. */
#ifndef SS_CUDA_HOST_CHUNKS_H
#define SS_CUDA_HOST_CHUNKS_H

#include "view/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One operand of an array: x, y or the weights, or the mask. */
typedef struct ss_host_operand {
    const char *at;      /* the element with all indices 0; NULL: there is no such operand */
    size_t bytes;        /* of an element; of a mask's entry 1 */
    size_t unit;         /* what its places on the device are multiples of */
    int bits;            /* a mask of bits: strides count bits. They travel as bytes */
    ptrdiff_t first_bit; /* of the element with all indices 0; else 0 */
    ptrdiff_t stride[SAMESUM_MAX_DIMS];
} ss_host_operand;

/* An array with all strides written down. */
typedef struct ss_host_array {
    int dims;
    size_t shape[SAMESUM_MAX_DIMS];
    uint64_t elements;
    ss_host_operand operand[SS_PLACES];
    samesum_array described; /* what else is to be known of it; its pointers are not used */
} ss_host_array;

/* From a checked description. What follows is for arrays with elements. */
void ss_host_array_make(ss_host_array *h, const samesum_array *array, const samesum_want *want);

/* part becomes the indices [first, first + count) of an axis. */
void ss_host_cut(ss_host_array *part, const ss_host_array *h, int axis, size_t first, size_t count);

/* Bytes that one element takes on its way, with all operands. */
size_t ss_host_element_bytes(const ss_host_array *h);

/* Writes the elements [first, first + count) of an operand, in logical order, side by side; a mask
 * of bits as bytes. Up to so many threads share the work. */
void ss_host_pack(const ss_host_array *h, int place, uint64_t first, size_t count, char *to,
                  int threads);

/* How an operand travels as a whole: as the block of memory that holds it, where that is no larger
 * than its elements (any order of the axes, any signs of the strides, repeated elements), else
 * packed. */
typedef struct ss_host_trip {
    uint64_t bytes;
    const char *block; /* NULL: packed */
    size_t origin;     /* where the element with all indices 0 lies in it */
    ptrdiff_t stride[SAMESUM_MAX_DIMS];
} ss_host_trip;
void ss_host_trip_plan(ss_host_trip *trip, const ss_host_array *h, int place);
/* Writes the bytes [first, first + count) of what travels; packed, multiples of the elements'. */
void ss_host_trip_bytes(const ss_host_trip *trip, const ss_host_array *h, int place, uint64_t first,
                        size_t count, char *to, int threads);

/* Describes what has arrived at these places, NULL for none: with the trips' strides, or, where
 * trip is NULL, as a chunk of n packed elements, whose shape is *n. */
void ss_host_arrived(samesum_array *array, const ss_host_array *h,
                     const ss_host_trip trip[SS_PLACES], const size_t *n,
                     char *const place[SS_PLACES]);

#ifdef __cplusplus
}
#endif
#endif
