/* From a description to what the layers below need: argument checks, kernel, arithmetic. */
#ifndef SS_PLAN_H
#define SS_PLAN_H

#include "fixedtree/threads.h"

/* Checks operation, type, level, threads and backend, and fills *plan and *backend.
 * Errors: SAMESUM_ERR_OP, _TYPE, _LEVEL, _THREADS, _BACKEND, _UNAVAILABLE, _NOT_YET. */
samesum_status ss_plan_make(const samesum_want *want, samesum_type type, ss_plan *plan,
                            samesum_backend *backend);

#endif
