#include "fixedtree/isa_neon.h"
#define SS_BACKEND ss_backend_neon
#define SS_SLICERS ss_slicers_neon
#define SS_BACKEND_ID SAMESUM_BACKEND_NEON
#include "fixedtree/backend.h"
