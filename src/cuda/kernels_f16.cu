#define SS_TABLE_NAME ss_kernel_f16
#define SS_TABLE_FROM ss_from_f16
#include "cuda/kernels_of_type.cuh"
