/* From a checked job to launches: which kernels, in which order, with which parts of the workspace.
 */
#ifndef SS_CUDA_PASSES_H
#define SS_CUDA_PASSES_H

#include "cuda/counts.h"
#include "cuda/exact.h"
#include "cuda/extremes.h"
#include "cuda/kernels.h"
#include "exact/accumulator_code.h"
#include "exact/finish_code.h"
#include "exact/natural_code.h"

#include "cuda/job.h"

/* Hands out parts of a workspace, aligned as it is, to 256; base NULL: only counts. */
struct ss_space {
    char *base;
    size_t used;
    void *take(size_t bytes)
    {
        void *at = base ? base + used : NULL;
        used += (bytes + 255) / 256 * 256;
        return at;
    }
};

/* How a pass of sums is launched. */
struct ss_launching {
    ss_launchable launch;
    int way;
    bool wide; /* the accumulator is binary64 */
    int level;
    unsigned blocks;
    bool overlaps;      /* launches can, on this device */
    bool stays = false; /* parts' nodes are left in the workspace, not merged */
};

struct ss_pass : ss_launching {
    ss_sums sums;
};

enum { SS_PASSES = 2 };

/* What one call launches. All pointers into the workspace are set by ss_plan_place(). */
struct ss_plan {
    uint64_t rows;
    samesum_op op;
    bool sums, exact, extremes; /* which of these below hold */
    int passes;
    ss_pass pass[SS_PASSES];
    ss_cuda_exact_job exact_job;
    ss_cuda_extremes_job extremes_job;
    samesum_counts *counts;
    ss_cuda_view whole; /* the elements as they are: for counts, and for nrm2's largest */
    /* the workspace */
    size_t zeroed, bytes; /* the first `zeroed` bytes have to be zero */
    void *other, *counting;
};

/* For tests: blocks of the kernels of sums, and log2 of the tree rows of a chunk; 0: by default. */
struct ss_cuda_tuning {
    int blocks, chunk_log;
};
extern "C" void ss_cuda_tune(const struct ss_cuda_tuning *tuning);

/* One pass over an only row whose numbers lie side by side and are all there: what most calls are,
 * planned without views, since a call on an idle stream takes as long as its planning. */
struct ss_flat : ss_launching {
    ss_row_sums sums;
    size_t bytes; /* of the workspace */
};
/* want: checked, one of one sum below level exact; data: of real elements, at least one; device:
 * the current one. The plan is that of ss_plan_make(), and so is its place in the workspace. */
samesum_status ss_flat_make(ss_flat &flat, const samesum_data &data, const samesum_want &want,
                            const ss_cuda_sink &sink, int device, char *workspace);
cudaError_t ss_flat_launch(const ss_flat &flat, cudaStream_t stream);

/* The view of the job's elements, row by row. offsets: of segments, or NULL. */
ss_cuda_view ss_plan_view(const ss_view &row, const ss_layout &rest, uint64_t rows,
                          const size_t *offsets);

/* job: checked; its row is whole. Errors: SAMESUM_ERR_CUDA, _UNAVAILABLE. */
samesum_status ss_plan_make(ss_plan &plan, const ss_job &job, const ss_rows &rows,
                            const size_t *offsets, const ss_cuda_sink &sink,
                            samesum_counts *counts);
/* Puts the plan's parts into the workspace. */
void ss_plan_place(ss_plan &plan, char *workspace);
cudaError_t ss_plan_launch(const ss_plan &plan, void *workspace, cudaStream_t stream);

/* The same for level exact; without its sink. */
void ss_plan_exact_job(ss_cuda_exact_job &exact, const ss_job &job, const ss_layout &rest,
                       uint64_t rows, const size_t *offsets);

/* The sums that a job is made of, as the views and leaves of one pass; not yet cut into chunks. */
void ss_plan_terms(ss_sums &sums, const ss_job &job, samesum_type number, const ss_layout &rest,
                   uint64_t rows, const size_t *offsets);

/* Parts of rows whose nodes stay in the workspace, where p.sums.node says: that of row r, term t
 * and part i at node (r terms + t) parts + i. First the size of parts that suits the sums, whose
 * views hold whole rows of the tree: log2 of the tree rows; -1 where no kernel leaves such nodes.
 */
samesum_status ss_plan_parts_find(ss_pass &p, samesum_type type, int level, int *part_log);
/* Then, once the views hold whole parts of that size, at least two. */
samesum_status ss_plan_parts_cut(ss_pass &p, int part_log);
cudaError_t ss_plan_parts_launch(const ss_pass &p, cudaStream_t stream);

#endif
