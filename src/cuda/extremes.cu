#include "cuda/extremes.h"

#include "cuda/keys.cuh"
#include "cuda/lines.cuh"
#include "cuda/teams.cuh"

namespace
{

typedef ss_rules<uint64_t> Wide;

/* What was found in a range, whatever the elements' type: keys are those of binary64. */
template <int SEEK> struct Found;
template <> struct Found<SS_SEEK_VALUE> {
    long long low;
};
template <> struct Found<SS_SEEK_INDEX> {
    long long low;
    unsigned long long at; /* UINT64_MAX: nothing */
};
template <> struct Found<SS_SEEK_BOTH> {
    long long low, high;
    unsigned long long count, nan;
};

__device__ void start(Found<SS_SEEK_VALUE> *s)
{
    s->low = Wide::nothing;
}
__device__ void start(Found<SS_SEEK_INDEX> *s)
{
    s->low = Wide::nothing;
    s->at = UINT64_MAX;
}
__device__ void start(Found<SS_SEEK_BOTH> *s)
{
    s->low = Wide::nothing;
    s->high = Wide::wins;
    s->count = s->nan = 0;
}

__device__ __forceinline__ void join_found(Found<SS_SEEK_VALUE> *s, const Found<SS_SEEK_VALUE> &o)
{
    s->low = o.low < s->low ? o.low : s->low;
}
__device__ __forceinline__ void join_found(Found<SS_SEEK_INDEX> *s, const Found<SS_SEEK_INDEX> &o)
{
    if (o.low < s->low || (o.low == s->low && o.at < s->at))
        *s = o;
}
__device__ __forceinline__ void join_found(Found<SS_SEEK_BOTH> *s, const Found<SS_SEEK_BOTH> &o)
{
    s->low = o.low < s->low ? o.low : s->low;
    s->high = o.high > s->high ? o.high : s->high;
    s->count += o.count;
    s->nan |= o.nan;
}

template <class V> __device__ __forceinline__ V exchanged(V v, unsigned m)
{
    return __shfl_xor_sync(SS_CUDA_ALL_LANES, v, m);
}
__device__ __forceinline__ Found<SS_SEEK_VALUE> exchange_found(const Found<SS_SEEK_VALUE> &s,
                                                               unsigned m)
{
    return {exchanged(s.low, m)};
}
__device__ __forceinline__ Found<SS_SEEK_INDEX> exchange_found(const Found<SS_SEEK_INDEX> &s,
                                                               unsigned m)
{
    return {exchanged(s.low, m), exchanged(s.at, m)};
}
__device__ __forceinline__ Found<SS_SEEK_BOTH> exchange_found(const Found<SS_SEEK_BOTH> &s,
                                                              unsigned m)
{
    return {exchanged(s.low, m), exchanged(s.high, m), exchanged(s.count, m), exchanged(s.nan, m)};
}

/* A key of an element's type as that of the same number in binary64. */
__device__ __forceinline__ long long widen(const ss_rules<uint64_t> &, bool, long long key)
{
    return key;
}
template <class T>
__device__ __forceinline__ long long widen(const ss_rules<T> &rules, bool bf16, int key)
{
    if (key == ss_rules<T>::wins)
        return Wide::wins;
    if (key >= ss_rules<T>::passed_over)
        return Wide::nothing - (ss_rules<T>::nothing - key);
    const int bits = ss_order<T>(key ^ rules.flip);
    const float f =
        sizeof(T) == 2 ? ss_cuda_half(bf16, (unsigned short)bits) : __int_as_float(bits);
    const long long wide = ss_order<uint64_t>(__double_as_longlong(f64_of_f32(f)));
    return wide ^ (long long)rules.flip;
}

template <class T>
__device__ __forceinline__ Found<SS_SEEK_VALUE>
widen_seen(const ss_rules<T> &rules, bool bf16, const ss_seen<SS_SEEK_VALUE, T> &seen, uint64_t)
{
    return {widen(rules, bf16, seen.low)};
}
template <class T>
__device__ __forceinline__ Found<SS_SEEK_INDEX> widen_seen(const ss_rules<T> &rules, bool bf16,
                                                           const ss_seen<SS_SEEK_INDEX, T> &seen,
                                                           uint64_t from)
{
    return {widen(rules, bf16, seen.low), seen.at == UINT32_MAX ? UINT64_MAX : from + seen.at};
}
template <class T>
__device__ __forceinline__ Found<SS_SEEK_BOTH>
widen_seen(const ss_rules<T> &rules, bool bf16, const ss_seen<SS_SEEK_BOTH, T> &seen, uint64_t)
{
    return {widen(rules, bf16, seen.low), widen(rules, bf16, seen.high), seen.count, seen.nan};
}

__device__ __forceinline__ double value_of(long long key)
{
    return __longlong_as_double(ss_order<uint64_t>(key)); /* those of no number give NaN */
}

/* Where what was found goes. */
struct Target {
    ss_cuda_sink sink;
    ss_found *found;   /* not NULL: the state of each row, */
    uint64_t *present; /* and its elements */
    double *largest;   /* not NULL: the largest magnitude */
    bool max, propagate;
    void *share;    /* not NULL: what was found, of each row, */
    uint64_t begin; /* from this index on */
};

/* Whether it is kept as it is. */
template <int SEEK>
__device__ __forceinline__ bool is_kept(const Target &to, uint64_t row, const Found<SEEK> &s)
{
    if (to.share)
        ((Found<SEEK> *)to.share)[row] = s;
    return to.share;
}

__device__ void finish_found(const Target &to, uint64_t row, const Found<SS_SEEK_VALUE> &s)
{
    if (!is_kept(to, row, s))
        ss_cuda_write(to.sink, row, 0, value_of(to.max ? ~s.low : s.low));
}

__device__ void finish_found(const Target &to, uint64_t row, const Found<SS_SEEK_INDEX> &s)
{
    const unsigned long long at = s.at == UINT64_MAX ? s.at : s.at + to.begin;
    if (!is_kept(to, row, Found<SS_SEEK_INDEX>{s.low, at}))
        ss_cuda_write_index(to.sink, row, at);
}

__device__ __forceinline__ double quiet_nan()
{
    return __longlong_as_double(0x7ff8000000000000LL);
}

/* SPEC.md 6.1 step 4, and step 1 before it. */
__device__ double largest_of(bool some, bool nan, double min, double max)
{
    const double a = f64_abs(min), b = f64_abs(max), most = some ? (a > b ? a : b) : 0;
    return nan && !isinf(most) ? quiet_nan() : most;
}

__device__ void finish_found(const Target &to, uint64_t row, const Found<SS_SEEK_BOTH> &s)
{
    const bool some = s.low != Wide::nothing, nan = s.nan != 0;
    const double min = value_of(s.low), max = value_of(s.high);
    if (to.largest) {
        to.largest[row] = largest_of(some, nan, min, max);
    } else if (to.found) {
        ss_found f = {};
        f.some = some;
        f.nan = nan;
        f.any = s.count > 0;
        f.min = some ? min : (double)INFINITY; /* as ss_found_start() leaves them */
        f.max = some ? max : -(double)INFINITY;
        to.found[row] = f;
        to.present[row] = s.count;
    } else if (!is_kept(to, row, s)) {
        const bool none = nan && to.propagate;
        ss_cuda_write(to.sink, row, 0, none ? quiet_nan() : min);
        ss_cuda_write(to.sink, row, 1, none ? quiet_nan() : max);
    }
}

/* T: the bits of numbers that lie at equal distances; or Any, for all that views can be. */
struct Any {
};
template <class T> struct bits_read {
    typedef T type;
};
template <> struct bits_read<Any> {
    typedef uint64_t type;
};

template <int SEEK, class T> struct Task {
    typedef Found<SEEK> State;
    typedef typename bits_read<T>::type Bits;
    typedef ss_rules<Bits> Rules;
    ss_cuda_view view;
    ptrdiff_t step, stride; /* of a line: from element to element, from number to number */
    const int *is_wanted;
    Target target;

    __host__ __device__ int per() const
    {
        return ss_cuda_per(view);
    }
    __device__ bool wanted(uint64_t row) const
    {
        return !is_wanted || is_wanted[row] != 0;
    }
    static __device__ __forceinline__ State start()
    {
        State s;
        ::start(&s);
        return s;
    }
    static __device__ __forceinline__ void join(State *s, const State &other)
    {
        join_found(s, other);
    }
    static __device__ __forceinline__ State exchange(const State &s, unsigned m)
    {
        return exchange_found(s, m);
    }
    __device__ void finish(uint64_t row, const State &s) const
    {
        finish_found(target, row, s);
    }

    __device__ __forceinline__ typename Rules::Key infinity() const
    {
        if (sizeof(Bits) == 8)
            return (typename Rules::Key)0x7ff0000000000000LL;
        return sizeof(Bits) == 4 ? 0x7f800000 : view.type == SAMESUM_BF16 ? 0x7f80 : 0x7c00;
    }

    __device__ __forceinline__ void read(Any, const ss_cuda_row &r, uint64_t row, uint64_t from,
                                         uint32_t n, unsigned me, unsigned team, const Rules &rules,
                                         ss_seen<SEEK, Bits> *seen) const
    {
        for (uint32_t i = me; i < n; i += team) {
            double x, unused;
            if (ss_cuda_number(view, r, row, from + i, &x, &unused))
                seen->take(rules, __double_as_longlong(x), i);
        }
    }
    template <class Line>
    __device__ __forceinline__ void read(Line, const ss_cuda_row &r, uint64_t, uint64_t from,
                                         uint32_t n, unsigned me, unsigned team, const Rules &rules,
                                         ss_seen<SEEK, Bits> *seen) const
    {
        const char *p = (view.first == SS_X ? r.place[SS_X] : r.place[SS_Y]) +
                        (view.part > 0 ? sizeof(Line) : 0) + (ptrdiff_t)r.first * step +
                        (ptrdiff_t)from * stride;
        const auto take = [&](Line bits, uint32_t i) {
            seen->take(rules, ss_bits<Line>::of(bits), i);
        };
        if (!ss_cuda_masked(view)) {
            ss_cuda_walk_line<Line>(p, stride, n, me, team, take);
            return;
        }
        const ptrdiff_t mask_step = view.row.axis[0].stride[SS_MASK];
        const ss_cuda_sieve sieve = {view.mask,
                                     r.mask + (ptrdiff_t)(r.first + from) * mask_step,
                                     mask_step,
                                     view.mask_kind,
                                     view.missing,
                                     view.missing_value,
                                     view.type == SAMESUM_BF16};
        ss_cuda_walk_sieved<Line>(p, stride, sieve, n, me, team, take);
    }

    __device__ __forceinline__ void scan(State *s, const ss_cuda_row &r, uint64_t row,
                                         uint64_t from, uint32_t n, unsigned me,
                                         unsigned team) const
    {
        const Rules rules(infinity(), target.max, target.propagate);
        ss_seen<SEEK, Bits> seen;
        read(T(), r, row, from, n, me, team, rules, &seen);
        join(s, widen_seen(rules, view.type == SAMESUM_BF16, seen, from));
    }
};

template <int SEEK, class T>
cudaError_t launch(const ss_cuda_view &view, const int *wanted, const Target &target,
                   ptrdiff_t stride, void *workspace, cudaStream_t stream)
{
    const Task<SEEK, T> task = {view, view.row.axis[0].stride[view.first], stride, wanted, target};
    return ss_cuda_teams_launch(task, workspace, stream);
}

template <int SEEK>
cudaError_t launch_any(const ss_cuda_view &given, const int *wanted, const Target &target,
                       void *workspace, cudaStream_t stream)
{
    ptrdiff_t stride;
    ss_cuda_view view = given;
    view.pair = 0; /* whatever it is used for besides */
    const bool one_place =
        view.missing == SAMESUM_MISSING_NONE || (view.missing_in[SS_X] && !view.missing_in[SS_Y]);
    const bool simple =
        !ss_cuda_masked(view) || (!ss_cuda_complex(view.type) && view.first == SS_X && one_place);
    const bool line = ss_cuda_is_line(view, view.first, ss_cuda_per(view), &stride) && simple &&
                      view.map == SS_MAP_NONE;
    const int bytes = ss_cuda_bytes(ss_cuda_real(view.type));
    return !line        ? launch<SEEK, Any>(view, wanted, target, stride, workspace, stream)
           : bytes == 8 ? launch<SEEK, uint64_t>(view, wanted, target, stride, workspace, stream)
           : bytes == 4 ? launch<SEEK, uint32_t>(view, wanted, target, stride, workspace, stream)
                        : launch<SEEK, uint16_t>(view, wanted, target, stride, workspace, stream);
}

size_t workspace_of(const ss_cuda_view &view, size_t state)
{
    return ss_cuda_teams_bytes(ss_cuda_teams_of(view, ss_cuda_per(view)), state);
}

} // namespace

/* That of the largest state: the job may be asked for its results or for states. */
size_t ss_cuda_extremes_workspace(const ss_cuda_extremes_job &job)
{
    return workspace_of(job.view, sizeof(Found<SS_SEEK_BOTH>));
}

namespace
{

ss_seek seek_of(samesum_op op)
{
    return op == SAMESUM_MINMAX                           ? SS_SEEK_BOTH
           : op == SAMESUM_ARGMIN || op == SAMESUM_ARGMAX ? SS_SEEK_INDEX
                                                          : SS_SEEK_VALUE;
}

Target target_of(const ss_cuda_extremes_job &job)
{
    Target to = {};
    to.sink = job.sink;
    to.propagate = job.nan == SAMESUM_NAN_PROPAGATE;
    to.max = job.op == SAMESUM_MAX || job.op == SAMESUM_ARGMAX;
    return to;
}

cudaError_t launch_to(const ss_cuda_extremes_job &job, const Target &to, void *workspace,
                      cudaStream_t stream)
{
    switch (seek_of(job.op)) {
    case SS_SEEK_BOTH:
        return launch_any<SS_SEEK_BOTH>(job.view, nullptr, to, workspace, stream);
    case SS_SEEK_INDEX:
        return launch_any<SS_SEEK_INDEX>(job.view, nullptr, to, workspace, stream);
    default:
        return launch_any<SS_SEEK_VALUE>(job.view, nullptr, to, workspace, stream);
    }
}

} // namespace

cudaError_t ss_cuda_extremes_launch(const ss_cuda_extremes_job &job, void *workspace,
                                    cudaStream_t stream)
{
    return launch_to(job, target_of(job), workspace, stream);
}

/* ---- of several places -------------------------------------------------------------------------
 */

namespace
{

struct Places {
    const char *images;
    size_t stride, at;
    uint64_t count, rows;
};

enum { JOIN_THREADS = 128 };

template <int SEEK> __global__ void ss_extremes_join_kernel(const Places places, const Target to)
{
    const uint64_t row = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    Found<SEEK> all;
    start(&all);
    if (row >= places.rows)
        return;
    for (uint64_t i = 0; i < places.count; i++)
        join_found(&all,
                   ((const Found<SEEK> *)(places.images + i * places.stride + places.at))[row]);
    finish_found(to, row, all);
}

/* Of states, as the CPU keeps them. */
__global__ void ss_extremes_finish_kernel(const Places places, const Target to, samesum_op op,
                                          const int *bad)
{
    Found<SS_SEEK_BOTH> all;
    start(&all);
    for (uint64_t i = 0; i < places.count && !*bad; i++) {
        const ss_found &f = *(const ss_found *)(places.images + i * places.stride + places.at);
        const long long nothing = Wide::nothing, least = Wide::wins;
        join_found(&all, {f.some ? ss_order<uint64_t>(__double_as_longlong(f.min)) : nothing,
                          f.some ? ss_order<uint64_t>(__double_as_longlong(f.max)) : least,
                          (unsigned long long)f.any, (unsigned long long)f.nan});
    }
    if (op == SAMESUM_MINMAX) {
        finish_found(to, 0, all);
        return;
    }
    const double value = value_of(to.max ? all.high : all.low);
    ss_cuda_write(to.sink, 0, 0, all.nan && to.propagate ? quiet_nan() : value);
}

template <int SEEK>
cudaError_t launch_join(const Places &places, const Target &to, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((places.rows + JOIN_THREADS - 1) / JOIN_THREADS);
    ss_extremes_join_kernel<SEEK><<<blocks, JOIN_THREADS, 0, stream>>>(places, to);
    return cudaGetLastError();
}

} // namespace

size_t ss_cuda_extremes_share_bytes(samesum_op op)
{
    const ss_seek seek = seek_of(op);
    return seek == SS_SEEK_BOTH    ? sizeof(Found<SS_SEEK_BOTH>)
           : seek == SS_SEEK_INDEX ? sizeof(Found<SS_SEEK_INDEX>)
                                   : sizeof(Found<SS_SEEK_VALUE>);
}

cudaError_t ss_cuda_extremes_share_launch(const ss_cuda_extremes_job &job, uint64_t begin,
                                          void *share, void *workspace, cudaStream_t stream)
{
    Target to = target_of(job);
    to.share = share;
    to.begin = begin;
    return launch_to(job, to, workspace, stream);
}

cudaError_t ss_cuda_extremes_join_launch(const ss_cuda_extremes_job &job, const char *images,
                                         size_t stride, uint64_t count, size_t at, uint64_t rows,
                                         cudaStream_t stream)
{
    const Places places = {images, stride, at, count, rows};
    const Target to = target_of(job);
    switch (seek_of(job.op)) {
    case SS_SEEK_BOTH:
        return launch_join<SS_SEEK_BOTH>(places, to, stream);
    case SS_SEEK_INDEX:
        return launch_join<SS_SEEK_INDEX>(places, to, stream);
    default:
        return launch_join<SS_SEEK_VALUE>(places, to, stream);
    }
}

cudaError_t ss_cuda_extremes_finish_launch(const ss_cuda_extremes_job &job, const char *images,
                                           size_t stride, uint64_t count, size_t at, const int *bad,
                                           cudaStream_t stream)
{
    const Places places = {images, stride, at, count, 1};
    ss_extremes_finish_kernel<<<1, 1, 0, stream>>>(places, target_of(job), job.op, bad);
    return cudaGetLastError();
}

cudaError_t ss_cuda_extremes_state_launch(const ss_cuda_extremes_job &job, ss_found *found,
                                          uint64_t *present, void *workspace, cudaStream_t stream)
{
    Target to = {};
    to.found = found;
    to.present = present;
    return launch_any<SS_SEEK_BOTH>(job.view, nullptr, to, workspace, stream);
}

size_t ss_cuda_largest_workspace(const ss_cuda_view &view)
{
    return workspace_of(view, sizeof(Found<SS_SEEK_BOTH>));
}

cudaError_t ss_cuda_largest_launch(const ss_cuda_view &view, const int *wanted, double *largest,
                                   void *workspace, cudaStream_t stream)
{
    Target to = {};
    to.largest = largest;
    return launch_any<SS_SEEK_BOTH>(view, wanted, to, workspace, stream);
}
