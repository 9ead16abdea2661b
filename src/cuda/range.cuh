/* The states of a range of numbers of every row (SPEC.md, section 7): images of maximal nodes. The
 * parts that are aligned in the tree are read by the kernels of whole rows, what lies beside them
 * in small pieces, a warp each; then all nodes are merged from level to level. */
#ifndef SS_CUDA_RANGE_CUH
#define SS_CUDA_RANGE_CUH

#include "cuda/image.cuh"
#include "cuda/passes.h"

enum ss_run_of { SS_RUN_LEFT, SS_RUN_RIGHT, SS_RUN_PARTS, SS_RUNS };

struct ss_range_job {
    ss_sums sums; /* terms, leaves, views of the range; wanted */
    ss_numbers range;
    int least;           /* the pieces' level */
    ss_run run[SS_RUNS]; /* pieces before and behind the parts; parts, or pieces alone */
    bool parts_are_pieces;
    unsigned groups[SS_RUNS]; /* of each run, that blocks merge */
    /* workspace: nodes of 16 s and 16 e, of each line those of the run */
    char *node[SS_RUNS];
    char *group[2];
    size_t group_bytes[2]; /* of a line */
    unsigned *ticket;      /* of each line, or NULL */
    /* where it goes */
    char *image; /* of the first line */
    ss_image_form form;
    uint64_t *span; /* NULL, or begin and end, which follow: elements */
    uint64_t begin, end;
    unsigned long long *present; /* of each row */
};

struct ss_range_plan {
    ss_range_job job;
    ss_pass fast;
    bool has_fast, wide, overlaps;
    int level;
};

/* sums: of rows from view.first_row on, whose elements are [begin, begin + view.n) by absolute
 * index; parameter, wanted and present are those of the first of these rows. */
samesum_status ss_range_make(ss_range_plan &plan, const ss_sums &sums, samesum_type type, int level,
                             uint64_t begin);
/* The bytes of its workspace, aligned to 256; NULL: only counts. */
size_t ss_range_place(ss_range_plan &plan, char *workspace);
/* The images and what stands beside them are to be set. */
cudaError_t ss_range_launch(const ss_range_plan &plan, cudaStream_t stream);

#endif
