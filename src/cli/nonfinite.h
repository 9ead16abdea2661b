/* nonfinite.h - how many elements are NaN or infinite, and where the first one is. */
#ifndef SAMESUM_CLI_NONFINITE_H
#define SAMESUM_CLI_NONFINITE_H

#include <stdint.h>

struct nonfinite {
    uint64_t count;
    uint64_t first; /* index; meaningful where count > 0 */
};

/* Both together: all values, and the lowest index. */
struct nonfinite nonfinite_of_both(struct nonfinite a, struct nonfinite b);
/* Prints "FILE: K non-finite values, first at index I" on stderr where there are any. */
void nonfinite_report(const struct nonfinite *found, const char *file);

#endif
