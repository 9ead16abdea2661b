/* The one-shot calls. */
#include "samesum.h"
#include "plan.h"
#include "fixedtree/fpenv.h"

/* Reduces at least one segment; returns how many threads worked. */
__attribute__((noinline)) static int reduce_segments(const ss_plan *plan, const char *x,
                                                     const char *y, size_t n, void *result)
{
    ss_range range;
    ss_lanes root, after;
    size_t segments = n / SS_SEGMENT, rest = n % SS_SEGMENT;
    ss_range_init(&range, 0);
    int threads = ss_segments_append(plan, x, y, segments, &range);
    size_t done = segments * SS_SEGMENT * plan->elem_bytes;
    if (rest)
        plan->kernel->partial(x + done, y ? y + done : NULL, rest, &after);
    ss_range_root(&plan->arith, &range, NULL, rest ? &after : NULL, &root);
    ss_lanes_finish(&plan->arith, &root, result);
    return threads;
}

static inline __attribute__((always_inline)) samesum_status
reduce(const samesum_data *data, const samesum_want *want, void *result, samesum_ran *ran)
{
    ss_plan plan;
    samesum_backend backend;
    samesum_status st = ss_plan_make(want, data->type, &plan, &backend);
    if (st != SAMESUM_OK)
        return st;
    const void *y = want->op == SAMESUM_DOT ? data->y : NULL;
    if (!result || (data->n > 0 && (!data->x || (want->op == SAMESUM_DOT && !y))))
        return SAMESUM_ERR_NULL;
    int threads = 1;
    ss_fpenv caller = ss_fpenv_enter();
    if (data->n >= SS_SEGMENT) {
        threads = reduce_segments(&plan, data->x, y, data->n, result);
    } else if (data->n > 0) {
        ss_lanes root;
        plan.kernel->partial(data->x, y, data->n, &root);
        ss_lanes_finish(&plan.arith, &root, result);
    } else {
        ss_lanes_finish_empty(&plan.arith, result);
    }
    ss_fpenv_leave(caller);
    if (ran) {
        ran->backend = backend;
        ran->threads = threads;
    }
    return SAMESUM_OK;
}

samesum_status samesum_reduce(const samesum_data *data, const samesum_want *want, void *result,
                              samesum_ran *ran)
{
    return data && want ? reduce(data, want, result, ran) : SAMESUM_ERR_NULL;
}

static inline __attribute__((always_inline)) samesum_status
one_call(samesum_op op, samesum_type type, const void *x, const void *y, size_t n,
         samesum_level level, void *result)
{
    samesum_data data = {.x = x, .y = y, .n = n, .type = type};
    samesum_want want = {.op = op, .level = level};
    return reduce(&data, &want, result, NULL);
}

#define SS_ONE_CALLS(suffix, TYPE, elem, acc)                                                      \
    samesum_status samesum_sum_##suffix(const elem *x, size_t n, samesum_level level, acc *result) \
    {                                                                                              \
        return one_call(SAMESUM_SUM, TYPE, x, NULL, n, level, result);                             \
    }                                                                                              \
    samesum_status samesum_asum_##suffix(const elem *x, size_t n, samesum_level level,             \
                                         acc *result)                                              \
    {                                                                                              \
        return one_call(SAMESUM_ASUM, TYPE, x, NULL, n, level, result);                            \
    }                                                                                              \
    samesum_status samesum_sumsq_##suffix(const elem *x, size_t n, samesum_level level,            \
                                          acc *result)                                             \
    {                                                                                              \
        return one_call(SAMESUM_SUMSQ, TYPE, x, NULL, n, level, result);                           \
    }                                                                                              \
    samesum_status samesum_dot_##suffix(const elem *x, const elem *y, size_t n,                    \
                                        samesum_level level, acc *result)                          \
    {                                                                                              \
        return one_call(SAMESUM_DOT, TYPE, x, y, n, level, result);                                \
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
        return "the states differ in operation, type or level";
    case SAMESUM_ERR_CORRUPT:
        return "not a serialised state, or a damaged one";
    case SAMESUM_ERR_VERSION:
        return "a serialised state of another format or arithmetic version";
    case SAMESUM_ERR_SIZE:
        return "the buffer is too small";
    case SAMESUM_ERR_NOMEM:
        return "out of memory";
    }
    return "unknown status";
}
