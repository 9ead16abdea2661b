/* suite_communicators.c - communicators that are some of the GPUs, in another order, or one alone.
 */
#include "cuda/device.h"
#include "grids.h"
#include "nccl_suites.h"
#include "over.h"
#include "support.h"

#include <string.h>

/* Some reductions over another communicator, in those processes that have a part of it. */
static void reduce_there(const int *key)
{
    const struct world before = world;
    struct world there;
    world_split(&there, &before, key);
    if (there.seats > 0) {
        world = there;
        for (int level = SAMESUM_TREE; level <= (int)last_level; level++) {
            struct grid grid;
            const size_t n = by_depth(300, 3000, 30000);
            const struct cell cell =
                cell_of(level % 2 ? SAMESUM_STD : SAMESUM_SUM, SAMESUM_F64, (samesum_level)level);
            grid_make(&grid, cell.type, 1, &n);
            grid_operands(&grid, &cell, LAYOUT_PLAIN, STYLE_CANCEL);
            over_as_cpu(&cell, &grid.array, NULL, 0, "other communicators");
            grid_free(&grid);
        }
        world_end(&there);
        world = before;
    }
}

START_TEST(backwards)
{
    int key[MOST_SEATS];
    for (int r = 0; r < world.ranks; r++)
        key[r] = world.ranks - r;
    reduce_there(key);
    all_were_same();
}
END_TEST

START_TEST(shuffled)
{
    int key[MOST_SEATS];
    for (int r = 0; r < world.ranks; r++)
        key[r] = (int)random_below(1000);
    reduce_there(key);
    all_were_same();
}
END_TEST

/* Every second GPU, then the others; each alone. Processes without a part have drawn fewer random
 * numbers, so all start anew. */
START_TEST(some)
{
    int key[MOST_SEATS];
    for (int odd = 0; odd < 2 && odd < world.ranks; odd++) {
        for (int r = 0; r < world.ranks; r++)
            key[r] = r % 2 == odd ? r : -1;
        reduce_there(key);
    }
    for (int one = 0; one < world.ranks; one++) {
        for (int r = 0; r < world.ranks; r++)
            key[r] = r == one ? 0 : -1;
        reduce_there(key);
    }
    random_seed(77);
    all_were_same();
}
END_TEST

Suite *suite_nccl_communicators(void)
{
    TCase *tests;
    Suite *suite = new_suite("communicators", &tests);
    tcase_add_test(tests, backwards);
    tcase_add_test(tests, shuffled);
    tcase_add_test(tests, some);
    return suite;
}
