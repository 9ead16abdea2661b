/* The one-shot calls. */
#include "samesum.h"
#include "derived.h"
#include "fixedtree/fpenv.h"
#include "fixedtree/threads.h"

static inline __attribute__((always_inline)) samesum_status
reduce(const samesum_data *data, const samesum_want *want, void *result, samesum_ran *ran)
{
    const ss_backend *backend;
    samesum_status st = ss_check(want, data->type, &backend);
    if (st != SAMESUM_OK)
        return st;
    const void *y = want->op == SAMESUM_DOT ? data->y : NULL;
    if (!result || (data->n > 0 && (!data->x || (want->op == SAMESUM_DOT && !y))))
        return SAMESUM_ERR_NULL;
    int threads = 1;
    ss_fpenv caller = ss_fpenv_enter();
    if (want->op <= SAMESUM_DOT && want->level != SAMESUM_EXACT && data->n < SS_SEGMENT &&
        data->n > 0) {
        /* few elements: the shortest way, without stage 1 beyond a segment */
        ss_plan plan = ss_plan_tree(backend, want->op, data->type, want->level, want->threads);
        ss_lanes root;
        plan.kernel->partial(data->x, y, data->n, &root);
        ss_lanes_finish(&plan.arith, &root, result);
    } else {
        st = ss_derive(backend, data, want, result, &threads);
    }
    ss_fpenv_leave(caller);
    if (ran) {
        ran->backend = backend->id;
        ran->threads = threads;
    }
    return st;
}

samesum_status samesum_reduce(const samesum_data *data, const samesum_want *want, void *result,
                              samesum_ran *ran)
{
    return data && want ? reduce(data, want, result, ran) : SAMESUM_ERR_NULL;
}

static inline __attribute__((always_inline)) samesum_status
one_call(samesum_op op, samesum_type type, const void *x, const void *y, size_t n,
         samesum_level level, unsigned ddof, void *result)
{
    samesum_data data = {.x = x, .y = y, .n = n, .type = type};
    samesum_want want = {.op = op, .level = level, .ddof = ddof};
    return reduce(&data, &want, result, NULL);
}

#define SS_ONE_CALL(name, OP, suffix, TYPE, elem, acc)                                             \
    samesum_status samesum_##name##_##suffix(const elem *x, size_t n, samesum_level level,         \
                                             acc *result)                                          \
    {                                                                                              \
        return one_call(OP, TYPE, x, NULL, n, level, 0, result);                                   \
    }
#define SS_ONE_SPREAD(name, OP, suffix, TYPE, elem, acc)                                           \
    samesum_status samesum_##name##_##suffix(const elem *x, size_t n, unsigned ddof,               \
                                             samesum_level level, acc *result)                     \
    {                                                                                              \
        return one_call(OP, TYPE, x, NULL, n, level, ddof, result);                                \
    }
#define SS_ONE_CALLS(...)                                                                          \
    SS_ONE_CALL(sum, SAMESUM_SUM, __VA_ARGS__)                                                     \
    SS_ONE_CALL(asum, SAMESUM_ASUM, __VA_ARGS__)                                                   \
    SS_ONE_CALL(sumsq, SAMESUM_SUMSQ, __VA_ARGS__)                                                 \
    SS_ONE_CALL(nrm2, SAMESUM_NRM2, __VA_ARGS__)                                                   \
    SS_ONE_CALL(mean, SAMESUM_MEAN, __VA_ARGS__)                                                   \
    SS_ONE_SPREAD(var, SAMESUM_VAR, __VA_ARGS__)                                                   \
    SS_ONE_SPREAD(std, SAMESUM_STD, __VA_ARGS__)                                                   \
    SS_ONE_DOT(__VA_ARGS__)
#define SS_ONE_DOT(suffix, TYPE, elem, acc)                                                        \
    samesum_status samesum_dot_##suffix(const elem *x, const elem *y, size_t n,                    \
                                        samesum_level level, acc *result)                          \
    {                                                                                              \
        return one_call(SAMESUM_DOT, TYPE, x, y, n, level, 0, result);                             \
    }
SS_ONE_CALLS(f64, SAMESUM_F64, double, double)
SS_ONE_CALLS(f32, SAMESUM_F32, float, float)
SS_ONE_CALLS(f32_wide, SAMESUM_F32_WIDE, float, double)

size_t samesum_element_size(samesum_type type)
{
    static const size_t bytes[SS_TYPES] = {
        [SAMESUM_F64] = 8, [SAMESUM_F32] = 4, [SAMESUM_F32_WIDE] = 4};
    return (unsigned)type < SS_TYPES ? bytes[type] : 0;
}

size_t samesum_result_size(samesum_type type)
{
    static const size_t bytes[SS_TYPES] = {
        [SAMESUM_F64] = 8, [SAMESUM_F32] = 4, [SAMESUM_F32_WIDE] = 8};
    return (unsigned)type < SS_TYPES ? bytes[type] : 0;
}

const char *samesum_version(void)
{
    return SAMESUM_VERSION;
}

int samesum_arithmetic_version(void)
{
    return 1;
}

int samesum_has_openmp(void)
{
    return ss_has_openmp();
}

int samesum_default_threads(void)
{
    return ss_default_threads();
}

const char *samesum_strerror(samesum_status status)
{
    switch (status) {
    case SAMESUM_OK:
        return "done";
    case SAMESUM_NO_VALUE:
        return "the answer does not exist for so few data: the result is NaN";
    case SAMESUM_ERR_NULL:
        return "a null pointer where data or a result was needed";
    case SAMESUM_ERR_OP:
        return "unknown operation, or one that this call does not compute";
    case SAMESUM_ERR_TYPE:
        return "unknown element type";
    case SAMESUM_ERR_LEVEL:
        return "unknown level of accuracy";
    case SAMESUM_ERR_BACKEND:
        return "unknown backend: use auto, scalar, avx2, avx512 or neon (or unset SAMESUM_BACKEND)";
    case SAMESUM_ERR_UNAVAILABLE:
        return "this machine cannot run the backend that was asked for";
    case SAMESUM_ERR_THREADS:
        return "the number of threads is negative";
    case SAMESUM_ERR_NOT_YET:
        return "not supported yet in version " SAMESUM_VERSION;
    case SAMESUM_ERR_RANGE:
        return "ranges overlap or leave a gap, or an index passes 2^64 - 1";
    case SAMESUM_ERR_MISMATCH:
        return "the states differ in operation, type, level or ddof";
    case SAMESUM_ERR_CORRUPT:
        return "not a serialised state, or a damaged one";
    case SAMESUM_ERR_VERSION:
        return "a serialised state of another format or arithmetic version";
    case SAMESUM_ERR_SIZE:
        return "the buffer is too small";
    case SAMESUM_ERR_NOMEM:
        return "out of memory";
    case SAMESUM_ERR_TWO_PASSES:
        return "nrm2, var and std take two passes over the data except at level exact: no state";
    case SAMESUM_ERR_EMPTY:
        return "argmin and argmax of no element do not exist";
    case SAMESUM_ERR_SHAPE:
        return "a shape, an axis or an offset that cannot be";
    case SAMESUM_ERR_OPTION:
        return "choices that do not go together: weights, conj, the result's type or a kind of "
               "mask, missing value or NaN policy";
    }
    return "unknown status";
}
