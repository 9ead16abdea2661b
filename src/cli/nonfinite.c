#include "nonfinite.h"

#include <stdio.h>

struct nonfinite nonfinite_of_both(struct nonfinite a, struct nonfinite b)
{
    if (a.count == 0 || (b.count > 0 && b.first < a.first))
        a.first = b.first;
    a.count += b.count;
    return a;
}

void nonfinite_report(const struct nonfinite *found, const char *file)
{
    if (found->count)
        fprintf(stderr, "%s: %llu non-finite values, first at index %llu\n", file,
                (unsigned long long)found->count, (unsigned long long)found->first);
}
