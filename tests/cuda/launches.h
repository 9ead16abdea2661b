/* launches.h - the kernels that the program holds, and which of them were launched. */
#ifndef TESTS_CUDA_LAUNCHES_H
#define TESTS_CUDA_LAUNCHES_H

/* Prints how many kernels of each name were launched since the program began, of how many, and,
 * with missing set, those that were not. Returns how many were not, of those that are there to be
 * launched. */
int launches_print(int missing);

#endif
