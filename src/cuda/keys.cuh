/* Numbers as integers in SPEC.md 6.5's order, and the smallest of them. Everything here is exact,
 * and works on the host too. */
#ifndef SS_CUDA_KEYS_CUH
#define SS_CUDA_KEYS_CUH

#include <limits>
#include <stdint.h>

/* The bits of a number of type T as a signed integer, Key. */
template <class T> struct ss_bits;
template <> struct ss_bits<uint16_t> {
    typedef int Key;
    enum : Key { magnitude = 0x7fff };
    static __host__ __device__ __forceinline__ Key of(uint16_t bits)
    {
        return (int16_t)bits;
    }
};
template <> struct ss_bits<uint32_t> {
    typedef int Key;
    enum : Key { magnitude = 0x7fffffff };
    static __host__ __device__ __forceinline__ Key of(uint32_t bits)
    {
        return (Key)bits;
    }
};
template <> struct ss_bits<uint64_t> {
    typedef long long Key;
    enum : Key { magnitude = 0x7fffffffffffffffLL };
    static __host__ __device__ __forceinline__ Key of(uint64_t bits)
    {
        return (Key)bits;
    }
};

/* Numbers' bits to keys that are ordered as they are, -0.0 below +0.0; and back. */
template <class T>
static __host__ __device__ __forceinline__ typename ss_bits<T>::Key
ss_order(typename ss_bits<T>::Key bits)
{
    typedef typename ss_bits<T>::Key Key;
    return bits ^ ((bits >> (8 * sizeof bits - 1)) & (Key)ss_bits<T>::magnitude);
}

enum ss_seek {
    SS_SEEK_VALUE, /* the smallest key */
    SS_SEEK_INDEX, /* and where it is */
    SS_SEEK_BOTH   /* the smallest and the largest number, whether a NaN, how many numbers */
};

/* What a key means. Keys of numbers, also with all bits flipped, lie well between these three. */
template <class T> struct ss_rules {
    typedef typename ss_bits<T>::Key Key;
    static constexpr Key nothing = std::numeric_limits<Key>::max(); /* above all */
    static constexpr Key passed_over = nothing - 1; /* a NaN under `ignore`: above all numbers */
    static constexpr Key wins = std::numeric_limits<Key>::min(); /* a NaN under `propagate` */
    Key infinity;                                                /* bits of +inf */
    Key flip;                                                    /* -1: the largest is sought */
    Key nan;                                                     /* the key of a NaN */

    __host__ __device__ __forceinline__ ss_rules(Key infinite, bool largest, bool propagate)
        : infinity(infinite), flip(largest ? -1 : 0), nan(propagate ? wins : passed_over)
    {
    }
};

/* What a thread found among numbers that came in ascending order. */
template <int SEEK, class T> struct ss_seen {
    typedef typename ss_bits<T>::Key Key;
    Key low, high;
    uint32_t at, count;
    bool nan;

    __host__ __device__ __forceinline__ ss_seen()
        : low(ss_rules<T>::nothing), high(ss_rules<T>::wins), at(UINT32_MAX), count(0), nan(false)
    {
    }

    /* Number i, by its bits. */
    __host__ __device__ __forceinline__ void take(const ss_rules<T> &rules, Key bits, uint32_t i)
    {
        const bool is_nan = (bits & (Key)ss_bits<T>::magnitude) > rules.infinity;
        const Key key = ss_order<T>(bits);
        if (SEEK == SS_SEEK_BOTH) {
            const Key small = is_nan ? ss_rules<T>::nothing : key;
            const Key large = is_nan ? ss_rules<T>::wins : key;
            low = small < low ? small : low;
            high = large > high ? large : high;
            nan = nan || is_nan;
            count++;
            return;
        }
        const Key mine = is_nan ? rules.nan : key ^ rules.flip;
        if (SEEK == SS_SEEK_INDEX)
            at = mine < low ? i : at; /* the first one of equals stays */
        low = mine < low ? mine : low;
    }
};

#endif
