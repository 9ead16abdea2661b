/* From a description to what the layers below need: argument checks, kernel, arithmetic. */
#ifndef SS_PLAN_H
#define SS_PLAN_H

#include "dispatch.h"
#include "fixedtree/threads.h"

/* Checks operation, type, level, threads and backend, and fills *plan and *backend. Inline, because
 * calls for few elements should cost little, and what they know beforehand need not be checked.
 * Errors: SAMESUM_ERR_OP, _TYPE, _LEVEL, _THREADS, _BACKEND, _UNAVAILABLE, _NOT_YET. */
static inline __attribute__((always_inline)) samesum_status
ss_plan_make(const samesum_want *want, samesum_type type, ss_plan *plan, samesum_backend *backend)
{
    if ((unsigned)want->op >= SS_OPS)
        return SAMESUM_ERR_OP;
    if ((unsigned)type >= SS_TYPES)
        return SAMESUM_ERR_TYPE;
    if ((unsigned)want->level > SAMESUM_EXACT)
        return SAMESUM_ERR_LEVEL;
    if (want->threads < 0)
        return SAMESUM_ERR_THREADS;
    const ss_backend *found;
    samesum_status st = ss_dispatch(want->backend, &found);
    if (st != SAMESUM_OK)
        return st;
    if (want->level == SAMESUM_EXACT)
        return SAMESUM_ERR_NOT_YET;
    plan->arith.wide = type != SAMESUM_F32;
    plan->arith.level = want->level;
    /* SPEC.md 4.3: within a segment kahan's nodes are those of tree */
    plan->kernel = &found->kernel[type][want->op][want->level == SAMESUM_COMPENSATED];
    plan->elem_bytes = type == SAMESUM_F64 ? sizeof(double) : sizeof(float);
    plan->threads = want->threads;
    *backend = found->id;
    return SAMESUM_OK;
}

#endif
