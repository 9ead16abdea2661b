/* Ranges meet where one ends and the next begins. Above each such border the nodes that contain it
 * are made one after the other, of nodes of the images, and of those above other borders: all
 * levels in turn, all borders at once. The last border is the whole's end, above which there is the
 * root. */
#include "cuda/join.cuh"

enum {
    JOIN_THREADS = 512,
    JOIN_SHARED = 96 << 10, /* bytes at most */
    NODE = 2 * SS_LANES     /* numbers */
};

/* ---- what a block needs ------------------------------------------------------------------------
 */

/* Where a block has the borders, the nodes above them (of two levels, by turns), and its images. */
struct join_rooms {
    size_t borders, nodes, images; /* bytes */
    bool borders_shared, nodes_shared, images_shared;
};

static __host__ __device__ inline uint64_t chains_of(const ss_join_job &job)
{
    return (uint64_t)job.sums.terms * (job.count + 1);
}

static __host__ __device__ inline join_rooms rooms_of(const ss_join_job &job)
{
    join_rooms r;
    size_t left = JOIN_SHARED;
    r.borders = (job.count + 2) / 2 * 2 * sizeof(uint64_t);
    r.nodes = 2 * chains_of(job) * NODE * (job.wide ? sizeof(double) : sizeof(float));
    r.images = job.count * job.sums.terms * job.form.line_bytes;
    r.borders_shared = r.borders <= left;
    left -= r.borders_shared ? r.borders : 0;
    r.nodes_shared = r.nodes <= left;
    left -= r.nodes_shared ? r.nodes : 0;
    r.images_shared = r.images <= left;
    return r;
}

static __host__ __device__ inline size_t shared_bytes(const join_rooms &r)
{
    return (r.borders_shared ? r.borders : 0) + (r.nodes_shared ? r.nodes : 0) +
           (r.images_shared ? r.images : 0);
}
static __host__ __device__ inline size_t room_bytes(const join_rooms &r) /* of a row */
{
    return (r.borders_shared ? 0 : r.borders) + (r.nodes_shared ? 0 : r.nodes);
}

/* One row in the making. */
template <class A, int LEVEL> struct joining {
    const ss_image_form &form;
    uint64_t count; /* images */
    const uint64_t *border;
    A *nodes;          /* of both turns */
    const char *image; /* the row's lines in the first */
    size_t stride;
    uint64_t chains;

    __device__ __forceinline__ A *node_above(int turn, int term, uint64_t b) const
    {
        return nodes + (turn * chains + term * (count + 1) + b) * NODE + threadIdx.x % SS_LANES;
    }
    static __device__ __forceinline__ ss_node<A> get(const A *from)
    {
        return {from[0], LEVEL != SAMESUM_TREE ? from[SS_LANES] : (A)0};
    }
    static __device__ __forceinline__ void put(A *to, ss_node<A> v)
    {
        to[0] = v.s;
        if (LEVEL != SAMESUM_TREE)
            to[SS_LANES] = v.e;
    }
    __device__ __forceinline__ ss_node<A> of_image(uint64_t i, int term, size_t at) const
    {
        return get((const A *)(image + i * stride + term * form.line_bytes + at) +
                   threadIdx.x % SS_LANES);
    }

    /* The lane of the row of the tree in which border b lies: of the range that has it. */
    __device__ __forceinline__ ss_node<A> row_above(int term, uint64_t b) const
    {
        const uint64_t row = border[b] / SS_LANES, number = row * SS_LANES + threadIdx.x % SS_LANES;
        uint64_t next = b; /* the first border behind the number */
        while (next > 0 && border[next - 1] > number)
            next--;
        while (next <= count && border[next] <= number)
            next++;
        if (next == 0 || next > count)
            return ss_neutral<A>();
        const ss_numbers n = {border[next - 1], border[next]};
        const bool head = ss_has_head(n) && n.from / SS_LANES == row;
        return of_image(next - 1, term, ss_image_end(form, head ? SS_LEFT : SS_RIGHT));
    }
    /* The node of this level of numbers [first, end), none of which lies behind border b, ... */
    __device__ __forceinline__ ss_node<A> left_of(int turn, int term, uint64_t b, int level,
                                                  uint64_t first, uint64_t end) const
    {
        while (border[b] >= end)
            if (b-- == 0)
                return ss_neutral<A>();
        return border[b] > first ? get(node_above(turn, term, b))
                                 : of_image(b, term, ss_image_at(form, level, SS_RIGHT));
    }
    /* ... or of [first, last], none before it. */
    __device__ __forceinline__ ss_node<A> right_of(int turn, int term, uint64_t b, int level,
                                                   uint64_t first, uint64_t last) const
    {
        while (border[b] <= first)
            if (b++ == count)
                return ss_neutral<A>();
        return border[b] <= last ? get(node_above(turn, term, b))
                                 : of_image(b - 1, term, ss_image_at(form, level, SS_LEFT));
    }
    /* The node of this level that has border b inside; turn: that of the level below. */
    __device__ __forceinline__ ss_node<A> node_over(int turn, int term, uint64_t b, int level) const
    {
        const uint64_t at = border[b], half = (uint64_t)SS_LANES << (level - 1);
        const uint64_t first = at & ~(2 * half - 1), middle = first + half;
        const ss_node<A> left = at < middle ? get(node_above(turn, term, b))
                                            : left_of(turn, term, b, level - 1, first, middle);
        const ss_node<A> right =
            at > middle ? get(node_above(turn, term, b))
                        : right_of(turn, term, b, level - 1, middle, middle + (half - 1));
        return ss_combine<LEVEL>(left, right, level);
    }
    /* Whether a node of this level has it inside. */
    __device__ __forceinline__ bool is_inside(uint64_t b, int level) const
    {
        return border[b] & (((uint64_t)SS_LANES << level) - 1);
    }

    /* The root of each term, to the first half of a warp, by the block. */
    __device__ void climb(ss_node<A> root[2], int terms) const
    {
        const uint64_t half = threadIdx.x / SS_LANES, halves = blockDim.x / SS_LANES;
        int top = 0;
        while (border[count] / SS_LANES >> top)
            top++;
        for (int level = 0; level <= top; level++) {
            for (uint64_t i = half; i < chains; i += halves) {
                const int term = i > count;
                const uint64_t b = i - term * (count + 1);
                if (is_inside(b, level))
                    put(node_above(level % 2, term, b),
                        level == 0 ? row_above(term, b) : node_over(1 - level % 2, term, b, level));
            }
            __syncthreads();
        }
        for (int t = 0; t < terms; t++)
            root[t] = border[count] > 0 ? get(node_above(top % 2, t, count)) : ss_neutral<A>();
    }
};

static __device__ __forceinline__ const uint64_t *words_at(const char *images, size_t stride,
                                                           uint64_t i, size_t at)
{
    return (const uint64_t *)(images + i * stride + at);
}

/* What is present in all images of a row; by a warp. */
static __device__ uint64_t present_in_all(const ss_join_job &job, uint64_t row)
{
    unsigned long long n = 0;
    for (uint64_t i = threadIdx.x % 32; i < job.count; i += 32)
        n += words_at(job.images, job.stride, i, job.present_at)[row];
    for (int k = 1; k < 32; k *= 2)
        n += __shfl_xor_sync(0xffffffffu, n, k);
    return n;
}

template <class A, int LEVEL>
static __device__ void join_row(const ss_join_job &job, uint64_t row, char *shared)
{
    const join_rooms rooms = rooms_of(job);
    char *apart = job.room + blockIdx.x * room_bytes(rooms);
    char *at = shared + (rooms.borders_shared ? rooms.borders : 0);
    uint64_t *border = (uint64_t *)(rooms.borders_shared ? shared : apart);
    A *nodes = (A *)(rooms.nodes_shared ? at : apart + (rooms.borders_shared ? 0 : rooms.borders));
    at += rooms.nodes_shared ? rooms.nodes : 0;
    const size_t bytes = job.sums.terms * job.form.line_bytes;
    const char *image = job.images + job.lines_at + row * bytes;
    for (uint64_t i = threadIdx.x; i <= job.count; i += blockDim.x)
        border[i] = job.sums.per * (i < job.count
                                        ? words_at(job.images, job.stride, i, job.span_at)[0]
                                        : words_at(job.images, job.stride, i - 1, job.span_at)[1]);
    if (rooms.images_shared) {
        const uint64_t words = bytes / sizeof(uint4);
#pragma unroll 4
        for (uint64_t k = threadIdx.x; k < words * job.count; k += blockDim.x) {
            const uint64_t i = k / words;
            ((uint4 *)at)[k] = ((const uint4 *)(image + i * job.stride))[k - i * words];
        }
    }
    __syncthreads();
    const joining<A, LEVEL> j = {job.form,
                                 job.count,
                                 border,
                                 nodes,
                                 rooms.images_shared ? at : image,
                                 rooms.images_shared ? bytes : job.stride,
                                 chains_of(job)};
    ss_node<A> root[2];
    j.climb(root, job.sums.terms);
    if (threadIdx.x < 32) {
        A sum[2] = {0, 0};
        for (int t = 0; t < job.sums.terms; t++)
            sum[t] = ss_lanes_result<LEVEL>(root[t]);
        const uint64_t present = present_in_all(job, row);
        if (threadIdx.x == 0) {
            job.sums.present[row] = present;
            ss_finish_row(job.sums, row, 0, sum);
        }
    }
    __syncthreads(); /* before the rooms are used again */
}

template <class A, int LEVEL>
__global__ void __launch_bounds__(JOIN_THREADS)
    ss_join_kernel(const __grid_constant__ ss_join_job job)
{
    extern __shared__ __align__(128) char shared[];
    if (job.bad && *job.bad) {
        for (int i = 0; i < job.sums.sink.numbers && blockIdx.x + threadIdx.x == 0; i++)
            ss_cuda_write(job.sums.sink, 0, i, (A)NAN);
        return;
    }
    for (uint64_t row = blockIdx.x; row < job.sums.rows; row += gridDim.x)
        if (ss_is_wanted(job.sums, row))
            join_row<A, LEVEL>(job, row, shared);
}

/* ---- what is no sum ----------------------------------------------------------------------------
 */

struct few_job {
    const char *images;
    size_t stride;
    uint64_t count;
    size_t span_at, at;
    uint64_t rows;
    const int *wanted;
    samesum_counts *counts;
    double *largest;
};

__global__ void ss_join_counts_kernel(const __grid_constant__ few_job job)
{
    const uint64_t row = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= job.rows)
        return;
    samesum_counts all = {};
    all.first[SS_X] = all.first[SS_Y] = UINT64_MAX;
    for (uint64_t i = 0; i < job.count; i++) {
        const samesum_counts c =
            ((const samesum_counts *)words_at(job.images, job.stride, i, job.at))[row];
        const uint64_t begin = *words_at(job.images, job.stride, i, job.span_at);
        all.present += c.present;
        all.masked += c.masked;
        for (int p = SS_X; p <= SS_Y; p++) {
            all.nonfinite[p] += c.nonfinite[p];
            if (c.first[p] != UINT64_MAX && all.first[p] == UINT64_MAX)
                all.first[p] = begin + c.first[p];
        }
    }
    job.counts[row] = all;
}

/* Infinite where one is, else NaN where one is (SPEC.md 6.1). */
__global__ void ss_join_largest_kernel(const __grid_constant__ few_job job)
{
    const uint64_t row = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= job.rows || (job.wanted && !job.wanted[row]))
        return;
    double all = 0;
    for (uint64_t i = 0; i < job.count; i++) {
        const double v = ((const double *)words_at(job.images, job.stride, i, job.at))[row];
        if (isinf(v) || (!isinf(all) && (isnan(v) || v > all)))
            all = v;
    }
    job.largest[row] = all;
}

/* ---- host --------------------------------------------------------------------------------------
 */

enum { FEW_THREADS = 128, JOIN_BLOCKS = 1 << 16 };

static unsigned blocks_of(uint64_t rows)
{
    return rows < JOIN_BLOCKS ? (unsigned)rows : (unsigned)JOIN_BLOCKS;
}

size_t ss_join_workspace(const ss_join_job &job)
{
    return (blocks_of(job.sums.rows) * room_bytes(rooms_of(job)) + 255) / 256 * 256;
}

template <class A, int LEVEL> static cudaError_t launch(const ss_join_job &job, cudaStream_t stream)
{
    void *arguments[] = {(void *)&job};
    const void *kernel = (const void *)ss_join_kernel<A, LEVEL>;
    const size_t shared = shared_bytes(rooms_of(job));
    const uint64_t threads = (chains_of(job) * SS_LANES + 127) / 128 * 128;
    cudaError_t e = cudaSuccess;
    if (shared > 48 << 10) /* always to the same: another thread may be about to launch */
        e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, JOIN_SHARED);
    if (e == cudaSuccess)
        e = cudaLaunchKernel(
            kernel, dim3(blocks_of(job.sums.rows)),
            dim3(threads < JOIN_THREADS ? (unsigned)threads : (unsigned)JOIN_THREADS), arguments,
            shared, stream);
    return e;
}

template <class A> static cudaError_t of_level(const ss_join_job &job, cudaStream_t stream)
{
    return job.level == SAMESUM_TREE    ? launch<A, SAMESUM_TREE>(job, stream)
           : job.level == SAMESUM_KAHAN ? launch<A, SAMESUM_KAHAN>(job, stream)
                                        : launch<A, SAMESUM_COMPENSATED>(job, stream);
}

cudaError_t ss_join_launch(const ss_join_job &job, cudaStream_t stream)
{
    if (job.sums.rows == 0)
        return cudaSuccess;
    return job.wide ? of_level<double>(job, stream) : of_level<float>(job, stream);
}

cudaError_t ss_join_counts(const char *images, size_t stride, uint64_t count, size_t span_at,
                           size_t counts_at, uint64_t rows, samesum_counts *counts,
                           cudaStream_t stream)
{
    const few_job job = {images, stride, count, span_at, counts_at, rows, NULL, counts, NULL};
    const unsigned blocks = (unsigned)((rows + FEW_THREADS - 1) / FEW_THREADS);
    ss_join_counts_kernel<<<blocks, FEW_THREADS, 0, stream>>>(job);
    return cudaGetLastError();
}

cudaError_t ss_join_largest(const char *images, size_t stride, uint64_t count, size_t largest_at,
                            uint64_t rows, const int *wanted, double *largest, cudaStream_t stream)
{
    const few_job job = {images, stride, count, 0, largest_at, rows, wanted, NULL, largest};
    const unsigned blocks = (unsigned)((rows + FEW_THREADS - 1) / FEW_THREADS);
    ss_join_largest_kernel<<<blocks, FEW_THREADS, 0, stream>>>(job);
    return cudaGetLastError();
}
