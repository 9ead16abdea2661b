#include "fixedtree/isa_scalar.h"
#define SS_SLICERS ss_slicers_scalar
#include "exact/slicers.h"
