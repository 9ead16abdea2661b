/* suite_threads.c - the number of threads, their nesting and their callers change no bit; forked
 * children neither hang nor differ. */
#include "grids.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { MOST_THREADS = 64 };

/* A length that lets 64 threads work, with a part of a segment at its end. */
enum { LENGTH = 270001 };

static const void *x_of(const struct what *what)
{
    return data_x(RECIPE_CANCEL, what->type, LENGTH);
}

static const void *y_of(const struct what *what)
{
    return data_y(RECIPE_CANCEL, what->type, LENGTH);
}

/* The reference's results, for threads that may not make data themselves. */
static uint64_t expected[ALL_KINDS];

static struct what long_kind(int k)
{
    struct what what = kind(k);
    what.n = LENGTH;
    what.data = "cancel";
    return what;
}

static void make_expected(void)
{
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = long_kind(k);
        expected[k] = reference(&what, x_of(&what), y_of(&what));
    }
}

/* Whether so many threads worked as were asked for, where nothing outside limits them. */
static bool all_worked(int asked, int worked)
{
#ifdef _OPENMP
    return worked == asked || (worked >= 1 && omp_get_thread_limit() < asked);
#else
    (void)asked;
    return worked == 1;
#endif
}

START_TEST(one_to_64_threads)
{
    int step = (int)by_depth(0, 21, 1);
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = long_kind(k);
        for (what.threads = 1; what.threads <= MOST_THREADS; what.threads += step) {
            samesum_ran ran;
            same(&what, library(&what, x_of(&what), y_of(&what), &ran), expected[k]);
            ck_assert_msg(all_worked(what.threads, ran.threads), "%d threads asked for, %d worked",
                          what.threads, ran.threads);
        }
        what.threads = 0;
        same(&what, library(&what, x_of(&what), y_of(&what), NULL), expected[k]);
        for (int b = 0; b < backend_count(); b++) {
            what.backend = backend_at(b);
            what.threads = 2 + b;
            same(&what, library(&what, x_of(&what), y_of(&what), NULL), expected[k]);
        }
    }
    all_were_same();
}
END_TEST

/* Lengths around those at which threads begin to work and at which shares become uneven. */
START_TEST(uneven_shares)
{
    static const size_t segments[] = {32, 33, 34, 35, 64, 65, 67};
    for (size_t i = 0; i < 7; i++) {
        for (int off = -1; off <= 1; off++) {
            for (int k = (int)i % 3; k < ALL_KINDS; k += (int)by_depth(0, 61, 3)) {
                struct what what = long_kind(k);
                what.n = (size_t)((int)segments[i] * 4096 + off);
                uint64_t bits = reference(&what, x_of(&what), y_of(&what));
                for (what.threads = 1; what.threads <= 37; what.threads += 4) {
                    same(&what, library(&what, x_of(&what), y_of(&what), NULL), bits);
                }
            }
        }
    }
    all_were_same();
}
END_TEST

/* A user's case: i - 999999.5 in binary32, 100 runs at each number of threads. */
START_TEST(repetition)
{
    enum { N = 2000000 };
    float *x = malloc(N * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (int i = 0; i < N; i++) {
        x[i] = (float)((double)i - 999999.5);
    }
    int runs = (int)by_depth(1, 3, 100), step = (int)by_depth(21, 21, 1);
    for (int type = SAMESUM_F32; type <= SAMESUM_F32_WIDE; type++) {
        for (int level = 0; level < LEVELS; level++) {
            struct what what = {.type = (samesum_type)type, .level = (samesum_level)level};
            what.n = by_depth(0, N / 16, N);
            what.data = "i - 999999.5";
            uint64_t bits = reference(&what, x, NULL);
            for (what.threads = 1; what.threads <= MOST_THREADS; what.threads += step) {
                int repeats = type == SAMESUM_F32 ? runs : 1;
                for (int run = 0; run < repeats; run++) {
                    same(&what, library(&what, x, NULL, NULL), bits);
                }
            }
        }
    }
    free(x);
    all_were_same();
}
END_TEST

#ifdef _OPENMP
static void compare_inside(int team)
{
#pragma omp parallel num_threads(team)
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = long_kind(k);
        for (what.threads = 0; what.threads <= 5; what.threads += 5) {
            same(&what, library(&what, x_of(&what), y_of(&what), NULL), expected[k]);
        }
    }
}

START_TEST(inside_a_parallel_region)
{
    int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(1);
    compare_inside(3);
    omp_set_max_active_levels(2);
    compare_inside(3);
    omp_set_max_active_levels(levels);
    all_were_same();
}
END_TEST

START_TEST(dynamic_teams)
{
    omp_set_dynamic(1);
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = long_kind(k);
        for (what.threads = 0; what.threads < 40; what.threads += 13) {
            same(&what, library(&what, x_of(&what), y_of(&what), NULL), expected[k]);
        }
    }
    omp_set_dynamic(0);
    all_were_same();
}
END_TEST

START_TEST(default_number_of_threads)
{
    int before = omp_get_max_threads();
    for (int threads = 1; threads <= 5; threads += 2) {
        omp_set_num_threads(threads);
        ck_assert_int_eq(samesum_default_threads(), threads);
        struct what what = long_kind(0);
        what.threads = 0;
        samesum_ran ran;
        same(&what, library(&what, x_of(&what), y_of(&what), &ran), expected[0]);
        ck_assert(ran.threads >= 1 && ran.threads <= threads);
    }
    omp_set_num_threads(before);
    all_were_same();
}
END_TEST
#endif

static void *calls(void *argument)
{
    int first = *(int *)argument;
    for (int round = 0; round < (int)by_depth(1, 1, 5); round++) {
        for (int i = 0; i < ALL_KINDS; i++) {
            int k = (first * 5 + i) % ALL_KINDS;
            if (k % kind_step() != 0) {
                continue;
            }
            struct what what = long_kind(k);
            what.threads = (first + i) % 4;
            what.backend = backend_at(i % backend_count());
            same(&what, library(&what, x_of(&what), y_of(&what), NULL), expected[k]);
        }
    }
    return NULL;
}

START_TEST(calls_from_many_threads)
{
    enum { CALLERS = 12 };
    pthread_t thread[CALLERS];
    int number[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        number[i] = i;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, calls, &number[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    }
    all_were_same();
}
END_TEST

/* Arrays that several callers reduce at once, by rows and by columns, each with threads of its own.
 */
enum { JOBS = 24 };
static struct {
    struct cell cell;
    struct grid grid;
    int axis;
    struct answer expected;
} jobs[JOBS];

static void *array_calls(void *argument)
{
    enum { RESULTS = 700 };
    int first = *(int *)argument;
    char *results = malloc(RESULTS * 16);
    for (int i = 0; results != NULL && i < JOBS; i++) {
        int j = (i + first) % JOBS;
        samesum_want want =
            cell_want(&jobs[j].cell, backend_at((i + first) % backend_count()), (first + i) % 4);
        samesum_status status =
            samesum_reduce_array(&jobs[j].grid.array, &jobs[j].axis, 1, &want, results, NULL, NULL);
        struct what what = {.op = want.op, .type = jobs[j].cell.type, .data = "callers, status"};
        same(&what, (uint64_t)status, (uint64_t)jobs[j].expected.status);
        compare_values(&jobs[j].cell, results, jobs[j].expected.values,
                       jobs[j].expected.results * jobs[j].expected.bytes, 0, want.backend,
                       want.threads, "callers");
    }
    free(results);
    return NULL;
}

START_TEST(array_calls_from_many_threads)
{
    enum { CALLERS = 8 };
    static const size_t shape[2] = {260, 700};
    pthread_t thread[CALLERS];
    int number[CALLERS];
    for (int j = 0; j < JOBS; j++) {
        do {
            jobs[j].cell = cell_at((int)random_below(CELLS));
        } while (cell_refusal(&jobs[j].cell, NULL) != SAMESUM_OK);
        grid_make(&jobs[j].grid, jobs[j].cell.type, 2, shape);
        grid_operands(&jobs[j].grid, &jobs[j].cell, j % 3 ? LAYOUT_PLAIN : LAYOUT_RANDOM,
                      STYLE_CANCEL);
        jobs[j].axis = j % 2;
        jobs[j].expected = expect_array(&jobs[j].cell, &jobs[j].grid.array, &jobs[j].axis, 1);
    }
    for (int i = 0; i < CALLERS; i++) {
        number[i] = 3 * i;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, array_calls, &number[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    }
    for (int j = 0; j < JOBS; j++) {
        answer_free(&jobs[j].expected);
        grid_free(&jobs[j].grid);
    }
    all_were_same();
}
END_TEST

/* tests/child.c forks; a child of its own that hangs is ended by an alarm. */
START_TEST(fork_after_use)
{
    ck_assert_int_eq(run_child(NULL, "fork-after-samesum", ""), 0);
    ck_assert_int_eq(run_child("OMP_NUM_THREADS=4", "fork-after-samesum", ""), 0);
}
END_TEST

START_TEST(fork_after_the_callers_own_region)
{
    ck_assert_int_eq(run_child(NULL, "fork-after-openmp", ""), 0);
    ck_assert_int_eq(run_child("OMP_NUM_THREADS=4", "fork-after-openmp", ""), 0);
}
END_TEST

START_TEST(loaded_in_a_forked_child)
{
    ck_assert_int_eq(run_child(NULL, "load-after-fork", TEST_BUILD "/libsamesum.so"), 0);
}
END_TEST

Suite *suite_threads(void)
{
    TCase *tests;
    Suite *suite = new_suite("threads", &tests);
    tcase_add_unchecked_fixture(tests, make_expected, NULL);
    tcase_add_test(tests, one_to_64_threads);
    tcase_add_test(tests, uneven_shares);
    tcase_add_test(tests, repetition);
#ifdef _OPENMP
    tcase_add_test(tests, inside_a_parallel_region);
    tcase_add_test(tests, dynamic_teams);
    tcase_add_test(tests, default_number_of_threads);
#else
    skipped("threads", "this compiler has no OpenMP: one thread does all the work");
#endif
    tcase_add_test(tests, calls_from_many_threads);
    tcase_add_test(tests, array_calls_from_many_threads);
    tcase_add_test(tests, fork_after_use);
    tcase_add_test(tests, fork_after_the_callers_own_region);
    tcase_add_test(tests, loaded_in_a_forked_child);
    return suite;
}
