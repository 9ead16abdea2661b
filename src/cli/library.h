/* library.h - calls of the library whose failure ends the program. */
#ifndef SAMESUM_CLI_LIBRARY_H
#define SAMESUM_CLI_LIBRARY_H

#include "samesum.h"

#include <stdbool.h>

/* Ends the program where status is an error, with a message that names what was asked for; else
 * returns it. */
samesum_status library_check(samesum_status status, const struct samesum_want *want);
/* Ends the program where the backend asked for is not to be had. */
void library_need_backend(const struct samesum_want *want);
/* samesum_reduce_array() on the backend that is wanted, be it a CUDA device. Answers its status,
 * also an error. */
samesum_status library_reduce(const samesum_array *array, const int *axes, int axis_count,
                              const samesum_want *want, void *results, samesum_counts *counts);
/* Whether a stream can be reduced without having it twice. */
bool library_has_states(const struct samesum_want *want);
/* "tree", ... */
const char *level_name(samesum_level level);

#endif
