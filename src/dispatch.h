/* Which backends this machine has, and which one a call uses. */
#ifndef SS_DISPATCH_H
#define SS_DISPATCH_H

#include <stdatomic.h>
#include "fixedtree/kernels.h"

/* What AUTO means here, once it has been found out. */
extern _Atomic(const ss_backend *) ss_default_backend;

/* The rest of ss_dispatch: the first call with AUTO, and all calls that name a backend. */
samesum_status ss_dispatch_find(samesum_backend asked, const ss_backend **backend);

/* *backend becomes the kernels of the backend asked for; AUTO: of the one that the environment
 * variable SAMESUM_BACKEND names, else the widest. Never another one than was asked for. Errors:
 * SAMESUM_ERR_BACKEND, _UNAVAILABLE. */
static inline samesum_status ss_dispatch(samesum_backend asked, const ss_backend **backend)
{
    if (asked == SAMESUM_BACKEND_AUTO &&
        (*backend = atomic_load_explicit(&ss_default_backend, memory_order_acquire)))
        return SAMESUM_OK;
    return ss_dispatch_find(asked, backend);
}

#endif
