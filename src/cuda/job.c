#include "cuda/job.h"

#include "fixedtree/fpenv.h"
#include "plan.h"

samesum_status ss_cuda_job_want(const samesum_want *want, samesum_type type, samesum_want *checked)
{
    const ss_backend *host;
    if (want->backend != SAMESUM_BACKEND_AUTO && want->backend != SAMESUM_BACKEND_CUDA)
        return SAMESUM_ERR_BACKEND;
    *checked = *want;
    checked->backend = SAMESUM_BACKEND_SCALAR;
    checked->threads = 1;
    return ss_check(checked, type, &host);
}

/* The scalar loops convert the missing value: arithmetic of the host's (SPEC.md, section 5). */
samesum_status ss_cuda_job(const samesum_array *array, const ss_rows *rows,
                           const samesum_want *checked, ss_job *job)
{
    ss_fpenv caller = ss_fpenv_enter();
    samesum_status st = ss_array_job(array, rows, &ss_backend_scalar, checked, job);
    ss_fpenv_leave(caller);
    return st;
}

samesum_status ss_cuda_job_split(const samesum_array *array, const int *axes, int axis_count,
                                 ss_rows *rows)
{
    return ss_array_split(array, axes, axis_count, rows);
}

void ss_cuda_job_sums(const ss_job *job, samesum_type number, ss_sums_of *sums)
{
    ss_sums_of_job(job, number, sums);
}
