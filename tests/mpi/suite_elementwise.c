/* suite_elementwise.c - vectors, element by element: every operation, type and level, shorter and
 * longer than there are ranks, and longer than a chunk. */
#include "elements.h"
#include "mpi_suites.h"
#include "parts.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Row r of the whole is rank r's vector; every rank makes all. */
static void compare_vector(const struct cell *cell, size_t n, enum style style)
{
    const size_t bytes = element_bytes(cell->type), shape[2] = {(size_t)ranks, n};
    const int axis = 0;
    char *whole = malloc((size_t)ranks * n * bytes + 1);
    ck_assert(whole != NULL);
    fill_elements(cell->type, style, (size_t)ranks * n, whole);
    const samesum_array array = {.x = whole, .type = cell->type, .dims = 2, .shape = shape};
    struct answer expected = expect_array(cell, &array, &axis, 1);
    struct written to = written_make(&expected);
    const samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, 1);
    to.with_ran = to.with_counts = false;
    samesum_status status = samesum_mpi_allreduce_vector(whole + (size_t)rank * n * bytes, n,
                                                         cell->type, &want, to.results, comm);
    written_judge(&to, status, &expected, cell, SAMESUM_BACKEND_AUTO, ranks, style_name(style));
    answer_free(&expected);
    free(whole);
}

START_TEST(every_cell)
{
    static const size_t lengths[] = {0, 1, 3, 9, 40, 301};
    const int step = (int)by_depth(11, 3, 1);
    int at = 0;
    for (int c = 0; c < CELLS; c++) {
        const struct cell cell = cell_at(c);
        if (cell_refusal(&cell, NULL) != SAMESUM_OK || cell.weighted || cell_pairs(&cell))
            continue;
        if (at++ % step == ranks % step)
            compare_vector(&cell, lengths[at / step % 6], (enum style)(at / step % STYLES));
    }
    all_were_same();
}
END_TEST

START_TEST(longer_than_a_chunk)
{
    const size_t n = (1 << 22) + 12345;
    float *v = malloc(n * sizeof *v), *results = malloc(n * sizeof *results);
    const samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_TREE};
    ck_assert(v != NULL && results != NULL);
    for (size_t i = 0; i < n; i++)
        v[i] = 1.0f / (float)(i % 1000 + 1) * (float)(rank + 1);
    ck_assert_int_eq(samesum_mpi_allreduce_vector(v, n, SAMESUM_F32, &want, results, comm),
                     SAMESUM_OK);
    for (size_t i = 0; i < n; i += 997) {
        float of_rank[MOST_RANKS], expected;
        for (int r = 0; r < ranks; r++)
            of_rank[r] = 1.0f / (float)(i % 1000 + 1) * (float)(r + 1);
        samesum_sum_f32(of_rank, (size_t)ranks, SAMESUM_TREE, &expected);
        struct what what = {.type = SAMESUM_F32, .n = n};
        same(&what, bits_of_float(results[i]), bits_of_float(expected));
    }
    /* in place */
    ck_assert_int_eq(samesum_mpi_allreduce_vector(v, n, SAMESUM_F32, &want, v, comm), SAMESUM_OK);
    ck_assert_int_eq(memcmp(v, results, n * sizeof *v), 0);
    free(v);
    free(results);
    all_were_same();
}
END_TEST

Suite *suite_mpi_elementwise(void)
{
    TCase *tests;
    Suite *suite = new_suite("elementwise", &tests);
    tcase_add_test(tests, every_cell);
    tcase_add_test(tests, longer_than_a_chunk);
    return suite;
}
