#include "cuda/passes.h"

#include "cuda/elements.cuh"
#include "cuda/overlap.cuh"

#include <atomic>

static struct ss_cuda_tuning forced;

extern "C" void ss_cuda_tune(const struct ss_cuda_tuning *tuning)
{
    forced = *tuning;
}

/* Of axes there is room for many. */
static void copy_layout(ss_layout &to, const ss_layout &from)
{
    to.dims = from.dims;
    for (int k = 0; k < from.dims; k++)
        to.axis[k] = from.axis[k];
}

ss_cuda_view ss_plan_view(const ss_view &row, const ss_layout &rest, uint64_t rows,
                          const size_t *offsets)
{
    ss_cuda_view v; /* large: nothing of it is written twice, or in vain */
    copy_layout(v.row, *row.layout);
    copy_layout(v.rest, rest);
    v.n = row.n;
    v.rows = rows;
    v.first_row = 0;
    v.offsets = offsets;
    v.place[SS_X] = row.place[SS_X];
    v.place[SS_Y] = row.place[SS_Y];
    v.mask = row.mask;
    v.mask_at = 0;
    v.type = row.type;
    v.first = row.first;
    v.pair = row.pair;
    v.conj = row.conj;
    v.part = row.part;
    v.factor = row.factor;
    v.map = row.map;
    v.parameter = NULL;
    v.mask_kind = row.mask_kind;
    v.missing = row.missing;
    v.missing_in[SS_X] = row.missing_in[SS_X];
    v.missing_in[SS_Y] = row.missing_in[SS_Y];
    v.missing_value = row.missing_value;
    return v;
}

static ss_leaf leaf_of(samesum_op op)
{
    return op == SAMESUM_ASUM    ? SS_LEAF_ASUM
           : op == SAMESUM_SUMSQ ? SS_LEAF_SUMSQ
           : op == SAMESUM_DOT   ? SS_LEAF_DOT
                                 : SS_LEAF_SUM;
}

void ss_plan_terms(ss_sums &sums, const ss_job &job, samesum_type number, const ss_layout &rest,
                   uint64_t rows, const size_t *offsets)
{
    ss_sums_of of;
    ss_cuda_job_sums(&job, number, &of);
    sums.terms = of.terms;
    for (int i = 0; i < of.terms; i++) {
        sums.view[i] = ss_plan_view(of.view[i], rest, rows, offsets);
        sums.leaf[i] = leaf_of(of.op[i]);
    }
}

/* ---- which kernel -----------------------------------------------------------------------------
 */

static bool is_flat(const ss_layout &layout, int place, ptrdiff_t bytes)
{
    return layout.dims == 1 &&
           (layout.axis[0].extent <= 1 || layout.axis[0].stride[place] == bytes);
}

/* Whether the numbers are the elements as they are, in both streams. */
static bool is_plain(const ss_cuda_view &v)
{
    return !ss_cuda_masked(v) && v.map == SS_MAP_NONE && v.part < 0 && v.factor < 0;
}

/* Whether steps of so many bytes along this layout lead from element to element. */
static bool lies_flat(const ss_cuda_view &v, const ss_layout &layout, ptrdiff_t bytes)
{
    return is_flat(layout, v.first, bytes) && (!v.pair || is_flat(layout, SS_Y, bytes));
}

/* What is summed of numbers that something is done to, or SS_MODES where no kernel has it. */
static int mode_of(const ss_sums &s)
{
    const ss_cuda_view &v = s.view[0];
    if (s.terms == 1 && v.map == SS_MAP_NONE && v.pair)
        return SS_MODE_PRODUCT;
    if (s.terms == 1 && v.map != SS_MAP_DEVIATE && s.leaf[0] == SS_LEAF_SUMSQ)
        return SS_MODE_SQUARE;
    if (s.terms == 1 && v.map == SS_MAP_NONE)
        return SS_MODE_SUM;
    if (s.terms == 2 && v.map == SS_MAP_DEVIATE)
        return SS_MODE_SPREAD;
    return s.terms == 2 && v.pair && v.factor < 0 && s.view[1].first == SS_Y ? SS_MODE_QUOTIENT
                                                                             : SS_MODES;
}

/* Whether so many numbers can be loaded at once, whichever row and chunk they are the first of. */
static bool is_aligned(uint64_t place, ptrdiff_t pitch, uint64_t bytes)
{
    return place % bytes == 0 && pitch % (ptrdiff_t)bytes == 0;
}
static bool is_wide(const ss_cuda_view &v, int mode, int level)
{
    const int bytes = ss_cuda_bytes(ss_cuda_real(v.type));
    const int at_once = ss_masked_at_once(bytes, mode, level);
    const ss_axis &row = v.row.axis[0], &rest = v.rest.axis[0];
    const bool alone = v.rows == 1;
    for (int p = SS_X; p <= (v.pair ? SS_Y : SS_X); p++)
        if ((ss_cuda_per(v) == 1 && v.n > 1 && row.stride[p] != bytes) ||
            !is_aligned((uintptr_t)v.place[p], alone ? 0 : rest.stride[p],
                        (uint64_t)bytes * at_once))
            return false;
    return v.mask_kind == SAMESUM_MASK_NONE ||
           (v.mask_kind == SAMESUM_MASK_BYTES && (v.n == 1 || row.stride[SS_MASK] == 1) &&
            is_aligned((uintptr_t)v.mask, alone ? 0 : rest.stride[SS_MASK], at_once));
}

/* Whether steps of so many bytes, or of none, along the rest lead from series to series. */
static bool lies_beside(const ss_axis &rest, int place, ptrdiff_t bytes, bool or_none)
{
    return rest.stride[place] == bytes || (or_none && rest.stride[place] == 0);
}

/* Whether masked_columns.cuh takes them: series side by side, whose mask and second stream lie like
 * the first, or are the same for all. */
static bool are_masked_series(const ss_sums &s)
{
    const ss_cuda_view &v = s.view[0];
    const ss_axis &rest = v.rest.axis[0];
    const ptrdiff_t bytes = ss_cuda_bytes(v.type);
    return !ss_cuda_complex(v.type) && v.rows >= SS_LANES && v.n <= UINT64_C(1) << 28 &&
           v.map != SS_MAP_SCALE && (v.n == 1 || v.row.axis[0].stride[SS_X] != bytes) &&
           lies_beside(rest, SS_X, bytes, false) &&
           (!v.pair || lies_beside(rest, SS_Y, bytes, true)) &&
           (v.mask_kind == SAMESUM_MASK_NONE ||
            (v.mask_kind == SAMESUM_MASK_BYTES && lies_beside(rest, SS_MASK, 1, true)));
}

/* Whether a thread's `at_once` such series can be loaded together. */
static bool are_loaded_together(const ss_cuda_view &v, int at_once)
{
    const uint64_t bytes = (uint64_t)at_once * ss_cuda_bytes(v.type);
    const ss_axis &row = v.row.axis[0], &rest = v.rest.axis[0];
    for (int p = v.first; p <= (v.pair ? (int)SS_Y : v.first); p++)
        if (rest.stride[p] != 0 && !is_aligned((uintptr_t)v.place[p], row.stride[p], bytes))
            return false;
    return v.rows % (uint64_t)at_once == 0 &&
           (v.mask_kind == SAMESUM_MASK_NONE || rest.stride[SS_MASK] == 0 ||
            is_aligned((uintptr_t)v.mask, row.stride[SS_MASK], (uint64_t)at_once));
}

/* How numbers lie that something is done to. */
static int way_of_changed(const ss_sums &s, int level)
{
    const ss_cuda_view &v = s.view[0];
    const bool whole = ss_cuda_per(v) == 2;
    if (v.offsets || v.n == 0 || v.row.dims != 1 || v.rest.dims != 1 || mode_of(s) == SS_MODES ||
        v.factor >= 0 || v.part >= 0 || (v.missing_in[SS_Y] && !v.pair))
        return SS_WAY_PACKED;
    if (whole && (ss_cuda_masked(v) ||
                  (v.n > 1 && v.row.axis[0].stride[SS_X] != ss_cuda_element_bytes(v.type))))
        return SS_WAY_PACKED;
    if (are_masked_series(s))
        return SS_WAY_MASKED_COLUMNS;
    return is_wide(v, mode_of(s), level) ? SS_WAY_WIDE_MASKED : SS_WAY_MASKED;
}

/* How the rows lie. */
static int way_of(const ss_sums &s, int level)
{
    const ss_cuda_view &v = s.view[0];
    const ptrdiff_t bytes = (ptrdiff_t)ss_cuda_element_bytes(v.type);
    if (s.terms > 1 || !is_plain(v))
        return way_of_changed(s, level);
    if (lies_flat(v, v.row, bytes)) {
        uint64_t row_bytes = v.n * (uint64_t)bytes * (v.pair ? 2 : 1);
        bool packed_rows = lies_flat(v, v.rest, (ptrdiff_t)v.n * bytes);
        return !v.offsets && v.n > 0 && v.rows > 1 && row_bytes <= SS_SHORT_BYTES && packed_rows
                   ? SS_WAY_SHORT
                   : SS_WAY_DIRECT;
    }
    bool series = !v.offsets && !v.pair && !ss_cuda_complex(v.type) && v.row.dims == 1 &&
                  v.rows >= SS_LANES && v.n <= UINT64_C(1) << 28 && is_flat(v.rest, v.first, bytes);
    if (!series)
        return way_of_changed(s, level);
    return SS_WAY_COLUMNS;
}

/* The kernels of one type: by way, and by kind or mode, and level. */
struct tables {
    ss_launchable (*plain)(int way, int kind, int level);
    ss_launchable (*masked)(int way, int mode, int level);
};

static tables tables_of(samesum_type type)
{
    switch (type) {
    case SAMESUM_F64:
    case SAMESUM_C128:
        return {ss_kernel_f64, ss_masked_f64};
    case SAMESUM_F32_WIDE:
        return {ss_kernel_f32_wide, ss_masked_f32_wide};
    case SAMESUM_F16:
        return {ss_kernel_f16, ss_masked_f16};
    case SAMESUM_BF16:
        return {ss_kernel_bf16, ss_masked_bf16};
    default:
        return {ss_kernel_f32, ss_masked_f32};
    }
}

static int kind_of(ss_leaf leaf)
{
    return leaf == SS_LEAF_DOT     ? SS_KIND_PRODUCT
           : leaf == SS_LEAF_SUMSQ ? SS_KIND_SQUARE
           : leaf == SS_LEAF_ASUM  ? SS_KIND_ABS
                                   : SS_KIND_SUM;
}

static ss_launchable kernel_of(const ss_sums &s, int way, samesum_type type, int level)
{
    if (way == SS_WAY_PACKED)
        return ss_packed(ss_is_wide(type), level);
    const tables of = tables_of(type);
    return way >= SS_WAYS ? of.masked(way, mode_of(s), level)
                          : of.plain(way, kind_of(s.leaf[0]), level);
}

/* ---- chunks and blocks ------------------------------------------------------------------------
 */

static uint64_t over(uint64_t n, uint64_t by)
{
    return n / by + (n % by != 0);
}
static int log_over(uint64_t n)
{
    int k = 0;
    while (k < 63 && (UINT64_C(1) << k) < n)
        k++;
    return k;
}

/* Tasks of a pass, if chunks have this size. */
static uint64_t tasks_at(const ss_sums &s, const ss_launchable &k, int log)
{
    const ss_cuda_view &v = s.view[0];
    uint64_t numbers = v.n * (uint64_t)ss_cuda_per(v), tree_rows = over(numbers, SS_LANES);
    if (v.offsets)
        return (uint64_t)s.terms * ((numbers >> (log + 4)) + v.rows + 1);
    uint64_t chunks = tree_rows > 0 ? over(tree_rows, UINT64_C(1) << log) : 1;
    return (k.all_terms ? 1 : s.terms) * chunks * over(v.rows, (uint64_t)k.rows);
}

/* Lets the kernel have its shared memory on the current device. */
static cudaError_t allow_shared(const ss_launchable &k)
{
    return cudaFuncSetAttribute(k.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, k.shared);
}

static bool are_columns(int way)
{
    return way == SS_WAY_COLUMNS || way == SS_WAY_MASKED_COLUMNS;
}

static bool is_even(int way)
{
    return way == SS_WAY_EVEN || way == SS_WAY_TILE;
}

static bool is_masked(int way)
{
    return way == SS_WAY_MASKED || way == SS_WAY_WIDE_MASKED;
}

/* Whether another kernel merges the nodes of rows that were cut. */
static bool merges_apart(int way)
{
    return way == SS_WAY_EVEN || are_columns(way) || is_masked(way);
}

/* A chunk's size within what the kernel takes, if a test asks for one. */
static bool chunk_log_forced(const ss_launchable &k, int *log)
{
    const int least = k.least_log, most = least + k.depth, asked = forced.chunk_log;
    *log = asked < least ? least : asked > most ? most : asked;
    return asked > 0;
}

/* Whether tasks that are alike keep nearly all workers busy until they end. */
static bool are_shared_out(uint64_t tasks, uint64_t workers)
{
    return tasks >= 6 * workers || 5 * tasks >= 4 * workers * over(tasks, workers);
}

/* Series side by side: chunks as large as they can be while blocks share the device evenly; above a
 * few turns, since nodes cost as well, but where the device would be empty. workers: blocks that
 * the device holds. */
static int columns_chunk_log(const ss_sums &s, const ss_launchable &k, uint64_t workers)
{
    const int most = k.least_log + k.depth, whole = log_over(over(s.view[0].n, SS_LANES));
    int log = whole < most ? whole : most;
    while (log > k.least_log + 2 && !are_shared_out(tasks_at(s, k, log), workers))
        log--;
    while (log > k.least_log && 2 * tasks_at(s, k, log) < workers)
        log--;
    return log > k.least_log ? log : k.least_log;
}

/* Chunks as large as they can be while every worker has something to do, up to where their tickets
 * and nodes cost little: 16 tiles or turns of a warp; and others where there would be very many.
 * Many rows that a warp can take whole are not cut. */
static int chunk_log_of(const ss_sums &s, int way, const ss_launchable &k, uint64_t workers)
{
    const ss_cuda_view &v = s.view[0];
    const int most = k.least_log + k.depth, enough = k.least_log + 4;
    const int whole = log_over(over(v.n * (uint64_t)ss_cuda_per(v), SS_LANES));
    int log;
    if (chunk_log_forced(k, &log))
        return log;
    if (are_columns(way))
        return columns_chunk_log(s, k, workers);
    if (is_masked(way) && (v.rows >= 2 * workers ? whole <= most : whole <= log + 2))
        return whole > log ? whole : log; /* few turns cost less than another kernel */
    while (log < most && (log < whole || v.offsets)) {
        uint64_t now = tasks_at(s, k, log);
        bool many = log < enough ? now > workers : now > 40 * workers;
        if (!many)
            break;
        log++;
    }
    return log;
}

/* Even rows: what a warp makes of a part, in tree rows, log2. Four tiles, fewer where there would
 * not be parts for most multiprocessors, more where there would be very many; a row in one block
 * where that is no loss, since merging takes another kernel; and in one warp where rows are many.
 */
static int even_log(const ss_row_sums &s, const ss_launchable &k, uint64_t workers)
{
    const uint64_t tree_rows = over(s.numbers, SS_LANES);
    const int least = k.least_log, most = least + k.depth, row_log = log_over(tree_rows);
    const int block = row_log - log_over((uint64_t)k.warps); /* a row in one block */
    int log;
    if (chunk_log_forced(k, &log) || row_log <= least)
        return log; /* at least a tile */
    if (s.rows >= 3 * workers && row_log <= most)
        return row_log;
    const bool few_tiles = block <= least + 2;
    const bool many_blocks = s.rows * k.warps >= 2 * workers && block <= most;
    if (few_tiles || many_blocks)
        return block > least ? block : least;
    while (log < least + 2 && 8 * s.rows * over(tree_rows, UINT64_C(2) << log) >= 3 * workers)
        log++;
    while (log < most && s.rows * over(tree_rows, UINT64_C(1) << log) > UINT64_C(1) << 19)
        log++;
    return log;
}

/* Even rows: their parts, or how many a warp takes in turn; and the blocks. */
static void cut_even(ss_row_sums &s, ss_launching &l, uint64_t workers)
{
    const ss_launchable &k = l.launch;
    s.chunk_log = even_log(s, k, workers);
    const uint64_t tree_rows = over(s.numbers, SS_LANES), chunk = UINT64_C(1) << s.chunk_log;
    s.turns = 1;
    s.part_log = s.chunk_log;
    if (chunk < tree_rows) {
        s.parts = (unsigned)over(tree_rows, chunk * k.warps);
        s.part_log += log_over((uint64_t)k.warps);
        l.blocks = (unsigned)(s.rows * s.parts);
        return;
    }
    const uint64_t tiles = over(tree_rows, UINT64_C(1) << k.least_log);
    uint64_t turns = tiles < 8 ? over(8, tiles > 0 ? tiles : 1) : 1;
    const uint64_t some = over(s.rows, 4 * workers), least = over(s.rows, (uint64_t)INT32_MAX);
    turns = turns < some ? turns : some;
    if (forced.blocks > 0)
        turns = over(over(s.rows, (uint64_t)k.warps), (uint64_t)forced.blocks);
    s.turns = (unsigned)(turns > least ? turns : least);
    s.parts = 0;
    l.blocks = (unsigned)over(s.rows, (uint64_t)k.warps * s.turns);
}

/* Masked rows: many short ones are taken side by side by a warp's groups of threads. */
static void cut_masked(ss_sums &s, const ss_launchable &k, uint64_t workers)
{
    const uint64_t groups = UINT64_C(1) << k.groups_log;
    const int row_log = log_over(over(s.numbers, SS_LANES)) + k.groups_log;
    s.turns = 1;
    if (forced.chunk_log > 0 || groups == 1 || row_log > k.least_log + k.depth ||
        s.rows < workers * groups)
        return;
    s.turns = 0;
    s.chunk_log = row_log > k.least_log ? row_log : k.least_log;
    s.chunks = 1;
    s.tasks = over(s.rows, groups);
}

/* Blocks of a kernel that a multiprocessor holds. Asking takes longer than a launch, so answers are
 * kept: a word for each kernel and device, its address, the device and the number, set once. */
static samesum_status resident_blocks(const ss_launchable &k, int device, int *blocks)
{
    enum { KEPT = 512 };
    static std::atomic<uint64_t> kept[KEPT];
    const uint64_t key = (uint64_t)(uintptr_t)k.kernel << 16 | (uint64_t)(device & 0xff) << 8;
    size_t at = (size_t)((key >> 16) * UINT64_C(0x9e3779b97f4a7c15) >> 55);
    for (int tries = 0; tries < KEPT; tries++, at = (at + 1) % KEPT) {
        uint64_t found = kept[at].load(std::memory_order_relaxed);
        if (found == 0)
            break;
        if ((found & ~UINT64_C(0xff)) == key && device < 0x100) {
            *blocks = (int)(found & 0xff);
            return SAMESUM_OK;
        }
    }
    if (allow_shared(k) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, k.kernel, k.threads, k.shared) !=
            cudaSuccess ||
        *blocks < 1)
        return SAMESUM_ERR_CUDA;
    uint64_t empty = 0;
    kept[at].compare_exchange_strong(empty, key | (uint64_t)(*blocks & 0xff));
    return SAMESUM_OK;
}

/* Asked once for each device: its multiprocessors, and whether launches can overlap. */
static samesum_status device_facts(int device, int *processors, bool *overlaps)
{
    enum { KEPT = 64 };
    static std::atomic<int> kept[KEPT]; /* 2 * multiprocessors + overlaps */
    int major = 0, found = device < KEPT ? kept[device].load(std::memory_order_relaxed) : 0;
    if (found == 0) {
        if (cudaDeviceGetAttribute(processors, cudaDevAttrMultiProcessorCount, device) !=
                cudaSuccess ||
            cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) !=
                cudaSuccess)
            return SAMESUM_ERR_CUDA;
        found = 2 * *processors + (major >= 9);
        if (device < KEPT)
            kept[device].store(found, std::memory_order_relaxed);
    }
    *processors = found / 2;
    *overlaps = found % 2;
    return SAMESUM_OK;
}

static bool sums_are_results(const ss_row_sums &s)
{
    return s.finish == SS_FINISH_SUM && !s.masked && s.sink.copies == 1 &&
           s.sink.format <= SS_CUDA_F32 && s.numbers > 0;
}

/* What the device makes of it: overlaps, and blocks that it holds at a time. */
static samesum_status ask_device(ss_launching &l, int device, uint64_t *most)
{
    int processors, blocks = 0;
    samesum_status st = device_facts(device, &processors, &l.overlaps);
    if (st == SAMESUM_OK)
        st = resident_blocks(l.launch, device, &blocks);
    *most = forced.blocks > 0 ? (uint64_t)forced.blocks : (uint64_t)processors * blocks;
    return st;
}

static samesum_status cut(ss_pass &p, int way)
{
    p.way = way;
    ss_sums &s = p.sums;
    const ss_cuda_view &v = s.view[0];
    const ss_launchable &k = p.launch;
    int device;
    uint64_t most;
    if (cudaGetDevice(&device) != cudaSuccess)
        return SAMESUM_ERR_CUDA;
    samesum_status st = ask_device(p, device, &most);
    if (st != SAMESUM_OK)
        return st;
    uint64_t numbers = v.n * (uint64_t)ss_cuda_per(v);
    if (way == SS_WAY_SHORT) {
        uint64_t stage = v.n * ss_cuda_element_bytes(v.type) * (v.pair ? 2 : 1);
        s.chunks = SS_SHORT_STAGE / stage;
        s.tasks = over(v.rows, s.chunks);
    } else if (!is_even(way)) {
        s.chunk_log = chunk_log_of(s, way, k, most * k.warps);
        s.tasks = tasks_at(s, k, s.chunk_log);
        s.chunks = v.offsets || numbers == 0
                       ? 1
                       : over(over(numbers, SS_LANES), UINT64_C(1) << s.chunk_log);
    }
    s.x = v.place[v.first];
    s.y = v.place[SS_Y];
    s.rows = v.rows;
    s.per = ss_cuda_per(v);
    s.masked = ss_cuda_masked(v);
    s.numbers = numbers;
    s.pitch[0] = v.rest.axis[0].stride[v.first];
    s.pitch[1] = v.rest.axis[0].stride[SS_Y];
    if (are_columns(way))
        s.pitch[0] = v.row.axis[0].stride[v.first];
    s.even = sums_are_results(s);
    if (is_masked(way))
        cut_masked(s, k, most * k.warps);
    if (are_columns(way))
        s.beside = are_loaded_together(v, k.rows / 32);
    uint64_t wanted = over(s.tasks, k.warps);
    const bool shared_out = /* by the device */
        (are_columns(way) || (is_masked(way) && s.turns > 0)) && forced.blocks == 0 &&
        wanted <= INT32_MAX;
    p.blocks = (unsigned)(wanted < most || shared_out ? wanted : most);
    if (are_columns(way) || is_masked(way)) {
        s.parts = (unsigned)s.chunks;
        s.part_log = s.chunk_log;
    }
    if (is_even(way))
        cut_even(s, p, most * k.warps);
    return SAMESUM_OK;
}

/* ---- passes -----------------------------------------------------------------------------------
 */

/* Whether a kernel of its own takes even rows: of one tile or two. */
static bool are_tiles(const ss_row_sums &s, const ss_launchable &k)
{
    return s.parts == 0 && s.numbers <= (uint64_t)2 * SS_LANES << k.least_log;
}

/* Which kernel reads the sums, which are there; and cuts them. */
static samesum_status choose(ss_pass &p, samesum_type type, int level)
{
    ss_sums &sums = p.sums;
    p.wide = ss_is_wide(type);
    p.level = level;
    int way = sums.view[0].rows > 0 ? way_of(sums, level) : SS_WAY_PACKED;
    if (way == SS_WAY_DIRECT && !sums.view[0].offsets && sums.view[0].rest.dims == 1 &&
        sums.view[0].n > 0)
        way = SS_WAY_EVEN;
    p.launch = kernel_of(sums, way, type, level);
    return cut(p, way);
}

/* The next pass of the plan, whose sums are there but not cut. */
static samesum_status add_pass(ss_plan &plan, samesum_type type, int level)
{
    ss_pass &p = plan.pass[plan.passes++];
    samesum_status st = choose(p, type, level);
    if (st != SAMESUM_OK || p.way != SS_WAY_EVEN || !are_tiles(p.sums, p.launch))
        return st;
    p.launch = kernel_of(p.sums, SS_WAY_TILE, type, level);
    return cut(p, SS_WAY_TILE);
}

/* ---- parts whose nodes stay -------------------------------------------------------------------
 */

/* From a chunk to a part, log2. */
static int part_log_over_chunk(const ss_pass &p)
{
    return p.way == SS_WAY_EVEN ? log_over((uint64_t)p.launch.warps) : 0;
}

samesum_status ss_plan_parts_find(ss_pass &p, samesum_type type, int level, int *part_log)
{
    enum { PARTS_LOG = 4 }; /* of a row, at least, so that little lies at its ends */
    samesum_status st = choose(p, type, level);
    *part_log = -1;
    if (st != SAMESUM_OK || !merges_apart(p.way))
        return st;
    const int least = p.launch.least_log + part_log_over_chunk(p), most = least + p.launch.depth;
    const int row_log = log_over(over(p.sums.numbers, SS_LANES));
    int log = p.sums.parts > 1 ? p.sums.part_log : row_log;
    log = log < row_log - PARTS_LOG ? log : row_log - PARTS_LOG;
    *part_log = log < least ? least : log > most ? most : log;
    return st;
}

samesum_status ss_plan_parts_cut(ss_pass &p, int part_log)
{
    samesum_status st = cut(p, p.way);
    ss_sums &s = p.sums;
    p.stays = true;
    s.turns = 1;
    s.part_log = part_log;
    s.chunk_log = part_log - part_log_over_chunk(p);
    s.parts = (unsigned)(s.numbers >> (part_log + 4));
    uint64_t blocks = s.rows * s.parts;
    if (p.way != SS_WAY_EVEN) {
        s.chunks = s.parts;
        s.tasks = tasks_at(s, p.launch, s.chunk_log);
        blocks = over(s.tasks, p.launch.warps);
        const uint64_t most = forced.blocks > 0 ? (uint64_t)forced.blocks : INT32_MAX;
        blocks = blocks < most ? blocks : most;
    }
    p.blocks = (unsigned)blocks;
    return st;
}

/* The second pass of var, std (sums of the deviations and their squares) and nrm2. */
static samesum_status add_second(ss_plan &plan, const ss_job &job, const ss_cuda_sink &sink)
{
    bool spread = job.want->op != SAMESUM_NRM2;
    ss_sums &s = plan.pass[plan.passes].sums;
    (ss_row_sums &)s = {};
    s.terms = spread ? 2 : 1;
    s.leaf[0] = SS_LEAF_SUMSQ;
    s.leaf[1] = SS_LEAF_SUM;
    s.view[0] = plan.whole;
    s.view[0].map = spread ? SS_MAP_DEVIATE : SS_MAP_SCALE;
    s.view[1] = s.view[0];
    s.finish = !spread                       ? SS_FINISH_SCALED
               : job.want->op == SAMESUM_VAR ? SS_FINISH_VAR
                                             : SS_FINISH_STD;
    s.ddof = job.want->ddof;
    s.sink = sink;
    return add_pass(plan, job.type, job.want->level);
}

static samesum_status plan_sums(ss_plan &plan, const ss_job &job, const ss_rows &rows,
                                const size_t *offsets, const ss_cuda_sink &sink)
{
    const samesum_op op = job.want->op;
    bool spread = op == SAMESUM_VAR || op == SAMESUM_STD;
    ss_sums &s = plan.pass[plan.passes].sums;
    (ss_row_sums &)s = {};
    ss_plan_terms(s, job, job.type == SAMESUM_F32_WIDE ? SAMESUM_F32_WIDE : ss_real_type(job.type),
                  rows.rest, plan.rows, offsets);
    s.finish = op == SAMESUM_MEAN   ? (job.weighted ? SS_FINISH_QUOTIENT : SS_FINISH_MEAN)
               : op == SAMESUM_NRM2 ? SS_FINISH_NRM2
               : spread             ? SS_FINISH_CENTRE
                                    : SS_FINISH_SUM;
    s.sink = sink;
    plan.sums = true;
    samesum_status st = add_pass(plan, job.type, job.want->level);
    return st == SAMESUM_OK && (spread || op == SAMESUM_NRM2) ? add_second(plan, job, sink) : st;
}

static void plan_exact(ss_plan &plan, const ss_job &job, const ss_rows &rows, const size_t *offsets,
                       const ss_cuda_sink &sink)
{
    ss_plan_exact_job(plan.exact_job, job, rows.rest, plan.rows, offsets);
    plan.exact_job.sink = sink;
    plan.exact = true;
}

void ss_plan_exact_job(ss_cuda_exact_job &e, const ss_job &job, const ss_layout &rest,
                       uint64_t rows, const size_t *offsets)
{
    ss_sums_of of;
    const samesum_op op = job.want->op;
    ss_cuda_job_sums(&job, ss_real_type(job.type) == SAMESUM_F64 ? SAMESUM_F64 : SAMESUM_F32, &of);
    e.kind = op == SAMESUM_VAR || op == SAMESUM_STD ? SS_EXACT_SPREAD
             : job.weighted && op == SAMESUM_MEAN   ? SS_EXACT_QUOTIENT
             : of.terms == 2                        ? SS_EXACT_PARTS
                                                    : SS_EXACT_ONE;
    e.sums = e.kind == SS_EXACT_ONE ? 1 : 2;
    for (int i = 0; i < e.sums; i++) {
        e.view[i] = ss_plan_view(of.view[i < of.terms ? i : 0], rest, rows, offsets);
        e.term[i] = i < of.terms ? of.op[i] : SAMESUM_SUMSQ; /* var, std: the squares as well */
    }
    e.op = op;
    e.ddof = job.want->ddof;
}

samesum_status ss_plan_make(ss_plan &plan, const ss_job &job, const ss_rows &rows,
                            const size_t *offsets, const ss_cuda_sink &sink, samesum_counts *counts)
{
    const samesum_op op = job.want->op;
    plan.op = op;
    plan.sums = plan.exact = plan.extremes = false;
    plan.passes = 0;
    plan.rows = rows.results;
    plan.counts = counts;
    plan.whole = ss_plan_view(job.row, rows.rest, plan.rows, offsets);
    if (op >= SAMESUM_MIN) {
        plan.extremes = true;
        plan.extremes_job.view = plan.whole;
        plan.extremes_job.op = op;
        plan.extremes_job.nan = job.want->nan;
        plan.extremes_job.sink = sink;
    } else if (job.want->level == SAMESUM_EXACT) {
        plan_exact(plan, job, rows, offsets, sink);
    } else {
        return plan_sums(plan, job, rows, offsets, sink);
    }
    return SAMESUM_OK;
}

/* ---- the workspace ----------------------------------------------------------------------------
 */

/* Nodes of parts. */
static uint64_t parts_of(const ss_row_sums &s)
{
    return s.parts > 1 ? s.parts * s.rows * s.terms : 0;
}

/* Nodes in the workspace: of chunks, or of parts; 0 where none are merged. */
static uint64_t nodes_of(const ss_pass &p)
{
    const ss_sums &s = p.sums;
    if (merges_apart(p.way))
        return parts_of(s);
    if (s.view[0].offsets)
        return s.tasks;
    return p.way != SS_WAY_SHORT && s.chunks > 1 ? s.chunks * s.rows * s.terms : 0;
}

/* Whether a row's two sums are made apart. */
static bool terms_meet(const ss_pass &p)
{
    return p.sums.terms == 2 && (!p.launch.all_terms || p.sums.parts > 1);
}

/* What has to be zero at first. */
static void place_zeroed(ss_pass &p, ss_space &at)
{
    ss_sums &s = p.sums;
    if (nodes_of(p) > 0 && !merges_apart(p.way)) /* those kernels clear them themselves */
        s.ticket = (unsigned *)at.take(2 * nodes_of(p) * sizeof *s.ticket);
    if (terms_meet(p))
        s.row_ticket = (unsigned *)at.take(s.view[0].rows * sizeof *s.row_ticket);
    if (ss_cuda_masked(s.view[0]))
        s.present = (unsigned long long *)at.take(s.view[0].rows * sizeof *s.present);
}

/* Room for nodes that another kernel merges, or the warp that comes last. */
static void place_nodes(const ss_launching &l, ss_row_sums &s, uint64_t nodes, ss_space &at)
{
    if (merges_apart(l.way) && s.parts > SS_MERGE_MOST)
        s.ticket = (unsigned *)at.take(s.rows * s.terms * sizeof *s.ticket);
    if (nodes > 0)
        s.node = at.take(2 * SS_LANES * sizeof(double) * nodes);
}

static void place_rest(ss_pass &p, ss_space &at)
{
    ss_sums &s = p.sums;
    place_nodes(p, s, nodes_of(p), at);
    if (terms_meet(p))
        s.sum = (double *)at.take(2 * s.view[0].rows * sizeof *s.sum);
}

void ss_plan_place(ss_plan &plan, char *workspace)
{
    ss_space at = {workspace, 0};
    for (int i = 0; i < plan.passes; i++)
        place_zeroed(plan.pass[i], at);
    plan.zeroed = at.used;
    for (int i = 0; i < plan.passes; i++)
        place_rest(plan.pass[i], at);
    if (plan.passes == 2) {
        double *parameter = (double *)at.take(plan.rows * sizeof *parameter);
        int *wanted = (int *)at.take(plan.rows * sizeof *wanted);
        for (int i = 0; i < 2; i++) {
            plan.pass[i].sums.parameter = parameter;
            plan.pass[i].sums.wanted = plan.op == SAMESUM_NRM2 ? wanted : NULL;
            for (int t = 0; t < plan.pass[1].sums.terms; t++)
                plan.pass[1].sums.view[t].parameter = parameter;
        }
    }
    plan.other = at.take(plan.exact                ? ss_cuda_exact_workspace(plan.exact_job)
                         : plan.extremes           ? ss_cuda_extremes_workspace(plan.extremes_job)
                         : plan.op == SAMESUM_NRM2 ? ss_cuda_largest_workspace(plan.whole)
                                                   : 0);
    plan.counting = at.take(plan.counts ? ss_cuda_counts_workspace(plan.whole) : 0);
    plan.bytes = at.used > 0 ? at.used : 256;
}

/* ---- launches ---------------------------------------------------------------------------------
 */

/* s: begins what the kernel's parameter is. */
static cudaError_t launch_pass(const ss_launching &l, const ss_row_sums &s, cudaStream_t stream)
{
    void *arguments[] = {(void *)&s};
    const ss_launchable &k = l.launch;
    for (int again = 0;; again++) {
        cudaError_t e = is_even(l.way) ? ss_launch_overlapped(l.overlaps, k.kernel, l.blocks,
                                                              k.threads, arguments, stream)
                                       : cudaLaunchKernel(k.kernel, dim3(l.blocks), dim3(k.threads),
                                                          arguments, (size_t)k.shared, stream);
        if (e == cudaSuccess && merges_apart(l.way) && s.parts > 1 && !l.stays)
            e = ss_merge_launch(s, l.wide, l.level, l.overlaps, stream);
        if (e != cudaErrorInvalidValue || again > 0)
            return e;
        cudaGetLastError(); /* the device was reset since it was last asked (resident_blocks()) */
        e = allow_shared(k);
        if (e != cudaSuccess)
            return e;
    }
}

cudaError_t ss_plan_parts_launch(const ss_pass &p, cudaStream_t stream)
{
    return launch_pass(p, p.sums, stream);
}

static cudaError_t launch_sums(const ss_plan &plan, void *workspace, cudaStream_t stream)
{
    cudaError_t e = cudaSuccess;
    if (plan.zeroed > 0)
        e = cudaMemsetAsync(workspace, 0, plan.zeroed, stream);
    for (int i = 0; e == cudaSuccess && i < plan.passes; i++) {
        if (i == 1 && plan.op == SAMESUM_NRM2)
            e = ss_cuda_largest_launch(plan.whole, plan.pass[0].sums.wanted,
                                       plan.pass[0].sums.parameter, plan.other, stream);
        if (e == cudaSuccess)
            e = launch_pass(plan.pass[i], plan.pass[i].sums, stream);
    }
    return e;
}

cudaError_t ss_plan_launch(const ss_plan &plan, void *workspace, cudaStream_t stream)
{
    if (plan.rows == 0)
        return cudaSuccess;
    cudaError_t e = plan.sums    ? launch_sums(plan, workspace, stream)
                    : plan.exact ? ss_cuda_exact_launch(plan.exact_job, plan.other, stream)
                                 : ss_cuda_extremes_launch(plan.extremes_job, plan.other, stream);
    if (e == cudaSuccess && plan.counts)
        e = ss_cuda_counts_launch(plan.whole, plan.counts, plan.counting, stream);
    return e;
}

/* ---- one flat row ------------------------------------------------------------------------------
 */

/* flat.launch is chosen. */
static samesum_status cut_flat(ss_flat &flat, int device)
{
    uint64_t most;
    samesum_status st = ask_device(flat, device, &most);
    if (st == SAMESUM_OK)
        cut_even(flat.sums, flat, most * flat.launch.warps);
    return st;
}

samesum_status ss_flat_make(ss_flat &flat, const samesum_data &data, const samesum_want &want,
                            const ss_cuda_sink &sink, int device, char *workspace)
{
    ss_row_sums &s = flat.sums;
    s = {};
    s.x = (const char *)data.x;
    s.y = (const char *)data.y;
    s.rows = s.per = s.terms = 1;
    s.numbers = data.n;
    s.leaf[0] = leaf_of(want.op);
    s.finish = want.op == SAMESUM_MEAN ? SS_FINISH_MEAN : SS_FINISH_SUM;
    s.sink = sink;
    s.even = sums_are_results(s);
    const tables of = tables_of(data.type);
    const int kind = kind_of(s.leaf[0]);
    flat.wide = ss_is_wide(data.type);
    flat.level = want.level;
    flat.way = SS_WAY_EVEN;
    flat.launch = of.plain(flat.way, kind, flat.level);
    samesum_status st = cut_flat(flat, device);
    if (st == SAMESUM_OK && are_tiles(s, flat.launch)) {
        flat.way = SS_WAY_TILE;
        flat.launch = of.plain(flat.way, kind, flat.level);
        st = cut_flat(flat, device);
    }
    ss_space at = {workspace, 0};
    place_nodes(flat, s, merges_apart(flat.way) ? parts_of(s) : 0, at);
    flat.bytes = at.used > 0 ? at.used : 256;
    return st;
}

cudaError_t ss_flat_launch(const ss_flat &flat, cudaStream_t stream)
{
    return launch_pass(flat, flat.sums, stream);
}
