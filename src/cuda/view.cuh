/* What the device reads: the elements of every row of any layout, as real numbers, one at a time;
 * the device's counterpart of view/view.h, whose fields it shares. Passed to kernels by value. */
#ifndef SS_CUDA_VIEW_CUH
#define SS_CUDA_VIEW_CUH

#include "cuda/isa_cuda.h"
#include "view/view.h"

/* All rows of one reduction. */
struct ss_cuda_view {
    ss_layout row, rest; /* a row's elements; the rows */
    uint64_t n, rows;    /* elements of a row; rows */
    uint64_t first_row;  /* of `rest`, row 0 here */
    /* Segments: row i is elements [offsets[i], offsets[i + 1]) of one row of n; NULL: no */
    const size_t *offsets;
    const char *place[2];
    const unsigned char *mask;
    ptrdiff_t mask_at; /* where the first row's first entry is: bytes, or bits */
    samesum_type type; /* of the elements; never F32_WIDE */
    unsigned char first, pair, conj;
    signed char part, factor;
    ss_map map;
    const double *parameter; /* of each row, for map; device memory */
    samesum_mask_kind mask_kind;
    samesum_missing missing;
    unsigned char missing_in[2];
    double missing_value;
};

/* Where one row lies. */
struct ss_cuda_row {
    const char *place[2];
    ptrdiff_t mask; /* where its first element's entry is: bytes, or bits */
    uint64_t first; /* of a segment: its first element; else 0 */
    uint64_t n;     /* elements */
};

/* Offsets of the element with this logical index in a layout. */
static __device__ __forceinline__ void ss_cuda_locate(const ss_layout &layout, uint64_t element,
                                                      ptrdiff_t offset[SS_PLACES])
{
    for (int p = 0; p < SS_PLACES; p++)
        offset[p] = 0;
    for (int k = layout.dims - 1; k >= 0; k--) {
        const ss_axis &axis = layout.axis[k];
        uint64_t i = element;
        if (k > 0) {
            element = (element | axis.extent) >> 32 ? element / axis.extent
                                                    : (uint32_t)element / (uint32_t)axis.extent;
            i -= element * axis.extent;
        }
        for (int p = 0; p < SS_PLACES; p++)
            offset[p] += (ptrdiff_t)i * axis.stride[p];
    }
}

static __device__ inline ss_cuda_row ss_cuda_row_at(const ss_cuda_view &v, uint64_t row)
{
    ss_cuda_row r;
    ptrdiff_t offset[SS_PLACES] = {0, 0, 0};
    r.first = 0;
    r.n = v.n;
    if (v.offsets) { /* what cannot be is empty */
        uint64_t from = v.offsets[row], to = v.offsets[row + 1];
        r.first = from;
        r.n = from < to && to <= v.n ? to - from : 0;
    } else {
        ss_cuda_locate(v.rest, v.first_row + row, offset);
    }
    r.place[SS_X] = v.place[SS_X] + offset[SS_X];
    r.place[SS_Y] = v.place[SS_Y] + offset[SS_Y];
    r.mask = v.mask_at + offset[SS_MASK];
    return r;
}

/* binary16 and bfloat16, exactly. */
static __device__ __forceinline__ float ss_cuda_half(bool bf16, unsigned short bits)
{
    if (bf16)
        return __uint_as_float((unsigned)bits << 16);
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits));
    return f;
}

/* The real number at p, of an element's real type. A is double, or float where that holds it. */
template <class A>
static __device__ __forceinline__ A ss_cuda_load(samesum_type real, const char *p)
{
    if (real == SAMESUM_F64)
        return (A) * (const double *)p;
    if (real == SAMESUM_F32)
        return (A) * (const float *)p;
    return (A)ss_cuda_half(real == SAMESUM_BF16, *(const unsigned short *)p);
}

/* Host and device: what view/view.h says of C types. */
static __host__ __device__ inline samesum_type ss_cuda_real(samesum_type type)
{
    return type == SAMESUM_C64 ? SAMESUM_F32 : type == SAMESUM_C128 ? SAMESUM_F64 : type;
}
static __host__ __device__ inline int ss_cuda_bytes(samesum_type real)
{
    return real == SAMESUM_F64 ? 8 : real == SAMESUM_F32 ? 4 : 2;
}
static __host__ __device__ inline bool ss_cuda_complex(samesum_type type)
{
    return type == SAMESUM_C64 || type == SAMESUM_C128;
}
static __host__ __device__ inline int ss_cuda_element_bytes(samesum_type type)
{
    return ss_cuda_bytes(ss_cuda_real(type)) * (ss_cuda_complex(type) ? 2 : 1);
}
/* Numbers that an element gives. */
static __host__ __device__ inline int ss_cuda_per(const ss_cuda_view &v)
{
    return ss_cuda_complex(v.type) && v.part < 0 ? 2 : 1;
}
static __host__ __device__ inline bool ss_cuda_masked(const ss_cuda_view &v)
{
    return v.mask_kind != SAMESUM_MASK_NONE || v.missing != SAMESUM_MISSING_NONE;
}

/* Whether the element at p is missing: SPEC.md, note 19. */
static __device__ inline bool ss_cuda_missing(const ss_cuda_view &v, const char *p)
{
    samesum_type real = ss_cuda_real(v.type);
    double re = ss_cuda_load<double>(real, p);
    double im = ss_cuda_complex(v.type) ? ss_cuda_load<double>(real, p + ss_cuda_bytes(real)) : 0;
    return v.missing == SAMESUM_MISSING_NAN ? isnan(re) || isnan(im)
                                            : re == v.missing_value && im == 0;
}

/* Whether element i of a row, at these offsets, is present. */
static __device__ inline bool ss_cuda_present(const ss_cuda_view &v, const ss_cuda_row &r,
                                              const ptrdiff_t offset[SS_PLACES])
{
    if (v.mask_kind == SAMESUM_MASK_BYTES && v.mask[r.mask + offset[SS_MASK]] == 0)
        return false;
    if (v.mask_kind == SAMESUM_MASK_BITS) {
        uint64_t bit = (uint64_t)(r.mask + offset[SS_MASK]);
        if (!(v.mask[bit / 8] >> bit % 8 & 1))
            return false;
    }
    if (v.missing != SAMESUM_MISSING_NONE)
        for (int p = SS_X; p <= SS_Y; p++)
            if (v.missing_in[p] && ss_cuda_missing(v, r.place[p] + offset[p]))
                return false;
    return true;
}

/* SPEC.md 6.1 and 6.3: fl(x - m), and x * 2^-e rounded once, the parameter being the largest
 * magnitude, of exponent e. */
static __device__ __forceinline__ double ss_cuda_mapped(ss_map map, double x, double parameter)
{
    return map == SS_MAP_DEVIATE ? f64_sub(x, parameter) : scalbn(x, -ilogb(parameter));
}
static __device__ __forceinline__ float ss_cuda_mapped(ss_map map, float x, double parameter)
{
    return map == SS_MAP_DEVIATE ? f32_sub(x, (float)parameter) : scalbnf(x, -ilogb(parameter));
}

/* Number i of row r (`row` is its index): 0 <= i < r.n * ss_cuda_per(v). Returns whether it is
 * present; then x, and y where v.pair says so, receive it. */
template <class A>
static __device__ inline bool ss_cuda_number(const ss_cuda_view &v, const ss_cuda_row &r,
                                             uint64_t row, uint64_t i, A *x, A *y)
{
    const samesum_type real = ss_cuda_real(v.type);
    const int bytes = ss_cuda_bytes(real), per = ss_cuda_per(v);
    const int sub = per == 2 ? (int)(i & 1) : v.part > 0; /* which part of a complex element */
    ptrdiff_t offset[SS_PLACES];
    ss_cuda_locate(v.row, r.first + (per == 2 ? i >> 1 : i), offset);
    if (ss_cuda_masked(v) && !ss_cuda_present(v, r, offset))
        return false;
    *x = ss_cuda_load<A>(real, r.place[v.first] + offset[v.first] + sub * bytes);
    if (v.map != SS_MAP_NONE)
        *x = ss_cuda_mapped(v.map, *x, v.parameter[row]);
    if (v.pair) {
        /* SPEC.md 6.8 step 3: leaves xr yr and -xi yi, or xr yi and xi yr; a conjugate negates xi
         */
        int other = v.factor < 0 ? sub : sub ^ v.factor;
        bool negate = v.factor >= 0 && sub == 1 && (v.factor == 0) != (v.conj != 0);
        *y = ss_cuda_load<A>(real, r.place[SS_Y] + offset[SS_Y] + other * bytes);
        if (negate)
            *y = -*y;
    }
    return true;
}

#endif
