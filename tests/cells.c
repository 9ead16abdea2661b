#include "cells.h"

#include <stddef.h>

static const struct {
    const char *name;
    samesum_op op;
    bool conj, weighted;
} ops[CELL_OPS] = {
    {"sum", SAMESUM_SUM, false, false},       {"asum", SAMESUM_ASUM, false, false},
    {"sumsq", SAMESUM_SUMSQ, false, false},   {"dot", SAMESUM_DOT, false, false},
    {"dotc", SAMESUM_DOT, true, false},       {"nrm2", SAMESUM_NRM2, false, false},
    {"mean", SAMESUM_MEAN, false, false},     {"var", SAMESUM_VAR, false, false},
    {"std", SAMESUM_STD, false, false},       {"min", SAMESUM_MIN, false, false},
    {"max", SAMESUM_MAX, false, false},       {"argmin", SAMESUM_ARGMIN, false, false},
    {"argmax", SAMESUM_ARGMAX, false, false}, {"minmax", SAMESUM_MINMAX, false, false},
    {"wsum", SAMESUM_SUM, false, true},       {"wmean", SAMESUM_MEAN, false, true},
};

static const struct {
    const char *name;
    samesum_type type;
    samesum_result_type result;
} types[CELL_TYPES] = {
    {"f64", SAMESUM_F64, SAMESUM_RESULT_ACCUMULATOR},
    {"f32", SAMESUM_F32, SAMESUM_RESULT_ACCUMULATOR},
    {"f32_wide", SAMESUM_F32_WIDE, SAMESUM_RESULT_ACCUMULATOR},
    {"f16", SAMESUM_F16, SAMESUM_RESULT_ACCUMULATOR},
    {"bf16", SAMESUM_BF16, SAMESUM_RESULT_ACCUMULATOR},
    {"c64", SAMESUM_C64, SAMESUM_RESULT_ACCUMULATOR},
    {"c128", SAMESUM_C128, SAMESUM_RESULT_ACCUMULATOR},
    {"f16>f16", SAMESUM_F16, SAMESUM_RESULT_INPUT},
    {"bf16>bf16", SAMESUM_BF16, SAMESUM_RESULT_INPUT},
    {"f32_wide>f32", SAMESUM_F32_WIDE, SAMESUM_RESULT_INPUT},
};

static const char *const levels[CELL_LEVELS] = {"tree", "kahan", "compensated", "exact"};

struct cell cell_at(int i)
{
    int level = i % CELL_LEVELS, type = i / CELL_LEVELS % CELL_TYPES;
    int op = i / CELL_LEVELS / CELL_TYPES;
    return (struct cell){.op_name = ops[op].name,
                         .type_name = types[type].name,
                         .level_name = levels[level],
                         .op = ops[op].op,
                         .conj = ops[op].conj,
                         .weighted = ops[op].weighted,
                         .type = types[type].type,
                         .result = types[type].result,
                         .level = (samesum_level)level};
}

bool is_complex(samesum_type type)
{
    return type == SAMESUM_C64 || type == SAMESUM_C128;
}

bool cell_pairs(const struct cell *cell)
{
    return cell->op == SAMESUM_DOT;
}

bool cell_extreme(const struct cell *cell)
{
    return cell->op >= SAMESUM_MIN;
}

bool cell_has_states(const struct cell *cell)
{
    bool two_passes =
        cell->op == SAMESUM_NRM2 || cell->op == SAMESUM_VAR || cell->op == SAMESUM_STD;
    return !cell->weighted && cell->op != SAMESUM_ARGMIN && cell->op != SAMESUM_ARGMAX &&
           (!two_passes || cell->level == SAMESUM_EXACT);
}

samesum_status cell_refusal(const struct cell *cell, const char **rule)
{
    const char *unused;
    rule = rule == NULL ? &unused : rule;
    bool index = cell->op == SAMESUM_ARGMIN || cell->op == SAMESUM_ARGMAX;
    if (cell->type == SAMESUM_F32_WIDE && cell->result == SAMESUM_RESULT_INPUT && !index) {
        *rule = "SPEC.md 2.3: wide together with a result in the input's type";
        return SAMESUM_ERR_OPTION;
    }
    if (cell->conj && !is_complex(cell->type)) {
        *rule = "samesum.h, conj: dot of complex data alone";
        return SAMESUM_ERR_OPTION;
    }
    if (cell->weighted && is_complex(cell->type)) {
        *rule = "samesum.h, weights: sum and mean of real data alone";
        return SAMESUM_ERR_OPTION;
    }
    if (is_complex(cell->type) && (cell->op == SAMESUM_ASUM || cell->op == SAMESUM_VAR ||
                                   cell->op == SAMESUM_STD || cell_extreme(cell))) {
        *rule = "SPEC.md 6.8 step 4: refused for complex data";
        return SAMESUM_ERR_OP;
    }
    return SAMESUM_OK;
}

samesum_want cell_want(const struct cell *cell, samesum_backend backend, int threads)
{
    return (samesum_want){.op = cell->op,
                          .level = cell->level,
                          .threads = threads,
                          .backend = backend,
                          .ddof = cell->ddof,
                          .nan = cell->nan,
                          .result = cell->result,
                          .conj = cell->conj};
}
