/* Which threads take which numbers, for reductions in which order is free: extremes and counts. A
 * row belongs to some lanes of a warp, to a block, or is cut into parts whose states meet in a
 * second launch. What a Task has to give stands above ss_cuda_teams_launch(). */
#ifndef SS_CUDA_TEAMS_CUH
#define SS_CUDA_TEAMS_CUH

#include "cuda/view.cuh"

enum ss_cuda_way {
    SS_CUDA_ROWS,    /* up to 32 threads for each row; long segments are queued */
    SS_CUDA_COLUMNS, /* one thread for each part of a row: neighbouring rows lie side by side */
    SS_CUDA_PARTS    /* one block for each part of a row */
};

struct ss_cuda_teams {
    ss_cuda_way way;
    unsigned team;         /* of rows: threads for each */
    uint64_t rows;         /* all rows */
    uint64_t chunk, parts; /* numbers of a part; parts of a row (not of a segment) */
    uint64_t limit, slots; /* segments of more numbers are cut in parts, which wait in slots */
};

/* A part of a long segment. */
struct ss_cuda_slot {
    uint64_t row, part; /* row UINT64_MAX: nothing */
};

/* The workspace, taken apart. */
template <class State> struct ss_cuda_rooms {
    unsigned long long *queued; /* parts that asked for a slot */
    ss_cuda_slot *slot;
    State *partial; /* of each part */
};

enum {
    SS_CUDA_BLOCK = 256,
    SS_CUDA_JOIN_BLOCK = 512,
    SS_CUDA_MANY_BLOCKS = 4096,    /* keep any device busy, several times over */
    SS_CUDA_MANY_THREADS = 1 << 19 /* the same */
};
#define SS_CUDA_ALL_LANES 0xffffffffu
#define SS_CUDA_SLICE (UINT64_C(1) << 30) /* numbers that a scan counts in 32 bits */

static inline uint64_t ss_cuda_ceil(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint64_t ss_cuda_within(uint64_t v, uint64_t least, uint64_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* Threads for a row of so many numbers: each has two, if 32 suffice. */
static inline unsigned ss_cuda_team_of(uint64_t numbers)
{
    unsigned team = 1;
    while (team < 32 && 2 * team < numbers)
        team *= 2;
    return team;
}

/* Whether threads that take neighbouring rows read neighbouring addresses, and threads that take
 * neighbouring elements of one row do not. */
static inline bool ss_cuda_are_columns(const ss_cuda_view &v, int place)
{
    if (v.rows < 16 || v.n < 2 || v.rest.dims < 1 || v.row.dims < 1)
        return false;
    const ss_axis &rest = v.rest.axis[v.rest.dims - 1], &row = v.row.axis[v.row.dims - 1];
    ptrdiff_t across = rest.stride[place], along = row.stride[place];
    across = across < 0 ? -across : across;
    along = along < 0 ? -along : along;
    return rest.extent >= 16 && across < along;
}

/* How to go about it. per: numbers of an element. */
static inline ss_cuda_teams ss_cuda_teams_of(const ss_cuda_view &v, int per)
{
    ss_cuda_teams t = {SS_CUDA_ROWS, 32, v.rows, 1, 1, 0, 0};
    const uint64_t n = v.n * (uint64_t)per;
    if (v.rows == 0)
        return t;
    if (v.offsets) {
        t.team = ss_cuda_team_of(n / v.rows + 1);
        t.chunk = ss_cuda_ceil(n, SS_CUDA_MANY_BLOCKS);
        t.chunk = t.chunk < 8192 ? 8192 : (t.chunk + 2047) / 2048 * 2048;
        t.limit = n / 65536 < 4096 ? 4096 : n / 65536;
        /* where segments do not overlap, each long one has at most one part more than chunks */
        t.slots = n > t.limit ? n / t.limit + n / t.chunk + 2 : 0;
    } else if (ss_cuda_are_columns(v, v.first)) {
        t.way = SS_CUDA_COLUMNS;
        uint64_t parts =
            ss_cuda_within(ss_cuda_ceil(SS_CUDA_MANY_THREADS, v.rows), 1, ss_cuda_ceil(n, 64));
        t.chunk = ss_cuda_ceil(n, parts);
        t.parts = ss_cuda_ceil(n, t.chunk);
    } else if (n <= 512 || (n <= 4096 && v.rows >= SS_CUDA_MANY_BLOCKS)) {
        t.team = ss_cuda_team_of(n);
    } else {
        t.way = SS_CUDA_PARTS;
        uint64_t parts =
            ss_cuda_within(ss_cuda_ceil(SS_CUDA_MANY_BLOCKS, v.rows), 1, ss_cuda_ceil(n, 4096));
        t.chunk = (ss_cuda_ceil(n, parts) + 2047) / 2048 * 2048;
        t.parts = ss_cuda_ceil(n, t.chunk);
    }
    return t;
}

static inline size_t ss_cuda_round256(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* Bytes of the workspace, for states of so many. */
static inline size_t ss_cuda_teams_bytes(const ss_cuda_teams &t, size_t state)
{
    if (t.slots > 0)
        return 256 + ss_cuda_round256(t.slots * sizeof(ss_cuda_slot)) +
               ss_cuda_round256(t.slots * state);
    return t.parts > 1 ? ss_cuda_round256(t.rows * t.parts * state) : 0;
}

template <class State>
static inline ss_cuda_rooms<State> ss_cuda_rooms_of(const ss_cuda_teams &t, void *workspace)
{
    ss_cuda_rooms<State> rooms = {nullptr, nullptr, (State *)workspace};
    if (t.slots > 0) {
        char *at = (char *)workspace;
        rooms.queued = (unsigned long long *)at;
        rooms.slot = (ss_cuda_slot *)(at + 256);
        rooms.partial = (State *)(at + 256 + ss_cuda_round256(t.slots * sizeof(ss_cuda_slot)));
    }
    return rooms;
}

/* ---- joining ----------------------------------------------------------------------------------
 */

/* The state of each team of `width` neighbouring lanes, in all of them. */
template <class Task>
static __device__ __forceinline__ void ss_cuda_join_lanes(typename Task::State *s, unsigned width)
{
    for (unsigned m = width / 2; m > 0; m /= 2) {
        typename Task::State other = Task::exchange(*s, m);
        Task::join(s, other);
    }
}

/* The state of the block, in thread 0. Every thread of the block calls it. */
template <class Task>
static __device__ __forceinline__ void ss_cuda_join_block(typename Task::State *s)
{
    __shared__ typename Task::State of_warp[32];
    const unsigned lane = threadIdx.x % 32, warps = blockDim.x / 32;
    ss_cuda_join_lanes<Task>(s, 32);
    __syncthreads(); /* of_warp may still be read for the part before */
    if (lane == 0)
        of_warp[threadIdx.x / 32] = *s;
    __syncthreads();
    if (threadIdx.x < 32) {
        *s = lane < warps ? of_warp[lane] : Task::start();
        ss_cuda_join_lanes<Task>(s, 32);
    }
}

/* ---- scanning ---------------------------------------------------------------------------------
 */

template <class Task>
static __device__ __forceinline__ uint64_t ss_cuda_numbers(const Task &task, uint64_t row)
{
    uint64_t n = task.view.offsets ? ss_cuda_row_at(task.view, row).n : task.view.n;
    return n * (uint64_t)task.per();
}

/* What thread `me` of `team` finds among numbers [from, to) of a row. */
template <class Task>
static __device__ __forceinline__ typename Task::State
ss_cuda_scan(const Task &task, uint64_t row, uint64_t from, uint64_t to, unsigned me, unsigned team)
{
    typename Task::State s = Task::start();
    const ss_cuda_row r = ss_cuda_row_at(task.view, row);
    for (; from < to; from += SS_CUDA_SLICE) {
        uint64_t n = to - from < SS_CUDA_SLICE ? to - from : SS_CUDA_SLICE;
        task.scan(&s, r, row, from, (uint32_t)n, me, team);
    }
    return s;
}

/* Puts the parts of a segment into slots, by a whole warp. Returns whether there is room; there is,
 * unless segments overlap. */
static __device__ inline bool ss_cuda_enqueue(const ss_cuda_teams &t, unsigned long long *queued,
                                              ss_cuda_slot *slot, uint64_t row, uint64_t numbers)
{
    const unsigned lane = threadIdx.x % 32;
    const uint64_t parts = (numbers + t.chunk - 1) / t.chunk;
    unsigned long long base = 0;
    if (lane == 0)
        base = atomicAdd(queued, (unsigned long long)parts);
    base = __shfl_sync(SS_CUDA_ALL_LANES, base, 0);
    const bool fits = base < t.slots && parts <= t.slots - base;
    for (uint64_t k = lane; k < parts && base + k < t.slots; k += 32) {
        slot[base + k].row = fits ? row : UINT64_MAX;
        slot[base + k].part = k;
    }
    return fits;
}

template <class Task>
__global__ void __launch_bounds__(SS_CUDA_BLOCK)
    ss_cuda_rows_kernel(const __grid_constant__ Task task, const __grid_constant__ ss_cuda_teams t,
                        ss_cuda_rooms<typename Task::State> rooms)
{
    const unsigned lane = threadIdx.x % 32, mine = lane & (t.team - 1), rows = 32 / t.team;
    const uint64_t warp = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const uint64_t warps = (uint64_t)gridDim.x * blockDim.x / 32;
    for (uint64_t base = warp * rows; base < t.rows; base += warps * rows) {
        uint64_t row = base + lane / t.team, n = 0;
        const uint64_t first_row = row;
        bool wanted = row < t.rows && task.wanted(row);
        if (wanted)
            n = ss_cuda_numbers(task, row);

        bool is_long = wanted && t.slots > 0 && n > t.limit;
        for (unsigned left = __ballot_sync(SS_CUDA_ALL_LANES, is_long && mine == 0); left;
             left &= left - 1) {
            int from = __ffs(left) - 1;
            bool fits = ss_cuda_enqueue(t, rooms.queued, rooms.slot,
                                        __shfl_sync(SS_CUDA_ALL_LANES, row, from),
                                        __shfl_sync(SS_CUDA_ALL_LANES, n, from));
            if (fits && lane / t.team == from / t.team)
                wanted = false;
        }

        /* each team its row; then all lanes those that are too long for one */
        bool many = wanted && t.team < 32 && n > 16 * t.team;
        unsigned left = __ballot_sync(SS_CUDA_ALL_LANES, many && mine == 0);
        unsigned me = mine, team = t.team;
        bool now = wanted && !many;
        for (;;) {
            typename Task::State s = Task::start();
            if (now)
                s = ss_cuda_scan(task, row, 0, n, me, team);
            __syncwarp();
            ss_cuda_join_lanes<Task>(&s, team);
            if (now && me == 0)
                task.finish(row, s);
            if (!left)
                break;
            row = __shfl_sync(SS_CUDA_ALL_LANES, first_row, __ffs(left) - 1);
            n = ss_cuda_numbers(task, row);
            left &= left - 1;
            now = true;
            me = lane;
            team = 32;
        }
    }
}

template <class Task>
__global__ void __launch_bounds__(SS_CUDA_BLOCK)
    ss_cuda_columns_kernel(const __grid_constant__ Task task,
                           const __grid_constant__ ss_cuda_teams t,
                           ss_cuda_rooms<typename Task::State> rooms)
{
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    const uint64_t n = task.view.n * (uint64_t)task.per();
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < t.rows * t.parts;
         i += threads) {
        const uint64_t part = i / t.rows, row = i - part * t.rows, from = part * t.chunk;
        if (!task.wanted(row))
            continue;
        const typename Task::State s =
            ss_cuda_scan(task, row, from, n - from < t.chunk ? n : from + t.chunk, 0, 1);
        if (t.parts == 1)
            task.finish(row, s);
        else
            rooms.partial[row * t.parts + part] = s;
    }
}

/* Parts that there are. */
template <class State>
static __device__ inline uint64_t ss_cuda_filled(const ss_cuda_teams &t,
                                                 const ss_cuda_rooms<State> &rooms)
{
    return *rooms.queued < t.slots ? *rooms.queued : t.slots;
}

template <class Task>
__global__ void __launch_bounds__(SS_CUDA_BLOCK, 4)
    ss_cuda_parts_kernel(const __grid_constant__ Task task, const __grid_constant__ ss_cuda_teams t,
                         ss_cuda_rooms<typename Task::State> rooms)
{
    const uint64_t items = t.slots > 0 ? ss_cuda_filled(t, rooms) : t.rows * t.parts;
    for (uint64_t i = blockIdx.x; i < items; i += gridDim.x) {
        const uint64_t row = t.slots > 0 ? rooms.slot[i].row : i / t.parts;
        const uint64_t part = t.slots > 0 ? rooms.slot[i].part : i - row * t.parts;
        if (row == UINT64_MAX || !task.wanted(row))
            continue;
        const uint64_t n = ss_cuda_numbers(task, row), from = part * t.chunk;
        typename Task::State s = ss_cuda_scan(
            task, row, from, n - from < t.chunk ? n : from + t.chunk, threadIdx.x, blockDim.x);
        ss_cuda_join_block<Task>(&s);
        if (threadIdx.x == 0) {
            if (t.slots > 0 || t.parts > 1)
                rooms.partial[i] = s;
            else
                task.finish(row, s);
        }
    }
}

/* What thread `me` of `team` finds among the states of some parts. */
template <class Task>
static __device__ __forceinline__ typename Task::State
ss_cuda_scan_parts(const typename Task::State *partial, uint64_t parts, unsigned me, unsigned team)
{
    typename Task::State s = Task::start();
#pragma unroll 4
    for (uint64_t k = me; k < parts; k += team)
        Task::join(&s, partial[k]);
    return s;
}

/* One block for each row, or each slot with the first part of a segment. */
template <class Task>
__global__ void __launch_bounds__(SS_CUDA_JOIN_BLOCK)
    ss_cuda_join_kernel(const __grid_constant__ Task task, const __grid_constant__ ss_cuda_teams t,
                        ss_cuda_rooms<typename Task::State> rooms)
{
    const uint64_t items = t.slots > 0 ? ss_cuda_filled(t, rooms) : t.rows;
    for (uint64_t i = blockIdx.x; i < items; i += gridDim.x) {
        uint64_t row = i, head = i * t.parts, parts = t.parts;
        if (t.slots > 0) {
            row = rooms.slot[i].row;
            if (row == UINT64_MAX || rooms.slot[i].part != 0)
                continue;
            head = i;
            parts = (ss_cuda_numbers(task, row) + t.chunk - 1) / t.chunk;
        }
        if (!task.wanted(row))
            continue;
        typename Task::State s =
            ss_cuda_scan_parts<Task>(rooms.partial + head, parts, threadIdx.x, blockDim.x);
        ss_cuda_join_block<Task>(&s);
        if (threadIdx.x == 0)
            task.finish(row, s);
    }
}

/* The same for rows of few parts: `team` lanes for each. */
template <class Task>
__global__ void __launch_bounds__(SS_CUDA_BLOCK)
    ss_cuda_join_few_kernel(const __grid_constant__ Task task,
                            const __grid_constant__ ss_cuda_teams t, unsigned team,
                            ss_cuda_rooms<typename Task::State> rooms)
{
    const unsigned lane = threadIdx.x % 32, mine = lane & (team - 1), rows = 32 / team;
    const uint64_t warp = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const uint64_t warps = (uint64_t)gridDim.x * blockDim.x / 32;
    for (uint64_t base = warp * rows; base < t.rows; base += warps * rows) {
        const uint64_t row = base + lane / team;
        const bool now = row < t.rows && task.wanted(row);
        typename Task::State s = Task::start();
        if (now)
            s = ss_cuda_scan_parts<Task>(rooms.partial + row * t.parts, t.parts, mine, team);
        __syncwarp();
        ss_cuda_join_lanes<Task>(&s, team);
        if (now && mine == 0)
            task.finish(row, s);
    }
}

/* ---- launching --------------------------------------------------------------------------------
 */

/* Blocks for so much work, of which a block takes `each` at a time; a few for each place that the
 * device has for one, where there is more. */
static inline unsigned ss_cuda_grid(uint64_t work, uint64_t each)
{
    const uint64_t blocks = ss_cuda_ceil(work, each);
    return (unsigned)ss_cuda_within(blocks, 1, 2 * SS_CUDA_MANY_BLOCKS);
}

/* A Task is passed to kernels by value. It has
 *   ss_cuda_view view; int per() const: numbers of an element;
 *   State: trivially copyable; static start(), join(State *, const State &), and exchange(State,
 *     m): that of the lane whose number differs by xor m;
 *   bool wanted(row) const; void finish(row, const State &) const: by one thread;
 *   void scan(State *, r, row, from, n, me, team) const: adds the numbers from + me, from + me +
 *     team, ... of [from, from + n), or any other share of them, as long as each number is in one.
 */
template <class Task>
static cudaError_t ss_cuda_teams_launch(const Task &task, void *workspace, cudaStream_t stream)
{
    typedef typename Task::State State;
    const ss_cuda_teams t = ss_cuda_teams_of(task.view, task.per());
    const ss_cuda_rooms<State> rooms = ss_cuda_rooms_of<State>(t, workspace);
    if (t.rows == 0)
        return cudaSuccess;
    if (t.slots > 0) {
        cudaError_t e = cudaMemsetAsync(rooms.queued, 0, sizeof *rooms.queued, stream);
        if (e != cudaSuccess)
            return e;
    }
    if (t.way == SS_CUDA_ROWS)
        ss_cuda_rows_kernel<<<ss_cuda_grid(t.rows, SS_CUDA_BLOCK / t.team), SS_CUDA_BLOCK, 0,
                              stream>>>(task, t, rooms);
    else if (t.way == SS_CUDA_COLUMNS)
        ss_cuda_columns_kernel<<<ss_cuda_grid(t.rows * t.parts, SS_CUDA_BLOCK), SS_CUDA_BLOCK, 0,
                                 stream>>>(task, t, rooms);
    if (t.way == SS_CUDA_PARTS || t.slots > 0)
        ss_cuda_parts_kernel<<<ss_cuda_grid(t.slots > 0 ? t.slots : t.rows * t.parts, 1),
                               SS_CUDA_BLOCK, 0, stream>>>(task, t, rooms);
    if (t.slots > 0 || t.parts > 32)
        ss_cuda_join_kernel<<<(unsigned)ss_cuda_within(t.slots > 0 ? t.slots : t.rows, 1, 1024),
                              SS_CUDA_JOIN_BLOCK, 0, stream>>>(task, t, rooms);
    else if (t.parts > 1) {
        const unsigned team = ss_cuda_team_of(t.parts);
        ss_cuda_join_few_kernel<<<ss_cuda_grid(t.rows, SS_CUDA_BLOCK / team), SS_CUDA_BLOCK, 0,
                                  stream>>>(task, t, team, rooms);
    }
    return cudaGetLastError();
}

#endif
