/* shares.h - a reduction cut into the shares of several devices, here one after the other on one.
 */
#ifndef TESTS_CUDA_SHARES_H
#define TESTS_CUDA_SHARES_H

#include "device.h"

/* Cuts the array anywhere along the first of the axes that are reduced, and compares what every
 * rank gets with what the CPU's library makes of the whole. */
void shares_as_cpu(const struct cell *cell, const samesum_array *host, const int *axes,
                   int axis_count, int ranks, const char *name);

/* States of consecutive parts from `begin` on, `stride` bytes apart in scratch memory; and what
 * they come to on the device. */
enum { STATES = 6 };
void *states_of(const samesum_array *device, const samesum_want *want, uint64_t begin, size_t bytes,
                size_t stride);
void finish_states(const samesum_want *want, samesum_type type, const void *states, size_t stride,
                   char *result, size_t bytes);
/* The same for n random elements, compared with the CPU's state. */
void states_as_cpu(const struct cell *cell, size_t n);

#endif
