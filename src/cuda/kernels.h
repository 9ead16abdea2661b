/* The kernels of sums, by what they read; those of one type are compiled in a file of their own. */
#ifndef SS_CUDA_KERNELS_H
#define SS_CUDA_KERNELS_H

#include "cuda/sums.cuh"

/* A kernel, and how it is launched: in blocks of so many threads with so many bytes of shared
 * memory, `warps` tasks at a time each. */
struct ss_launchable {
    const void *kernel; /* of one parameter: ss_sums, or ss_row_sums, with which that begins */
    int threads, shared, warps;
    int least_log, depth;   /* a chunk has 2^least_log to 2^(least_log + depth) tree rows */
    int rows;               /* of a task */
    bool all_terms = false; /* a task has all terms of its rows */
    int groups_log = 0;     /* rows that a warp can take side by side, log2; 2^groups_log smaller */
};

/* How rows lie: their numbers side by side in memory, each row's numbers one after the other (even:
 * at one distance; those of two tiles of tile.cuh at most; short ones without gaps); or each
 * series' numbers a stride apart, and the series side by side. The same for numbers that something
 * is done to (masked), where rows' numbers lie at any equal distances (wide: side by side, and
 * aligned for ss_masked_at_once() of them). */
enum ss_way {
    SS_WAY_DIRECT,
    SS_WAY_EVEN,
    SS_WAY_TILE,
    SS_WAY_SHORT,
    SS_WAY_COLUMNS,
    SS_WAYS, /* from here on: numbers that something is done to on their way */
    SS_WAY_MASKED = SS_WAYS,
    SS_WAY_WIDE_MASKED,
    SS_WAY_MASKED_COLUMNS,
    SS_WAY_PACKED /* anything */
};

/* Numbers that a thread loads at once: as many as 16 bytes hold, at most 4. */
constexpr int ss_at_once(int element_bytes)
{
    return element_bytes == 8 ? 2 : 4;
}

/* kind: ss_kind (columns: not of products); level: below exact. */
ss_launchable ss_kernel_f64(int way, int kind, int level);
ss_launchable ss_kernel_f32(int way, int kind, int level);
ss_launchable ss_kernel_f32_wide(int way, int kind, int level);
ss_launchable ss_kernel_f16(int way, int kind, int level);
ss_launchable ss_kernel_bf16(int way, int kind, int level);

/* What kernels of rows whose numbers lie at equal distances sum: x; (f x)^2 for a factor f; x y;
 * (x - c)^2 and x - c; x y and y. */
enum ss_mode {
    SS_MODE_SUM,
    SS_MODE_SQUARE,
    SS_MODE_PRODUCT,
    SS_MODE_SPREAD,
    SS_MODE_QUOTIENT,
    SS_MODES
};

/* Numbers that such a kernel loads at once where they can be: fewer where what becomes of them
 * needs the registers. */
constexpr int ss_masked_at_once(int element_bytes, int mode, int level)
{
    const bool two_pairs =
        level != SAMESUM_TREE && (mode == SS_MODE_SPREAD || mode == SS_MODE_QUOTIENT);
    return ss_at_once(element_bytes) / (two_pairs ? 2 : 1);
}
ss_launchable ss_masked_f64(int way, int mode, int level);
ss_launchable ss_masked_f32(int way, int mode, int level);
ss_launchable ss_masked_f32_wide(int way, int mode, int level);
ss_launchable ss_masked_f16(int way, int mode, int level);
ss_launchable ss_masked_bf16(int way, int mode, int level);

/* Any view. wide: the accumulator is binary64. */
ss_launchable ss_packed(bool wide, int level);

/* What merges the nodes of even rows of several parts; a row of more parts than a block merges
 * needs a ticket. */
enum { SS_MERGE_MOST = 1024 };
cudaError_t ss_merge_launch(const ss_row_sums &s, bool wide, int level, bool overlaps,
                            cudaStream_t stream);

/* Bytes of a short row at most, of all its streams; of the stage that holds several of them. */
enum { SS_SHORT_BYTES = 2048, SS_SHORT_STAGE = 4096 };

#endif
