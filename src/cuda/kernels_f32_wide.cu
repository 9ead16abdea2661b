#define SS_TABLE_NAME ss_kernel_f32_wide
#define SS_TABLE_FROM ss_from_f32_wide
#include "cuda/kernels_of_type.cuh"
