/* suite_cases.c - what users were hurt by: (-1)^i sqrt(i + 1), i < 1000, on any ranks; more
 * elements, so that threads work; elements that lie anywhere; more results than go in one exchange.
 */
#include "fpenv.h"
#include "mpi_suites.h"
#include "parts.h"
#include "elements.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

START_TEST(alternating_signs)
{
    double *x = alternating_roots(N), result, expected;
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++)
        for (int times = 0; times < 10; times++) {
            const struct cuts cuts = cuts_of(N);
            const size_t begin = cuts.at[rank], n = cuts.at[rank + 1] - begin;
            samesum_sum_f64(x, N, (samesum_level)level, &expected);
            ck_assert_int_eq(
                samesum_mpi_sum_f64(n ? x + begin : NULL, n, (samesum_level)level, &result, comm),
                SAMESUM_OK);
            struct what what = {.type = SAMESUM_F64, .level = (samesum_level)level, .n = N};
            same(&what, bits_of_double(result), bits_of_double(expected));
            if (level == SAMESUM_EXACT)
                same(&what, bits_of_double(result), bits_of_double(-15.435236335060337));
        }
    free(x);
    all_were_same();
}
END_TEST

/* The typed calls, with the threads that there are. */
START_TEST(longer_than_a_segment)
{
    const size_t most = by_depth(20000, 150000, 1000000);
    double *x = alternating_roots(most), got[4], expected[4];
    const struct cuts cuts = cuts_of(most);
    const size_t begin = cuts.at[rank], n = cuts.at[rank + 1] - begin;
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        const samesum_level l = (samesum_level)level;
        ck_assert_int_eq(samesum_mpi_sum_f64(x + begin, n, l, &got[0], comm), SAMESUM_OK);
        ck_assert_int_eq(samesum_mpi_dot_f64(x + begin, x + begin, n, l, &got[1], comm),
                         SAMESUM_OK);
        ck_assert_int_eq(samesum_mpi_nrm2_f64(x + begin, n, l, &got[2], comm), SAMESUM_OK);
        ck_assert_int_eq(samesum_mpi_mean_f64(x + begin, n, l, &got[3], comm), SAMESUM_OK);
        samesum_sum_f64(x, most, l, &expected[0]);
        samesum_dot_f64(x, x, most, l, &expected[1]);
        samesum_nrm2_f64(x, most, l, &expected[2]);
        samesum_mean_f64(x, most, l, &expected[3]);
        for (int i = 0; i < 4; i++) {
            struct what what = {.op = (samesum_op)i, .type = SAMESUM_F64, .level = l, .n = most};
            same(&what, bits_of_double(got[i]), bits_of_double(expected[i]));
        }
    }
    free(x);
    all_were_same();
}
END_TEST

/* At level exact any rank may have any element. */
START_TEST(exact_anywhere)
{
    static const samesum_op ops[] = {SAMESUM_SUM,  SAMESUM_ASUM, SAMESUM_SUMSQ, SAMESUM_NRM2,
                                     SAMESUM_MEAN, SAMESUM_VAR,  SAMESUM_STD};
    double *x = alternating_roots(N), *mine = malloc(N * sizeof *mine);
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
        size_t n = 0, all = N;
        double result, expected;
        for (size_t i = 0; i < N; i++)
            if ((int)random_below((size_t)ranks) == rank)
                mine[n++] = x[i];
        const samesum_want want = {.op = ops[o], .level = SAMESUM_EXACT, .ddof = 1};
        const samesum_array whole = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &all};
        const samesum_mpi_field field = {
            .part = {.x = mine, .type = SAMESUM_F64, .dims = 1, .shape = &n},
            .want = want,
            .results = &result};
        ck_assert_int_eq(samesum_reduce_array(&whole, NULL, 0, &want, &expected, NULL, NULL), 0);
        ck_assert_int_eq(samesum_mpi_reduce(&field, 1, SAMESUM_MPI_ALL, comm), SAMESUM_OK);
        struct what what = {.op = ops[o], .type = SAMESUM_F64, .level = SAMESUM_EXACT, .n = N};
        same(&what, bits_of_double(result), bits_of_double(expected));
    }
    free(x);
    free(mine);
    all_were_same();
}
END_TEST

/* The series of an axis: as many results as there are columns, in several exchanges. */
START_TEST(many_columns)
{
    enum { ROWS = 37, COLUMNS = 2500 };
    static float x[ROWS][COLUMNS], got[COLUMNS], expected[COLUMNS];
    static samesum_counts counts[COLUMNS];
    const int axis = 0;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++)
            x[i][k] = 1.0f / (float)(i * k % 97 + 1) - 0.1f;
    const struct cuts cuts = cuts_of(ROWS);
    const size_t shape[2] = {ROWS, COLUMNS};
    const size_t part[2] = {cuts.at[rank + 1] - cuts.at[rank], COLUMNS};
    const samesum_array whole = {.x = x, .type = SAMESUM_F32, .dims = 2, .shape = shape};
    const samesum_want want = {.op = SAMESUM_STD, .level = SAMESUM_COMPENSATED};
    const samesum_mpi_field field = {
        .part = {.x = x[cuts.at[rank]], .type = SAMESUM_F32, .dims = 2, .shape = part},
        .axes = &axis,
        .axis_count = 1,
        .want = want,
        .results = got,
        .counts = counts};
    samesum_reduce_array(&whole, &axis, 1, &want, expected, NULL, NULL);
    ck_assert_int_eq(samesum_mpi_reduce(&field, 1, SAMESUM_MPI_ALL, comm), SAMESUM_OK);
    ck_assert_int_eq(memcmp(got, expected, sizeof got), 0);
    for (int k = 0; k < COLUMNS; k++)
        ck_assert(counts[k].present == ROWS && counts[k].first[0] == UINT64_MAX);
}
END_TEST

/* Rounding modes, FTZ and DAZ, another on each rank: no bit changes, and each stays. Traps are left
 * alone, for the MPI library's sake. */
START_TEST(odd_environments)
{
    double *x = alternating_roots(N), result, expected[4];
    const struct cuts cuts = cuts_of(N);
    const size_t begin = cuts.at[rank], n = cuts.at[rank + 1] - begin;
    const struct fpenv usual = fpenv_get();
    for (size_t i = 0; i < N; i++)
        x[i] *= i % 3 ? 1 : 0x1p-1060; /* subnormal ones among them */
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++)
        samesum_std_f64(x, N, 1, (samesum_level)level, &expected[level]);
    for (int i = 0; i < 16; i++) {
        const samesum_level level = (samesum_level)(i % 4);
        const samesum_mpi_field field = {
            .part = {.x = x + begin, .type = SAMESUM_F64, .dims = 1, .shape = &n},
            .want = {.op = SAMESUM_STD, .level = level, .ddof = 1},
            .results = &result};
        fpenv_set(fpenv_odd((i + 5 * rank) % 16));
        const struct fpenv before = fpenv_get();
        samesum_status status = samesum_mpi_reduce(&field, 1, SAMESUM_MPI_ALL, comm);
        const struct fpenv after = fpenv_get();
        fpenv_set(usual);
        ck_assert_int_eq(status, SAMESUM_OK);
        /* but for the sticky flags, which the MPI library may set */
        ck_assert_uint_eq(before.control | 63, after.control | 63);
        struct what what = {.op = SAMESUM_STD, .type = SAMESUM_F64, .level = level, .n = N};
        same(&what, bits_of_double(result), bits_of_double(expected[level]));
    }
    free(x);
    all_were_same();
}
END_TEST

START_TEST(nothing_at_all)
{
    double result = 1;
    ck_assert_int_eq(samesum_mpi_sum_f64(NULL, 0, SAMESUM_TREE, &result, comm), SAMESUM_OK);
    ck_assert(result == 0 && !signbit(result));
    ck_assert_int_eq(samesum_mpi_mean_f64(NULL, 0, SAMESUM_TREE, &result, comm), SAMESUM_NO_VALUE);
    ck_assert(isnan(result));
    ck_assert_int_eq(samesum_mpi_reduce(NULL, 0, SAMESUM_MPI_ALL, comm), SAMESUM_OK);
}
END_TEST

Suite *suite_mpi_cases(void)
{
    TCase *tests;
    Suite *suite = new_suite("cases", &tests);
    tcase_add_test(tests, alternating_signs);
    tcase_add_test(tests, longer_than_a_segment);
    tcase_add_test(tests, exact_anywhere);
    tcase_add_test(tests, many_columns);
    tcase_add_test(tests, odd_environments);
    tcase_add_test(tests, nothing_at_all);
    return suite;
}
