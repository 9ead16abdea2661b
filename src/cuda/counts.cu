#include "cuda/counts.h"

#include "cuda/lines.cuh"
#include "cuda/teams.cuh"

namespace
{

/* Elements of one place that are NaN or infinite. */
struct Bad {
    unsigned long long count, first; /* UINT64_MAX: none */
};

struct Seen {
    unsigned long long present;
    Bad x, y;
};

__device__ __forceinline__ void join_bad(Bad *a, const Bad &b)
{
    a->count += b.count;
    a->first = b.first < a->first ? b.first : a->first;
}

__device__ __forceinline__ unsigned long long exchanged(unsigned long long v, unsigned m)
{
    return __shfl_xor_sync(SS_CUDA_ALL_LANES, v, m);
}

/* Those that one thread meets, in ascending order. */
struct Few {
    uint32_t count = 0, first = UINT32_MAX;

    __device__ __forceinline__ void take(bool bad, uint32_t i)
    {
        if (bad && count++ == 0)
            first = i;
    }
    __device__ __forceinline__ Bad from(uint64_t begin) const
    {
        return {count, count > 0 ? begin + first : UINT64_MAX};
    }
};

/* Whether the element at p, of any type, is NaN or infinite, in either part. */
__device__ __forceinline__ bool is_bad(samesum_type type, const char *p)
{
    const samesum_type real = ss_cuda_real(type);
    bool bad = !isfinite(ss_cuda_load<double>(real, p));
    if (ss_cuda_complex(type))
        bad = bad || !isfinite(ss_cuda_load<double>(real, p + ss_cuda_bytes(real)));
    return bad;
}

/* T: the bits of real elements that lie at equal distances and are all present; or Any. */
struct Any {
};

template <class T> struct Task {
    typedef Seen State;
    ss_cuda_view view;
    ptrdiff_t stride[2];
    samesum_counts *counts;

    __host__ __device__ int per() const
    {
        return 1;
    }
    __device__ bool wanted(uint64_t) const
    {
        return true;
    }
    static __device__ __forceinline__ Seen start()
    {
        return {0, {0, UINT64_MAX}, {0, UINT64_MAX}};
    }
    static __device__ __forceinline__ void join(Seen *s, const Seen &other)
    {
        s->present += other.present;
        join_bad(&s->x, other.x);
        join_bad(&s->y, other.y);
    }
    static __device__ __forceinline__ Seen exchange(const Seen &s, unsigned m)
    {
        return {exchanged(s.present, m),
                {exchanged(s.x.count, m), exchanged(s.x.first, m)},
                {exchanged(s.y.count, m), exchanged(s.y.first, m)}};
    }
    __device__ void finish(uint64_t row, const Seen &s) const
    {
        samesum_counts c;
        c.present = s.present;
        c.masked = ss_cuda_row_at(view, row).n - s.present;
        c.nonfinite[SS_X] = s.x.count;
        c.nonfinite[SS_Y] = s.y.count;
        c.first[SS_X] = s.x.first;
        c.first[SS_Y] = s.y.first;
        counts[row] = c;
    }

    __device__ __forceinline__ Seen read(Any, const ss_cuda_row &r, uint64_t from, uint32_t n,
                                         unsigned me, unsigned team) const
    {
        const bool masked = ss_cuda_masked(view);
        uint32_t present = 0;
        Few x, y;
        for (uint32_t i = me; i < n; i += team) {
            ptrdiff_t offset[SS_PLACES];
            ss_cuda_locate(view.row, r.first + from + i, offset);
            if (masked && !ss_cuda_present(view, r, offset))
                continue;
            present++;
            x.take(is_bad(view.type, r.place[SS_X] + offset[SS_X]), i);
            if (view.place[SS_Y])
                y.take(is_bad(view.type, r.place[SS_Y] + offset[SS_Y]), i);
        }
        return {present, x.from(from), y.from(from)};
    }

    template <class Line>
    __device__ __forceinline__ Bad line(Line, const char *place, ptrdiff_t step, uint64_t first,
                                        uint64_t from, uint32_t n, unsigned me, unsigned team) const
    {
        const Line infinity = sizeof(Line) == 8           ? (Line)0x7ff0000000000000ULL
                              : sizeof(Line) == 4         ? (Line)0x7f800000
                              : view.type == SAMESUM_BF16 ? (Line)0x7f80
                                                          : (Line)0x7c00;
        Few bad;
        ss_cuda_walk_line<Line>(
            place + (ptrdiff_t)(first + from) * step, step, n, me, team,
            [&](Line bits, uint32_t i) { bad.take((Line)(bits & infinity) == infinity, i); });
        return bad.from(from);
    }
    template <class Line>
    __device__ __forceinline__ Seen read(Line, const ss_cuda_row &r, uint64_t from, uint32_t n,
                                         unsigned me, unsigned team) const
    {
        Seen s = start();
        s.present = me == 0 ? n : 0; /* all; once for the team */
        s.x = line(Line(), r.place[SS_X], stride[SS_X], r.first, from, n, me, team);
        if (view.place[SS_Y])
            s.y = line(Line(), r.place[SS_Y], stride[SS_Y], r.first, from, n, me, team);
        return s;
    }

    __device__ __forceinline__ void scan(Seen *s, const ss_cuda_row &r, uint64_t, uint64_t from,
                                         uint32_t n, unsigned me, unsigned team) const
    {
        join(s, read(T(), r, from, n, me, team));
    }
};

template <class T>
cudaError_t launch(const ss_cuda_view &view, samesum_counts *counts, const ptrdiff_t stride[2],
                   void *workspace, cudaStream_t stream)
{
    const Task<T> task = {view, {stride[SS_X], stride[SS_Y]}, counts};
    return ss_cuda_teams_launch(task, workspace, stream);
}

} // namespace

size_t ss_cuda_counts_workspace(const ss_cuda_view &view)
{
    return ss_cuda_teams_bytes(ss_cuda_teams_of(view, 1), sizeof(Seen));
}

cudaError_t ss_cuda_counts_launch(const ss_cuda_view &view, samesum_counts *counts, void *workspace,
                                  cudaStream_t stream)
{
    ptrdiff_t stride[2];
    bool line = !ss_cuda_complex(view.type) && !ss_cuda_masked(view);
    for (int place = SS_X; place <= SS_Y; place++)
        line = ss_cuda_is_line(view, place, 1, &stride[place]) && line;
    const int bytes = ss_cuda_bytes(ss_cuda_real(view.type));
    return !line        ? launch<Any>(view, counts, stride, workspace, stream)
           : bytes == 8 ? launch<uint64_t>(view, counts, stride, workspace, stream)
           : bytes == 4 ? launch<uint32_t>(view, counts, stride, workspace, stream)
                        : launch<uint16_t>(view, counts, stride, workspace, stream);
}
