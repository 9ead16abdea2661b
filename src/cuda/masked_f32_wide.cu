#define SS_TABLE_NAME ss_masked_f32_wide
#define SS_TABLE_FROM ss_from_f32_wide
#include "cuda/masked_of_type.cuh"
