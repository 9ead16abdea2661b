#include "fixedtree/isa_avx2.h"
#define SS_BACKEND ss_backend_avx2
#define SS_SLICERS ss_slicers_avx2
#define SS_BACKEND_ID SAMESUM_BACKEND_AVX2
#include "fixedtree/backend.h"
