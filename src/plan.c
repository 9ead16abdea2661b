#include "plan.h"
#include "dispatch.h"

samesum_status ss_plan_make(const samesum_want *want, samesum_type type, ss_plan *plan,
                            samesum_backend *backend)
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
    plan->elem_bytes = samesum_element_size(type);
    plan->threads = want->threads;
    *backend = found->id;
    return SAMESUM_OK;
}

size_t samesum_element_size(samesum_type type)
{
    static const size_t bytes[SS_TYPES] = {
        [SAMESUM_F64] = 8, [SAMESUM_F32] = 4, [SAMESUM_F32_WIDE] = 4};
    return (unsigned)type < SS_TYPES ? bytes[type] : 0;
}

size_t samesum_result_size(samesum_type type)
{
    static const size_t bytes[SS_TYPES] = {
        [SAMESUM_F64] = 8, [SAMESUM_F32] = 4, [SAMESUM_F32_WIDE] = 8};
    return (unsigned)type < SS_TYPES ? bytes[type] : 0;
}
