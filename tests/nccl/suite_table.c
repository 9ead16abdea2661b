/* suite_table.c - the table of tests/table.h, cut among the GPUs: operation x type x level x shape.
 * Segments go as several fields in one exchange. */
#include "table.h"
#include "cuda/device.h"
#include "nccl_suites.h"
#include "over.h"
#include "support.h"

#include <string.h>

static struct table table;

/* The rows between offsets, each cut by itself. */
static long compare_rows(const struct answer *expected, const struct cell *cell,
                         const struct job *job, const char *name)
{
    struct answer row[8];
    struct part part[8];
    for (size_t s = 0; s < job->segments; s++) {
        const size_t begin = job->offsets[s], n = job->offsets[s + 1] - begin;
        row[s] = *expected;
        row[s].results = 1;
        row[s].values = expected->values + s * expected->bytes;
        row[s].counts = expected->counts + s;
        part_make(&part[s], &job->grid.array, 0, begin, n);
        over_field(&row[s], cell, &part[s].array, NULL, 0, name);
    }
    if (is_left_out(cell))
        return 1;
    const long bits = over_run();
    for (size_t s = 0; s < job->segments; s++)
        part_free(&part[s]);
    return bits;
}

static long compare(struct table *sums, const struct answer *expected, const struct cell *cell,
                    const struct job *job, const char *name)
{
    if (is_left_out(cell))
        return 1;
    const long bits = job->segments
                          ? compare_rows(expected, cell, job, name)
                          : over_compare(expected, cell, &job->grid.array, &job->axis, 1, name);
    sums->bits_of_backend[SAMESUM_BACKEND_CUDA] += bits;
    return bits;
}

/* The status alone, and nothing written. */
static bool refuse(const struct cell *cell, const struct job *job, samesum_status status)
{
    enum { ROOM = 4096 };
    char before[ROOM], after[ROOM];
    static struct call call;
    call_make(&call);
    memset(before, 0x5a, sizeof before);
    for (int s = 0; s < world.seats; s++) {
        void *results = seat_room(&world.seat[s], ROOM);
        call.field[s][0] = (samesum_nccl_field){.part = array_on_device(&job->grid.array),
                                                .axes = &job->axis,
                                                .axis_count = 1,
                                                .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0),
                                                .out = {.results = results}};
    }
    bool right = samesum_nccl_reduce(call.member, world.seats, 1) == status;
    for (int s = 0; s < world.seats; s++) {
        seat_get(&world.seat[s], after, call.field[s][0].out.results, ROOM);
        right = right && memcmp(before, after, ROOM) == 0;
    }
    scratch_end();
    return right;
}

START_TEST(every_cell)
{
    memset(&table, 0, sizeof table);
    table_walk(&table, (int)by_depth(0, 1, 4), compare, refuse);
    if (depth == DEPTH_FULL)
        table_summarise(&table);
    all_were_same();
}
END_TEST

Suite *suite_nccl_table(void)
{
    TCase *tests;
    Suite *suite = new_suite("table", &tests);
    tcase_add_test(tests, every_cell);
    return suite;
}
