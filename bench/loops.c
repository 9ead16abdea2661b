/* loops.c - the loops people write: plain, Kahan, Neumaier. Compiled with -O2 and without any
 * permission to reassociate, so each is the serial chain of its text. */
#include "peers.h"

#include <math.h>

#define SERIAL(name, in, acc, term)                                                                \
    static samesum_status name(const bench_call *call, double *result)                             \
    {                                                                                              \
        const in *x = call->x, *y = call->y;                                                       \
        acc s = 0;                                                                                 \
        (void)y;                                                                                   \
        for (size_t i = 0; i < call->n; i++)                                                       \
            s += (term);                                                                           \
        *result = (double)s;                                                                       \
        return SAMESUM_OK;                                                                         \
    }

SERIAL(serial_sum_f64, double, double, x[i])
SERIAL(serial_sum_f32, float, float, x[i])
SERIAL(serial_sum_wide, float, double, (double)x[i])
SERIAL(serial_asum_f64, double, double, fabs(x[i]))
SERIAL(serial_sumsq_f64, double, double, x[i] * x[i])
SERIAL(serial_dot_f64, double, double, x[i] * y[i])

double bench_serial_sum_f64(const double *x, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

#define KAHAN(name, T)                                                                             \
    static samesum_status name(const bench_call *call, double *result)                             \
    {                                                                                              \
        const T *x = call->x;                                                                      \
        T s = 0, c = 0;                                                                            \
        for (size_t i = 0; i < call->n; i++) {                                                     \
            T v = x[i] - c, t = s + v;                                                             \
            c = (t - s) - v;                                                                       \
            s = t;                                                                                 \
        }                                                                                          \
        *result = (double)s;                                                                       \
        return SAMESUM_OK;                                                                         \
    }

/* Adds up what each addition lost; which operand lost it depends on which is larger. */
#define NEUMAIER(name, T, absolute)                                                                \
    static samesum_status name(const bench_call *call, double *result)                             \
    {                                                                                              \
        const T *x = call->x;                                                                      \
        T s = 0, c = 0;                                                                            \
        for (size_t i = 0; i < call->n; i++) {                                                     \
            T v = x[i], t = s + v;                                                                 \
            c += absolute(s) >= absolute(v) ? (s - t) + v : (v - t) + s;                           \
            s = t;                                                                                 \
        }                                                                                          \
        *result = (double)(s + c);                                                                 \
        return SAMESUM_OK;                                                                         \
    }

KAHAN(kahan_f64, double)
KAHAN(kahan_f32, float)
NEUMAIER(neumaier_f64, double, fabs)
NEUMAIER(neumaier_f32, float, fabsf)

static const char *about(void)
{
    return "serial, Kahan, Neumaier loops: compiled here with -O2";
}

static const bench_peer peers[] = {
    {"serial loop", SAMESUM_SUM, SAMESUM_F64, BENCH_ONE, serial_sum_f64, 0},
    {"serial loop", SAMESUM_SUM, SAMESUM_F32, BENCH_ONE, serial_sum_f32, 0},
    {"serial loop", SAMESUM_SUM, SAMESUM_F32_WIDE, BENCH_ONE, serial_sum_wide, 0},
    {"serial loop", SAMESUM_ASUM, SAMESUM_F64, BENCH_ONE, serial_asum_f64, 0},
    {"serial loop", SAMESUM_SUMSQ, SAMESUM_F64, BENCH_ONE, serial_sumsq_f64, 0},
    {"serial loop", SAMESUM_DOT, SAMESUM_F64, BENCH_ONE, serial_dot_f64, 0},
    {"Kahan loop", SAMESUM_SUM, SAMESUM_F64, BENCH_ONE | BENCH_SLOW, kahan_f64, 0},
    {"Kahan loop", SAMESUM_SUM, SAMESUM_F32, BENCH_ONE | BENCH_SLOW, kahan_f32, 0},
    {"Neumaier loop", SAMESUM_SUM, SAMESUM_F64, BENCH_ONE | BENCH_SLOW, neumaier_f64, 0},
    {"Neumaier loop", SAMESUM_SUM, SAMESUM_F32, BENCH_ONE | BENCH_SLOW, neumaier_f32, 0},
};

const bench_group bench_loops = {about, peers, sizeof peers / sizeof *peers};
