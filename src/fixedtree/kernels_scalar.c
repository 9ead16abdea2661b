#include "fixedtree/isa_scalar.h"
#define SS_BACKEND ss_backend_scalar
#define SS_SLICERS ss_slicers_scalar
#define SS_BACKEND_ID SAMESUM_BACKEND_SCALAR
#include "fixedtree/backend.h"
