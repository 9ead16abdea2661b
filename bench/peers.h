/* peers.h - what the benchmark can call: the pure read, samesum, and everything they are compared
 * with. Every peer is reached through the same kind of function, so all pay the same for the call.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include "samesum.h"

#ifdef __clang__
#define BENCH_COMPILER __VERSION__ /* names itself */
#else
#define BENCH_COMPILER "gcc " __VERSION__
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_call {
    const void *x, *y; /* y is the memory right after x for dot, else NULL */
    size_t n;          /* elements of x */
    int threads;
    samesum_op op;
    samesum_type type;
    samesum_level level; /* read by samesum alone */
    size_t stride;       /* of x, in elements; 0 and 1: no gaps */
    size_t bytes;        /* read in all, with those in gaps; 0: n elements of x, and of y for dot */
    const struct bench_array *array; /* read by bench_run_array() alone (arrays.h) */
} bench_call;

/* Stores the result, rounded to double. Status: as samesum's; peers answer SAMESUM_OK. */
typedef samesum_status (*bench_fn)(const bench_call *call, double *result);

enum {
    BENCH_ONE = 1,         /* runs on one thread */
    BENCH_MANY = 2,        /* runs on several threads */
    BENCH_SLOW = 4,        /* measured at the big size for f64 alone, to save minutes */
    BENCH_OWN_THREADS = 8, /* keeps threads that OpenMP knows nothing of */
    BENCH_SAMESUM = 16     /* what is measured, rather than a peer */
};

typedef struct bench_peer {
    const char *name;
    samesum_op op;
    samesum_type type;
    int flags;
    bench_fn run;
    samesum_level level;
} bench_peer;

typedef struct bench_group {
    const char *(*about)(void); /* version and how it was compiled; static storage */
    const bench_peer *peers;
    size_t count;
} bench_group;

/* Which peers were found when the benchmark was built: peers.c. */
extern const bench_group *const bench_groups[];
extern const size_t bench_group_count;

/* The variants of the read (read.c); they take any op and type. The last one is for strides alone.
 */
enum { BENCH_READ_VARIANTS = 3, BENCH_STRIDED_READS = 4 };
extern const bench_peer bench_reads[BENCH_STRIDED_READS];
const char *bench_read_isa(void);
size_t bench_call_bytes(const bench_call *call);

/* samesum for f64, at the level of the call, any op. */
samesum_status bench_samesum_f64(const bench_call *call, double *result);

/* The plain loop, for the section on dependent calls (loops.c). */
double bench_serial_sum_f64(const double *x, size_t n);

/* np.sum and the like in a child process (numpy.c). The first call looks for NumPy; the second
 * gives GB/s of the median sample, or 0 where NumPy was not found or has no such call. */
const char *bench_numpy_about(void);
double bench_numpy_speed(const bench_call *call, int samples);
/* A child process with an f32 array of that shape (numbers with commas): each bench_numpy_axis()
 * has it call sum(axis) once. False where there is none. */
bool bench_numpy_start(const char *shape, int axis);
samesum_status bench_numpy_axis(const bench_call *call, double *result);
void bench_numpy_stop(void);

#ifdef __cplusplus
}
#endif
#endif
