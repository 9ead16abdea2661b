#define SS_TABLE_NAME ss_masked_f32
#define SS_TABLE_FROM ss_from_f32
#include "cuda/masked_of_type.cuh"
