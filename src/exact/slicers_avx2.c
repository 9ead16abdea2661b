#include "fixedtree/isa_avx2.h"
#define SS_SLICERS ss_slicers_avx2
#include "exact/slicers.h"
