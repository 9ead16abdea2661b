#define SS_TABLE_NAME ss_masked_f64
#define SS_TABLE_FROM ss_from_f64
#include "cuda/masked_of_type.cuh"
