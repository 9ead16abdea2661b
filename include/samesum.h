/* samesum.h - sums of floating-point numbers whose bits depend on the data alone.
 *
 * The same input gives the same bits on every run, thread count, SIMD width, compiler and CPU, and
 * for every way of cutting the input into contiguous pieces. reference/SPEC.md defines every bit.
 *
 * Conventions that hold for every call of this header:
 *   - A call returns a samesum_status: 0 (SAMESUM_OK), a positive value where a result was written
 *     that the caller should know about, a negative value for an error. On an error no output and
 * no state is changed.
 *   - The caller's floating-point environment (rounding mode, FTZ/DAZ, traps, sticky flags) neither
 *     changes a result nor is changed.
 *   - Every call may be used from several threads at once, as long as no two of them share a
 *     samesum_state that one of them changes. Nothing is printed.
 *   - An OpenMP runtime that the system gives no thread ends the process (libgomp does); at most
 * 1024 are asked for.
 *   - After fork() a call in the child runs on the calling thread, with the same bits.
 *   - Pointers to elements need no alignment.
 */
#ifndef SAMESUM_H
#define SAMESUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAMESUM_VERSION "0.1.0"

#if defined(__GNUC__)
#define SAMESUM_API __attribute__((visibility("default")))
#else
#define SAMESUM_API
#endif

/* What a call answers. Text: samesum_strerror(). */
typedef enum samesum_status {
    SAMESUM_OK = 0,
    SAMESUM_NO_VALUE = 1,     /* the answer does not exist (too few data): NaN was written */
    SAMESUM_ERR_NULL = -1,    /* a null pointer where data or a result was needed */
    SAMESUM_ERR_OP = -2,      /* not a samesum_op, or one that this call does not compute */
    SAMESUM_ERR_TYPE = -3,    /* not a samesum_type */
    SAMESUM_ERR_LEVEL = -4,   /* not a samesum_level */
    SAMESUM_ERR_BACKEND = -5, /* not a samesum_backend, or SAMESUM_BACKEND names an unknown one */
    SAMESUM_ERR_UNAVAILABLE = -6, /* the backend asked for is not to be had on this machine */
    SAMESUM_ERR_THREADS = -7,     /* a negative number of threads */
    SAMESUM_ERR_NOT_YET = -8,     /* kept for parts of SPEC.md to come; nothing answers it now */
    SAMESUM_ERR_RANGE = -9,       /* ranges overlap or leave a gap, or an index passes 2^64 - 1 */
    SAMESUM_ERR_MISMATCH = -10,   /* the states differ in operation, type, level or ddof */
    SAMESUM_ERR_CORRUPT = -11,    /* not a serialised state, or a damaged one */
    SAMESUM_ERR_VERSION = -12,    /* a serialised state of another format or arithmetic version */
    SAMESUM_ERR_SIZE = -13,       /* the buffer is too small */
    SAMESUM_ERR_NOMEM = -14,      /* out of memory */
    SAMESUM_ERR_TWO_PASSES =
        -15 /* no state: nrm2, var and std need two passes except at level exact */
} samesum_status;

/* What is computed (SPEC.md, sections 3 and 6). */
typedef enum samesum_op {
    SAMESUM_SUM = 0,   /* x0 + x1 + ... */
    SAMESUM_ASUM = 1,  /* |x0| + |x1| + ... */
    SAMESUM_SUMSQ = 2, /* x0*x0 + x1*x1 + ... */
    SAMESUM_DOT = 3,   /* x0*y0 + x1*y1 + ... */
    SAMESUM_NRM2 = 4,  /* the square root of sumsq, without needless overflow or underflow */
    SAMESUM_MEAN = 5,  /* sum / n */
    SAMESUM_VAR = 6,   /* mean square deviation from the mean, with n - ddof for n */
    SAMESUM_STD = 7    /* the square root of var */
} samesum_op;

/* Type of the elements; it implies the accumulator, which is also the type of the result. */
typedef enum samesum_type {
    SAMESUM_F64 = 0,     /* binary64 (double), result double */
    SAMESUM_F32 = 1,     /* binary32 (float), result float */
    SAMESUM_F32_WIDE = 2 /* binary32 elements accumulated in binary64, result double */
} samesum_type;

/* How accurate the result is (SPEC.md, section 4). u is the unit roundoff of the accumulator, 2^-53
 * or 2^-24, and S the sum of the absolute values of the leaves. The bounds hold for sum and asum,
 * to first order, when nothing overflows; for dot and sumsq at tree and kahan add one more u, and
 * at all levels but exact products must not underflow. A subnormal result is off by up to half of
 * the smallest subnormal number. */
typedef enum samesum_level {
    SAMESUM_TREE = 0,        /* error <= (ceil(log2(n / 16)) + 4) u S */
    SAMESUM_KAHAN = 1,       /* error <= u |result| + 8 u S: plain up to 256 rows, pairs above */
    SAMESUM_COMPENSATED = 2, /* error <= u |result| + (ceil(log2 n) + 1)^2 u^2 S */
    SAMESUM_EXACT = 3        /* correctly rounded: error <= u |result|, whatever the data */
} samesum_level;

/* The code that does it. A backend never changes a bit. */
typedef enum samesum_backend {
    SAMESUM_BACKEND_AUTO =
        0, /* what the environment variable SAMESUM_BACKEND names, else the widest */
    SAMESUM_BACKEND_SCALAR = 1,
    SAMESUM_BACKEND_AVX2 = 2, /* AVX2 and FMA */
    SAMESUM_BACKEND_AVX512 = 3,
    SAMESUM_BACKEND_NEON = 4
} samesum_backend;

/* The data of one call. y is used by SAMESUM_DOT alone. NULL is allowed only where n is 0. */
typedef struct samesum_data {
    const void *x;
    const void *y;
    size_t n; /* elements, not bytes */
    samesum_type type;
} samesum_data;

/* What is asked for. All zero: a sum at level tree, default threads and backend. */
typedef struct samesum_want {
    samesum_op op;
    samesum_level level;
    int threads; /* at most so many; 0: as many as OpenMP would use; 1: the calling thread alone */
    samesum_backend backend;
    unsigned ddof; /* var and std divide by n - ddof; others ignore it */
} samesum_want;

/* What did the work; for tests and for `samesum info`. */
typedef struct samesum_ran {
    samesum_backend backend; /* never SAMESUM_BACKEND_AUTO */
    int threads;
} samesum_ran;

/* ---- one call per operation and type -------------------------------------------------------
 *
 * Purpose: reduce the n elements at x (for dot: at x and y) to *result.
 * Threads and backend are the defaults of samesum_want. Inputs of up to 2^17 elements, and all
 * inputs where threads is 1, are reduced without allocating memory; others allocate O(threads). n =
 * 0 gives +0.0. NaN results are the canonical quiet NaN. Errors: SAMESUM_ERR_NULL, _LEVEL; _BACKEND
 * and _UNAVAILABLE (only through the environment variable SAMESUM_BACKEND).
 *
 *     double r;
 *     if (samesum_sum_f64(x, n, SAMESUM_COMPENSATED, &r) < 0) ...
 *
 * Source of the method: the row tree of WG21 P4016R0 with 16 lanes; compensation by Knuth's TwoSum
 * and the error-free product by fma (Ogita, Rump and Oishi, 2005); at level exact a
 * superaccumulator (Kulisch) behind Rump's extraction of slices on fixed grids. */
SAMESUM_API samesum_status samesum_sum_f64(const double *x, size_t n, samesum_level level,
                                           double *result);
SAMESUM_API samesum_status samesum_sum_f32(const float *x, size_t n, samesum_level level,
                                           float *result);
SAMESUM_API samesum_status samesum_sum_f32_wide(const float *x, size_t n, samesum_level level,
                                                double *result);
SAMESUM_API samesum_status samesum_asum_f64(const double *x, size_t n, samesum_level level,
                                            double *result);
SAMESUM_API samesum_status samesum_asum_f32(const float *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_asum_f32_wide(const float *x, size_t n, samesum_level level,
                                                 double *result);
SAMESUM_API samesum_status samesum_sumsq_f64(const double *x, size_t n, samesum_level level,
                                             double *result);
SAMESUM_API samesum_status samesum_sumsq_f32(const float *x, size_t n, samesum_level level,
                                             float *result);
SAMESUM_API samesum_status samesum_sumsq_f32_wide(const float *x, size_t n, samesum_level level,
                                                  double *result);
SAMESUM_API samesum_status samesum_nrm2_f64(const double *x, size_t n, samesum_level level,
                                            double *result);
SAMESUM_API samesum_status samesum_nrm2_f32(const float *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_nrm2_f32_wide(const float *x, size_t n, samesum_level level,
                                                 double *result);
SAMESUM_API samesum_status samesum_dot_f64(const double *x, const double *y, size_t n,
                                           samesum_level level, double *result);
SAMESUM_API samesum_status samesum_dot_f32(const float *x, const float *y, size_t n,
                                           samesum_level level, float *result);
SAMESUM_API samesum_status samesum_dot_f32_wide(const float *x, const float *y, size_t n,
                                                samesum_level level, double *result);

/* Purpose: mean, variance and standard deviation of the n elements at x; var and std divide by n -
 * ddof (0: of a whole population, 1: the estimate from a sample). Where n = 0, or n <= ddof, NaN is
 * written and the status is SAMESUM_NO_VALUE, no error. At level exact one pass; the result is the
 * exact value, rounded once: never negative, exactly 0 for constant data, and finite wherever the
 * true value is. At the other levels var and std take two passes, are never negative, and can
 * overflow where the true value does not: then use level exact. Errors: as above.
 *
 *     double s;
 *     samesum_status st = samesum_std_f64(x, n, 1, SAMESUM_EXACT, &s);
 *     if (st == SAMESUM_NO_VALUE) ... // fewer than two elements */
SAMESUM_API samesum_status samesum_mean_f64(const double *x, size_t n, samesum_level level,
                                            double *result);
SAMESUM_API samesum_status samesum_mean_f32(const float *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_mean_f32_wide(const float *x, size_t n, samesum_level level,
                                                 double *result);
SAMESUM_API samesum_status samesum_var_f64(const double *x, size_t n, unsigned ddof,
                                           samesum_level level, double *result);
SAMESUM_API samesum_status samesum_var_f32(const float *x, size_t n, unsigned ddof,
                                           samesum_level level, float *result);
SAMESUM_API samesum_status samesum_var_f32_wide(const float *x, size_t n, unsigned ddof,
                                                samesum_level level, double *result);
SAMESUM_API samesum_status samesum_std_f64(const double *x, size_t n, unsigned ddof,
                                           samesum_level level, double *result);
SAMESUM_API samesum_status samesum_std_f32(const float *x, size_t n, unsigned ddof,
                                           samesum_level level, float *result);
SAMESUM_API samesum_status samesum_std_f32_wide(const float *x, size_t n, unsigned ddof,
                                                samesum_level level, double *result);

/* ---- the general call ----------------------------------------------------------------------
 *
 * Purpose: the same as above for any operation, type, level, thread count and backend.
 * result: points to a double for SAMESUM_F64 and SAMESUM_F32_WIDE, to a float for SAMESUM_F32.
 * ran: NULL, or receives which backend and how many threads did the work.
 * Errors: as above, and SAMESUM_ERR_OP, _TYPE, _THREADS. A backend that is asked for and missing is
 * an error, never replaced by another.
 *
 *     samesum_data data = {.x = x, .n = n, .type = SAMESUM_F32_WIDE};
 *     samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_COMPENSATED, .threads = 4};
 *     double r;
 *     samesum_status st = samesum_reduce(&data, &want, &r, NULL); */
SAMESUM_API samesum_status samesum_reduce(const samesum_data *data, const samesum_want *want,
                                          void *result, samesum_ran *ran);

/* Size in bytes of the result for elements of this type; 0 for an unknown type. */
SAMESUM_API size_t samesum_result_size(samesum_type type);
/* Size in bytes of one element; 0 for an unknown type. */
SAMESUM_API size_t samesum_element_size(samesum_type type);

/* ---- states: streams and merging -------------------------------------------------------------
 *
 * A state holds the reduction of the elements with absolute indices [begin, end). Feeding the
 * elements in chunks of any sizes, or merging the states of adjacent ranges in any bracketing,
 * gives the bits of the one-shot call on the whole (SPEC.md, section 7). A state takes about 32
 * KiB. There are states for sum, asum, sumsq, dot and mean at every level, and for nrm2, var and
 * std at level exact. */
typedef struct samesum_state samesum_state;

/* Makes a state for the empty range [begin, begin) and stores it in *state.
 * want: operation, level, threads and backend of the updates to come.
 * Errors: as samesum_reduce, SAMESUM_ERR_NOMEM, and SAMESUM_ERR_TWO_PASSES for nrm2, var and std
 * below exact.
 *
 *     samesum_state *s;
 *     samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_COMPENSATED};
 *     samesum_state_create(&s, &want, SAMESUM_F64, 0);
 *     while ((n = next_chunk(buf))) samesum_state_update(s, buf, NULL, n);
 *     double r;
 *     samesum_state_finish(s, &r);
 *     samesum_state_destroy(s); */
SAMESUM_API samesum_status samesum_state_create(samesum_state **state, const samesum_want *want,
                                                samesum_type type, uint64_t begin);
/* Frees a state; NULL is allowed. */
SAMESUM_API void samesum_state_destroy(samesum_state *state);
/* Forgets what was fed; the range becomes [begin, begin). Operation, type and level stay. */
SAMESUM_API samesum_status samesum_state_reset(samesum_state *state, uint64_t begin);
/* Appends n elements: the range [begin, end) becomes [begin, end + n). y is for dot alone.
 * Errors: SAMESUM_ERR_NULL, _RANGE (index overflow). Memory is needed only where several threads
 * work, and its lack makes the calling thread work alone. */
SAMESUM_API samesum_status samesum_state_update(samesum_state *state, const void *x, const void *y,
                                                size_t n);
/* into [a, b) and from [b, c) become into [a, c); from is unchanged. At level exact states merge in
 * any order, whatever their ranges; where from does not follow into, into's range becomes [0,
 * elements of both). Errors: SAMESUM_ERR_MISMATCH; SAMESUM_ERR_RANGE where from does not begin
 * where into ends, where both are one state that is not empty, or where too many elements come
 * together. */
SAMESUM_API samesum_status samesum_state_merge(samesum_state *into, const samesum_state *from);
/* Writes the result of what was fed so far; the state is unchanged and can be fed on.
 * result: as in samesum_reduce. Elements outside of the range count as absent; an empty range gives
 * +0.0, or NaN and SAMESUM_NO_VALUE where mean, var and std have too few elements. */
SAMESUM_API samesum_status samesum_state_finish(const samesum_state *state, void *result);
/* The range of absolute indices. */
SAMESUM_API samesum_status samesum_state_range(const samesum_state *state, uint64_t *begin,
                                               uint64_t *end);
/* What the state computes, and on which type. */
SAMESUM_API samesum_status samesum_state_describe(const samesum_state *state, samesum_want *want,
                                                  samesum_type *type);

/* Serialised form: little-endian, versioned, with a checksum; docs/state-format.md describes it.
 * Its size grows with the logarithm of the number of elements and depends on the range, the type
 * and the level alone; at level exact it depends on the data, and is at most 604 bytes, or 1156 for
 * var and std. */
/* Bytes that samesum_state_save() would write now. */
SAMESUM_API samesum_status samesum_state_size(const samesum_state *state, size_t *bytes);
/* Writes the state to buf (capacity bytes); *written receives the size. Errors: SAMESUM_ERR_SIZE.
 */
SAMESUM_API samesum_status samesum_state_save(const samesum_state *state, void *buf,
                                              size_t capacity, size_t *written);
/* Makes a state from bytes written by samesum_state_save() on any machine; threads and backend are
 * the defaults. At level exact a saved state has no begin: the loaded range begins at 0.
 * Errors: SAMESUM_ERR_NULL, _CORRUPT, _VERSION, _NOMEM, and _BACKEND or _UNAVAILABLE as in
 * samesum_reduce(); *state is then unchanged. */
SAMESUM_API samesum_status samesum_state_load(samesum_state **state, const void *buf, size_t bytes);

/* ---- about the library ------------------------------------------------------------------------
 */

/* A sentence in English; never NULL; static storage. */
SAMESUM_API const char *samesum_strerror(samesum_status status);
/* The version of this library, such as "0.1.0". */
SAMESUM_API const char *samesum_version(void);
/* The version of the arithmetic (SPEC.md): results of equal versions have equal bits. Now 1. */
SAMESUM_API int samesum_arithmetic_version(void);
/* 1 where the library can use OpenMP threads, else 0. */
SAMESUM_API int samesum_has_openmp(void);
/* The number of threads that a call with threads = 0 may use here and now. */
SAMESUM_API int samesum_default_threads(void);
/* SAMESUM_OK where this machine can run the backend, else SAMESUM_ERR_UNAVAILABLE or _BACKEND. For
 * SAMESUM_BACKEND_AUTO: the status that a call with the default backend would get from its choice.
 */
SAMESUM_API samesum_status samesum_backend_status(samesum_backend backend);
/* "scalar", "avx2", ...; NULL for an unknown one. */
SAMESUM_API const char *samesum_backend_name(samesum_backend backend);
/* The backend of that name. Errors: SAMESUM_ERR_BACKEND; *backend is then unchanged. */
SAMESUM_API samesum_status samesum_backend_from_name(const char *name, samesum_backend *backend);

#ifdef __cplusplus
}
#endif
#endif
