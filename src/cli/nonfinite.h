/* nonfinite.h - how many elements are NaN or infinite, and where the first one is. */
#ifndef SAMESUM_CLI_NONFINITE_H
#define SAMESUM_CLI_NONFINITE_H

#include "dtype.h"

#include <stdint.h>

struct nonfinite {
    uint64_t count;
    uint64_t first; /* index; meaningful where count > 0 */
};

/* Adds n elements at x, whose first has the index begin, to what was found before in a sequence. */
void nonfinite_scan(struct nonfinite *found, enum dtype dtype, const void *x, size_t n,
                    uint64_t begin);
/* Two files whose elements go in pairs, together: all values, and the lowest index. */
struct nonfinite nonfinite_of_pair(const struct nonfinite *x, const struct nonfinite *y);
/* Prints "FILE: K non-finite values, first at index I" on stderr where there are any. */
void nonfinite_report(const struct nonfinite *found, const char *file);

#endif
