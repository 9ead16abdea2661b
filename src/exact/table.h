/* Integers by binary exponent: a fast way for terms whose exponents lie too far apart for slices.
 */
#ifndef SS_TABLE_H
#define SS_TABLE_H

#include <string.h>
#include "exact/accumulator.h"

enum { SS_TABLE = 2047 };

/* chunk[b] counts multiples of 2^(max(b, 1) - 1075) of the terms whose exponent field is b. */
typedef struct ss_table {
    int used;
    int64_t chunk[SS_TABLE];
} ss_table;

/* Moves one chunk to acc. */
static inline void ss_table_drain_one(ss_table *table, int b, ss_exact *acc)
{
    ss_exact_add(acc, table->chunk[b], (b > 0 ? b : 1) - 1075);
    table->chunk[b] = 0;
}

/* Moves everything to acc. */
static inline void ss_table_drain(ss_table *table, ss_exact *acc)
{
    if (!table->used)
        return;
    for (int b = 0; b < SS_TABLE; b++)
        if (table->chunk[b] != 0)
            ss_table_drain_one(table, b, acc);
    table->used = 0;
}

/* Adds a finite term, given by its bits. normal: it is not subnormal and not zero. */
static inline __attribute__((always_inline)) void ss_table_add(ss_table *table, uint64_t bits,
                                                               int normal, ss_exact *acc)
{
    int b = (int)(bits >> 52 & 2047);
    uint64_t hidden = normal ? UINT64_C(1) << 52 : (uint64_t)(b > 0) << 52;
    long long m = (long long)((bits & ((UINT64_C(1) << 52) - 1)) | hidden);
    long long sign = (int64_t)bits >> 63, sum;
    m = (m ^ sign) - sign;
    if (__builtin_expect(__builtin_saddll_overflow(table->chunk[b], m, &sum), 0)) {
        ss_table_drain_one(table, b, acc);
        sum = m;
    }
    table->chunk[b] = sum;
}

static inline void ss_table_start(ss_table *table)
{
    if (!table->used)
        memset(table->chunk, 0, sizeof table->chunk);
    table->used = 1;
}

#endif
