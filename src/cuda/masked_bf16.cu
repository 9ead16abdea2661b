#define SS_TABLE_NAME ss_masked_bf16
#define SS_TABLE_FROM ss_from_bf16
#include "cuda/masked_of_type.cuh"
