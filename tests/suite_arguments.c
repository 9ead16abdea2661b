/* suite_arguments.c - bad arguments are answered with a status and nothing is touched; the forced
 * backend is used or refused, never replaced. */
#include "suites.h"
#include "support.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t mark = UINT64_C(0x0123456789abcdef);

static const int unknown[] = {-1, INT_MIN, INT_MAX, 1000};

/* samesum_reduce() and samesum_state_create() answer that status and write nothing. */
static void refused(samesum_data data, samesum_want want, samesum_status status)
{
    uint64_t result = mark;
    samesum_ran ran = {SAMESUM_BACKEND_NEON, 77};
    ck_assert_int_eq(samesum_reduce(&data, &want, &result, &ran), status);
    ck_assert(result == mark && ran.backend == SAMESUM_BACKEND_NEON && ran.threads == 77);
    if (status != SAMESUM_ERR_NULL) {
        samesum_state *state = (samesum_state *)(void *)&result;
        ck_assert_int_eq(samesum_state_create(&state, &want, data.type, 0), status);
        ck_assert_ptr_eq(state, (samesum_state *)(void *)&result);
    }
}

START_TEST(unknown_enumerators)
{
    const double x[] = {1, 2, 3};
    const samesum_data data = {.x = x, .y = x, .n = 3, .type = SAMESUM_F64};
    const samesum_want want = {.threads = 1};
    for (int i = 0; i < 6; i++) {
        samesum_data d = data;
        samesum_want w = want;
        w.op = (samesum_op)(i < 4 ? unknown[i] : SAMESUM_MINMAX + 1 + i - 4);
        refused(data, w, SAMESUM_ERR_OP);
        w = want;
        w.level = (samesum_level)(i < 4 ? unknown[i] : SAMESUM_EXACT + 1 + i - 4);
        refused(data, w, SAMESUM_ERR_LEVEL);
        w = want;
        w.backend = (samesum_backend)(i < 4 ? unknown[i] : SAMESUM_BACKEND_CUDA + 1 + i - 4);
        refused(data, w, SAMESUM_ERR_BACKEND);
        ck_assert_int_eq(samesum_backend_status(w.backend), SAMESUM_ERR_BACKEND);
        ck_assert_ptr_null(samesum_backend_name(w.backend));
        d.type = (samesum_type)(i < 4 ? unknown[i] : SAMESUM_C128 + 1 + i - 4);
        refused(d, want, SAMESUM_ERR_TYPE);
        ck_assert_uint_eq(samesum_result_size(d.type), 0);
        ck_assert_uint_eq(samesum_element_size(d.type), 0);
        ck_assert_uint_eq(samesum_result_bytes(&want, d.type), 0);
        w = want;
        w.result = (samesum_result_type)(i < 4 ? unknown[i] : SAMESUM_RESULT_INPUT + 1 + i - 4);
        refused(data, w, SAMESUM_ERR_OPTION);
        w = want;
        w.op = SAMESUM_MIN;
        w.nan = (samesum_nan)(i < 4 ? unknown[i] : SAMESUM_NAN_IGNORE + 1 + i - 4);
        refused(data, w, SAMESUM_ERR_OPTION);
    }
    samesum_want w = want;
    w.conj = 1;
    refused(data, w, SAMESUM_ERR_OPTION);
    w = want;
    w.threads = -1;
    refused(data, w, SAMESUM_ERR_THREADS);
    w.threads = INT_MIN;
    refused(data, w, SAMESUM_ERR_THREADS);
}
END_TEST

START_TEST(null_pointers)
{
    const double x[] = {1, 2, 3};
    for (int k = 0; k < ALL_KINDS; k++) {
        struct what what = kind(k);
        samesum_data data = {.x = NULL, .y = x, .n = 1, .type = what.type};
        samesum_want want = {.op = what.op, .level = what.level, .ddof = what.ddof};
        uint64_t result = mark;
        refused(data, want, SAMESUM_ERR_NULL);
        data.x = x;
        data.y = NULL;
        if (what.op == SAMESUM_DOT) {
            refused(data, want, SAMESUM_ERR_NULL);
        } else {
            what.n = 1;
            ck_assert_int_eq(samesum_reduce(&data, &want, &result, NULL), status_of(&what));
            what.n = 0;
        }
        ck_assert_int_eq(samesum_reduce(NULL, &want, &result, NULL), SAMESUM_ERR_NULL);
        ck_assert_int_eq(samesum_reduce(&data, NULL, &result, NULL), SAMESUM_ERR_NULL);
        ck_assert_int_eq(samesum_reduce(&data, &want, NULL, NULL), SAMESUM_ERR_NULL);
        what.data = "NULL, n = 0";
        uint64_t expected = reference(&what, NULL, NULL);
        same(&what, library(&what, NULL, NULL, NULL), expected);
        same(&what, library(&what, x, x, NULL), expected);
    }
    all_were_same();
}
END_TEST

START_TEST(null_pointers_of_states)
{
    const double x[] = {1, 2, 3};
    samesum_want want = {.op = SAMESUM_DOT};
    samesum_type type = SAMESUM_F64;
    samesum_state *state = NULL;
    uint64_t begin = mark, end = mark, result = mark;
    ck_assert_int_eq(samesum_state_create(NULL, &want, type, 0), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_create(&state, NULL, type, 0), SAMESUM_ERR_NULL);
    ck_assert_ptr_null(state);
    ck_assert_int_eq(samesum_state_create(&state, &want, type, 0), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_update(state, x, x, 3), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_update(state, NULL, NULL, 0), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_update(state, NULL, x, 1), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_update(state, x, NULL, 1), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_update(NULL, x, x, 1), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_finish(NULL, &result), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_finish(state, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_reset(NULL, 0), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_range(NULL, &begin, &end), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_range(state, NULL, &end), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_range(state, &begin, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_describe(NULL, &want, &type), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_describe(state, NULL, &type), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_describe(state, &want, NULL), SAMESUM_ERR_NULL);
    ck_assert(begin == mark && end == mark && result == mark);
    ck_assert_int_eq(samesum_state_range(state, &begin, &end), SAMESUM_OK);
    ck_assert(begin == 0 && end == 3);
    ck_assert_int_eq(samesum_state_finish(state, &result), SAMESUM_OK);
    ck_assert(result == bits_of_double(14));
    samesum_state_destroy(state);
    samesum_state_destroy(NULL);
}
END_TEST

START_TEST(texts)
{
    for (int a = SAMESUM_ERR_NCCL; a <= SAMESUM_NO_VALUE; a++) {
        const char *text = samesum_strerror((samesum_status)a);
        ck_assert(text != NULL && *text != '\0');
        for (int b = SAMESUM_ERR_NCCL; b < a; b++) {
            ck_assert_str_ne(text, samesum_strerror((samesum_status)b));
        }
    }
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_nonnull(samesum_strerror((samesum_status)unknown[i]));
    }
    ck_assert_str_eq(samesum_version(), SAMESUM_VERSION);
    ck_assert_int_eq(samesum_arithmetic_version(), 1);
    ck_assert_int_ge(samesum_default_threads(), 1);
    static const size_t elements[] = {8, 4, 4, 2, 2, 8, 16}, numbers[] = {8, 4, 8, 4, 4, 4, 8};
    for (int type = 0; type <= SAMESUM_C128; type++) {
        ck_assert_uint_eq(samesum_element_size((samesum_type)type), elements[type]);
        ck_assert_uint_eq(samesum_result_size((samesum_type)type), numbers[type]);
    }
}
END_TEST

START_TEST(backend_names)
{
    for (int b = SAMESUM_BACKEND_AUTO; b <= SAMESUM_BACKEND_CUDA; b++) {
        samesum_backend found = (samesum_backend)-1;
        const char *name = samesum_backend_name((samesum_backend)b);
        ck_assert_ptr_nonnull(name);
        ck_assert_int_eq(samesum_backend_from_name(name, &found), SAMESUM_OK);
        ck_assert_int_eq((int)found, b);
        samesum_status status = samesum_backend_status((samesum_backend)b);
        ck_assert(status == SAMESUM_OK || status == SAMESUM_ERR_UNAVAILABLE);
    }
    static const char *const wrong[] = {"", "AVX2", "avx", "avx2 ", " avx2", "avx5120", "CUDA"};
    for (int i = 0; i < 7; i++) {
        samesum_backend found = SAMESUM_BACKEND_AVX2;
        ck_assert_int_eq(samesum_backend_from_name(wrong[i], &found), SAMESUM_ERR_BACKEND);
        ck_assert_int_eq(found, SAMESUM_BACKEND_AVX2);
    }
    ck_assert_int_eq(samesum_backend_status(SAMESUM_BACKEND_SCALAR), SAMESUM_OK);
    samesum_backend found = SAMESUM_BACKEND_AVX2;
    ck_assert_int_eq(samesum_backend_from_name(NULL, &found), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_backend_from_name("avx2", NULL), SAMESUM_ERR_NULL);
}
END_TEST

/* A backend asked for is the one that runs, or an error. */
START_TEST(backends_asked_for)
{
    const double x[] = {1, 2, 3};
    int missing = 0;
    for (int b = SAMESUM_BACKEND_SCALAR; b <= SAMESUM_BACKEND_CUDA; b++) {
        samesum_data data = {.x = x, .n = 3, .type = SAMESUM_F64};
        samesum_want want = {.backend = (samesum_backend)b};
        if (samesum_backend_status(want.backend) != SAMESUM_OK) {
            refused(data, want, SAMESUM_ERR_UNAVAILABLE);
            missing++;
            continue;
        }
        samesum_ran ran = {SAMESUM_BACKEND_AUTO, 0};
        double result = 0;
        ck_assert_int_eq(samesum_reduce(&data, &want, &result, &ran), SAMESUM_OK);
        ck_assert(ran.backend == want.backend && ran.threads == 1 && result > 5);
    }
    ck_assert_int_gt(missing, 0); /* no machine has both AVX2 and NEON */
}
END_TEST

/* SAMESUM_BACKEND is read once, so each value gets a process of its own. */
START_TEST(backend_in_the_environment)
{
    for (int b = SAMESUM_BACKEND_SCALAR; b <= SAMESUM_BACKEND_CUDA; b++) {
        char environment[64], argument[16];
        snprintf(environment, sizeof environment, "SAMESUM_BACKEND=%s",
                 samesum_backend_name((samesum_backend)b));
        snprintf(argument, sizeof argument, "%d", b);
        ck_assert_msg(run_child(environment, "backend", argument) == 0, "%s", environment);
    }
    static const char *const wrong[] = {"sse", "AVX2", "avx512x", "1", "' '", "CUDA"};
    for (int i = 0; i < 6; i++) {
        char environment[64];
        snprintf(environment, sizeof environment, "SAMESUM_BACKEND=%s", wrong[i]);
        ck_assert_msg(run_child(environment, "backend", "-1") == 0, "%s", environment);
    }
    ck_assert_int_eq(run_child("SAMESUM_BACKEND=", "backend", "0"), 0);
    ck_assert_int_eq(run_child("SAMESUM_BACKEND=auto", "backend", "0"), 0);
}
END_TEST

Suite *suite_arguments(void)
{
    TCase *tests;
    Suite *suite = new_suite("arguments", &tests);
    tcase_add_test(tests, unknown_enumerators);
    tcase_add_test(tests, null_pointers);
    tcase_add_test(tests, null_pointers_of_states);
    tcase_add_test(tests, texts);
    tcase_add_test(tests, backend_names);
    tcase_add_test(tests, backends_asked_for);
    tcase_add_test(tests, backend_in_the_environment);
    return suite;
}
