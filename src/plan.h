/* Checks of what is asked for, and what it implies. */
#ifndef SS_PLAN_H
#define SS_PLAN_H

#include "derived.h"
#include "dispatch.h"

enum { SS_LAST_OP = SAMESUM_MINMAX };

/* Checks operation, type, level, options, threads and backend, and finds the backend. Inline,
 * because calls for few elements should cost little, and what they know beforehand need not be
 * checked. Errors: SAMESUM_ERR_OP, _TYPE, _LEVEL, _OPTION, _THREADS, _BACKEND, _UNAVAILABLE. */
static inline __attribute__((always_inline)) samesum_status
ss_check(const samesum_want *want, samesum_type type, const ss_backend **backend)
{
    if ((unsigned)want->op > SS_LAST_OP)
        return SAMESUM_ERR_OP;
    if ((unsigned)type >= SS_ELEMENT_TYPES)
        return SAMESUM_ERR_TYPE;
    if (ss_is_complex(type) && !ss_takes_complex(want->op))
        return SAMESUM_ERR_OP;
    if ((unsigned)want->level > SAMESUM_EXACT && want->op < SAMESUM_MIN)
        return SAMESUM_ERR_LEVEL;
    if ((want->op >= SAMESUM_MIN && (unsigned)want->nan > SAMESUM_NAN_IGNORE) ||
        (unsigned)want->result > SAMESUM_RESULT_INPUT ||
        (want->result == SAMESUM_RESULT_INPUT && type == SAMESUM_F32_WIDE &&
         !ss_is_index(want->op)) ||
        (want->conj && !(want->op == SAMESUM_DOT && ss_is_complex(type))))
        return SAMESUM_ERR_OPTION;
    if (want->threads < 0)
        return SAMESUM_ERR_THREADS;
    return ss_dispatch(want->backend, backend);
}

#endif
