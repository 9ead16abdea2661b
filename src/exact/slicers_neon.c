#include "fixedtree/isa_neon.h"
#define SS_SLICERS ss_slicers_neon
#include "exact/slicers.h"
