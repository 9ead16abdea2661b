/* suite_shapes.c - arrays of random shapes, strides, axes, masks and missing values, and segments:
 * each result is the reference's for the row gathered by plain index arithmetic, each count that of
 * a plain loop. */
#include "grids.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Says which data it is. */
static void describe(char *name, size_t room, const struct cell *cell, const struct grid *grid,
                     enum layout layout, enum style style, const int *axes, int axis_count)
{
    size_t used = (size_t)snprintf(name, room, "%s %s mask %d missing %d%s (", layout_name(layout),
                                   style_name(style), (int)grid->array.mask_kind,
                                   (int)grid->array.missing, cell->nan ? " ignore" : "");
    for (int d = 0; d < grid->array.dims && used + 24 < room; d++) {
        used += (size_t)snprintf(name + used, room - used, "%zu,", grid->shape[d]);
    }
    used += (size_t)snprintf(name + used, room - used, ") axes ");
    for (int i = 0; i < axis_count && used + 24 < room; i++) {
        used += (size_t)snprintf(name + used, room - used, "%d,", axes[i]);
    }
}

static void one_array(size_t most)
{
    struct grid grid;
    struct cell cell = random_cell(false);
    size_t shape[GRID_DIMS], results = 0, kept = 1;
    int axes[GRID_DIMS], dims = random_shape(shape, most), axis_count = random_axes(dims, axes);
    enum layout layout = random_below(2) ? LAYOUT_RANDOM : (enum layout)random_below(LAYOUTS);
    enum style style = (enum style)random_below(STYLES);
    char name[160];
    grid_make(&grid, cell.type, dims, shape);
    grid_operands(&grid, &cell, layout, style);
    random_absence(&grid);
    describe(name, sizeof name, &cell, &grid, layout, style, axes, axis_count);
    for (int d = 0; d < dims; d++) {
        bool reduced = axis_count == 0;
        for (int i = 0; i < axis_count; i++) {
            reduced = reduced || axes[i] == d || axes[i] + dims == d;
        }
        kept *= reduced ? 1 : shape[d];
    }
    const int *given = axis_count == 0 && random_below(2) ? NULL : axes;
    ck_assert_int_eq(samesum_array_results(&grid.array, given, axis_count, &results), SAMESUM_OK);
    ck_assert_uint_eq(results, kept);
    struct answer expected = expect_array(&cell, &grid.array, axes, axis_count);
    for (int b = 0; b < backend_count(); b++) {
        compare_array(&expected, &cell, &grid.array, given, axis_count, backend_at(b),
                      (int)random_below(4), name);
    }
    answer_free(&expected);
    grid_free(&grid);
}

START_TEST(random_arrays)
{
    for (size_t i = 0; i < by_depth(60, 1500, 12000); i++) {
        one_array(i % 16 == 0 ? 20000 : 800);
    }
    all_were_same();
}
END_TEST

/* As many axes as there may be: each of one or two elements, but some. */
START_TEST(many_axes)
{
    for (size_t i = 0; i < by_depth(3, 30, 200); i++) {
        struct grid grid;
        struct cell cell = random_cell(false);
        size_t shape[GRID_DIMS];
        int axes[GRID_DIMS], axis_count = 0;
        for (int d = 0; d < GRID_DIMS; d++) {
            shape[d] = d % 3 == (int)i % 3 ? 2 : 1;
        }
        axis_count = random_axes(GRID_DIMS, axes);
        grid_make(&grid, cell.type, GRID_DIMS, shape);
        grid_operands(&grid, &cell, LAYOUT_RANDOM, STYLE_NEAR);
        random_absence(&grid);
        struct answer expected = expect_array(&cell, &grid.array, axes, axis_count);
        compare_array(&expected, &cell, &grid.array, axes, axis_count, SAMESUM_BACKEND_AUTO, 2,
                      "32 axes");
        answer_free(&expected);
        grid_free(&grid);
    }
    all_were_same();
}
END_TEST

/* Zeros in the shape: no results, or results of nothing. */
START_TEST(nothing)
{
    static const size_t shapes[][3] = {{0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {0, 0, 5}, {0, 0, 0}};
    for (int c = 0; c < CELLS; c += kind_step()) {
        struct cell cell = cell_at(c);
        if (cell_refusal(&cell, NULL) != SAMESUM_OK) {
            continue;
        }
        for (int s = 0; s < 5; s++) {
            for (int axes_of = 0; axes_of < 8; axes_of++) {
                struct grid grid;
                int axes[3], axis_count = 0;
                for (int d = 0; d < 3; d++) {
                    axes[axis_count] = d;
                    axis_count += axes_of >> d & 1;
                }
                grid_make(&grid, cell.type, 3, shapes[s]);
                grid_operands(&grid, &cell, (enum layout)(s % LAYOUTS), STYLE_NEAR);
                struct answer expected = expect_array(&cell, &grid.array, axes, axis_count);
                compare_array(&expected, &cell, &grid.array, axes, axis_count, SAMESUM_BACKEND_AUTO,
                              s % 3, "zeros in the shape");
                answer_free(&expected);
                grid_free(&grid);
            }
        }
    }
    all_were_same();
}
END_TEST

/* Batches that several threads share: by rows, by columns, within one row. */
START_TEST(threads_share)
{
    static const struct {
        int dims;
        size_t shape[3];
        int axis_count, axes[3];
    } jobs[] = {
        {2, {2500, 97}, 1, {1}},       {2, {97, 2500}, 1, {0}},    {2, {3, 90001}, 1, {1}},
        {2, {90001, 3}, 1, {0}},       {3, {40, 70, 90}, 1, {1}},  {3, {40, 70, 90}, 2, {0, 2}},
        {3, {7, 200, 150}, 2, {2, 1}}, {2, {512, 512}, 2, {0, 1}}, {3, {300, 17, 50}, 1, {0}},
        {2, {4200, 65}, 1, {0}},       {1, {270001}, 0, {0}},
    };
    enum { JOBS = sizeof jobs / sizeof *jobs };
    int step = (int)by_depth(200, 29, 1);
    for (int c = 0; c < CELLS; c += step) {
        struct cell cell = cell_at(c);
        int j = (c / CELL_LEVELS + c % CELL_LEVELS * 3) % JOBS;
        struct grid grid;
        char name[160];
        if (cell_refusal(&cell, NULL) != SAMESUM_OK) {
            continue;
        }
        enum layout layout = random_below(2) ? LAYOUT_PLAIN : (enum layout)random_below(LAYOUTS);
        enum style style = (enum style)random_below(STYLES);
        grid_make(&grid, cell.type, jobs[j].dims, jobs[j].shape);
        grid_operands(&grid, &cell, layout, style);
        if (random_below(2)) {
            random_absence(&grid);
        }
        describe(name, sizeof name, &cell, &grid, layout, style, jobs[j].axes, jobs[j].axis_count);
        struct answer expected = expect_array(&cell, &grid.array, jobs[j].axes, jobs[j].axis_count);
        static const int threads[] = {1, 2, 3, 7, 16};
        for (int t = 0; t < 5; t++) {
            compare_array(&expected, &cell, &grid.array, jobs[j].axes, jobs[j].axis_count,
                          backend_at(t % backend_count()), threads[t], name);
        }
        answer_free(&expected);
        grid_free(&grid);
    }
    all_were_same();
}
END_TEST

/* Sums of columns of several segments, in one pass through memory or in pieces of it. */
START_TEST(long_columns)
{
    static const enum style styles[] = {STYLE_CANCEL, STYLE_NEAR, STYLE_WIDE};
    for (int c = 0; c < CELLS; c++) {
        struct cell cell = cell_at(c);
        bool sums = cell.op <= SAMESUM_SUMSQ || cell.op == SAMESUM_MEAN;
        if (cell_refusal(&cell, NULL) != SAMESUM_OK || c % (sums ? 1 : 17) != 0 ||
            c % (int)by_depth(40, 5, 1) != 0) {
            continue;
        }
        struct grid grid;
        size_t long_enough = by_depth(4100, 12288, 12288) + random_below(by_depth(99, 9000, 9000));
        size_t shape[3] = {1 + random_below(2), long_enough, 3 + random_below(60)};
        int axis = 1;
        grid_make(&grid, cell.type, 3, shape);
        grid_operands(&grid, &cell, random_below(2) ? LAYOUT_PLAIN : LAYOUT_PADDED,
                      styles[random_below(3)]);
        struct answer expected = expect_array(&cell, &grid.array, &axis, 1);
        for (int b = 0; b < backend_count(); b++) {
            for (int threads = 1; threads < 4; threads++) {
                compare_array(&expected, &cell, &grid.array, &axis, 1, backend_at(b), threads,
                              "long columns");
            }
        }
        answer_free(&expected);
        grid_free(&grid);
    }
    all_were_same();
}
END_TEST

/* Rows of random lengths, empty ones among them. Some arrays have elements before and behind. */
static void one_batch_of_segments(size_t most)
{
    enum { MOST = 80 };
    struct grid grid;
    struct cell cell = random_cell(false);
    size_t offsets[MOST + 1], segments = random_below(MOST), n = random_below(3) * random_below(9);
    char name[160];
    enum layout layout = (enum layout)random_below(LAYOUTS);
    enum style style = (enum style)random_below(STYLES);
    for (size_t i = 0; i <= segments; i++) {
        offsets[i] = n;
        n += random_below(3) == 0   ? 0
             : random_below(9) == 0 ? random_below(most)
                                    : random_below(40);
    }
    n = offsets[segments] + random_below(2) * random_below(50);
    grid_make(&grid, cell.type, 1, &n);
    grid_operands(&grid, &cell, layout, style);
    random_absence(&grid);
    describe(name, sizeof name, &cell, &grid, layout, style, NULL, 0);
    struct answer expected = expect_segments(&cell, &grid.array, offsets, segments);
    for (int b = 0; b < backend_count(); b++) {
        compare_segments(&expected, &cell, &grid.array, offsets, segments, backend_at(b),
                         (int)random_below(4), name);
    }
    answer_free(&expected);
    grid_free(&grid);
}

START_TEST(random_segments)
{
    for (size_t i = 0; i < by_depth(20, 500, 4000); i++) {
        one_batch_of_segments(i % 8 == 0 ? 9000 : 300);
    }
    all_were_same();
}
END_TEST

/* One long segment among thousands of short ones. */
START_TEST(uneven_segments)
{
    enum { SEGMENTS = 3000 };
    size_t *offsets = malloc((SEGMENTS + 1) * sizeof *offsets);
    ck_assert_ptr_nonnull(offsets);
    for (int c = 0; c < CELLS; c += (int)by_depth(97, 31, 5)) {
        struct cell cell = cell_at(c);
        struct grid grid;
        size_t n = 0;
        if (cell_refusal(&cell, NULL) != SAMESUM_OK) {
            continue;
        }
        for (size_t i = 0; i <= SEGMENTS; i++) {
            offsets[i] = n;
            n += i == 7 + (size_t)c ? by_depth(0, 20000, 200000) : i % 23;
        }
        n = offsets[SEGMENTS];
        grid_make(&grid, cell.type, 1, &n);
        grid_operands(&grid, &cell, c % 2 ? LAYOUT_PLAIN : LAYOUT_GAPS, STYLE_CANCEL);
        struct answer expected = expect_segments(&cell, &grid.array, offsets, SEGMENTS);
        for (int threads = 1; threads < 6; threads += 2) {
            compare_segments(&expected, &cell, &grid.array, offsets, SEGMENTS, SAMESUM_BACKEND_AUTO,
                             threads, "uneven segments");
        }
        answer_free(&expected);
        grid_free(&grid);
    }
    free(offsets);
    all_were_same();
}
END_TEST

/* The batch never matters: each row alone gives what it gives among others. */
START_TEST(batches_of_one)
{
    for (size_t i = 0; i < by_depth(5, 60, 600); i++) {
        enum { ROWS = 9 };
        struct grid grid;
        struct cell cell = random_cell(false);
        size_t shape[2] = {ROWS, 1 + random_below(5000)}, bytes = result_bytes(&cell);
        char all[ROWS * 16], one[16];
        int axis = 1;
        grid_make(&grid, cell.type, 2, shape);
        grid_operands(&grid, &cell, LAYOUT_GAPS, (enum style)random_below(STYLES));
        samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 1 + (int)random_below(3));
        samesum_status status = samesum_reduce_array(&grid.array, &axis, 1, &want, all, NULL, NULL);
        for (ptrdiff_t r = 0; r < ROWS; r++) {
            samesum_array a = grid.array;
            a.dims = 1;
            a.shape = &shape[1];
            a.x = (const char *)a.x + r * grid.strides[OPERAND_X][0];
            a.strides = &grid.strides[OPERAND_X][1];
            if (a.y != NULL) {
                a.y = (const char *)a.y +
                      (a.y_strides ? r * a.y_strides[0]
                                   : r * (ptrdiff_t)(shape[1] * element_bytes(cell.type)));
                a.y_strides = a.y_strides ? a.y_strides + 1 : NULL;
            }
            if (a.weights != NULL) {
                a.weights =
                    (const char *)a.weights +
                    (a.weights_strides ? r * a.weights_strides[0]
                                       : r * (ptrdiff_t)(shape[1] * element_bytes(cell.type)));
                a.weights_strides = a.weights_strides ? a.weights_strides + 1 : NULL;
            }
            ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, one, NULL, NULL), status);
            compare_values(&cell, all + (size_t)r * bytes, one, bytes, shape[1],
                           SAMESUM_BACKEND_AUTO, want.threads, "a row alone");
        }
        grid_free(&grid);
    }
    all_were_same();
}
END_TEST

/* Rows of just as many elements as a kernel's node has, and of some more: many rows are shared out
 * to the threads whole, few are cut. */
START_TEST(rows_of_whole_nodes)
{
    static const size_t lengths[] = {4096, 8192, 65536, 12288, 4112};
    enum { ROWS = 9 };
    for (size_t i = 0; i < by_depth(2, 5, 5); i++) {
        size_t shape[] = {ROWS, lengths[i]};
        for (int k = 0; k < ALL_KINDS; k += kind_step()) {
            struct what what = kind(k);
            size_t bytes = samesum_result_size(what.type);
            unsigned char results[ROWS * sizeof(double)];
            const void *x = data_x(RECIPE_CANCEL, what.type, ROWS * lengths[i]);
            const void *y = data_y(RECIPE_CANCEL, what.type, ROWS * lengths[i]);
            samesum_array array = {.x = x, .y = y, .type = what.type, .dims = 2, .shape = shape};
            uint64_t expected[ROWS];
            what.n = lengths[i];
            what.data = "rows of whole nodes";
            for (size_t row = 0; row < ROWS; row++) {
                expected[row] = reference(&what, element(what.type, x, row * what.n),
                                          element(what.type, y, row * what.n));
            }
            for (int b = 0; b < backend_count(); b++) {
                what.backend = backend_at(b);
                for (what.threads = 1; what.threads <= 3; what.threads += 2) {
                    samesum_want want = {.op = what.op,
                                         .level = what.level,
                                         .threads = what.threads,
                                         .backend = what.backend,
                                         .ddof = what.ddof};
                    const int last = -1;
                    ck_assert_int_eq(
                        samesum_reduce_array(&array, &last, 1, &want, results, NULL, NULL),
                        SAMESUM_OK);
                    for (size_t row = 0; row < ROWS; row++) {
                        same(&what, bits_of(what.type, results + row * bytes), expected[row]);
                    }
                }
            }
        }
    }
    all_were_same();
}
END_TEST

Suite *suite_shapes(void)
{
    TCase *tests;
    Suite *suite = new_suite("shapes", &tests);
    tcase_add_test(tests, random_arrays);
    tcase_add_test(tests, many_axes);
    tcase_add_test(tests, nothing);
    tcase_add_test(tests, threads_share);
    tcase_add_test(tests, long_columns);
    tcase_add_test(tests, random_segments);
    tcase_add_test(tests, uneven_segments);
    tcase_add_test(tests, batches_of_one);
    tcase_add_test(tests, rows_of_whole_nodes);
    return suite;
}
