#include "fixedtree/isa_avx512.h"
#define SS_BACKEND ss_backend_avx512
#define SS_SLICERS ss_slicers_avx512
#define SS_BACKEND_ID SAMESUM_BACKEND_AVX512
#define SS_EVEN_f32 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define SS_EVEN_f64 0, 2, 4, 6, 8, 10, 12, 14
#include "fixedtree/backend.h"
