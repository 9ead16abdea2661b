/* cells.h - the one list of what the library computes: every operation with every type at every
 * level, and which of them it refuses, by which rule. */
#ifndef TESTS_CELLS_H
#define TESTS_CELLS_H

#include "samesum.h"

#include <stdbool.h>

struct cell {
    const char *op_name, *type_name, *level_name;
    samesum_op op;
    bool conj, weighted; /* dot of conjugated x; sum or mean with weights */
    samesum_type type;
    samesum_result_type result;
    samesum_level level;
    /* Variants of one cell. */
    unsigned ddof;
    samesum_nan nan;
};

enum {
    CELL_OPS = 16,
    CELL_TYPES = 10,
    CELL_LEVELS = 4,
    CELLS = CELL_OPS * CELL_TYPES * CELL_LEVELS
};

/* 0 <= i < CELLS: levels within types within operations; ddof 0, NaNs propagate. */
struct cell cell_at(int i);
/* SAMESUM_OK, or the status that refuses the cell; *rule then is what says so (rule may be NULL).
 */
samesum_status cell_refusal(const struct cell *cell, const char **rule);

/* Whether the operation takes y; whether it is min, max, argmin, argmax or minmax. */
bool cell_pairs(const struct cell *cell);
bool cell_extreme(const struct cell *cell);
bool is_complex(samesum_type type);
/* Whether there are states for it. */
bool cell_has_states(const struct cell *cell);

samesum_want cell_want(const struct cell *cell, samesum_backend backend, int threads);

#endif
