/* Rows at level exact: teams of warps, and what becomes of a row's sums. */
#ifndef SS_CUDA_EXACT_ROWS_CUH
#define SS_CUDA_EXACT_ROWS_CUH

#include "cuda/exact.h"
#include "cuda/exact_ring.cuh"

/* One sum of a row of several warps, in the workspace; zeros at first. */
struct ss_cuda_row_sum {
    unsigned long long digit[SS_EXACT_DIGITS]; /* of accumulator.h, two's complement */
    unsigned long long count;
    unsigned kinds;
    unsigned ticket; /* of the row's first sum: warps that are done */
};

/* Segments that are too long for one warp, in the workspace; a second launch shares them out. */
constexpr unsigned SS_CUDA_LONG_MOST = 2048;
struct ss_cuda_exact_long {
    unsigned count; /* 0 at first */
    uint64_t row[SS_CUDA_LONG_MOST];
};

/* What a launch was decided to be, and where its sums go. */
struct ss_cuda_exact_plan {
    uint64_t parts; /* warps that share a row */
    uint64_t alone; /* elements of a row up to which one warp takes it; longer ones are listed */
    ss_cuda_exact_long *listed; /* NULL: there are none */
    bool second;                /* only the listed ones, shared by many warps */
    unsigned blocks;
    bool side_by_side;    /* the rows' numbers */
    bool has_list;        /* there will be a second launch */
    ss_cuda_row_sum *row; /* where parts > 1 */
    ss_exact *state;      /* of each row; NULL: results go to the sink */
    uint64_t *present;
};

enum { SS_CUDA_EXACT_WARPS = 4 }; /* of a block */

/* Shared memory for a finish, of one warp. */
struct ss_cuda_exact_finish {
    ss_exact acc[2];
    ss_exact_room room;
};

/* Shared memory of one warp: while it reads the ring, afterwards the finish. */
template <size_t RING> struct alignas(16) ss_cuda_exact_shared {
    union {
        char ring[RING];
        ss_cuda_exact_finish finish;
    };
    ss_cuda_part part[2];
};

/* Adds a warp's parts to those of the row. Returns whether all parts of the row are there. */
static __device__ inline bool ss_cuda_exact_hand_in(const ss_cuda_part *part, int sums,
                                                    ss_cuda_row_sum *row, uint64_t parts,
                                                    unsigned lane)
{
    for (int i = 0; i < sums; i++) {
        for (int k = (int)lane; k < SS_EXACT_DIGITS; k += SS_CUDA_WARP) {
            int64_t digit = ss_cuda_digit(part[i].word, k);
            if (digit != 0)
                atomicAdd(&row[i].digit[k], (unsigned long long)digit);
        }
        if (lane == 0) {
            if (part[i].count != 0)
                atomicAdd(&row[i].count, part[i].count);
            if (part[i].kinds != 0)
                atomicOr(&row[i].kinds, part[i].kinds);
        }
    }
    __threadfence();
    __syncwarp();
    unsigned before = 0;
    if (lane == 0)
        before = atomicAdd(&row[0].ticket, 1u);
    before = __shfl_sync(SS_CUDA_ALL, before, 0);
    __threadfence();
    return before + 1 == parts;
}

/* The accumulator of a sum: of the row's, or where it had one warp of that one's part. */
static __device__ inline void ss_cuda_exact_collect(const ss_cuda_part *part,
                                                    const ss_cuda_row_sum *row, ss_exact *acc,
                                                    unsigned lane)
{
    int low = SS_EXACT_DIGITS, high = 0;
    for (int k = (int)lane; k < SS_EXACT_DIGITS; k += SS_CUDA_WARP) {
        int64_t digit = row ? (int64_t)__ldcg(&row->digit[k]) : ss_cuda_digit(part->word, k);
        acc->digit[k] = digit;
        if (digit != 0) {
            low = min(low, k);
            high = k + 1;
        }
    }
    low = __reduce_min_sync(SS_CUDA_ALL, low);
    high = __reduce_max_sync(SS_CUDA_ALL, high);
    if (lane == 0) {
        unsigned kinds = row ? __ldcg(&row->kinds) : part->kinds;
        acc->count = row ? __ldcg(&row->count) : part->count;
        acc->nan = (kinds & SS_CUDA_NAN) != 0;
        acc->plus_inf = (kinds & SS_CUDA_PLUS_INF) != 0;
        acc->minus_inf = (kinds & SS_CUDA_MINUS_INF) != 0;
        acc->other_than_minus_zero = (kinds & SS_CUDA_OTHER) != 0;
        acc->low = low < high ? low : 0;
        acc->high = high;
        acc->pending = SS_EXACT_PENDING; /* carries are passed on before anything is added */
    }
}

static __device__ inline void ss_cuda_exact_write(const ss_cuda_exact_job &job, uint64_t row,
                                                  ss_cuda_exact_finish *f)
{
    double result[2];
    ss_exact_finish(job.kind, job.op, job.ddof, f->acc, (ss_format)job.sink.format, result,
                    &f->room);
    for (int i = 0; i < job.sink.numbers; i++)
        ss_cuda_write(job.sink, row, i, result[i]);
}

static __device__ inline void ss_cuda_exact_save(const ss_cuda_exact_job &job,
                                                 const ss_cuda_exact_plan &plan, uint64_t row,
                                                 const ss_exact *acc, unsigned lane)
{
    const size_t words = (size_t)job.sums * sizeof(ss_exact) / sizeof(uint64_t);
    for (size_t k = lane; k < words; k += SS_CUDA_WARP)
        ((uint64_t *)plan.state)[row * words + k] = ((const uint64_t *)acc)[k];
    if (lane == 0)
        plan.present[row] = acc[0].count / (uint64_t)ss_cuda_per(job.view[0]);
}

/* What follows once a warp has its part of a row; sum: of that row, NULL where it has one part. */
static __device__ inline void ss_cuda_exact_end(const ss_cuda_exact_job &job,
                                                const ss_cuda_exact_plan &plan, uint64_t row,
                                                ss_cuda_row_sum *sum, uint64_t parts,
                                                const ss_cuda_part *part, ss_cuda_exact_finish *f,
                                                unsigned lane)
{
    if (sum && !ss_cuda_exact_hand_in(part, job.sums, sum, parts, lane))
        return;
    for (int i = 0; i < job.sums; i++)
        ss_cuda_exact_collect(part + i, sum ? sum + i : NULL, &f->acc[i], lane);
    __syncwarp();
    if (plan.state)
        ss_cuda_exact_save(job, plan, row, f->acc, lane);
    else if (lane == 0)
        ss_cuda_exact_write(job, row, f);
}

/* The part of one warp of a row's sum, of numbers that lie side by side: E as in exact_ring.cuh. */
template <class E, bool PRODUCT>
static __device__ __forceinline__ void
ss_cuda_exact_direct(const ss_cuda_view &v, samesum_op term, const ss_cuda_row &row, uint64_t part,
                     uint64_t parts, char *ring, ss_cuda_part *to)
{
    const uint64_t n = row.n * (uint64_t)ss_cuda_per(v);
    const uint64_t skip = row.first * (uint64_t)(ss_cuda_per(v) * E::BYTES);
    ss_cuda_warp w;
    ss_cuda_warp_start(w, to);
    ss_ring_row<E, PRODUCT>(w, ring, row.place[v.first] + skip, row.place[SS_Y] + skip, n, term,
                            part, parts);
    ss_cuda_warp_finish(w, part == 0 && w.lane == 0 ? n : 0);
}

/* The same of any view, number by number. */
template <bool PRODUCT>
static __device__ __forceinline__ void
ss_cuda_exact_any(const ss_cuda_view &v, samesum_op term, const ss_cuda_row &row, uint64_t index,
                  uint64_t part, uint64_t parts, ss_cuda_part *to)
{
    const uint64_t n = row.n * (uint64_t)ss_cuda_per(v);
    const uint64_t keep = term == SAMESUM_ASUM ? ~(uint64_t)SS_MINUS_ZERO : ~UINT64_C(0);
    ss_cuda_warp w;
    ss_cuda_warp_start(w, to);
    uint64_t count =
        ss_cuda_each<PRODUCT, 4>(w, n, part, parts, [&](uint64_t i, double *x, double *y) {
            if (!ss_cuda_number<double>(v, row, index, i, x, y))
                return false;
            *x = ss_double(ss_bits(*x) & keep);
            if (PRODUCT && term == SAMESUM_SUMSQ)
                *y = *x;
            return true;
        });
    ss_cuda_warp_finish(w, count);
}

/* E: void where the view is any. TERMS: 1 for elements, 2 for products, 3 for both. */
template <class E, int TERMS> struct ss_cuda_exact_sum {
    enum { RING = SS_RING_BYTES };
    template <bool PRODUCT>
    static __device__ __forceinline__ void add(const ss_cuda_exact_job &job, int i, uint64_t index,
                                               uint64_t part, uint64_t parts, char *ring,
                                               ss_cuda_part *to)
    {
        const ss_cuda_row row = ss_cuda_row_at(job.view[i], index);
        ss_cuda_exact_direct<E, PRODUCT>(job.view[i], job.term[i], row, part, parts, ring, to);
    }
};
template <int TERMS> struct ss_cuda_exact_sum<void, TERMS> {
    enum { RING = 16 };
    template <bool PRODUCT>
    static __device__ __forceinline__ void add(const ss_cuda_exact_job &job, int i, uint64_t index,
                                               uint64_t part, uint64_t parts, char *,
                                               ss_cuda_part *to)
    {
        const ss_cuda_row row = ss_cuda_row_at(job.view[i], index);
        ss_cuda_exact_any<PRODUCT>(job.view[i], job.term[i], row, index, part, parts, to);
    }
};

/* Lists a row that is too long for one warp. Returns whether it did: the list may be full, where
 * segments overlap. */
static __device__ inline bool ss_cuda_exact_list(const ss_cuda_exact_job &job,
                                                 const ss_cuda_exact_plan &plan, uint64_t row,
                                                 unsigned lane)
{
    if (ss_cuda_row_at(job.view[0], row).n <= plan.alone)
        return false;
    unsigned place = 0;
    if (lane == 0) {
        place = atomicAdd(&plan.listed->count, 1u);
        if (place < SS_CUDA_LONG_MOST)
            plan.listed->row[place] = row;
    }
    return __shfl_sync(SS_CUDA_ALL, place, 0) < SS_CUDA_LONG_MOST;
}

/* Each warp takes parts of rows in turn; none waits for another. */
template <class E, int TERMS>
__global__ void __launch_bounds__(SS_CUDA_EXACT_WARPS *SS_CUDA_WARP, 3)
    ss_cuda_exact_kernel(const __grid_constant__ ss_cuda_exact_job job,
                         const __grid_constant__ ss_cuda_exact_plan plan)
{
    typedef ss_cuda_exact_sum<E, TERMS> sum;
    typedef ss_cuda_exact_shared<sum::RING> shared;
    extern __shared__ uint4 memory[];
    shared *mine = (shared *)memory + threadIdx.x / SS_CUDA_WARP;
    const unsigned lane = threadIdx.x % SS_CUDA_WARP;
    const uint64_t warps = (uint64_t)gridDim.x * SS_CUDA_EXACT_WARPS;
    const uint64_t rows =
        plan.second ? min(plan.listed->count, SS_CUDA_LONG_MOST) : job.view[0].rows;
    const uint64_t parts = plan.second && rows > 0 ? (4 * warps + rows - 1) / rows : plan.parts;
    for (uint64_t unit = (uint64_t)blockIdx.x * SS_CUDA_EXACT_WARPS + threadIdx.x / SS_CUDA_WARP;
         unit < rows * parts; unit += warps) {
        const uint64_t place = unit / parts, part = unit % parts;
        const uint64_t row = plan.second ? plan.listed->row[place] : place;
        if (plan.listed && !plan.second && ss_cuda_exact_list(job, plan, row, lane))
            continue;
#pragma unroll 1
        for (int i = 0; i < job.sums; i++) {
            if (TERMS == 2 || (TERMS == 3 && job.term[i] >= SAMESUM_SUMSQ))
                sum::template add<true>(job, i, row, part, parts, mine->ring, &mine->part[i]);
            else
                sum::template add<false>(job, i, row, part, parts, mine->ring, &mine->part[i]);
        }
        __syncwarp();
        ss_cuda_exact_end(job, plan, row, parts > 1 ? plan.row + place * (uint64_t)job.sums : NULL,
                          parts, mine->part, &mine->finish, lane);
        __syncwarp();
    }
}

/* The kernels for one kind of elements. */
template <class E, int TERMS>
static cudaError_t ss_cuda_exact_start(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                                       cudaStream_t stream)
{
    const size_t bytes =
        SS_CUDA_EXACT_WARPS * sizeof(ss_cuda_exact_shared<ss_cuda_exact_sum<E, TERMS>::RING>);
    const auto kernel = ss_cuda_exact_kernel<E, TERMS>;
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                     cudaSharedmemCarveoutMaxShared);
    if (error != cudaSuccess)
        return error;
    kernel<<<plan.blocks, SS_CUDA_EXACT_WARPS * SS_CUDA_WARP, bytes, stream>>>(job, plan);
    return cudaGetLastError();
}
template <class E>
static cudaError_t ss_cuda_exact_start(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                                       cudaStream_t stream)
{
    int terms = 0;
    for (int i = 0; i < job.sums; i++)
        terms |= job.term[i] >= SAMESUM_SUMSQ ? 2 : 1;
    return terms == 1   ? ss_cuda_exact_start<E, 1>(job, plan, stream)
           : terms == 2 ? ss_cuda_exact_start<E, 2>(job, plan, stream)
                        : ss_cuda_exact_start<E, 3>(job, plan, stream);
}

/* One of these for each type of numbers; what lies side by side, and what does not. */
cudaError_t ss_cuda_exact_f64(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                              cudaStream_t stream);
cudaError_t ss_cuda_exact_f32(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                              cudaStream_t stream);
cudaError_t ss_cuda_exact_f16(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                              cudaStream_t stream);
cudaError_t ss_cuda_exact_bf16(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                               cudaStream_t stream);
cudaError_t ss_cuda_exact_every(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                                cudaStream_t stream);

#endif
