/* suite_fpenv.c - the caller's rounding mode, FTZ, DAZ, traps and sticky flags neither change a
 * result nor are changed, in no thread. */
#include "fpenv.h"
#include "grids.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Whether this machine does what its control bits say: emulators, valgrind among them, do not. */
static bool bits_have_effect(void)
{
    volatile double tiny = 0x1p-1074, half = 0.5;
    struct fpenv before = fpenv_get();
    struct fpenv env = fpenv_odd(4 + 8); /* FTZ and, on x86, DAZ */
    fpenv_set(env);
    struct fpenv now = fpenv_get();
    volatile double flushed = 0x1p-1022 * half + tiny;
    struct fpenv after = fpenv_get();
    fpenv_set(before);
    return now.control == env.control && flushed == 0 && after.control >= env.control;
}

/* In the environment given, and back in the test's own at the end; fails where it was changed. */
static uint64_t library_in(const struct what *what, struct fpenv env, const void *x, const void *y)
{
    struct fpenv own = fpenv_get();
    fpenv_set(env);
    struct fpenv before = fpenv_get();
    uint64_t got = library(what, x, y, NULL);
    struct fpenv after = fpenv_get();
    fpenv_set(own);
    if (memcmp(&before, &after, sizeof before) != 0) {
        ck_abort_msg("environment 0x%x became 0x%x", before.control, after.control);
    }
    return got;
}

static const enum recipe recipes[] = {RECIPE_SUBNORMAL, RECIPE_PRODUCTS, RECIPE_TIES, RECIPE_NAN,
                                      RECIPE_HUGE};
enum { RECIPES = sizeof recipes / sizeof *recipes };

START_TEST(one_shot_calls)
{
    static const size_t lengths[] = {0, 1, 5, 16, 37, 300, 5000};
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        for (size_t l = 0; l < by_depth(4, 6, 7); l++) {
            for (int r = 0; r < RECIPES; r++) {
                struct what what = kind(k);
                what.n = lengths[l];
                what.data = recipe_name(recipes[r]);
                const void *x = data_x(recipes[r], what.type, what.n);
                const void *y = data_y(recipes[r], what.type, what.n);
                uint64_t expected = reference(&what, x, y);
                for (int b = 0; b < backend_count(); b++) {
                    what.backend = backend_at(b);
                    for (int i = 0; i < FPENV_ODD; i++) {
                        same(&what, library_in(&what, fpenv_odd(i), x, y), expected);
                    }
                }
            }
        }
    }
    all_were_same();
}
END_TEST

/* Calls that change states, each in an odd environment. */
static uint64_t streamed_in(const struct what *what, struct fpenv env, const void *x, const void *y)
{
    size_t half = what->n / 2 + 3;
    unsigned char bytes[16000];
    size_t written = 0;
    samesum_state *a = new_state(what, 0), *b = new_state(what, half), *c = NULL;
    uint64_t result = 0;
    int failures = 0;
    struct fpenv own = fpenv_get();
    fpenv_set(env);
    struct fpenv before = fpenv_get();
    failures += samesum_state_update(a, x, y, half) != SAMESUM_OK;
    failures += samesum_state_update(b, element(what->type, x, half), element(what->type, y, half),
                                     what->n - half) != SAMESUM_OK;
    failures += samesum_state_save(b, bytes, sizeof bytes, &written) != SAMESUM_OK;
    failures += samesum_state_load(&c, bytes, written) != SAMESUM_OK;
    failures += samesum_state_merge(a, c) != SAMESUM_OK;
    failures += samesum_state_finish(a, &result) != SAMESUM_OK;
    struct fpenv after = fpenv_get();
    fpenv_set(own);
    ck_assert_int_eq(failures, 0);
    ck_assert_msg(memcmp(&before, &after, sizeof before) == 0, "environment 0x%x became 0x%x",
                  before.control, after.control);
    samesum_state_destroy(a);
    samesum_state_destroy(b);
    samesum_state_destroy(c);
    return bits_of(what->type, &result);
}

START_TEST(states)
{
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        for (int r = 0; r < RECIPES; r++) {
            struct what what = kind(k);
            if (!has_states(&what)) {
                break;
            }
            what.n = by_depth(100, 1000, 9001);
            what.data = recipe_name(recipes[r]);
            const void *x = data_x(recipes[r], what.type, what.n);
            const void *y = data_y(recipes[r], what.type, what.n);
            uint64_t expected = reference(&what, x, y);
            for (int i = 0; i < FPENV_ODD; i++) {
                what.backend = backend_at(i % backend_count());
                same(&what, streamed_in(&what, fpenv_odd(i), x, y), expected);
            }
        }
    }
    all_were_same();
}
END_TEST

/* Every operation, type and level on arrays: packed, masked, converted from halves, by rows and by
 * columns, with a missing value that has to be rounded. */
START_TEST(arrays)
{
    static const enum style styles[] = {STYLE_TINY, STYLE_SPECIAL, STYLE_HUGE, STYLE_CANCEL};
    for (int c = 0; c < CELLS; c += kind_step()) {
        struct cell cell = cell_at(c);
        if (cell_refusal(&cell, NULL) != SAMESUM_OK) {
            continue;
        }
        struct grid grid;
        size_t shape[2] = {37, 19};
        int axis = c % 3 - 1, axis_count = axis < 0 ? 0 : 1;
        grid_make(&grid, cell.type, 2, shape);
        grid_operands(&grid, &cell, (enum layout)(c % LAYOUTS), styles[c / 4 % 4]);
        if (c % 2) {
            grid_missing(&grid, SAMESUM_MISSING_VALUE, 0.1, 4);
        }
        struct answer expected = expect_array(&cell, &grid.array, &axis, axis_count);
        size_t bytes = expected.results * expected.bytes;
        for (int i = 0; i < FPENV_ODD; i++) {
            char results[37 * 16];
            samesum_counts counts[37];
            samesum_want want = cell_want(&cell, backend_at((c + i) % backend_count()), 1);
            struct fpenv own = fpenv_get();
            fpenv_set(fpenv_odd(i));
            struct fpenv before = fpenv_get();
            samesum_status status = samesum_reduce_array(&grid.array, &axis, axis_count, &want,
                                                         results, i % 2 ? counts : NULL, NULL);
            struct fpenv after = fpenv_get();
            fpenv_set(own);
            ck_assert_int_eq(status, expected.status);
            ck_assert_msg(memcmp(&before, &after, sizeof before) == 0,
                          "environment 0x%x became 0x%x", before.control, after.control);
            compare_values(&cell, results, expected.values, bytes, grid.elements, want.backend, 1,
                           "array in an odd environment");
            ck_assert(i % 2 == 0 ||
                      memcmp(counts, expected.counts, expected.results * sizeof *counts) == 0);
        }
        answer_free(&expected);
        grid_free(&grid);
    }
    all_were_same();
}
END_TEST

/* All 2^16 halves, one at a time and side by side, in every environment. */
START_TEST(halves)
{
    enum { ALL = 1 << 16 };
    uint16_t *x = malloc(ALL * sizeof *x);
    float *expected = malloc(ALL * sizeof *expected), *got = malloc(ALL * sizeof *got);
    ck_assert(x != NULL && expected != NULL && got != NULL);
    for (int type = SAMESUM_F16; type <= SAMESUM_BF16; type++) {
        for (int i = 0; i < ALL; i++) {
            x[i] = (uint16_t)i;
            double value = element_part((samesum_type)type, &x[i], 0);
            expected[i] = (float)value; /* exact; NaNs are canonical */
            if (value != value) {
                uint32_t canonical = 0x7fc00000;
                memcpy(&expected[i], &canonical, sizeof canonical);
            }
        }
        static const size_t shapes[][2] = {{ALL, 1}, {1, ALL}};
        int axis = 0;
        for (int s = 0; s < 2; s++) { /* rows of one element; columns of one element */
            axis = s == 0;
            samesum_array a = {.x = x, .type = (samesum_type)type, .dims = 2, .shape = shapes[s]};
            for (int i = 0; i < FPENV_ODD; i += (int)by_depth(37, 7, 1)) {
                samesum_want want = {.level = (samesum_level)(i % 3), .threads = 1};
                struct what what = {.type = a.type, .n = ALL, .data = "all halves"};
                want.backend = what.backend = backend_at(i % backend_count());
                struct fpenv own = fpenv_get();
                fpenv_set(fpenv_odd(i));
                samesum_status status = samesum_reduce_array(&a, &axis, 1, &want, got, NULL, NULL);
                fpenv_set(own);
                ck_assert_int_eq(status, SAMESUM_OK);
                same(&what, (uint64_t)(memcmp(got, expected, ALL * sizeof *got) != 0), 0);
            }
        }
    }
    free(x);
    free(expected);
    free(got);
    all_were_same();
}
END_TEST

/* States of the new types, fed by chunks in odd environments. */
START_TEST(states_of_arrays)
{
    for (int c = 0; c < CELLS; c += kind_step()) {
        struct cell cell = cell_at(c);
        samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 1);
        samesum_state *state = NULL;
        if (cell.weighted || samesum_state_create(&state, &want, cell.type, 0) != SAMESUM_OK) {
            continue;
        }
        struct grid grid;
        size_t n = 700;
        int i = (int)random_below(FPENV_ODD);
        char result[16];
        grid_make(&grid, cell.type, 1, &n);
        grid_operands(&grid, &cell, LAYOUT_ODD, STYLE_TINY);
        grid_mask(&grid, SAMESUM_MASK_BITS, LAYOUT_PLAIN, 9);
        struct answer expected = expect_array(&cell, &grid.array, NULL, 0);
        struct fpenv own = fpenv_get();
        fpenv_set(fpenv_odd(i));
        struct fpenv before = fpenv_get();
        samesum_status updated = samesum_state_update_array(state, &grid.array, NULL);
        samesum_status status = samesum_state_finish(state, result);
        struct fpenv after = fpenv_get();
        fpenv_set(own);
        ck_assert(updated == SAMESUM_OK && status == expected.status);
        ck_assert(memcmp(&before, &after, sizeof before) == 0);
        compare_values(&cell, result, expected.values, expected.bytes, n, SAMESUM_BACKEND_AUTO, 1,
                       "state in an odd environment");
        samesum_state_destroy(state);
        answer_free(&expected);
        grid_free(&grid);
    }
    all_were_same();
}
END_TEST

#ifdef _OPENMP
enum { TEAM = 4 };

/* Gives each thread of a team an odd environment of its own, and notes it. */
static void set_workers(int i, struct fpenv *envs)
{
#pragma omp parallel num_threads(TEAM)
    {
        int me = omp_get_thread_num();
        fpenv_set(fpenv_odd((i + 13 * me) % FPENV_ODD));
        envs[me] = fpenv_get();
    }
}

/* Notes the threads' environments and makes them `own` again. */
static void get_workers(struct fpenv own, struct fpenv *envs)
{
#pragma omp parallel num_threads(TEAM)
    {
        envs[omp_get_thread_num()] = fpenv_get();
        fpenv_set(own);
    }
}

/* Whether an environment stays with its thread from one region to the next. LLVM's runtime gives
 * workers that of the calling thread at the start of each. */
static bool workers_keep_environments(void)
{
    struct fpenv before[TEAM], after[TEAM], own = fpenv_get();
    set_workers(5, before);
    get_workers(own, after);
    return memcmp(before, after, sizeof before) == 0;
}

/* Worker threads whose environments are odd, each another one, before a call that uses them. */
START_TEST(worker_threads)
{
    struct fpenv before[TEAM], after[TEAM], own = fpenv_get();
    bool kept = workers_keep_environments();
    if (!kept) {
        skipped("fpenv", "OpenMP itself changes the workers' environments: only bits are compared");
    }
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        what.n = 200001;
        what.threads = TEAM;
        what.data = "subnormal";
        const void *x = data_x(RECIPE_SUBNORMAL, what.type, what.n);
        const void *y = data_y(RECIPE_PRODUCTS, what.type, what.n);
        uint64_t expected = reference(&what, x, y);
        for (int i = 0; i < FPENV_ODD; i += (int)by_depth(31, 17, 5)) {
            set_workers(i, before);
            uint64_t got = library(&what, x, y, NULL);
            get_workers(own, after);
            same(&what, got, expected);
            ck_assert_msg(!kept || memcmp(before, after, sizeof before) == 0,
                          "a thread's environment was changed");
        }
    }
    all_were_same();
}
END_TEST
#endif

/* A user's case: FTZ and DAZ switched on by some other library, or a directed rounding mode. */
START_TEST(other_libraries_settings)
{
    double x[1000];
    uint64_t tiny = 1;
    for (int i = 0; i < 1000; i++) {
        memcpy(&x[i], &tiny, sizeof tiny); /* 5e-324 */
    }
    for (int level = 0; level < LEVELS; level++) {
        struct what what = {.level = (samesum_level)level, .n = 1000, .data = "1000 * 5e-324"};
        for (int b = 0; b < backend_count(); b++) {
            what.backend = backend_at(b);
            for (int i = 0; i < FPENV_ODD; i++) {
                same(&what, library_in(&what, fpenv_odd(i), x, NULL), 1000);
            }
        }
    }
    const double up[] = {1, 0x1p-60};
    for (int level = 0; level < LEVELS; level++) {
        struct what what = {.level = (samesum_level)level, .n = 2, .data = "1 + 2^-60"};
        ck_assert_int_eq(fesetround(FE_UPWARD), 0);
        uint64_t got = library(&what, up, NULL, NULL);
        int mode = fegetround();
        fesetround(FE_TONEAREST);
        ck_assert_int_eq(mode, FE_UPWARD);
        same(&what, got, bits_of_double(1));
    }
    all_were_same();
}
END_TEST

/* A call raises no flag, and keeps one that was raised. */
START_TEST(sticky_flags)
{
    const double x[] = {1, 0x1p-60, HUGE_VAL, -HUGE_VAL}; /* inexact and invalid */
    struct what what = {.n = 4, .data = "flags"};
    feclearexcept(FE_ALL_EXCEPT);
    uint64_t got = library(&what, x, NULL, NULL);
    int raised = fetestexcept(FE_ALL_EXCEPT);
    ck_assert_int_eq(raised, 0);
    same(&what, got, nan_bits(SAMESUM_F64));
    feraiseexcept(FE_DIVBYZERO);
    library(&what, x, NULL, NULL);
    raised = fetestexcept(FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    ck_assert_int_eq(raised, FE_DIVBYZERO);
    all_were_same();
}
END_TEST

START_TEST(loading_changes_nothing)
{
    ck_assert_int_eq(run_child(NULL, "load", TEST_BUILD "/libsamesum.so"), 0);
}
END_TEST

Suite *suite_fpenv(void)
{
    TCase *tests;
    Suite *suite = new_suite("fpenv", &tests);
    if (!bits_have_effect()) {
        skipped("fpenv", "FTZ, DAZ and trap bits have no effect here (valgrind, or an emulator)");
        return suite;
    }
    tcase_add_test(tests, one_shot_calls);
    tcase_add_test(tests, states);
    tcase_add_test(tests, arrays);
    tcase_add_test(tests, halves);
    tcase_add_test(tests, states_of_arrays);
#ifdef _OPENMP
    tcase_add_test(tests, worker_threads);
#else
    skipped("fpenv", "this compiler has no OpenMP: there are no worker threads");
#endif
    tcase_add_test(tests, other_libraries_settings);
    tcase_add_test(tests, sticky_flags);
    tcase_add_test(tests, loading_changes_nothing);
    return suite;
}
