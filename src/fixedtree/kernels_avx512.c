#include "fixedtree/isa_avx512.h"
#define SS_BACKEND ss_backend_avx512
#define SS_SLICERS ss_slicers_avx512
#define SS_BACKEND_ID SAMESUM_BACKEND_AVX512
#include "fixedtree/backend.h"
