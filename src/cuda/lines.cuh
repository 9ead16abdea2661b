/* Walks over the numbers of a row that lie at equal distances: by a team of threads, several loads
 * in flight for each. */
#ifndef SS_CUDA_LINES_CUH
#define SS_CUDA_LINES_CUH

#include "cuda/view.cuh"

enum { SS_CUDA_VECTOR = 16 /* bytes */, SS_CUDA_IN_FLIGHT = 4 };

/* Number e of a vector: e is a constant once loops are unrolled. */
template <class T> static __device__ __forceinline__ T ss_cuda_element(const uint4 &v, int e)
{
    const unsigned word[4] = {v.x, v.y, v.z, v.w};
    if (sizeof(T) == 8)
        return (T)((uint64_t)word[2 * e + 1] << 32 | word[2 * e]);
    if (sizeof(T) == 4)
        return (T)word[e];
    return (T)(word[e / 2] >> 16 * (e % 2));
}

/* take(bits, i) for this thread's share of n numbers at p, i ascending; n <= 2^30. */
template <class T, class Take>
static __device__ __forceinline__ void ss_cuda_walk_strided(const char *p, ptrdiff_t stride,
                                                            uint32_t n, uint32_t me, uint32_t team,
                                                            Take take)
{
    uint32_t i = me;
    for (; i + (SS_CUDA_IN_FLIGHT - 1) * team < n; i += SS_CUDA_IN_FLIGHT * team) {
        T bits[SS_CUDA_IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < SS_CUDA_IN_FLIGHT; k++)
            bits[k] = *(const T *)(p + (ptrdiff_t)(i + k * team) * stride);
#pragma unroll
        for (int k = 0; k < SS_CUDA_IN_FLIGHT; k++)
            take(bits[k], i + k * team);
    }
    for (; i < n; i += team)
        take(*(const T *)(p + (ptrdiff_t)i * stride), i);
}

template <class T, class Take>
static __device__ __forceinline__ void ss_cuda_take_vector(const uint4 &v, uint32_t first,
                                                           Take take)
{
#pragma unroll
    for (int e = 0; e < SS_CUDA_VECTOR / (int)sizeof(T); e++)
        take(ss_cuda_element<T>(v, e), first + e);
}

/* The same for numbers side by side: 16 bytes at a time where they are aligned. */
template <class T, class Take>
static __device__ __forceinline__ void ss_cuda_walk_dense(const char *p, uint32_t n, uint32_t me,
                                                          uint32_t team, Take take)
{
    enum { EACH = SS_CUDA_VECTOR / sizeof(T) };
    const uint32_t head = (uint32_t)(-(uintptr_t)p % SS_CUDA_VECTOR / sizeof(T));
    const uint32_t vectors = (n - head) / EACH, tail = head + vectors * EACH;
    const uint4 *at = (const uint4 *)(p + head * sizeof(T));
    for (uint32_t i = me; i < head; i += team)
        take(((const T *)p)[i], i);
    uint32_t i = me;
    for (; i + (SS_CUDA_IN_FLIGHT - 1) * team < vectors; i += SS_CUDA_IN_FLIGHT * team) {
        uint4 v[SS_CUDA_IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < SS_CUDA_IN_FLIGHT; k++)
            v[k] = at[i + k * team];
#pragma unroll
        for (int k = 0; k < SS_CUDA_IN_FLIGHT; k++)
            ss_cuda_take_vector<T>(v[k], head + (i + k * team) * EACH, take);
    }
    for (; i < vectors; i += team)
        ss_cuda_take_vector<T>(at[i], head + i * EACH, take);
    for (i = tail + me; i < n; i += team)
        take(((const T *)p)[i], i);
}

/* Either, by what the row is like. n <= 2^30. */
template <class T, class Take>
static __device__ __forceinline__ void ss_cuda_walk_line(const char *p, ptrdiff_t stride,
                                                         uint32_t n, uint32_t me, uint32_t team,
                                                         Take take)
{
    enum { EACH = SS_CUDA_VECTOR / sizeof(T) };
    if (stride == (ptrdiff_t)sizeof(T) && n >= 2 * EACH * team)
        ss_cuda_walk_dense<T>(p, n, me, team, take);
    else
        ss_cuda_walk_strided<T>(p, stride, n, me, team, take);
}

/* ---- with absent ones -------------------------------------------------------------------------
 */

/* What says which elements of a line of real ones are present: ss_cuda_present()'s rules. */
struct ss_cuda_sieve {
    const unsigned char *mask;
    ptrdiff_t first, step; /* the first element's entry: bytes, or bits */
    samesum_mask_kind kind;
    samesum_missing missing;
    double missing_value;
    bool bf16;
};

static __device__ __forceinline__ double ss_cuda_number_of(uint64_t bits, bool)
{
    return __longlong_as_double((long long)bits);
}
static __device__ __forceinline__ double ss_cuda_number_of(uint32_t bits, bool)
{
    return f64_of_f32(__int_as_float((int)bits));
}
static __device__ __forceinline__ double ss_cuda_number_of(uint16_t bits, bool bf16)
{
    return f64_of_f32(ss_cuda_half(bf16, bits));
}

template <class T>
static __device__ __forceinline__ bool ss_cuda_is_missing(const ss_cuda_sieve &sieve, T bits)
{
    if (sieve.missing == SAMESUM_MISSING_NONE)
        return false;
    const double x = ss_cuda_number_of(bits, sieve.bf16);
    return sieve.missing == SAMESUM_MISSING_NAN ? isnan(x) : x == sieve.missing_value;
}

/* take(bits, i) for those that keep(i) and the sieve let through. */
template <class T, class Keep, class Take>
static __device__ __forceinline__ void
ss_cuda_walk_kept(const char *p, ptrdiff_t stride, const ss_cuda_sieve &sieve, uint32_t n,
                  uint32_t me, uint32_t team, Keep keep, Take take)
{
    for (uint32_t i = me; i < n; i += SS_CUDA_IN_FLIGHT * team) {
        T bits[SS_CUDA_IN_FLIGHT];
        bool kept[SS_CUDA_IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < SS_CUDA_IN_FLIGHT; k++) {
            const uint32_t at = i + k * team, inside = at < n ? at : i;
            bits[k] = *(const T *)(p + (ptrdiff_t)inside * stride);
            kept[k] = keep(inside) && at < n;
        }
#pragma unroll
        for (int k = 0; k < SS_CUDA_IN_FLIGHT; k++)
            if (kept[k] && !ss_cuda_is_missing(sieve, bits[k]))
                take(bits[k], i + k * team);
    }
}

template <class T, class Take>
static __device__ __forceinline__ void ss_cuda_walk_sieved(const char *p, ptrdiff_t stride,
                                                           const ss_cuda_sieve &s, uint32_t n,
                                                           uint32_t me, uint32_t team, Take take)
{
    const unsigned char *mask = s.mask;
    const ptrdiff_t first = s.first, step = s.step;
    if (s.kind == SAMESUM_MASK_BYTES)
        ss_cuda_walk_kept<T>(
            p, stride, s, n, me, team,
            [=](uint32_t i) { return mask[first + (ptrdiff_t)i * step] != 0; }, take);
    else if (s.kind == SAMESUM_MASK_BITS)
        ss_cuda_walk_kept<T>(
            p, stride, s, n, me, team,
            [=](uint32_t i) {
                const uint64_t bit = (uint64_t)(first + (ptrdiff_t)i * step);
                return (mask[bit / 8] >> bit % 8 & 1) != 0;
            },
            take);
    else
        ss_cuda_walk_kept<T>(
            p, stride, s, n, me, team, [](uint32_t) { return true; }, take);
}

/* Host: whether a row's numbers at this place lie at equal distances; *stride receives them, in
 * bytes. per: numbers of an element. */
static inline bool ss_cuda_is_line(const ss_cuda_view &v, int place, int per, ptrdiff_t *stride)
{
    const ss_axis &axis = v.row.axis[0];
    const int bytes = ss_cuda_bytes(ss_cuda_real(v.type));
    *stride = per == 2 ? bytes : axis.stride[place];
    return v.row.dims == 1 && (per == 1 || axis.stride[place] == 2 * bytes);
}

#endif
