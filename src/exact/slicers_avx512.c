#include "fixedtree/isa_avx512.h"
#define SS_SLICERS ss_slicers_avx512
#include "exact/slicers.h"
