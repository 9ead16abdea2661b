#define SS_TABLE_NAME ss_kernel_f64
#define SS_TABLE_FROM ss_from_f64
#include "cuda/kernels_of_type.cuh"
