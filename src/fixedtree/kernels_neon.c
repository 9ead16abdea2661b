#include "fixedtree/isa_neon.h"
#define SS_BACKEND ss_backend_neon
#define SS_SLICERS ss_slicers_neon
#define SS_BACKEND_ID SAMESUM_BACKEND_NEON
#define SS_EVEN_f32 0, 2, 4, 6
#define SS_EVEN_f64 0, 2
#include "fixedtree/backend.h"
