/* From a description to what the layers below need: argument checks, kernel, arithmetic. */
#ifndef SS_PLAN_H
#define SS_PLAN_H

#include "dispatch.h"
#include "fixedtree/segments.h"

/* Operations from 0 up to this one have kernels of their own; the others derive from them. */
enum { SS_LAST_OP = SAMESUM_STD };

/* Checks operation, type, level, threads and backend, and finds the backend. Inline, because calls
 * for few elements should cost little, and what they know beforehand need not be checked. Errors:
 * SAMESUM_ERR_OP, _TYPE, _LEVEL, _THREADS, _BACKEND, _UNAVAILABLE. */
static inline __attribute__((always_inline)) samesum_status
ss_check(const samesum_want *want, samesum_type type, const ss_backend **backend)
{
    if ((unsigned)want->op > SS_LAST_OP)
        return SAMESUM_ERR_OP;
    if ((unsigned)type >= SS_TYPES)
        return SAMESUM_ERR_TYPE;
    if ((unsigned)want->level > SAMESUM_EXACT)
        return SAMESUM_ERR_LEVEL;
    if (want->threads < 0)
        return SAMESUM_ERR_THREADS;
    return ss_dispatch(want->backend, backend);
}

/* The plan of a tree reduction with the kernel of op, one of SAMESUM_SUM to _DOT. */
static inline ss_plan ss_plan_tree(const ss_backend *backend, samesum_op op, samesum_type type,
                                   samesum_level level, int threads)
{
    ss_plan plan = {
        .arith = {.wide = type != SAMESUM_F32, .level = level},
        /* SPEC.md 4.3: within a segment kahan's nodes are those of tree */
        .kernel = &backend->kernel[type][op][level == SAMESUM_COMPENSATED],
        .map = NULL,
        .elem_bytes = type == SAMESUM_F64 ? sizeof(double) : sizeof(float),
        .threads = threads,
    };
    return plan;
}

#endif
