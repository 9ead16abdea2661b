/* The minimum and maximum of elements (ss_extremes, pack.h), written once for every ISA and type.
 * Included once per element type, behind pack_kernel.h, with what row_kernel.h takes, before it. */

#ifndef SS_EXTREMES
#define SS_EXTREMES
#include <math.h>

/* Which zeros there are among n elements. */
enum { SS_NEGATIVE_ZERO = 1, SS_POSITIVE_ZERO = 2 };
#define SS_ZEROS(bytes)                                                                            \
    static int zeros_##bytes(const void *vx, size_t n)                                             \
    {                                                                                              \
        const ss_bits##bytes *x = vx;                                                              \
        const ss_bits##bytes sign = (ss_bits##bytes)1 << (8 * bytes - 1);                          \
        ss_size##bytes negative = 0, positive = 0;                                                 \
        for (size_t i = 0; i < n; i++) {                                                           \
            negative |= x[i] == sign;                                                              \
            positive |= x[i] == 0;                                                                 \
        }                                                                                          \
        return (negative ? SS_NEGATIVE_ZERO : 0) | (positive ? SS_POSITIVE_ZERO : 0);              \
    }
SS_ZEROS(2)
SS_ZEROS(4)
SS_ZEROS(8)
#endif

#define SS_PASTE_(a, b) a##_##b
#define SS_PASTE(a, b) SS_PASTE_(a, b)
#define SS_F(name) SS_PASTE(SS_T, name)
#define SS_K(name) SS_PASTE(SS_NAME, name)
#define SS_V SS_F(vec)
#define SS_WIDTH SS_F(width)

/* Comparisons pass over NaNs, since neither bound moves for them, and take zeros for equal. */
static void SS_K(extremes)(const void *vx, size_t n, ss_extremes *out)
{
    enum { SIDE = 4 }; /* vectors that do not wait for each other */
    const char *x = vx;
    const size_t bytes = sizeof(SS_ELEM), vector = SS_WIDTH * sizeof(SS_ELEM);
    SS_V low[SIDE], high[SIDE];
    SS_F(flags) nans = {0};
    for (int k = 0; k < SIDE; k++) {
        low[k] = SS_F(all)(INFINITY);
        high[k] = SS_F(all)(-INFINITY);
    }
    const char *end = x + n * bytes;
    for (; (size_t)(end - x) >= SIDE * vector; x += SIDE * vector) {
        SS_V v[SIDE];
        for (int k = 0; k < SIDE; k++) {
            v[k] = SS_LOAD(x + (size_t)k * vector);
            low[k] = SS_F(lower)(v[k], low[k]);
            high[k] = SS_F(higher)(v[k], high[k]);
        }
        for (int k = 0; k < SIDE; k += 2)
            nans = SS_F(flag_nans)(nans, v[k], v[k + 1]);
    }
    SS_ELEM first; /* takes the place of absent lanes */
    memcpy(&first, vx, sizeof first);
    while (x < end) {
        int whole = (size_t)(end - x) >= vector;
        SS_V v = whole ? SS_LOAD(x) : SS_LOAD_PART(x, (int)((size_t)(end - x) / bytes), first);
        low[0] = SS_F(lower)(v, low[0]);
        high[0] = SS_F(higher)(v, high[0]);
        nans = SS_F(flag_nans)(nans, v, v);
        x = whole ? x + vector : end;
    }
    for (int step = SIDE / 2; step > 0; step /= 2) {
        for (int k = 0; k < step; k++) {
            low[k] = SS_F(lower)(low[k + step], low[k]);
            high[k] = SS_F(higher)(high[k + step], high[k]);
        }
    }
    SS_PASTE(SS_C, SS_T) lane[2][SS_WIDTH];
    SS_F(store)(lane[0], low[0]);
    SS_F(store)(lane[1], high[0]);
    for (int step = SS_WIDTH / 2; step > 0; step /= 2) {
        for (int j = 0; j < step; j++) {
            if (lane[0][j + step] < lane[0][j])
                lane[0][j] = lane[0][j + step];
            if (lane[1][j + step] > lane[1][j])
                lane[1][j] = lane[1][j + step];
        }
    }
    ss_extremes e = {.min = (double)lane[0][0], .max = (double)lane[1][0]};
    e.nan = SS_F(any)(nans);
    e.all_nan = e.min > e.max; /* +inf and -inf, as at the start */
    if (e.min == 0 || e.max == 0) {
        int zeros = bytes == 2 ? zeros_2(vx, n) : bytes == 4 ? zeros_4(vx, n) : zeros_8(vx, n);
        if (e.min == 0)
            e.min = zeros & SS_NEGATIVE_ZERO ? -0.0 : 0.0;
        if (e.max == 0)
            e.max = zeros & SS_POSITIVE_ZERO ? 0.0 : -0.0;
    }
    *out = e;
}

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_F
#undef SS_K
#undef SS_V
#undef SS_WIDTH
