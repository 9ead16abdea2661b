/* Which backends this machine has, and which one a call uses. */
#ifndef SS_DISPATCH_H
#define SS_DISPATCH_H

#include "fixedtree/kernels.h"

/* *backend becomes the kernels of the backend asked for; AUTO: of the one that the environment
 * variable SAMESUM_BACKEND names, else the widest. Never another one than was asked for. Errors:
 * SAMESUM_ERR_BACKEND, _UNAVAILABLE. */
samesum_status ss_dispatch(samesum_backend asked, const ss_backend **backend);

#endif
