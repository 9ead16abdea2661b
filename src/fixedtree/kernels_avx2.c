#include "fixedtree/isa_avx2.h"
#define SS_BACKEND ss_backend_avx2
#define SS_SLICERS ss_slicers_avx2
#define SS_BACKEND_ID SAMESUM_BACKEND_AVX2
#define SS_EVEN_f32 0, 2, 4, 6, 8, 10, 12, 14
#define SS_EVEN_f64 0, 2, 4, 6
#include "fixedtree/backend.h"
