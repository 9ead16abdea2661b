/* What one thread does with one term at level exact: slices on fixed grids, as in
 * exact/slice_kernel.h, and integers for what does not fit them. Exact whatever the grids. */
#ifndef SS_CUDA_EXACT_SLICES_CUH
#define SS_CUDA_EXACT_SLICES_CUH

#include "cuda/isa_cuda.h"
#include "exact/accumulator.h"

/* Terms are below 2^limit. Slice k is a running sum S of multiples of 2^g, g = limit -
 * SS_CUDA_STEP (k + 1), that starts at 1.5 * 2^(52 + g) and has to stay between 2^(52 + g) and
 * 2^(53 + g), so that its bits count multiples of 2^g. SS_CUDA_ADDS additions of terms below
 * 2^(SS_CUDA_STEP + g) keep it there, and so do twice as many of what slice k - 1 left, at most
 * half of its grid each. */
enum {
    SS_CUDA_SLICES = 6,
    SS_CUDA_STEP = 41,
    SS_CUDA_ADDS = 1024,
    /* Within these, every running sum is a normal number. */
    SS_CUDA_LIMIT_LEAST = -1000,
    SS_CUDA_LIMIT_MOST = 1010,
};

/* Kinds of leaves, of which there was at least one. */
enum { SS_CUDA_NAN = 1, SS_CUDA_PLUS_INF = 2, SS_CUDA_MINUS_INF = 4, SS_CUDA_OTHER = 8 };

/* Numbers' bits. */
SS_INLINE uint64_t ss_bits(double v)
{
    return (uint64_t)__double_as_longlong(v);
}
SS_INLINE double ss_double(uint64_t bits)
{
    return __longlong_as_double((long long)bits);
}
/* Exponent and upper bits of |v|: in order of size. */
SS_INLINE uint32_t ss_high(double v)
{
    return (uint32_t)(ss_bits(v) >> 32) & 0x7fffffff;
}
enum : uint32_t { SS_HIGH_INFINITE = 0x7ff00000 };
enum : uint64_t { SS_MINUS_ZERO = UINT64_C(1) << 63 };

/* Below 2^-960 a product may have bits under the smallest subnormal, which its error cannot hold.
 */
enum : uint32_t { SS_FIELD_SAFE = 63, SS_HIGH_SAFE = SS_FIELD_SAFE << 20 };

/* ---- slices ----------------------------------------------------------------------------------
 */

struct ss_cuda_slices {
    double sum[SS_CUDA_SLICES];
};

SS_INLINE int ss_cuda_grid(int limit, int k)
{
    int g = limit - SS_CUDA_STEP * (k + 1);
    return g < -1074 ? -1074 : g;
}
SS_INLINE uint64_t ss_cuda_start(int grid)
{
    return (uint64_t)(grid + 52 + 1023) << 52 | UINT64_C(1) << 51;
}
SS_INLINE void ss_cuda_slices_start(ss_cuda_slices &s, int limit)
{
#pragma unroll
    for (int k = 0; k < SS_CUDA_SLICES; k++)
        s.sum[k] = ss_double(ss_cuda_start(ss_cuda_grid(limit, k)));
}

/* Adds x, rounded to the grid, to a slice; x becomes what is left. */
SS_INLINE void ss_cuda_deposit(double &sum, double &x)
{
    double t = f64_add(sum, x);
    x = f64_sub(x, f64_sub(t, sum));
    sum = t;
}

/* A limit for terms like one whose ss_high() is this, with room for somewhat larger ones. */
SS_INLINE int ss_cuda_limit_for(uint32_t high)
{
    const int room = 3;
    int limit = (int)(high >> 20) - 1023 + 1 + room;
    return limit < SS_CUDA_LIMIT_LEAST  ? SS_CUDA_LIMIT_LEAST
           : limit > SS_CUDA_LIMIT_MOST ? SS_CUDA_LIMIT_MOST
                                        : limit;
}

/* ---- integers --------------------------------------------------------------------------------
 * Two words of 16 bits for each digit of accumulator.h, so that 32-bit atomics in shared memory do:
 * SS_CUDA_PENDING additions, each of less than 2^16 to a word, fit beside 2^17. */

enum { SS_CUDA_WORDS = 2 * SS_EXACT_DIGITS, SS_CUDA_PENDING = 30000 };

/* Adds value * 2^exponent, |value| < 2^60; exponent from -2148 to 2000. */
SS_INLINE void ss_cuda_words_add(int *word, int64_t value, int exponent)
{
    unsigned place = (unsigned)(exponent - SS_EXACT_LOWEST), shift = place % 16;
    uint64_t m = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint64_t low = m << shift, high = m >> 1 >> (63 - shift);
    word += place / 16;
#pragma unroll
    for (int i = 0; i < 5; i++) {
        int d = i < 4 ? (int)(low >> 16 * i & 0xffff) : (int)high;
        if (d != 0)
            atomicAdd(word + i, value < 0 ? -d : d);
    }
}

/* The digit of accumulator.h that two words make. */
SS_INLINE int64_t ss_cuda_digit(const int *word, int i)
{
    return word[2 * i] + (int64_t)word[2 * i + 1] * 65536;
}

/* A finite number as integer * 2^*exponent. */
SS_INLINE int64_t ss_cuda_integer(double v, int *exponent)
{
    uint64_t bits = ss_bits(v);
    int b = (int)(bits >> 52 & 2047);
    int64_t m = (int64_t)((bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(b > 0) << 52);
    *exponent = (b > 0 ? b : 1) - 1075;
    return bits >> 63 ? -m : m;
}

SS_INLINE void ss_cuda_words_number(int *word, double v)
{
    int exponent;
    int64_t m = ss_cuda_integer(v, &exponent);
    ss_cuda_words_add(word, m, exponent);
}

/* The product of two finite numbers, of which the rounded product says too little. */
SS_INLINE void ss_cuda_words_product(int *word, double x, double y)
{
    int ex, ey;
    int64_t mx = ss_cuda_integer(x, &ex), my = ss_cuda_integer(y, &ey);
    /* mx * my in pieces of 2^0, 2^27 and 2^54: factors of 27 and 26 bits */
    int64_t x0 = mx % (1 << 27), x1 = mx / (1 << 27), y0 = my % (1 << 27), y1 = my / (1 << 27);
    ss_cuda_words_add(word, x0 * y0, ex + ey);
    ss_cuda_words_add(word, x0 * y1 + x1 * y0, ex + ey + 27);
    ss_cuda_words_add(word, x1 * y1, ex + ey + 54);
}

/* ---- one term, whatever it is ----------------------------------------------------------------
 */

/* Adds a finite term to the slices from number FROM on, and what they do not hold to the
 * words. */
template <int FROM> SS_INLINE void ss_cuda_sliced(ss_cuda_slices &s, bool fits, int *word, double x)
{
    if (fits) {
#pragma unroll
        for (int k = FROM; k < SS_CUDA_SLICES; k++)
            ss_cuda_deposit(s.sum[k], x);
    }
    if (x != 0)
        ss_cuda_words_number(word, x);
}

SS_INLINE bool ss_is_infinite(double v)
{
    return ss_bits(v) << 1 == (uint64_t)SS_HIGH_INFINITE << 33;
}

/* One leaf: x, or where TWO x * y with all its bits. At most 3 additions to a word. */
template <bool TWO>
SS_INLINE void ss_cuda_leaf(ss_cuda_slices &s, int limit, int *word, unsigned &kinds, double x,
                            double y)
{
    const double p = TWO ? f64_mul(x, y) : x;
    const uint32_t high = ss_high(p), limit_high = (uint32_t)(limit + 1023) << 20;
    const bool infinite = ss_is_infinite(p) && (!TWO || ss_is_infinite(x) || ss_is_infinite(y));
    const bool zero = p == 0 && (!TWO || x == 0 || y == 0);
    if (p != p)
        kinds |= SS_CUDA_NAN;
    else if (infinite)
        kinds |= p > 0 ? SS_CUDA_PLUS_INF : SS_CUDA_MINUS_INF;
    else if (!zero || ss_bits(p) != SS_MINUS_ZERO)
        kinds |= SS_CUDA_OTHER;
    if (p != p || infinite || zero)
        return;
    if (TWO && (high < SS_HIGH_SAFE || high >= SS_HIGH_INFINITE)) {
        ss_cuda_words_product(word, x, y);
        return;
    }
    const bool fits = high < limit_high;
    ss_cuda_sliced<0>(s, fits, word, p);
    if (TWO)
        ss_cuda_sliced<1>(s, fits, word, f64_fma(x, y, -p));
}

/* ---- several ordinary terms ------------------------------------------------------------------
 */

/* Whether one of these is not zero. */
template <int N> SS_INLINE bool ss_cuda_any_left(const double (&x)[N])
{
    uint64_t left = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        left |= ss_bits(x[i]);
    return left << 1 != 0;
}

/* Adds N terms p, and where TWO their errors e, to the slices, whose old state is in s if that
 * fails: what is left, or some |p| >= 2^limit. FEW: most terms fit into one slice, as those of 24
 * bits do, and not into two. */
template <int N, bool TWO, bool FEW>
SS_INLINE bool ss_cuda_ordinary(ss_cuda_slices &s, uint32_t most, int limit, double (&p)[N],
                                double (&e)[N])
{
    double s0 = s.sum[0], s1 = s.sum[1], s2 = s.sum[2], s3 = s.sum[3];
#pragma unroll
    for (int i = 0; i < N; i++) {
        ss_cuda_deposit(s0, p[i]);
        if (!FEW)
            ss_cuda_deposit(s1, p[i]);
    }
    bool left = ss_cuda_any_left(p);
    if (FEW && left) {
#pragma unroll
        for (int i = 0; i < N; i++)
            ss_cuda_deposit(s1, p[i]);
        left = ss_cuda_any_left(p);
    }
    if (left) {
#pragma unroll
        for (int i = 0; i < N; i++)
            ss_cuda_deposit(s2, p[i]);
        left = ss_cuda_any_left(p);
    }
    if (TWO) {
#pragma unroll
        for (int i = 0; i < N; i++) {
            ss_cuda_deposit(s1, e[i]);
            ss_cuda_deposit(s2, e[i]);
            ss_cuda_deposit(s3, e[i]);
        }
        left |= ss_cuda_any_left(e);
    }
    if (left || most >= (uint32_t)(limit + 1023) << 20)
        return false;
    s.sum[0] = s0;
    s.sum[1] = s1;
    s.sum[2] = s2;
    s.sum[3] = s3;
    return true;
}

#endif
