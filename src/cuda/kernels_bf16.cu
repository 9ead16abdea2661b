#define SS_TABLE_NAME ss_kernel_bf16
#define SS_TABLE_FROM ss_from_bf16
#include "cuda/kernels_of_type.cuh"
