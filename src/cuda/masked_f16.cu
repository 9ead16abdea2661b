#define SS_TABLE_NAME ss_masked_f16
#define SS_TABLE_FROM ss_from_f16
#include "cuda/masked_of_type.cuh"
