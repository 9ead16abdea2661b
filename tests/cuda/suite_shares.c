/* suite_shares.c - reductions that lie on several devices, here one after the other on one, and the
 * states that are finished on the device: bits of the whole (reference/SPEC.md section 7). */
#include "cuda/device_state.h"
#include "cuda/share.h"
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "grids.h"
#include "shares.h"
#include "support.h"
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every operation, type and level, of any shape, split anywhere. */
START_TEST(any_shares)
{
    for (size_t round = 0; round < by_depth(0, 60, 1500); round++) {
        struct cell cell = random_cell(false);
        size_t shape[SAMESUM_MAX_DIMS];
        int axes[SAMESUM_MAX_DIMS];
        int dims = random_shape(shape, random_below(3) ? 3000 : 90000);
        if (dims == 0) {
            continue;
        }
        int axis_count = random_axes(dims, axes);
        struct grid grid;
        grid_make(&grid, cell.type, dims, shape);
        grid_operands(&grid, &cell, (enum layout)random_below(LAYOUTS),
                      (enum style)random_below(STYLES));
        if (random_below(2)) {
            random_absence(&grid);
        }
        ss_share_tune(random_below(3) ? 0 : 1 + random_below(40));
        shares_as_cpu(&cell, &grid.array, axes, axis_count, 1 + (int)random_below(8), "any shares");
        ss_share_tune(0);
        grid_free(&grid);
    }
    all_were_same();
}
END_TEST

/* All cells, of vectors of several parts. */
START_TEST(vectors)
{
    static const size_t lengths[] = {1, 40, 9000, 140001, 600001};
    struct cell cell;
    for (int i = -1; next_cell(&i, &cell);) {
        for (size_t l = (size_t)i % by_depth(9, 9, 2); l < 5; l += by_depth(5, 5, 2)) {
            struct grid grid;
            grid_make(&grid, cell.type, 1, &lengths[l]);
            grid_operands(&grid, &cell, LAYOUT_PLAIN, (enum style)random_below(STYLES));
            if (random_below(3) == 0) {
                grid_mask(&grid, random_below(2) ? SAMESUM_MASK_BYTES : SAMESUM_MASK_BITS,
                          LAYOUT_PLAIN, 9);
            }
            shares_as_cpu(&cell, &grid.array, NULL, 0, 1 + (int)random_below(8), "vector");
            grid_free(&grid);
        }
    }
    all_were_same();
}
END_TEST

/* Series that lie side by side: the first axis of a C array. */
START_TEST(series)
{
    static const samesum_op ops[] = {SAMESUM_SUM,  SAMESUM_SUMSQ, SAMESUM_MEAN,  SAMESUM_VAR,
                                     SAMESUM_NRM2, SAMESUM_MAX,   SAMESUM_ARGMIN};
    static const size_t widths[] = {1, 37, 64, 300};
    const int first = 0;
    for (size_t o = 0; o < 7; o++) {
        for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
            for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
                size_t turn = o + (size_t)(type + level);
                if (turn % by_depth(100, 9, 1) != 0) {
                    continue;
                }
                struct cell cell = cell_of(ops[o], (samesum_type)type, (samesum_level)level);
                size_t shape[2] = {1 + random_below(3000), widths[turn % 4]};
                struct grid grid;
                grid_make(&grid, cell.type, 2, shape);
                grid_operands(&grid, &cell, LAYOUT_PLAIN, STYLE_CANCEL);
                if (random_below(3) == 0) {
                    grid_mask(&grid, SAMESUM_MASK_BYTES, LAYOUT_PLAIN, 12);
                }
                shares_as_cpu(&cell, &grid.array, &first, 1, 1 + (int)random_below(8), "series");
                grid_free(&grid);
            }
        }
    }
    all_were_same();
}
END_TEST

/* More ranks than a block has half-warps, and than its shared memory takes. */
START_TEST(many_ranks)
{
    static const int ranks[] = {33, 70, 300, 1500};
    for (size_t r = 0; r < by_depth(0, 0, 4); r++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            struct cell cell =
                cell_of(SAMESUM_SUM, r % 2 ? SAMESUM_C128 : SAMESUM_F32, (samesum_level)level);
            size_t n = 20000 + random_below(9000);
            struct grid grid;
            grid_make(&grid, cell.type, 1, &n);
            grid_operands(&grid, &cell, LAYOUT_PLAIN, STYLE_CANCEL);
            shares_as_cpu(&cell, &grid.array, NULL, 0, ranks[r], "many ranks");
            grid_free(&grid);
        }
    }
    all_were_same();
}
END_TEST

/* Whatever the parts of the device are, and its blocks. */
START_TEST(tuned)
{
    for (size_t round = 0; round < by_depth(0, 6, 60); round++) {
        const struct ss_cuda_tuning tuning = {.blocks = (int)random_below(9),
                                              .chunk_log = (int)random_below(14)};
        struct cell cell = random_cell(false);
        size_t n = 1 + random_below(700000);
        struct grid grid;
        grid_make(&grid, cell.type, 1, &n);
        grid_operands(&grid, &cell, LAYOUT_PLAIN, STYLE_CANCEL);
        ss_cuda_tune(&tuning);
        shares_as_cpu(&cell, &grid.array, NULL, 0, 1 + (int)random_below(4), "tuned");
        ss_cuda_tune(&(struct ss_cuda_tuning){0});
        grid_free(&grid);
    }
    all_were_same();
}
END_TEST

/* Hundreds of megabytes, that begin at odd places: a pattern again and again. */
START_TEST(large)
{
    enum { PATTERN = 1 << 20 };
    static const struct {
        samesum_op op;
        samesum_type type;
        samesum_level level;
    } of[] = {{SAMESUM_SUM, SAMESUM_F32, SAMESUM_COMPENSATED},
              {SAMESUM_SUM, SAMESUM_F64, SAMESUM_TREE},
              {SAMESUM_VAR, SAMESUM_F32, SAMESUM_KAHAN},
              {SAMESUM_DOT, SAMESUM_F32, SAMESUM_COMPENSATED},
              {SAMESUM_NRM2, SAMESUM_BF16, SAMESUM_COMPENSATED},
              {SAMESUM_ARGMAX, SAMESUM_F32, SAMESUM_TREE},
              {SAMESUM_MEAN, SAMESUM_F64, SAMESUM_EXACT}};
    size_t n = ((size_t)3 << by_depth(0, 20, 26)) + 4711;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct cell cell = cell_of(of[i].op, of[i].type, of[i].level);
        size_t bytes = element_bytes(cell.type);
        char *x = malloc((n + PATTERN) * bytes);
        ck_assert_ptr_nonnull(x);
        fill_elements(cell.type, STYLE_CANCEL, PATTERN, x);
        for (size_t done = PATTERN; done < n; done += PATTERN) {
            memcpy(x + done * bytes, x, PATTERN * bytes);
        }
        fill_elements(cell.type, STYLE_WIDE, 1000, x + (n - 1000) * bytes);
        samesum_array host = {.x = x, .type = cell.type, .dims = 1, .shape = &n};
        host.y = cell_pairs(&cell) ? x : NULL;
        shares_as_cpu(&cell, &host, NULL, 0, 2 + (int)(i % 3), "large");
        free(x);
    }
    all_were_same();
}
END_TEST

/* ---- states ---- */

START_TEST(finished_states)
{
    struct cell cell;
    for (int i = -1; next_cell(&i, &cell);) {
        if (cell_has_states(&cell)) {
            for (size_t round = 0; round < (depth == DEPTH_FULL ? 3 : (size_t)(i % 7 == 0));
                 round++) {
                states_as_cpu(&cell, random_below(round % 2 ? 300000 : 9000));
            }
        }
    }
    all_were_same();
}
END_TEST

/* States of which one is none, is of something else, does not end where the next one begins, or was
 * damaged, give NaN. */
START_TEST(states_that_do_not_fit)
{
    static const samesum_op ops[] = {SAMESUM_SUM, SAMESUM_MIN};
    static double x[5000];
    size_t n = 5000, bytes = 0;
    samesum_array host = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &n};
    for (int o = 0; o < 2; o++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            samesum_want want = {.op = ops[o], .level = (samesum_level)level};
            for (int wrong = 0; wrong < 4; wrong++) {
                double result = 0;
                ck_assert_int_eq(samesum_cuda_state_bytes(&want, SAMESUM_F64, &bytes), SAMESUM_OK);
                samesum_array device = array_on_device(&host);
                char *states = states_of(&device, &want, 0, bytes, bytes);
                ss_cuda_state *at = malloc(bytes);
                ck_assert_ptr_nonnull(at);
                device_get(at, states + 2 * bytes, bytes);
                at->magic += wrong == 0;
                at->want.op = wrong == 1 ? SAMESUM_ASUM : at->want.op;
                at->end += wrong >= 2;
                at->again += wrong == 2; /* as ss_cuda_range_again() says */
                CUDA(cudaMemcpy(states + 2 * bytes, at, bytes, cudaMemcpyHostToDevice));
                finish_states(&want, SAMESUM_F64, states, bytes, (char *)&result, sizeof result);
                bool fits = wrong == 2 && level == SAMESUM_EXACT;
                ck_assert(fits ? result == 0 : bits_of_double(result) == nan_bits(SAMESUM_F64));
                free(at);
                scratch_end();
            }
        }
    }
}
END_TEST

START_TEST(refusals)
{
    samesum_want want = {.op = SAMESUM_SUM};
    size_t bytes = 0, state_bytes = 0, few = 16;
    samesum_cuda_out out = {.results = scratch(64)};
    char *states = scratch(1 << 17), *room = scratch(1 << 16);
    ck_assert_int_eq(samesum_cuda_state_bytes(&want, SAMESUM_F64, &state_bytes), SAMESUM_OK);
#define FINISH(states, count, stride, want, out, room, bytes)                                      \
    samesum_cuda_state_finish(states, count, stride, want, SAMESUM_F64, out, room, bytes, NULL)
    ck_assert_int_eq(FINISH(states, 1, 0, NULL, &out, NULL, &bytes), SAMESUM_ERR_NULL);
    ck_assert_int_eq(FINISH(states, 1, 0, &want, NULL, NULL, &bytes), SAMESUM_ERR_NULL);
    ck_assert_int_eq(FINISH(states, 1, 0, &want, &out, NULL, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(FINISH(states, 0, 0, &want, &out, NULL, &bytes), SAMESUM_ERR_RANGE);
    ck_assert_int_eq(FINISH(states, 2, 64, &want, &out, NULL, &bytes), SAMESUM_ERR_SIZE);
    ck_assert_int_eq(FINISH(states, 1, 0, &want, &out, NULL, &bytes), SAMESUM_OK);
    ck_assert_int_eq(FINISH(states, 1, 0, &want, &out, room, &few), SAMESUM_ERR_SIZE);
    ck_assert_int_eq(FINISH(NULL, 1, 0, &want, &out, room, &bytes), SAMESUM_ERR_NULL);
    ck_assert_int_eq(FINISH(states + 4, 1, 0, &want, &out, room, &bytes), SAMESUM_ERR_POINTER);
    ck_assert_int_eq(FINISH(states, 1, 0, &want, &out, room + 8, &bytes), SAMESUM_ERR_POINTER);
    bytes = 1 << 16;
    ck_assert_int_eq(FINISH(states, 2, state_bytes + 8, &want, &out, room, &bytes),
                     SAMESUM_ERR_POINTER);
    want.op = SAMESUM_ARGMIN;
    ck_assert_int_eq(FINISH(states, 1, 0, &want, &out, NULL, &bytes), SAMESUM_ERR_OP);
#undef FINISH
    scratch_end();
}
END_TEST

Suite *suite_cuda_shares(void)
{
    TCase *tests;
    Suite *suite = new_suite("shares", &tests);
    tcase_add_test(tests, vectors);
    tcase_add_test(tests, any_shares);
    tcase_add_test(tests, series);
    tcase_add_test(tests, many_ranks);
    tcase_add_test(tests, tuned);
    tcase_add_test(tests, large);
    tcase_add_test(tests, finished_states);
    tcase_add_test(tests, states_that_do_not_fit);
    tcase_add_test(tests, refusals);
    return suite;
}
