/* The calls of samesum_nccl.h for one GPU of each process. */
#include "samesum_nccl.h"

samesum_status samesum_nccl_allreduce_vector(const void *x, size_t n, samesum_type type,
                                             const samesum_want *want, void *results,
                                             samesum_nccl_comm comm, samesum_cuda_stream stream)
{
    samesum_nccl_vector v = {.x = x, .n = n, .type = type, .results = results};
    const samesum_nccl_member me = {.comm = comm, .stream = stream, .vectors = want ? &v : NULL};
    if (want)
        v.want = *want;
    return samesum_nccl_allreduce_vectors(&me, 1, 1);
}

static samesum_status one_call(samesum_op op, samesum_type type, const void *x, const void *y,
                               size_t n, samesum_level level, void *result, samesum_nccl_comm comm,
                               samesum_cuda_stream stream)
{
    const samesum_nccl_field field = {
        .part = {.x = x, .y = y, .type = type, .dims = 1, .shape = &n},
        .want = {.op = op, .level = level},
        .out = {.results = result}};
    const samesum_nccl_member me = {.comm = comm, .stream = stream, .fields = &field};
    return samesum_nccl_reduce(&me, 1, 1);
}

#define ONE_CALL(name, OP, suffix, TYPE, number)                                                   \
    samesum_status samesum_nccl_##name##_##suffix(const number *x, size_t n, samesum_level level,  \
                                                  number *result, samesum_nccl_comm comm,          \
                                                  samesum_cuda_stream stream)                      \
    {                                                                                              \
        return one_call(OP, TYPE, x, NULL, n, level, result, comm, stream);                        \
    }
#define CALLS(suffix, TYPE, number)                                                                \
    ONE_CALL(sum, SAMESUM_SUM, suffix, TYPE, number)                                               \
    ONE_CALL(mean, SAMESUM_MEAN, suffix, TYPE, number)                                             \
    ONE_CALL(nrm2, SAMESUM_NRM2, suffix, TYPE, number)                                             \
    samesum_status samesum_nccl_dot_##suffix(const number *x, const number *y, size_t n,           \
                                             samesum_level level, number *result,                  \
                                             samesum_nccl_comm comm, samesum_cuda_stream stream)   \
    {                                                                                              \
        return one_call(SAMESUM_DOT, TYPE, x, y, n, level, result, comm, stream);                  \
    }
CALLS(f64, SAMESUM_F64, double)
CALLS(f32, SAMESUM_F32, float)
