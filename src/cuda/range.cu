#include "cuda/range.cuh"

#include <string.h>
#include "cuda/overlap.cuh"
#include "cuda/packed.cuh"

enum {
    CLIMB_LOG = 3, /* levels that a half-warp merges at once */
    CLIMB_EIGHT = 1 << CLIMB_LOG,
    GROUP_LOG = 3 * CLIMB_LOG, /* nodes that a block merges, log2 */
    CLIMB_THREADS = 512,
    NODE = 2 * SS_LANES /* numbers */
};

template <int LEVEL, class A>
static __device__ __forceinline__ void put_node(void *node, ss_node<A> v)
{
    A *to = (A *)node + threadIdx.x % SS_LANES;
    to[0] = v.s;
    if (LEVEL != SAMESUM_TREE)
        to[SS_LANES] = v.e;
}

/* ---- pieces ------------------------------------------------------------------------------------
 */

struct piece {
    uint64_t row; /* of the tree: its first */
    int level;
    char *to;
    bool there;
};

/* Places of a line: the ends, the maximal nodes below the pieces' level, and the pieces. */
static __host__ __device__ inline uint64_t places_of(const ss_range_job &job)
{
    uint64_t n = 2 + 2 * (uint64_t)job.least;
    for (int r = 0; r < SS_RUNS; r++)
        if (r != SS_RUN_PARTS || job.parts_are_pieces)
            n += ss_run_count(job.run[r]);
    return n;
}

template <class A>
static __device__ piece piece_at(const ss_range_job &job, uint64_t line, uint64_t place)
{
    char *image = job.image + line * job.form.line_bytes;
    uint64_t index;
    if (place < 2)
        return {(place == SS_LEFT ? job.range.from : job.range.to) / SS_LANES, 0,
                image + ss_image_end(job.form, (int)place),
                place == SS_LEFT ? ss_has_head(job.range) : ss_has_tail(job.range)};
    place -= 2;
    if (place < 2 * (uint64_t)job.least) {
        const int level = (int)(place / 2), side = (int)(place % 2);
        const bool there = ss_maximal(ss_run_above(ss_rows_of(job.range), level), side, &index);
        return {index << level, level, image + ss_image_at(job.form, level, side), there};
    }
    place -= 2 * (uint64_t)job.least;
    int r = 0;
    for (; place >= ss_run_count(job.run[r]); r++)
        place -= ss_run_count(job.run[r]);
    const ss_run &run = job.run[r];
    return {(run.first + place) << run.level, run.level,
            job.node[r] + (line * ss_run_count(run) + place) * (NODE * sizeof(A)), true};
}

template <class A, int LEVEL>
__global__ void __launch_bounds__(SS_PACKED_WARPS * 32)
    ss_pieces_kernel(const __grid_constant__ ss_range_job job)
{
    __shared__ ss_packed_room<A> rooms[SS_PACKED_WARPS];
    const ss_sums &s = job.sums;
    const uint64_t places = places_of(job), lines = s.rows * s.terms;
    const int warp = threadIdx.x / 32;
    const bool first = threadIdx.x % 32 == 0;
    ss_let_next_come();
    if (blockIdx.x == 0 && threadIdx.x == 0 && job.span) {
        job.span[0] = job.begin;
        job.span[1] = job.end;
    }
    for (uint64_t task = (uint64_t)blockIdx.x * SS_PACKED_WARPS + warp; task < places * lines;
         task += (uint64_t)gridDim.x * SS_PACKED_WARPS) {
        const uint64_t line = task / places, place = task - line * places, row = line / s.terms;
        const int term = (int)(line - row * s.terms);
        if (first && place == 0) {
            if (job.ticket)
                job.ticket[line] = 0;
            if (!s.masked && term == 0)
                job.present[row] = job.end - job.begin;
        }
        if (!ss_is_wanted(s, row))
            continue;
        const piece p = piece_at<A>(job, line, place);
        if (!p.there)
            continue;
        const uint64_t at = p.row * SS_LANES, most = (uint64_t)SS_LANES << p.level;
        const uint64_t from = at > job.range.from ? at : job.range.from;
        const uint64_t to = job.range.to - at > most ? at + most : job.range.to;
        const ss_packed_span span = {at, from, to, job.range.from};
        unsigned seen = 0;
        const ss_node<A> v =
            ss_packed_chunk<A, LEVEL>(s.view[term], row, s.leaf[term], span, rooms[warp], seen);
        if (threadIdx.x % 32 < SS_LANES)
            put_node<LEVEL, A>(p.to, v);
        seen = __reduce_add_sync(0xffffffffu, seen) / ss_cuda_per(s.view[term]);
        if (first && term == 0 && s.masked && seen > 0)
            atomicAdd(&job.present[row], (unsigned long long)seen);
    }
    ss_wait_for_grid(); /* what comes next waits for this kernel, and needs the parts as well */
}

/* ---- merging -----------------------------------------------------------------------------------
 */

template <class A> struct climb_room {
    A eights[1 << 2 * CLIMB_LOG][NODE], groups[CLIMB_EIGHT][NODE];
    bool last;
};

/* The node of the eight of a run from index `at` on, a multiple of 8, which load(index) gives.
 * Those that meet none on their way are maximal, and go to the image. By a half-warp. */
template <int LEVEL, class A, class LOAD>
static __device__ __forceinline__ ss_node<A> climb_eight(const ss_image_form &form, char *image,
                                                         ss_run run, uint64_t at, const LOAD &load)
{
    ss_node<A> v[CLIMB_EIGHT];
#pragma unroll
    for (int i = 0; i < CLIMB_EIGHT; i++)
        v[i] = at + i >= run.first && at + i < run.end ? load(at + i) : ss_neutral<A>();
#pragma unroll
    for (int step = 0; step < CLIMB_LOG; step++) {
#pragma unroll
        for (int i = 0; i < CLIMB_EIGHT >> (step + 1); i++) {
            const uint64_t left = at + 2 * i, right = left + 1;
            const bool has_left = left >= run.first && left < run.end;
            const bool has_right = right >= run.first && right < run.end;
            if (has_left && has_right)
                v[i] = ss_combine<LEVEL>(v[2 * i], v[2 * i + 1], run.level + 1);
            else if (has_right)
                put_node<LEVEL, A>(image + ss_image_at(form, run.level, SS_LEFT), v[2 * i + 1]);
            else if (has_left)
                put_node<LEVEL, A>(image + ss_image_at(form, run.level, SS_RIGHT), v[2 * i]);
        }
        run = ss_run_above(run, 1);
        at >>= 1;
    }
    return v[0];
}

template <int LEVEL, class A> static __device__ __forceinline__ ss_node<A> node_from(const A *node)
{
    const A *from = node + threadIdx.x % SS_LANES;
    return {from[0], LEVEL != SAMESUM_TREE ? from[SS_LANES] : (A)0};
}
/* Written by other blocks: past the first cache. */
template <int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> node_from_afar(const A *node)
{
    const A *from = node + threadIdx.x % SS_LANES;
    return {__ldcg(from), LEVEL != SAMESUM_TREE ? __ldcg(from + SS_LANES) : (A)0};
}

/* The node of a group of a run, whose nodes in memory begin with that of index first_node; in the
 * first half-warp. By the block. */
template <int LEVEL, class A>
static __device__ ss_node<A> climb_group(const ss_image_form &form, char *image, ss_run run,
                                         uint64_t group, const char *nodes, uint64_t first_node,
                                         climb_room<A> &room)
{
    const unsigned half = threadIdx.x / SS_LANES, halves = blockDim.x / SS_LANES;
    const uint64_t begin = group << GROUP_LOG, end = begin + (1 << GROUP_LOG);
    const uint64_t from = begin > run.first ? begin : run.first, to = end < run.end ? end : run.end;
    const uint64_t eight = from >> CLIMB_LOG, eights = ((to - 1) >> CLIMB_LOG) - eight + 1;
    for (uint64_t i = half; i < eights; i += halves)
        put_node<LEVEL, A>(
            room.eights[i],
            climb_eight<LEVEL, A>(form, image, run, (eight + i) << CLIMB_LOG, [&](uint64_t k) {
                return node_from_afar<LEVEL, A>((const A *)nodes + (k - first_node) * NODE);
            }));
    __syncthreads();
    run = ss_run_above(run, CLIMB_LOG);
    const uint64_t more = eight >> CLIMB_LOG,
                   mores = ((eight + eights - 1) >> CLIMB_LOG) - more + 1;
    for (uint64_t i = half; i < mores; i += halves)
        put_node<LEVEL, A>(
            room.groups[i],
            climb_eight<LEVEL, A>(form, image, run, (more + i) << CLIMB_LOG, [&](uint64_t k) {
                return node_from<LEVEL, A>(room.eights[k - eight]);
            }));
    __syncthreads();
    run = ss_run_above(run, CLIMB_LOG);
    ss_node<A> v = ss_neutral<A>();
    if (half == 0)
        v = climb_eight<LEVEL, A>(
            form, image, run, more >> CLIMB_LOG << CLIMB_LOG,
            [&](uint64_t k) { return node_from<LEVEL, A>(room.groups[k - more]); });
    __syncthreads(); /* before the room is used again */
    return v;
}

static __host__ __device__ inline uint64_t groups_of(const ss_run &run)
{
    return ss_run_count(run) ? ((run.end - 1) >> GROUP_LOG) - (run.first >> GROUP_LOG) + 1 : 0;
}

/* A block for each group of each run of a line; the last to come of the parts' goes on. */
template <class A, int LEVEL>
__global__ void __launch_bounds__(CLIMB_THREADS)
    ss_climb_kernel(const __grid_constant__ ss_range_job job)
{
    __shared__ climb_room<A> room;
    const unsigned each = job.groups[0] + job.groups[1] + job.groups[2];
    const uint64_t line = blockIdx.x / each;
    unsigned at = blockIdx.x - (unsigned)line * each;
    int r = 0;
    for (; at >= job.groups[r]; r++)
        at -= job.groups[r];
    ss_run run = job.run[r];
    char *image = job.image + line * job.form.line_bytes;
    ss_wait_for_grid();
    ss_let_next_come();
    if (!ss_is_wanted(job.sums, line / job.sums.terms))
        return;
    const uint64_t first_group = run.first >> GROUP_LOG, group = first_group + at;
    ss_node<A> v = climb_group<LEVEL, A>(
        job.form, image, run, group, job.node[r] + line * ss_run_count(run) * (NODE * sizeof(A)),
        run.first, room);
    ss_run above = ss_run_above(run, GROUP_LOG);
    if (ss_run_count(above) == 0) /* as of pieces beside parts, which end below a part's level */
        return;
    char *from = job.group[0] + line * job.group_bytes[0];
    char *to = job.group[1] + line * job.group_bytes[1];
    if (threadIdx.x < SS_LANES && group >= above.first && group < above.end)
        put_node<LEVEL, A>((A *)from + (group - first_group) * NODE, v);
    if (job.groups[r] > 1) {
        if (threadIdx.x < 32) {
            const bool last = ss_arrive(&job.ticket[line], job.groups[r]);
            if (threadIdx.x == 0)
                room.last = last;
        }
        __syncthreads();
        if (!room.last)
            return;
        __threadfence();
    }
    __syncthreads();
    for (uint64_t first_node = first_group; ss_run_count(above) > 0;) {
        run = above;
        above = ss_run_above(run, GROUP_LOG);
        const uint64_t first = run.first >> GROUP_LOG, groups = groups_of(run);
        for (uint64_t g = first; g < first + groups; g++) {
            v = climb_group<LEVEL, A>(job.form, image, run, g, from, first_node, room);
            if (threadIdx.x < SS_LANES && g >= above.first && g < above.end)
                put_node<LEVEL, A>((A *)to + (g - first) * NODE, v);
        }
        __syncthreads();
        first_node = first;
        char *swap = from;
        from = to;
        to = swap;
    }
}

/* ---- host --------------------------------------------------------------------------------------
 */

/* The view's elements [from, from + n), of rows that lie in one dimension, each row in one. */
static void shift(ss_cuda_view &v, uint64_t from, uint64_t n)
{
    ss_axis &along = v.row.axis[0];
    const ss_axis &across = v.rest.axis[0];
    for (int p = SS_X; p <= SS_Y; p++)
        if (v.place[p])
            v.place[p] +=
                (ptrdiff_t)from * along.stride[p] + (ptrdiff_t)v.first_row * across.stride[p];
    const ptrdiff_t entry =
        (ptrdiff_t)from * along.stride[SS_MASK] + (ptrdiff_t)v.first_row * across.stride[SS_MASK];
    if (v.mask_kind == SAMESUM_MASK_BYTES)
        v.mask += entry;
    else
        v.mask_at += entry;
    v.first_row = 0;
    v.n = n;
    along.extent = (size_t)n;
}

/* What the fast kernels read of whole rows [first, end) of the tree. */
static void take(ss_pass &p, const ss_range_job &job, uint64_t first, uint64_t end)
{
    p.sums = job.sums;
    const uint64_t per = (uint64_t)ss_cuda_per(job.sums.view[0]);
    for (int t = 0; t < p.sums.terms; t++)
        shift(p.sums.view[t], (first * SS_LANES - job.range.from) / per,
              (end - first) * SS_LANES / per);
}

/* Pieces of this level in rows [first, end). */
static ss_run pieces(uint64_t first, uint64_t end, int level)
{
    const ss_run run = ss_run_above({first, end, 0}, level);
    return {run.first, run.end > run.first ? run.end : run.first, level};
}

/* The pieces' level, from `level` on: few warps for each of so many tree rows of all lines, but
 * none long. */
static int level_of_pieces(int level, uint64_t rows, uint64_t lines, uint64_t most)
{
    while (level < SS_PACKED_LOG + SS_PACKED_DEPTH && lines * (rows >> level) > most)
        level++;
    return level;
}

static samesum_status cut(ss_range_plan &plan, samesum_type type)
{
    ss_range_job &job = plan.job;
    const ss_run rows = ss_rows_of(job.range);
    const uint64_t lines = job.sums.rows * job.sums.terms;
    int log = -1;
    samesum_status st = SAMESUM_OK;
    plan.has_fast = false;
    if (ss_run_count(rows) > 0 && job.sums.view[0].row.dims == 1) {
        take(plan.fast, job, rows.first, rows.end);
        st = ss_plan_parts_find(plan.fast, type, plan.level, &log);
        plan.overlaps = plan.fast.overlaps;
    }
    if (st != SAMESUM_OK)
        return st;
    const ss_run parts = log < 0 ? rows : ss_run_above(rows, log);
    plan.has_fast = log >= 0 && ss_run_count(parts) >= 2;
    job.parts_are_pieces = !plan.has_fast;
    if (plan.has_fast) {
        const uint64_t first = parts.first << log, end = parts.end << log;
        const int short_ones = log < GROUP_LOG + 3 ? 3 : log - GROUP_LOG; /* one group at an end */
        const int level = level_of_pieces(short_ones, UINT64_C(2) << log, lines, 32768);
        job.least = level < log ? level : log;
        job.run[SS_RUN_LEFT] = pieces(rows.first, first, job.least);
        job.run[SS_RUN_RIGHT] = pieces(end, rows.end, job.least);
        job.run[SS_RUN_PARTS] = parts;
        take(plan.fast, job, first, end);
        st = ss_plan_parts_cut(plan.fast, log);
    } else {
        job.least = level_of_pieces(SS_PACKED_LOG, ss_run_count(rows), lines, 2048);
        job.run[SS_RUN_PARTS] = pieces(rows.first, rows.end, job.least);
    }
    for (int r = 0; r < SS_RUNS; r++)
        job.groups[r] = (unsigned)groups_of(job.run[r]);
    return st;
}

samesum_status ss_range_make(ss_range_plan &plan, const ss_sums &sums, samesum_type type, int level,
                             uint64_t begin)
{
    ss_range_job &job = plan.job;
    memset((void *)&job, 0, sizeof job);
    plan.fast = {};
    plan.overlaps = false;
    plan.wide = ss_is_wide(type);
    plan.level = level;
    const ss_cuda_view &v = sums.view[0];
    const uint64_t per = (uint64_t)ss_cuda_per(v);
    job.sums = sums;
    job.sums.rows = v.rows;
    job.sums.masked = ss_cuda_masked(v);
    job.begin = begin;
    job.end = begin + v.n;
    job.range = {begin * per, job.end * per};
    return cut(plan, type);
}

size_t ss_range_place(ss_range_plan &plan, char *workspace)
{
    ss_range_job &job = plan.job;
    const size_t node = NODE * (plan.wide ? sizeof(double) : sizeof(float));
    const uint64_t lines = job.sums.rows * job.sums.terms;
    ss_space at = {workspace, 0};
    for (int r = 0; r < SS_RUNS; r++)
        job.node[r] = (char *)at.take(lines * ss_run_count(job.run[r]) * node);
    const unsigned groups = job.groups[SS_RUN_PARTS];
    if (ss_run_count(ss_run_above(job.run[SS_RUN_PARTS], GROUP_LOG)) > 0) {
        job.group_bytes[0] = groups * node;
        job.group_bytes[1] = ((groups >> GROUP_LOG) + 2) * node;
        for (int i = 0; i < 2; i++)
            job.group[i] = (char *)at.take(lines * job.group_bytes[i]);
    }
    job.ticket = groups > 1 ? (unsigned *)at.take(lines * sizeof *job.ticket) : NULL;
    plan.fast.sums.node = job.node[SS_RUN_PARTS];
    return at.used;
}

/* Threads of a block that merges groups. */
static unsigned climb_threads(const ss_range_job &job)
{
    uint64_t most = 0;
    for (int r = 0; r < SS_RUNS; r++) {
        const uint64_t n = ss_run_count(job.run[r]);
        most = n > most ? n : most;
    }
    const uint64_t threads = (most / CLIMB_EIGHT + 2) * SS_LANES / 32 * 32;
    return threads < CLIMB_THREADS ? (unsigned)threads : (unsigned)CLIMB_THREADS;
}

template <class A, int LEVEL>
static cudaError_t launch(const ss_range_plan &plan, cudaStream_t stream)
{
    const ss_range_job &job = plan.job;
    void *arguments[] = {(void *)&job};
    const uint64_t lines = job.sums.rows * job.sums.terms;
    const uint64_t blocks = (places_of(job) * lines + SS_PACKED_WARPS - 1) / SS_PACKED_WARPS;
    cudaError_t e = cudaSuccess;
    if (plan.has_fast) { /* not before what is ahead of it, since the pieces come with its end */
        ss_pass fast = plan.fast;
        fast.overlaps = false;
        fast.sums.present = job.present;
        fast.sums.wanted = job.sums.wanted;
        e = ss_plan_parts_launch(fast, stream);
    }
    if (e == cudaSuccess)
        e = ss_launch_overlapped(
            plan.overlaps && plan.has_fast, (const void *)ss_pieces_kernel<A, LEVEL>,
            blocks < 8192 ? (unsigned)blocks : 8192, SS_PACKED_WARPS * 32, arguments, stream);
    const uint64_t merging = lines * (job.groups[0] + job.groups[1] + job.groups[2]);
    if (e == cudaSuccess && merging > 0)
        e = ss_launch_overlapped(plan.overlaps, (const void *)ss_climb_kernel<A, LEVEL>,
                                 (unsigned)merging, climb_threads(job), arguments, stream);
    return e;
}

template <class A> static cudaError_t of_level(const ss_range_plan &plan, cudaStream_t stream)
{
    return plan.level == SAMESUM_TREE    ? launch<A, SAMESUM_TREE>(plan, stream)
           : plan.level == SAMESUM_KAHAN ? launch<A, SAMESUM_KAHAN>(plan, stream)
                                         : launch<A, SAMESUM_COMPENSATED>(plan, stream);
}

cudaError_t ss_range_launch(const ss_range_plan &plan, cudaStream_t stream)
{
    const ss_range_job &job = plan.job;
    cudaError_t e = cudaSuccess;
    if (job.sums.rows == 0)
        return e;
    if (job.sums.masked)
        e = cudaMemsetAsync(job.present, 0, job.sums.rows * sizeof *job.present, stream);
    if (e != cudaSuccess)
        return e;
    return plan.wide ? of_level<double>(plan, stream) : of_level<float>(plan, stream);
}
