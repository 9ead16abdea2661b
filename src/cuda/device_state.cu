/* The state of a range (SPEC.md, section 7): its maximal aligned nodes, each made by a warp, put
 * into the order and merged by one. */
#include "cuda/device_state.h"

#include <string.h>
#include "cuda/check.h"
#include "cuda/packed.cuh"

/* The rows of one tree, and the nodes that they are made of: the row at either end that is not
 * whole, then aligned nodes of at most 2^log rows: `head` of them up to the first of that size,
 * `middle` of that size, and the rest. */
struct ss_cuda_range {
    uint64_t from, to; /* numbers */
    uint64_t first_row, end_row, middle_row;
    uint64_t head, middle, tail;
    int log;
};

struct ss_cuda_state_job {
    ss_sums sums; /* terms, views, leaves; node: 16 nodes for each term and place */
    ss_cuda_range range;
    unsigned long long *present; /* zero at first */
    ss_cuda_state *state;
    /* what is known beforehand */
    samesum_want want;
    samesum_type type;
    uint64_t begin, end;
    int wide;
};

enum { SS_ENDS = 2 }; /* places before the aligned nodes: the rows at the ends */

static __host__ __device__ uint64_t places_of(const ss_cuda_range &r)
{
    return SS_ENDS + r.head + r.middle + r.tail;
}

static __host__ __device__ int level_at(const ss_cuda_range &r, uint64_t row)
{
    int level = ss_aligned_level(row, r.end_row);
    return level < r.log ? level : r.log;
}

/* The first row and the level of aligned node k. */
static __device__ uint64_t node_row(const ss_cuda_range &r, uint64_t k, int *level)
{
    uint64_t row = r.first_row, steps = k;
    if (k >= r.head) {
        bool in_middle = k < r.head + r.middle;
        row = r.middle_row + ((in_middle ? k - r.head : r.middle) << r.log);
        steps = in_middle ? 0 : k - r.head - r.middle;
    }
    for (; steps > 0; steps--)
        row += UINT64_C(1) << level_at(r, row);
    *level = level_at(r, row);
    return row;
}

static __device__ bool has_head(const ss_cuda_range &r)
{
    return r.from % SS_LANES != 0 && r.from / SS_LANES < r.to / SS_LANES;
}
static __device__ bool has_tail(const ss_cuda_range &r)
{
    return r.to % SS_LANES != 0 && r.from != r.to;
}

template <class A, int LEVEL>
__global__ void __launch_bounds__(SS_PACKED_WARPS * 32)
    ss_state_nodes(const __grid_constant__ ss_cuda_state_job job)
{
    __shared__ ss_packed_room<A> rooms[SS_PACKED_WARPS];
    const ss_cuda_range &r = job.range;
    const uint64_t places = places_of(r);
    const int warp = threadIdx.x / 32;
    for (uint64_t task = (uint64_t)blockIdx.x * SS_PACKED_WARPS + warp;
         task < places * job.sums.terms; task += (uint64_t)gridDim.x * SS_PACKED_WARPS) {
        const int term = (int)(task / places);
        const uint64_t place = task - term * places;
        if ((place == 0 && !has_head(r)) || (place == 1 && !has_tail(r)))
            continue;
        int level = 0;
        uint64_t row = place == 0   ? r.from / SS_LANES
                       : place == 1 ? r.to / SS_LANES
                                    : node_row(r, place - SS_ENDS, &level);
        ss_packed_span span = {row * SS_LANES, row * SS_LANES,
                               (row + (UINT64_C(1) << level)) * SS_LANES, r.from};
        span.from = span.from > r.from ? span.from : r.from;
        span.to = span.to < r.to ? span.to : r.to;
        unsigned seen = 0;
        const ss_cuda_view &v = job.sums.view[term];
        ss_node<A> n =
            ss_packed_chunk<A, LEVEL>(v, 0, job.sums.leaf[term], span, rooms[warp], seen);
        ss_store_node<LEVEL, A>(job.sums, task, n);
        seen = __reduce_add_sync(0xffffffffu, seen) / ss_cuda_per(v);
        if (term == 0 && threadIdx.x % 32 == 0)
            atomicAdd(job.present, (unsigned long long)seen);
    }
}

/* As ss_range_push(): appends the node of this level to the stack at node, whose levels are at
 * level and whose next row is *end. Thread j < 16 of the warp has lane j. */
template <class A, int LEVEL>
static __device__ void push(ss_range *range, signed char *levels, int *count, uint64_t *end,
                            ss_node<A> v, int level)
{
    uint64_t first = *end;
    int top = *count;
    *end += UINT64_C(1) << level;
    while (top > 0 && levels[top - 1] == level && (first >> level & 1)) {
        const A *left = (const A *)&range->node[top - 1] + threadIdx.x % 16;
        ss_node<A> l = {left[0], LEVEL != SAMESUM_TREE ? left[SS_LANES] : (A)0};
        level++;
        first -= UINT64_C(1) << (level - 1);
        top--;
        v = ss_combine<LEVEL>(l, v, level);
        __syncwarp();
    }
    if (threadIdx.x < 16) {
        A *to = (A *)&range->node[top] + threadIdx.x;
        to[0] = v.s;
        to[SS_LANES] = LEVEL != SAMESUM_TREE ? v.e : (A)0;
    }
    if (threadIdx.x == 0)
        levels[top] = (signed char)level;
    *count = top + 1;
    __syncwarp();
}

template <class A> static __device__ void put_lanes(ss_lanes *to, ss_node<A> v)
{
    if (threadIdx.x < 16) {
        ((A *)to)[threadIdx.x] = v.s;
        ((A *)to)[SS_LANES + threadIdx.x] = v.e;
    }
}

/* One warp for each term. */
template <class A, int LEVEL>
__global__ void ss_state_collect(const __grid_constant__ ss_cuda_state_job job)
{
    __shared__ signed char levels[SS_RANGE_NODES];
    const ss_cuda_range &r = job.range;
    const uint64_t base = blockIdx.x * places_of(r);
    ss_tree *tree = &job.state->tree[blockIdx.x];
    uint64_t end = r.first_row;
    int count = 0;
    put_lanes<A>(&tree->head,
                 has_head(r) ? ss_load_node<LEVEL, A>(job.sums, base) : ss_neutral<A>());
    put_lanes<A>(&tree->tail,
                 has_tail(r) ? ss_load_node<LEVEL, A>(job.sums, base + 1) : ss_neutral<A>());
    for (uint64_t k = 0; k < r.head + r.middle + r.tail; k++)
        push<A, LEVEL>(&tree->rows, levels, &count, &end,
                       ss_load_node<LEVEL, A>(job.sums, base + SS_ENDS + k), level_at(r, end));
    if (threadIdx.x == 0) {
        tree->arith.wide = job.wide;
        tree->arith.level = job.want.level;
        tree->begin = r.from;
        tree->end = r.to;
        tree->rows.begin = r.first_row;
        tree->rows.end = end;
        tree->rows.count = count;
        for (int i = 0; i < count; i++)
            tree->rows.level[i] = levels[i];
    }
}

/* What is known beforehand, and how many elements are present. */
__global__ void ss_state_head(const __grid_constant__ ss_cuda_state_job job)
{
    ss_cuda_state *s = job.state;
    s->magic = SS_CUDA_STATE_MAGIC;
    s->want = job.want;
    s->type = job.type;
    s->begin = job.begin;
    s->end = job.end;
    s->present = *job.present;
}

/* ---- host -------------------------------------------------------------------------------------
 */

static void set_range(ss_cuda_range &r, uint64_t from, uint64_t to)
{
    uint64_t row = from / SS_LANES + (from % SS_LANES != 0);
    r.from = from;
    r.to = to;
    r.end_row = to / SS_LANES;
    r.first_row = row;
    r.end_row = r.end_row > row ? r.end_row : row;
    r.log = SS_PACKED_LOG;
    while (r.log < SS_PACKED_LOG + SS_PACKED_DEPTH && (r.end_row - row) >> r.log > 2048)
        r.log++;
    r.head = r.middle = r.tail = 0;
    for (; row < r.end_row && level_at(r, row) < r.log; r.head++)
        row += UINT64_C(1) << level_at(r, row);
    r.middle_row = row;
    r.middle = (r.end_row - row) >> r.log;
    for (row += r.middle << r.log; row < r.end_row; r.tail++)
        row += UINT64_C(1) << level_at(r, row);
}

template <class A, int LEVEL>
static cudaError_t launch(const ss_cuda_state_job &job, cudaStream_t stream)
{
    uint64_t tasks = places_of(job.range) * job.sums.terms;
    uint64_t blocks = (tasks + SS_PACKED_WARPS - 1) / SS_PACKED_WARPS;
    ss_state_nodes<A, LEVEL>
        <<<(unsigned)(blocks < 4096 ? blocks : 4096), SS_PACKED_WARPS * 32, 0, stream>>>(job);
    ss_state_collect<A, LEVEL><<<job.sums.terms, 32, 0, stream>>>(job);
    return cudaGetLastError();
}

template <class A> static cudaError_t launch_of(const ss_cuda_state_job &job, cudaStream_t stream)
{
    return job.want.level == SAMESUM_TREE    ? launch<A, SAMESUM_TREE>(job, stream)
           : job.want.level == SAMESUM_KAHAN ? launch<A, SAMESUM_KAHAN>(job, stream)
                                             : launch<A, SAMESUM_COMPENSATED>(job, stream);
}

samesum_status samesum_cuda_state_bytes(const samesum_want *want, samesum_type type, size_t *bytes)
{
    samesum_want checked;
    if (!want || !bytes)
        return SAMESUM_ERR_NULL;
    samesum_status st = ss_cuda_job_want(want, type, &checked);
    if (st == SAMESUM_OK)
        st = ss_cuda_state_settle(&checked, type, 0, &checked);
    if (st == SAMESUM_OK)
        *bytes = sizeof(ss_cuda_state);
    return st;
}

/* The parts of the workspace: what has to be zero, the nodes, and what level exact or extremes
 * need. */
struct parts {
    size_t nodes, other, all;
};

static parts parts_of(const ss_cuda_state_job &job, const ss_plan &plan)
{
    parts p;
    size_t node = 2 * SS_LANES * sizeof(double);
    p.nodes = 256;
    p.other = p.nodes + (plan.sums ? places_of(job.range) * job.sums.terms * node : 0);
    p.other = (p.other + 255) / 256 * 256;
    p.all = p.other + (plan.exact      ? ss_cuda_exact_workspace(plan.exact_job)
                       : plan.extremes ? ss_cuda_extremes_workspace(plan.extremes_job)
                                       : 0);
    p.all = (p.all + 255) / 256 * 256;
    return p;
}

static cudaError_t run(const ss_cuda_state_job &job, const ss_plan &plan, char *workspace,
                       const parts &p, cudaStream_t stream)
{
    uint64_t *present = (uint64_t *)job.present;
    cudaError_t e = cudaMemsetAsync(present, 0, sizeof *present, stream);
    if (e == cudaSuccess)
        e = plan.exact      ? ss_cuda_exact_state_launch(plan.exact_job, job.state->acc, present,
                                                         workspace + p.other, stream)
            : plan.extremes ? ss_cuda_extremes_state_launch(plan.extremes_job, &job.state->found,
                                                            present, workspace + p.other, stream)
            : job.wide      ? launch_of<double>(job, stream)
                            : launch_of<float>(job, stream);
    if (e != cudaSuccess)
        return e;
    ss_state_head<<<1, 1, 0, stream>>>(job);
    e = cudaGetLastError();
    if (e == cudaSuccess && plan.counts)
        e = ss_cuda_counts_launch(plan.whole, plan.counts, workspace + p.all, stream);
    return e;
}

samesum_status samesum_cuda_state_reduce(const samesum_array *chunk, uint64_t begin,
                                         const samesum_want *want, void *state,
                                         samesum_counts *counts, void *workspace,
                                         size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!chunk || !want || !workspace_bytes)
        return SAMESUM_ERR_NULL;
    if (chunk->weights)
        return SAMESUM_ERR_OPTION;
    ss_cuda_state_job job;
    samesum_want checked;
    ss_rows rows;
    ss_job j;
    memset(&job, 0, sizeof job);
    samesum_status st = ss_cuda_job_want(want, chunk->type, &checked);
    if (st == SAMESUM_OK)
        st = ss_cuda_state_settle(&checked, chunk->type, begin, &job.want);
    if (st == SAMESUM_OK)
        st = ss_cuda_job_split(chunk, NULL, 0, &rows);
    if (st == SAMESUM_OK)
        st = ss_cuda_job(chunk, &rows, &checked, &j);
    const uint64_t per = ss_cuda_state_numbers(want->op, chunk->type);
    if (st == SAMESUM_OK && rows.n > UINT64_MAX / per - begin)
        st = SAMESUM_ERR_RANGE;
    if (st == SAMESUM_OK)
        st = samesum_cuda_status(NULL);
    if (st != SAMESUM_OK)
        return st;

    ss_plan plan = {};
    plan.counts = counts;
    plan.whole = ss_plan_view(j.row, rows.rest, 1, NULL);
    plan.extremes = want->op >= SAMESUM_MIN;
    plan.exact = !plan.extremes && want->level == SAMESUM_EXACT;
    plan.sums = !plan.extremes && !plan.exact;
    if (plan.exact)
        ss_plan_exact_job(plan.exact_job, j, rows.rest, 1, NULL);
    plan.extremes_job.view = plan.whole;
    plan.extremes_job.op = want->op;
    plan.extremes_job.nan = want->nan;
    if (plan.sums) {
        ss_plan_terms(job.sums, j,
                      chunk->type == SAMESUM_F32_WIDE ? SAMESUM_F32_WIDE
                                                      : ss_real_type(chunk->type),
                      rows.rest, 1, NULL);
        set_range(job.range, begin * per, (begin + rows.n) * per);
    }
    job.type = chunk->type;
    job.wide = ss_is_wide(chunk->type);
    job.begin = begin;
    job.end = begin + rows.n;
    parts p = parts_of(job, plan);
    size_t need = p.all + (counts ? ss_cuda_counts_workspace(plan.whole) : 0);
    if (!workspace) {
        *workspace_bytes = need;
        return SAMESUM_OK;
    }
    if (*workspace_bytes < need)
        return SAMESUM_ERR_SIZE;
    if (!state)
        return SAMESUM_ERR_NULL;
    st = ss_cuda_check_pointer(workspace, 256);
    if (st == SAMESUM_OK)
        st = ss_cuda_check_pointer(state, 16);
    if (st == SAMESUM_OK && counts)
        st = ss_cuda_check_pointer(counts, sizeof(uint64_t));
    if (st == SAMESUM_OK)
        st = ss_cuda_check_view(plan.whole);
    if (st != SAMESUM_OK)
        return st;
    job.present = (unsigned long long *)workspace;
    job.sums.node = (char *)workspace + p.nodes;
    job.state = (ss_cuda_state *)state;
    return run(job, plan, (char *)workspace, p, stream) == cudaSuccess ? SAMESUM_OK
                                                                       : SAMESUM_ERR_CUDA;
}
