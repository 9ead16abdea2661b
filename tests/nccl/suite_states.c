/* suite_states.c - states that each GPU made of its elements, gathered and finished on the devices.
 */
#include "cuda/device.h"
#include "grids.h"
#include "nccl_suites.h"
#include "over.h"
#include "support.h"

#include <string.h>

static struct call call;
static struct answer expected[MOST_FIELDS];
static struct cell cells[MOST_FIELDS];

/* The i-th state of every seat: of its part of a vector, or matrix, cut along the first axis. */
static void feed_states(size_t i, const samesum_array *whole, const struct cuts *cuts)
{
    const samesum_want want = cell_want(&cells[i], SAMESUM_BACKEND_CUDA, 0);
    const size_t row = whole->dims > 1 ? whole->shape[1] : 1;
    for (int s = 0; s < world.seats; s++) {
        const struct seat *seat = &world.seat[s];
        struct part part;
        size_t bytes, room = 0;
        use_seat(seat);
        part_make(&part, whole, 0, cuts->at[seat->rank],
                  cuts->at[seat->rank + 1] - cuts->at[seat->rank]);
        const samesum_array chunk = array_on_device(&part.array);
        const uint64_t begin = cuts->at[seat->rank] * row;
        ck_assert_int_eq(samesum_cuda_state_bytes(&want, whole->type, &bytes), SAMESUM_OK);
        void *state = seat_room(seat, bytes);
        ck_assert_int_eq(
            samesum_cuda_state_reduce(&chunk, begin, &want, state, NULL, NULL, &room, seat->stream),
            SAMESUM_OK);
        ck_assert_int_eq(samesum_cuda_state_reduce(&chunk, begin, &want, state, NULL, scratch(room),
                                                   &room, seat->stream),
                         SAMESUM_OK);
        CUDA(cudaStreamSynchronize(seat->stream));
        part_free(&part);
        call.state[s][i] =
            (samesum_nccl_state){.state = state,
                                 .want = want,
                                 .type = whole->type,
                                 .out = {.results = seat_room(seat, expected[i].bytes + 16)}};
    }
}

static void compare_states(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (int s = 0; s < world.seats; s++) {
            char got[64];
            seat_get(&world.seat[s], got, call.state[s][i].out.results, expected[i].bytes);
            count_bits(compare_values(&cells[i], got, expected[i].values, expected[i].bytes, 0,
                                      SAMESUM_BACKEND_CUDA, world.ranks, "states"));
        }
        answer_free(&expected[i]);
    }
    scratch_end();
}

/* Some at once, of every operation, type and level that has states. */
START_TEST(every_kind)
{
    size_t count = 0;
    int skip = 0;
    for (size_t times = 0; times < by_depth(1, 1, 4); times++)
        for (int c = 0; c < CELLS; c++) {
            struct grid grid;
            cells[count] = cell_at(c);
            if (cell_refusal(&cells[count], NULL) != SAMESUM_OK || cells[count].weighted ||
                !cell_has_states(&cells[count]) || is_left_out(&cells[count]) ||
                skip++ % (int)by_depth(29, 5, 1) != 0)
                continue;
            const size_t shape[2] = {random_below(by_depth(100, 5000, 20000)), 1 + random_below(3)};
            if (count == 0)
                call_make(&call);
            grid_make(&grid, cells[count].type, 1 + (int)random_below(2), shape);
            grid_operands(&grid, &cells[count], LAYOUT_PLAIN, (enum style)random_below(STYLES));
            random_absence(&grid);
            const struct cuts cuts = cuts_among(shape[0], world.ranks);
            expected[count] = cpu_answer(&cells[count], &grid.array, NULL, 0);
            feed_states(count, &grid.array, &cuts);
            grid_free(&grid);
            if (++count == MOST_FIELDS) {
                ck_assert_int_eq(samesum_nccl_reduce_states(call.member, world.seats, count),
                                 SAMESUM_OK);
                compare_states(count);
                count = 0;
            }
        }
    if (count > 0) {
        ck_assert_int_eq(samesum_nccl_reduce_states(call.member, world.seats, count), SAMESUM_OK);
        compare_states(count);
    }
    all_were_same();
}
END_TEST

Suite *suite_nccl_states(void)
{
    TCase *tests;
    Suite *suite = new_suite("states", &tests);
    tcase_add_test(tests, every_kind);
    return suite;
}
