/* suite_fields.c - arrays of any shape, layout and absence, along any axes, several in an exchange,
 * cut anywhere; and rows that are many. */
#include "cuda/device.h"
#include "grids.h"
#include "nccl_suites.h"
#include "over.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* A random array and what the CPU's one call gives for it. */
struct example {
    struct grid grid;
    struct cell cell;
    int axes[SAMESUM_MAX_DIMS], axis_count;
    struct answer expected;
};

static void example_make(struct example *e, size_t most)
{
    size_t shape[SAMESUM_MAX_DIMS];
    int dims;
    do {
        dims = random_shape(shape, most);
    } while (dims == 0);
    e->cell = random_cell(false);
    e->axis_count = random_axes(dims, e->axes);
    grid_make(&e->grid, e->cell.type, dims, shape);
    grid_operands(&e->grid, &e->cell, (enum layout)random_below(LAYOUTS),
                  (enum style)random_below(STYLES));
    random_absence(&e->grid);
    e->expected = cpu_answer(&e->cell, &e->grid.array, e->axes, e->axis_count);
}

static void example_free(struct example *e)
{
    answer_free(&e->expected);
    grid_free(&e->grid);
}

START_TEST(any_arrays)
{
    static struct example e[MOST_FIELDS];
    const size_t times = by_depth(20, 60, 800);
    for (size_t i = 0; i < times; i++) {
        const size_t fields = 1 + (random_below(3) ? 0 : random_below(MOST_FIELDS));
        for (size_t k = 0; k < fields; k++) {
            example_make(&e[k], random_below(8) ? 3000 : 60000);
            over_field(&e[k].expected, &e[k].cell, &e[k].grid.array, e[k].axes, e[k].axis_count,
                       "any arrays");
        }
        over_run();
        for (size_t k = 0; k < fields; k++)
            example_free(&e[k]);
    }
    all_were_same();
}
END_TEST

/* Series side by side, more than go in one round, and rows that are not reduced along the slowest
 * axis. */
START_TEST(many_results)
{
    static const samesum_op ops[] = {SAMESUM_SUM, SAMESUM_STD, SAMESUM_NRM2, SAMESUM_ARGMAX};
    static const size_t shapes[][3] = {{37, 2500, 1}, {3000, 11, 5}, {6, 130, 700}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int level = SAMESUM_TREE; level <= (int)last_level; level++)
            for (size_t o = 0; o < by_depth(1, 2, 4); o++)
                for (int axis = 0; axis < 3; axis++) {
                    struct grid grid;
                    const struct cell cell = cell_of(ops[o], axis == 1 ? SAMESUM_F64 : SAMESUM_F32,
                                                     (samesum_level)level);
                    const size_t less = by_depth(10, 1, 1);
                    const size_t shape[3] = {(shapes[i][0] + less - 1) / less,
                                             (shapes[i][1] + less - 1) / less, shapes[i][2]};
                    grid_make(&grid, cell.type, 3, shape);
                    grid_operands(&grid, &cell, LAYOUT_PLAIN, STYLE_WIDE);
                    over_as_cpu(&cell, &grid.array, &axis, 1, "many results");
                    grid_free(&grid);
                }
    all_were_same();
}
END_TEST

/* Longer than a chunk of the kernels; operands where the allocation puts them and elsewhere. */
START_TEST(long_vectors)
{
    static const samesum_type types[] = {SAMESUM_F64, SAMESUM_F32, SAMESUM_F32_WIDE, SAMESUM_BF16,
                                         SAMESUM_C64};
    static const samesum_op ops[] = {SAMESUM_SUM, SAMESUM_DOT, SAMESUM_SUMSQ, SAMESUM_NRM2,
                                     SAMESUM_MEAN};
    const size_t most = by_depth(5000, 100000, 6000000);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
            for (int level = SAMESUM_TREE; level <= (int)last_level; level++) {
                struct grid grid;
                const size_t n = most / 2 + random_below(most / 2);
                const struct cell cell = cell_of(ops[o], types[t], (samesum_level)level);
                grid_make(&grid, cell.type, 1, &n);
                grid_operands(&grid, &cell, LAYOUT_PLAIN, STYLE_CANCEL);
                operands_anywhere = o % 2;
                over_as_cpu(&cell, &grid.array, NULL, 0, "long vectors");
                grid_free(&grid);
            }
    operands_anywhere = true;
    all_were_same();
}
END_TEST

Suite *suite_nccl_fields(void)
{
    TCase *tests;
    Suite *suite = new_suite("fields", &tests);
    tcase_add_test(tests, any_arrays);
    tcase_add_test(tests, many_results);
    tcase_add_test(tests, long_vectors);
    return suite;
}
