#include "nonfinite.h"

#include <stdio.h>
#include <string.h>

/* Elements are counted in blocks of this many: short enough for the first level of the cache, and
 * a fixed number, for which compilers make vector code. */
enum { BLOCK = 1024 };

/* How many of count elements have an exponent of all ones. */
static unsigned count_f64(const char *x, size_t count)
{
    const uint64_t exponent = UINT64_C(0x7ff) << 52;
    uint64_t block[BLOCK] = {0}; /* zeros are finite */
    unsigned found = 0;
    memcpy(block, x, count * sizeof *block);
    for (int i = 0; i < BLOCK; i++)
        found += (block[i] & exponent) == exponent;
    return found;
}

static unsigned count_f32(const char *x, size_t count)
{
    const uint32_t exponent = UINT32_C(0xff) << 23;
    uint32_t block[BLOCK] = {0};
    unsigned found = 0;
    memcpy(block, x, count * sizeof *block);
    for (int i = 0; i < BLOCK; i++)
        found += (block[i] & exponent) == exponent;
    return found;
}

void nonfinite_scan(struct nonfinite *found, enum dtype dtype, const void *x, size_t n,
                    uint64_t begin)
{
    unsigned (*count)(const char *, size_t) = dtype == DTYPE_F32 ? count_f32 : count_f64;
    const size_t size = dtype_row(dtype)->size;
    const char *at = x;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t in_block = n - i < BLOCK ? n - i : BLOCK;
        unsigned here = count(at + i * size, in_block);
        if (here == 0)
            continue;
        if (found->count == 0) {
            size_t j = 0;
            while (count(at + (i + j) * size, 1) == 0)
                j++;
            found->first = begin + i + j;
        }
        found->count += here;
    }
}

struct nonfinite nonfinite_of_pair(const struct nonfinite *x, const struct nonfinite *y)
{
    struct nonfinite both = *x;
    if (y->count && (x->count == 0 || y->first < x->first))
        both.first = y->first;
    both.count += y->count;
    return both;
}

void nonfinite_report(const struct nonfinite *found, const char *file)
{
    if (found->count)
        fprintf(stderr, "%s: %llu non-finite values, first at index %llu\n", file,
                (unsigned long long)found->count, (unsigned long long)found->first);
}
