/* suite_vectors.c - the golden values of tests/vectors/golden.txt on every backend, and the file
 * itself against its generator. */
#include "golden.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <stdlib.h>

/* The general call, or with weights the one for arrays. */
static samesum_status call(const struct golden *line, const samesum_want *want, const void *x,
                           const void *y, void *result)
{
    samesum_data data = {.x = x, .y = y, .n = line->n, .type = line->cell.type};
    samesum_array array = {
        .x = x, .type = line->cell.type, .dims = 1, .shape = &line->n, .weights = y};
    return line->cell.weighted ? samesum_reduce_array(&array, NULL, 0, want, result, NULL, NULL)
                               : samesum_reduce(&data, want, result, NULL);
}

static void compare(const struct golden *line, const void *x, const void *y)
{
    static const int threads[] = {1, 2, 3, 7};
    int counts = line->n <= 65536 ? 1 : (int)by_depth(0, 2, 4);
    for (int b = 0; b < backend_count(); b++) {
        for (int t = 0; t < counts; t++) {
            samesum_want want = cell_want(&line->cell, backend_at(b), threads[t]);
            char result[16] = {0};
            samesum_status status = call(line, &want, x, y, result);
            ck_assert_msg(status >= 0, "%s %s: %s", line->cell.op_name, line->cell.type_name,
                          samesum_strerror(status));
            compare_values(&line->cell, result, line->expected, result_bytes(&line->cell), line->n,
                           want.backend, threads[t], recipe_name(line->recipe));
        }
    }
}

START_TEST(golden_values)
{
    golden_each("tests/vectors/golden.txt", by_depth(2000, 140000, GOLDEN_MOST),
                depth == DEPTH_FULL ? 1 : 5, compare);
    all_were_same();
}
END_TEST

/* WG21 P4016R0 publishes this sum for 16 lanes. */
START_TEST(published_value)
{
    enum { MILLION = 1000000 };
    double *x = malloc(MILLION * sizeof *x), result;
    ck_assert_ptr_nonnull(x);
    recipe_fill(RECIPE_UNIFORM, RECIPE_F64, RECIPE_P4016_SEED, 0, MILLION, x);
    ck_assert_int_eq(samesum_sum_f64(x, MILLION, SAMESUM_TREE, &result), SAMESUM_OK);
    struct what what = {.n = MILLION, .data = "P4016R0"};
    same(&what, bits_of_double(result), UINT64_C(0x40618f71f6379380));
    free(x);
    all_were_same();
}
END_TEST

START_TEST(file_is_what_the_generator_makes)
{
    ck_assert_int_eq(run_command(TEST_BUILD "/vectors > " TEST_BUILD "/tests/golden.txt && "
                                            "cmp " TEST_BUILD
                                            "/tests/golden.txt tests/vectors/golden.txt"),
                     0);
}
END_TEST

Suite *suite_vectors(void)
{
    TCase *tests;
    Suite *suite = new_suite("vectors", &tests);
    tcase_add_test(tests, golden_values);
    tcase_add_test(tests, published_value);
    if (depth == DEPTH_FULL) {
        tcase_add_test(tests, file_is_what_the_generator_makes);
    }
    return suite;
}
