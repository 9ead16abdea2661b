/* The one-shot calls. */
#include "samesum.h"
#include "exact/reduce.h"
#include "plan.h"
#include "fixedtree/fpenv.h"
#include "fixedtree/threads.h"

/* Few elements: the shortest way, without stage 1 beyond a segment. */
static inline __attribute__((always_inline)) int is_small(const samesum_data *data,
                                                          const samesum_want *want)
{
    return want->op <= SAMESUM_DOT && want->level != SAMESUM_EXACT && data->n < SS_SEGMENT &&
           data->n > 0 && !ss_is_complex(data->type);
}

static inline __attribute__((always_inline)) int is_small_exact(const samesum_data *data,
                                                                const samesum_want *want)
{
    return want->op <= SAMESUM_STD && want->level == SAMESUM_EXACT && data->n < SS_SEGMENT &&
           data->n > 0 && ss_element_bytes(data->type) >= 4 && !ss_is_complex(data->type);
}

static samesum_status reduce_small_exactly(const ss_backend *backend, const samesum_data *data,
                                           const void *y, const samesum_want *want, void *result)
{
    const ss_format format = ss_result_format(data->type, want->result);
    ss_exact_sums sums;
    double value[SS_TERMS];
    ss_exact_sums_init(&sums, backend->slicers, want->op, data->type, 0, want->ddof);
    ss_exact_sums_add_few(&sums, data->x, y, data->n);
    samesum_status st = ss_exact_sums_finish(&sums, format, value);
    ss_write(format, value[0], result);
    return st;
}

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
    if (is_small(data, want)) {
        const ss_arith arith = {.wide = ss_is_wide(data->type), .level = want->level};
        ss_lanes root;
        backend->kernel[data->type][want->op][want->level == SAMESUM_COMPENSATED].partial(
            data->x, y, data->n, &root);
        ss_write(ss_result_format(data->type, want->result), ss_lanes_finish(&arith, &root),
                 result);
    } else if (is_small_exact(data, want)) {
        st = reduce_small_exactly(backend, data, y, want, result);
    } else {
        ss_job job;
        ss_layout layout;
        ss_tally tally;
        ptrdiff_t bytes = (ptrdiff_t)ss_element_bytes(data->type);
        ss_layout_flat(&layout, data->n, bytes, bytes);
        ss_job_start(&job, backend, want, data->type);
        job.row.layout = &layout;
        job.row.n = data->n;
        job.row.place[SS_X] = data->x;
        job.row.place[SS_Y] = y;
        ss_tally_start(&tally, 0);
        st = ss_derive(&job, want->threads, result, &tally, &threads);
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
SS_ONE_CALLS(f16, SAMESUM_F16, samesum_f16, float)
SS_ONE_CALLS(bf16, SAMESUM_BF16, samesum_bf16, float)

#define SS_COMPLEX_CALLS(...)                                                                      \
    SS_ONE_CALL(sum, SAMESUM_SUM, __VA_ARGS__)                                                     \
    SS_ONE_CALL(sumsq, SAMESUM_SUMSQ, __VA_ARGS__)                                                 \
    SS_ONE_CALL(nrm2, SAMESUM_NRM2, __VA_ARGS__)                                                   \
    SS_ONE_CALL(mean, SAMESUM_MEAN, __VA_ARGS__)                                                   \
    SS_ONE_DOT(__VA_ARGS__)
SS_COMPLEX_CALLS(c64, SAMESUM_C64, float, float)
SS_COMPLEX_CALLS(c128, SAMESUM_C128, double, double)

static samesum_status one_extreme(samesum_op op, samesum_type type, const void *x, size_t n,
                                  samesum_nan nan, void *result)
{
    samesum_data data = {.x = x, .n = n, .type = type};
    samesum_want want = {.op = op, .nan = nan};
    return reduce(&data, &want, result, NULL);
}

#define SS_EXTREME_CALL(name, OP, suffix, TYPE, elem, res)                                         \
    samesum_status samesum_##name##_##suffix(const elem *x, size_t n, samesum_nan nan,             \
                                             res *result)                                          \
    {                                                                                              \
        return one_extreme(OP, TYPE, x, n, nan, result);                                           \
    }
#define SS_EXTREME_CALLS(suffix, TYPE, elem)                                                       \
    SS_EXTREME_CALL(min, SAMESUM_MIN, suffix, TYPE, elem, elem)                                    \
    SS_EXTREME_CALL(max, SAMESUM_MAX, suffix, TYPE, elem, elem)                                    \
    SS_EXTREME_CALL(minmax, SAMESUM_MINMAX, suffix, TYPE, elem, elem)                              \
    SS_EXTREME_CALL(argmin, SAMESUM_ARGMIN, suffix, TYPE, elem, uint64_t)                          \
    SS_EXTREME_CALL(argmax, SAMESUM_ARGMAX, suffix, TYPE, elem, uint64_t)
SS_EXTREME_CALLS(f64, SAMESUM_F64, double)
SS_EXTREME_CALLS(f32, SAMESUM_F32, float)

size_t samesum_element_size(samesum_type type)
{
    return (unsigned)type < SS_ELEMENT_TYPES ? ss_element_bytes(type) : 0;
}

size_t samesum_result_size(samesum_type type)
{
    return (unsigned)type >= SS_ELEMENT_TYPES ? 0 : ss_is_wide(type) ? 8 : 4;
}

size_t samesum_result_bytes(const samesum_want *want, samesum_type type)
{
    const ss_backend *backend;
    samesum_want any = want ? *want : (samesum_want){.op = SS_LAST_OP + 1};
    any.backend = SAMESUM_BACKEND_SCALAR; /* every machine has it */
    any.threads = 0;
    if (ss_check(&any, type, &backend) != SAMESUM_OK)
        return 0;
    if (ss_is_index(any.op))
        return sizeof(uint64_t);
    return (size_t)ss_result_numbers(&any, type) *
           (size_t)ss_format_of(ss_result_format(type, any.result)).bytes;
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
        return "the answer does not exist for so few data: a number that was written is NaN";
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
        return "the states, or the ranks, differ in operation, type, level, ddof or number";
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
    case SAMESUM_ERR_POINTER:
        return "a pointer that is no memory of the CUDA device, or not aligned to its numbers";
    case SAMESUM_ERR_CUDA:
        return "the CUDA runtime refused a call: its own last error says why";
    case SAMESUM_ERR_MPI:
        return "the MPI library refused a call";
    case SAMESUM_ERR_NCCL:
        return "NCCL refused a call: NCCL_DEBUG=WARN in the environment says why";
    }
    return "unknown status";
}
