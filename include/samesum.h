/* samesum.h - sums of floating-point numbers whose bits depend on the data alone.
 *
 * The same input gives the same bits on every run, thread count, SIMD width, compiler and CPU, and
 * for every way of cutting the input into contiguous pieces. reference/SPEC.md defines every bit.
 *
 * Conventions that hold for every call of this header:
 *   - A call returns a samesum_status: 0 (SAMESUM_OK), a positive value where a result was written
 *     that the caller should know about, a negative value for an error. On an error no output is
 *     written and no state changed, but for SAMESUM_ERR_EMPTY (samesum_reduce_array()).
 *   - The caller's floating-point environment (rounding mode, FTZ/DAZ, traps, sticky flags) neither
 *     changes a result nor is changed.
 *   - Every call may be used from several threads at once, as long as no two of them share a
 *     samesum_state that one of them changes. Nothing is printed.
 *   - An OpenMP runtime that the system gives no thread ends the process (libgomp does); at most
 *     1024 are asked for.
 *   - A call takes up to 300 KiB of the calling thread's stack.
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
    SAMESUM_ERR_MISMATCH = -10,   /* the states, or the ranks of samesum_mpi.h, differ in operation,
                                     type, level, ddof or how many there are */
    SAMESUM_ERR_CORRUPT = -11,    /* not a serialised state, or a damaged one */
    SAMESUM_ERR_VERSION = -12,    /* a serialised state of another format or arithmetic version */
    SAMESUM_ERR_SIZE = -13,       /* the buffer is too small */
    SAMESUM_ERR_NOMEM = -14,      /* out of memory */
    SAMESUM_ERR_TWO_PASSES =
        -15,                 /* no state: nrm2, var and std need two passes except at level exact */
    SAMESUM_ERR_EMPTY = -16, /* argmin or argmax of no element */
    SAMESUM_ERR_SHAPE = -17, /* a shape, an axis or an offset that cannot be */
    SAMESUM_ERR_OPTION = -18, /* choices that do not go together; see samesum_want and _array */
    SAMESUM_ERR_POINTER =
        -19,                /* samesum_cuda.h: a pointer that is no device memory, or not aligned */
    SAMESUM_ERR_CUDA = -20, /* samesum_cuda.h: the CUDA runtime refused something */
    SAMESUM_ERR_MPI = -21,  /* samesum_mpi.h: the MPI library refused something */
    SAMESUM_ERR_NCCL = -22  /* samesum_nccl.h: NCCL refused something */
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
    SAMESUM_STD = 7,   /* the square root of var */
    SAMESUM_MIN = 8, /* the smallest element, -0.0 below +0.0. Level changes nothing in this and the
                        following; but states of level exact merge in any order */
    SAMESUM_MAX = 9,
    SAMESUM_ARGMIN = 10, /* the index of the first element that is the smallest: a uint64_t */
    SAMESUM_ARGMAX = 11,
    SAMESUM_MINMAX = 12 /* two results in one pass: min, then max */
} samesum_op;

/* Type of the elements; it implies the accumulator, which is also the type of the result unless
 * samesum_want asks for the input's. Integers are not summed: convert them to binary64, which holds
 * them exactly up to 2^53. */
typedef enum samesum_type {
    SAMESUM_F64 = 0,      /* binary64 (double), result double */
    SAMESUM_F32 = 1,      /* binary32 (float), result float */
    SAMESUM_F32_WIDE = 2, /* binary32 elements accumulated in binary64, result double */
    SAMESUM_F16 = 3,      /* binary16, accumulated in binary32, result float */
    SAMESUM_BF16 = 4,     /* bfloat16 (the upper half of binary32), likewise */
    SAMESUM_C64 = 5,      /* complex of two binary32, real part first; results of sum, dot and mean
                             are two floats, those of sumsq and nrm2 one */
    SAMESUM_C128 = 6      /* complex of two binary64, likewise. Other operations on complex data are
                             refused with SAMESUM_ERR_OP */
} samesum_type;

/* The bits of a half-precision number. */
typedef uint16_t samesum_f16;
typedef uint16_t samesum_bf16;

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
    SAMESUM_BACKEND_NEON = 4,
    SAMESUM_BACKEND_CUDA =
        5 /* a CUDA device: samesum_cuda.h alone; no call of this header runs there */
} samesum_backend;

/* What min, max, argmin, argmax and minmax do with NaN (SPEC.md, 6.5). */
typedef enum samesum_nan {
    SAMESUM_NAN_PROPAGATE =
        0,                 /* any NaN makes the result NaN, and its index that of the first NaN */
    SAMESUM_NAN_IGNORE = 1 /* NaN only where all are NaN */
} samesum_nan;

/* The type that results are written in (SPEC.md, section 2). */
typedef enum samesum_result_type {
    SAMESUM_RESULT_ACCUMULATOR = 0,
    SAMESUM_RESULT_INPUT = 1 /* f16 and bf16: rounded to the elements' type; f32_wide: an error */
} samesum_result_type;

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
    unsigned ddof;              /* var and std divide by n - ddof; others ignore it */
    samesum_nan nan;            /* min, max, argmin, argmax, minmax; others ignore it */
    samesum_result_type result; /* argmin and argmax ignore it */
    int conj; /* 1: dot of complex data takes the conjugate of x; 0 for all others */
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

/* The same for half precision and for complex elements. Halves give a float; for a result in the
 * elements' type use samesum_reduce(). A complex array is n pairs of a real and an imaginary part;
 * sum, mean and dot (without conjugation) write such a pair. */
SAMESUM_API samesum_status samesum_sum_f16(const samesum_f16 *x, size_t n, samesum_level level,
                                           float *result);
SAMESUM_API samesum_status samesum_asum_f16(const samesum_f16 *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_sumsq_f16(const samesum_f16 *x, size_t n, samesum_level level,
                                             float *result);
SAMESUM_API samesum_status samesum_nrm2_f16(const samesum_f16 *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_mean_f16(const samesum_f16 *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_var_f16(const samesum_f16 *x, size_t n, unsigned ddof,
                                           samesum_level level, float *result);
SAMESUM_API samesum_status samesum_std_f16(const samesum_f16 *x, size_t n, unsigned ddof,
                                           samesum_level level, float *result);
SAMESUM_API samesum_status samesum_dot_f16(const samesum_f16 *x, const samesum_f16 *y, size_t n,
                                           samesum_level level, float *result);
SAMESUM_API samesum_status samesum_sum_bf16(const samesum_bf16 *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_asum_bf16(const samesum_bf16 *x, size_t n, samesum_level level,
                                             float *result);
SAMESUM_API samesum_status samesum_sumsq_bf16(const samesum_bf16 *x, size_t n, samesum_level level,
                                              float *result);
SAMESUM_API samesum_status samesum_nrm2_bf16(const samesum_bf16 *x, size_t n, samesum_level level,
                                             float *result);
SAMESUM_API samesum_status samesum_mean_bf16(const samesum_bf16 *x, size_t n, samesum_level level,
                                             float *result);
SAMESUM_API samesum_status samesum_var_bf16(const samesum_bf16 *x, size_t n, unsigned ddof,
                                            samesum_level level, float *result);
SAMESUM_API samesum_status samesum_std_bf16(const samesum_bf16 *x, size_t n, unsigned ddof,
                                            samesum_level level, float *result);
SAMESUM_API samesum_status samesum_dot_bf16(const samesum_bf16 *x, const samesum_bf16 *y, size_t n,
                                            samesum_level level, float *result);
SAMESUM_API samesum_status samesum_sum_c64(const float *x, size_t n, samesum_level level,
                                           float *result);
SAMESUM_API samesum_status samesum_sumsq_c64(const float *x, size_t n, samesum_level level,
                                             float *result);
SAMESUM_API samesum_status samesum_nrm2_c64(const float *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_mean_c64(const float *x, size_t n, samesum_level level,
                                            float *result);
SAMESUM_API samesum_status samesum_dot_c64(const float *x, const float *y, size_t n,
                                           samesum_level level, float *result);
SAMESUM_API samesum_status samesum_sum_c128(const double *x, size_t n, samesum_level level,
                                            double *result);
SAMESUM_API samesum_status samesum_sumsq_c128(const double *x, size_t n, samesum_level level,
                                              double *result);
SAMESUM_API samesum_status samesum_nrm2_c128(const double *x, size_t n, samesum_level level,
                                             double *result);
SAMESUM_API samesum_status samesum_mean_c128(const double *x, size_t n, samesum_level level,
                                             double *result);
SAMESUM_API samesum_status samesum_dot_c128(const double *x, const double *y, size_t n,
                                            samesum_level level, double *result);

/* ---- the general call ----------------------------------------------------------------------
 *
 * Purpose: the same as above for any operation, type, level, thread count and backend.
 * result: points to what samesum_result_bytes() says: a double for SAMESUM_F64 and
 * SAMESUM_F32_WIDE, a float for SAMESUM_F32, _F16 and _BF16 (their own type where it is asked for),
 * two of a complex element's parts, the two values of minmax, a uint64_t index.
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

/* Size in bytes of one number in the accumulator's type of these elements; 0 for an unknown type.
 */
SAMESUM_API size_t samesum_result_size(samesum_type type);
/* Size in bytes of one result of that operation on elements of this type: of both parts of a
 * complex one, both values of minmax, an index; 0 for what is refused or unknown. */
SAMESUM_API size_t samesum_result_bytes(const samesum_want *want, samesum_type type);
/* Size in bytes of one element; 0 for an unknown type. */
SAMESUM_API size_t samesum_element_size(samesum_type type);

/* ---- arrays of any shape ---------------------------------------------------------------------
 *
 * An array is indexed in logical C order (the last axis fastest), whatever its layout in memory;
 * a result depends on that order and on nothing else (SPEC.md, sections 1 and 6). Strides count
 * bytes and may have either sign or be zero; x, y and weights point to the element with all indices
 * zero. NULL for strides: C order without gaps. */
enum { SAMESUM_MAX_DIMS = 32 };

typedef enum samesum_mask_kind {
    SAMESUM_MASK_NONE = 0,
    SAMESUM_MASK_BYTES = 1, /* one byte an element; 0 masks it out */
    SAMESUM_MASK_BITS = 2   /* one bit an element, in logical C order, the lowest bit of a byte
                               first; 0 masks it out; strides are not used */
} samesum_mask_kind;

typedef enum samesum_missing {
    SAMESUM_MISSING_NONE = 0,
    SAMESUM_MISSING_VALUE = 1, /* elements equal to missing_value, rounded to their type */
    SAMESUM_MISSING_NAN = 2    /* NaNs; complex: either part */
} samesum_missing;

/* All zero but x, type, dims and shape: the whole array. What is masked out or missing is absent:
 * it keeps its index and counts in no n. */
typedef struct samesum_array {
    const void *x;
    samesum_type type;
    int dims; /* 0 (one element) to SAMESUM_MAX_DIMS */
    const size_t *shape;
    const ptrdiff_t *strides;
    const void *y; /* dot alone; same type and shape */
    const ptrdiff_t *y_strides;
    const void *weights; /* sum and mean of real data alone; the same type: makes them dot(w, x),
                            and dot(w, x) / sum(w) of the elements present (SPEC.md, 6.7) */
    const ptrdiff_t *weights_strides; /* stride 0 repeats a weight along an axis */
    samesum_mask_kind mask_kind;
    const void *mask;
    const ptrdiff_t *mask_strides;
    samesum_missing missing; /* looked for in x, and in y of dot, but not in weights */
    double missing_value;    /* complex: the real part, with an imaginary part of zero */
} samesum_array;

/* What one result was made of. A complex element counts once; what is masked out does not count as
 * non-finite. */
typedef struct samesum_counts {
    uint64_t present;      /* elements, or pairs, that entered */
    uint64_t masked;       /* that were masked out or missing */
    uint64_t nonfinite[2]; /* NaN or infinite: of x, and of y or weights */
    uint64_t first[2]; /* index of the first one in the result's row; UINT64_MAX: there is none */
} samesum_counts;

/* Purpose: reduces the array along some axes, or all: each result is, bit for bit, that of the
 * one-dimensional call on its row, whose elements are those along the reduced axes in logical C
 * order.
 * axes: the axes to reduce, in any order, -1 for the last one; axis_count 0: all of them.
 * results: samesum_array_results() results of samesum_result_bytes() each, in C order of the other
 * axes. counts: NULL, or one for each result; costs no pass of its own. ran: NULL, or who worked.
 * Memory: as for the calls above, and for sums along an axis that is not the fastest in memory a
 * few MiB a thread, whose lack makes them slower.
 * Status: SAMESUM_NO_VALUE where any row has too few elements (NaN is written for it).
 * Errors: as samesum_reduce(); SAMESUM_ERR_SHAPE for more than SAMESUM_MAX_DIMS, more than 2^62
 * elements, an axis that is not there or named twice; _OPTION for weights or conj where they do
 * not apply, an unknown kind of mask, missing or nan, or a wide result in the input's type;
 * _EMPTY for argmin and argmax where a row has no element: then, unlike all other errors, results
 * are written, UINT64_MAX for that row.
 *
 *     size_t shape[3] = {times, rows, columns};
 *     samesum_array a = {.x = sst, .type = SAMESUM_F32, .dims = 3, .shape = shape,
 *                        .missing = SAMESUM_MISSING_VALUE, .missing_value = -1e34};
 *     samesum_want want = {.op = SAMESUM_MEAN, .level = SAMESUM_COMPENSATED};
 *     int axis = 0;
 *     samesum_reduce_array(&a, &axis, 1, &want, means, NULL, NULL); // rows * columns floats */
SAMESUM_API samesum_status samesum_reduce_array(const samesum_array *array, const int *axes,
                                                int axis_count, const samesum_want *want,
                                                void *results, samesum_counts *counts,
                                                samesum_ran *ran);

/* How many results samesum_reduce_array() writes. Errors: SAMESUM_ERR_NULL, _SHAPE. */
SAMESUM_API samesum_status samesum_array_results(const samesum_array *array, const int *axes,
                                                 int axis_count, size_t *count);

/* Purpose: reduces rows of differing lengths that lie one after the other in a one-dimensional
 * array: row i is [offsets[i], offsets[i + 1]), its indices counted from 0.
 * offsets: segments + 1 of them, ascending, the last at most the array's extent; equal ones make an
 * empty row. results, counts, ran, status and errors as above; SAMESUM_ERR_SHAPE also for an array
 * of other than one dimension and for bad offsets. */
SAMESUM_API samesum_status samesum_reduce_segments(const samesum_array *array,
                                                   const size_t *offsets, size_t segments,
                                                   const samesum_want *want, void *results,
                                                   samesum_counts *counts, samesum_ran *ran);

/* ---- min and max ------------------------------------------------------------------------------
 *
 * Purpose: the extremes of the n elements at x, and where they are. Of nothing min, max and minmax
 * are NaN with status SAMESUM_NO_VALUE, and argmin and argmax fail with SAMESUM_ERR_EMPTY. For
 * other types, masks and axes use samesum_reduce_array(). Errors: SAMESUM_ERR_NULL, _OPTION (an
 * unknown policy), and those of the environment variable SAMESUM_BACKEND. */
SAMESUM_API samesum_status samesum_min_f64(const double *x, size_t n, samesum_nan nan,
                                           double *result);
SAMESUM_API samesum_status samesum_min_f32(const float *x, size_t n, samesum_nan nan,
                                           float *result);
SAMESUM_API samesum_status samesum_max_f64(const double *x, size_t n, samesum_nan nan,
                                           double *result);
SAMESUM_API samesum_status samesum_max_f32(const float *x, size_t n, samesum_nan nan,
                                           float *result);
/* result[0] becomes the min, result[1] the max. */
SAMESUM_API samesum_status samesum_minmax_f64(const double *x, size_t n, samesum_nan nan,
                                              double *result);
SAMESUM_API samesum_status samesum_minmax_f32(const float *x, size_t n, samesum_nan nan,
                                              float *result);
SAMESUM_API samesum_status samesum_argmin_f64(const double *x, size_t n, samesum_nan nan,
                                              uint64_t *index);
SAMESUM_API samesum_status samesum_argmin_f32(const float *x, size_t n, samesum_nan nan,
                                              uint64_t *index);
SAMESUM_API samesum_status samesum_argmax_f64(const double *x, size_t n, samesum_nan nan,
                                              uint64_t *index);
SAMESUM_API samesum_status samesum_argmax_f32(const float *x, size_t n, samesum_nan nan,
                                              uint64_t *index);

/* ---- reductions of your own -------------------------------------------------------------------
 *
 * The library's tree with your own nodes: any state of a fixed size, made from elements by a leaf
 * function and from two states by a combine function. The order is that of SPEC.md 4.1, whatever
 * the number of threads: in each of 16 lanes (element i is in lane i % 16) neighbouring nodes are
 * combined, the one of the lower indices on the left, then the lanes' roots in lane order. So
 * combine need neither commute nor be associative, and your result depends on your data alone as
 * long as your functions' do. It is not the order of the elements: with combine a concatenation you
 * get elements 0, 16, 32, ..., 1, 17, ... */
typedef struct samesum_custom {
    size_t node_bytes; /* of one state, at least 1; nodes lie at multiples of 16 bytes */
    /* Makes the node of element `index`; returns 0 where that element is absent, else 1. */
    int (*leaf)(void *context, uint64_t index, void *node);
    /* Or, instead of leaf (then NULL): makes the node of the elements index, index + 16, ... (count
     * of them, 1 to 256): one lane of one segment of 4096 elements, in whatever way you like; 0
     * again where all are absent. Both write the whole node, which comes with no value. */
    int (*lane_leaf)(void *context, uint64_t index, size_t count, void *node);
    /* left becomes the node of left and right together. */
    void (*combine)(void *context, void *left, const void *right);
    void *context; /* handed to each; they may be called from several threads at once */
} samesum_custom;

/* Purpose: reduces elements 0 to n - 1. threads as in samesum_want. *result receives node_bytes;
 * ran may be NULL. Where no element is present nothing is written and the status is
 * SAMESUM_NO_VALUE. Your functions run in the caller's floating-point environment, on each thread.
 * Memory: some 50 nodes of 16 lanes a thread. Errors: SAMESUM_ERR_NULL, _SIZE (node_bytes 0),
 * _OPTION (both leaf functions, or none), _THREADS, _NOMEM.
 *
 *     // examples/custom.c merges (count, mean, M2) of Welford's and Chan's method
 *     samesum_custom c = {.node_bytes = sizeof(moments), .leaf = leaf, .combine = merge,
 *                         .context = x};
 *     moments m;
 *     samesum_reduce_custom(&c, n, 0, &m, NULL); */
SAMESUM_API samesum_status samesum_reduce_custom(const samesum_custom *custom, uint64_t n,
                                                 int threads, void *result, samesum_ran *ran);

/* ---- states: streams and merging -------------------------------------------------------------
 *
 * A state holds the reduction of the elements with absolute indices [begin, end). Feeding the
 * elements in chunks of any sizes, or merging the states of adjacent ranges in any bracketing,
 * gives the bits of the one-shot call on the whole (SPEC.md, section 7). A state takes about 32
 * KiB (complex: 64). There are states for sum, asum, sumsq, dot, mean, min, max and minmax at every
 * level, and for nrm2, var and std at level exact; none for argmin and argmax. */
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
/* The same for a chunk of any shape, layout, with masks and missing values: its elements are
 * appended in logical C order. The chunk's type is the state's. counts: NULL, or receives what this
 * chunk held, with indices from its first element. Errors: as samesum_reduce_array(),
 * SAMESUM_ERR_MISMATCH for another type; SAMESUM_ERR_OPTION for weights (a weighted sum is a dot).
 */
SAMESUM_API samesum_status samesum_state_update_array(samesum_state *state,
                                                      const samesum_array *chunk,
                                                      samesum_counts *counts);
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
 * and the level alone; at level exact it depends on the data, and is at most 620 bytes, or 1172 for
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
