/* suite_vectors.c - vectors summed over the GPUs, element by element, against the CPU's call on all
 * of them as the rows of a matrix. */
#include "cuda/device.h"
#include "grids.h"
#include "nccl_suites.h"
#include "over.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct call call;

/* Row r of the matrix is rank r's vector. in_place: results go where the vector lay. */
static void bring(size_t i, const struct cell *cell, const struct grid *all, size_t n,
                  bool in_place)
{
    const size_t bytes = n * element_bytes(cell->type);
    for (int s = 0; s < world.seats; s++) {
        const struct seat *seat = &world.seat[s];
        const char *row = (const char *)all->array.x + (size_t)seat->rank * bytes;
        use_seat(seat);
        void *x = scratch_copy(row, bytes);
        void *results = in_place ? x : seat_room(seat, n * result_bytes(cell) + 16);
        CUDA(cudaDeviceSynchronize());
        call.vector[s][i] = (samesum_nccl_vector){.x = x,
                                                  .n = n,
                                                  .type = cell->type,
                                                  .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0),
                                                  .results = results};
    }
}

static void compare(size_t i, const struct cell *cell, const struct answer *expected, size_t n)
{
    char *got = malloc(n * expected->bytes + 1);
    ck_assert(got != NULL);
    for (int s = 0; s < world.seats; s++) {
        seat_get(&world.seat[s], got, call.vector[s][i].results, n * expected->bytes);
        long wrong = 0;
        for (size_t k = 0; k < n; k++)
            wrong += memcmp(got + k * expected->bytes, expected->values + k * expected->bytes,
                            expected->bytes) != 0;
        const struct what what = {
            .op = cell->op, .type = cell->type, .level = cell->level, .n = n, .data = "vectors"};
        same_many(&what, (long)n, wrong);
        count_bits((long)(8 * n * expected->bytes));
    }
    free(got);
}

static void vector_of(const struct cell *cell, size_t n)
{
    static const int axis = 0;
    struct grid grid;
    const size_t shape[2] = {(size_t)world.ranks, n};
    grid_make(&grid, cell->type, 2, shape);
    grid_operands(&grid, cell, LAYOUT_PLAIN, STYLE_WIDE);
    struct answer expected = cpu_answer(cell, &grid.array, &axis, 1);
    call_make(&call);
    bring(0, cell, &grid, n, element_bytes(cell->type) == expected.bytes && random_below(2) == 0);
    const samesum_status due =
        n == 0 ? SAMESUM_OK : over_status(cell->op, cell->ddof, (size_t)world.ranks);
    ck_assert_int_eq(samesum_nccl_allreduce_vectors(call.member, world.seats, 1), due);
    compare(0, cell, &expected, n);
    scratch_end();
    answer_free(&expected);
    grid_free(&grid);
}

START_TEST(every_kind)
{
    struct cell cell;
    int skip = 0;
    for (int c = -1; next_cell(&c, &cell);) {
        if (cell_pairs(&cell) || is_left_out(&cell) || skip++ % (int)by_depth(29, 5, 1) != 0)
            continue;
        cell.ddof = (unsigned)random_below(3);
        vector_of(&cell, random_below(by_depth(50, 500, 3000)));
    }
    all_were_same();
}
END_TEST

/* Fewer than ranks, about as many, more than a chunk, and several chunks. */
START_TEST(any_length)
{
    const size_t p = (size_t)world.ranks, chunk = (size_t)1 << 22;
    const size_t lengths[] = {0,     1,         p - 1,     p,         p + 1,         16 * p + 3,
                              99999, chunk - 1, chunk + 1, 2 * chunk, 2 * chunk + 77};
    for (size_t i = 0; i < by_depth(6, 7, sizeof lengths / sizeof *lengths); i++)
        for (int level = SAMESUM_TREE; level <= (int)last_level; level += 3) {
            const struct cell cell =
                cell_of(i % 2 ? SAMESUM_MEAN : SAMESUM_SUM, i % 3 ? SAMESUM_F32 : SAMESUM_F64,
                        (samesum_level)level);
            vector_of(&cell, lengths[i]);
        }
    all_were_same();
}
END_TEST

/* Several in one call; the call of one name. */
START_TEST(several)
{
    static const int axis = 0;
    struct grid grid[4];
    struct answer expected[4];
    struct cell cell[4];
    call_make(&call);
    for (size_t i = 0; i < 4; i++) {
        const size_t shape[2] = {(size_t)world.ranks, 100 * i + 3};
        cell[i] = cell_of(SAMESUM_SUM, i % 2 ? SAMESUM_F32 : SAMESUM_F64, SAMESUM_COMPENSATED);
        grid_make(&grid[i], cell[i].type, 2, shape);
        grid_operands(&grid[i], &cell[i], LAYOUT_PLAIN, STYLE_NEAR);
        expected[i] = cpu_answer(&cell[i], &grid[i].array, &axis, 1);
        bring(i, &cell[i], &grid[i], shape[1], false);
    }
    ck_assert_int_eq(samesum_nccl_allreduce_vectors(call.member, world.seats, 4), SAMESUM_OK);
    for (size_t i = 0; i < 4; i++)
        compare(i, &cell[i], &expected[i], 100 * i + 3);
    if (world.seats == 1) {
        const samesum_nccl_vector *v = &call.vector[0][3];
        CUDA(cudaMemset(v->results, 0x5a, v->n * expected[3].bytes));
        CUDA(cudaDeviceSynchronize());
        ck_assert_int_eq(samesum_nccl_allreduce_vector(v->x, v->n, v->type, &v->want, v->results,
                                                       world.seat[0].comm, world.seat[0].stream),
                         SAMESUM_OK);
        compare(3, &cell[3], &expected[3], v->n);
    }
    for (size_t i = 0; i < 4; i++) {
        answer_free(&expected[i]);
        grid_free(&grid[i]);
    }
    scratch_end();
    all_were_same();
}
END_TEST

Suite *suite_nccl_vectors(void)
{
    TCase *tests;
    Suite *suite = new_suite("vectors", &tests);
    tcase_add_test(tests, every_kind);
    tcase_add_test(tests, any_length);
    tcase_add_test(tests, several);
    return suite;
}
