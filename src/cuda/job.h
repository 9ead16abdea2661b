/* From a call's arguments to a checked job: the CPU library's own checks, in C. */
#ifndef SS_CUDA_JOB_H
#define SS_CUDA_JOB_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* want as the CPU's code knows it: without threads and backend, and with what its options mean for
 * this type. Errors: those of ss_check(), and SAMESUM_ERR_BACKEND for another backend than auto and
 * cuda. */
samesum_status ss_cuda_job_want(const samesum_want *want, samesum_type type, samesum_want *checked);

/* The job of an array's rows; checked and rows have to last as long as it. Errors: those of
 * ss_array_job(). */
samesum_status ss_cuda_job(const samesum_array *array, const ss_rows *rows,
                           const samesum_want *checked, ss_job *job);

/* ss_array_split() and ss_sums_of_job(), for C++. */
samesum_status ss_cuda_job_split(const samesum_array *array, const int *axes, int axis_count,
                                 ss_rows *rows);
void ss_cuda_job_sums(const ss_job *job, samesum_type number, ss_sums_of *sums);

#ifdef __cplusplus
}
#endif
#endif
