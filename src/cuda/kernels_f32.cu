#define SS_TABLE_NAME ss_kernel_f32
#define SS_TABLE_FROM ss_from_f32
#include "cuda/kernels_of_type.cuh"
