/* launches.h - the kernels that the program holds, and which of them were launched. */
#ifndef TESTS_CUDA_LAUNCHES_H
#define TESTS_CUDA_LAUNCHES_H

/* Prints how many kernels of each name were launched since the program began, and of how many. */
void launches_print(void);
/* Prints those that were not; returns how many. */
int launches_missing(void);

#endif
