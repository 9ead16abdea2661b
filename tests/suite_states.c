/* suite_states.c - streams and merging (reference/SPEC.md section 7): every way of cutting the data
 * gives the bits of the whole. */
#include "suites.h"
#include "support.h"

#include <stdlib.h>

static const uint64_t begins[] = {0,  1,    5,    15,   16,   17,
                                  31, 4080, 4095, 4096, 4097, (UINT64_C(1) << 40) + 5};
enum { BEGINS = sizeof begins / sizeof *begins };

static const enum recipe recipes[] = {RECIPE_CANCEL,    RECIPE_WIDE, RECIPE_EDGEROWS,
                                      RECIPE_MIXEDZERO, RECIPE_NAN,  RECIPE_HUGE};
enum { RECIPES = sizeof recipes / sizeof *recipes };

static void use(struct what *what, enum recipe recipe, const void **x, const void **y)
{
    what->data = recipe_name(recipe);
    *x = data_x(recipe, what->type, what->n);
    *y = data_y(recipe, what->type, what->n);
}

static void compare_chunks(struct what *what, enum recipe recipe, const size_t *chunks, int count)
{
    const void *x, *y;
    use(what, recipe, &x, &y);
    uint64_t expected = reference(what, x, y);
    for (int b = 0; b < backend_count(); b++) {
        what->backend = backend_at(b);
        for (int c = 0; c < count; c++) {
            same(what, streamed(what, x, y, chunks[c]), expected);
        }
    }
}

START_TEST(chunks)
{
    static const size_t sizes[] = {1, 7, 16, 4096, 0, 0, 1000000};
    static const size_t lengths[] = {10000, 4096, 8193, 700, 40, 16, 1, 0};
    int count = (int)by_depth(3, 5, 8);
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        for (int l = 8 - count; l < 8; l++) {
            for (int b = 0; b < BEGINS; b++) {
                struct what what = kind(k);
                what.n = lengths[l];
                what.begin = begins[b];
                if (!has_states(&what)) {
                    continue;
                }
                compare_chunks(&what, recipes[(k + l + b) % RECIPES], sizes, 7);
            }
        }
    }
    all_were_same();
}
END_TEST

/* Indices up to the last one that a range can hold. */
START_TEST(end_of_the_index_range)
{
    static const size_t lengths[] = {0, 1, 15, 16, 17, 32, 300, 5000};
    static const size_t sizes[] = {7, 0, 1000000};
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        for (int l = 0; l < 8; l++) {
            for (uint64_t left = 0; left < 35; left += 17) {
                struct what what = kind(k);
                what.n = lengths[l];
                what.begin = UINT64_MAX - left - what.n;
                if (!has_states(&what)) {
                    continue;
                }
                compare_chunks(&what, recipes[(k + l) % RECIPES], sizes, 3);
            }
        }
    }
    all_were_same();
}
END_TEST

/* Updates long enough for several threads, after a start that is no multiple of anything. */
START_TEST(chunks_and_threads)
{
    static const size_t sizes[] = {150000, 1000000};
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        if (!has_states(&what)) {
            continue;
        }
        what.n = by_depth(0, 170000, 420000);
        what.begin = 12345;
        what.threads = 3;
        compare_chunks(&what, RECIPE_CANCEL, sizes, 2);
    }
    all_were_same();
}
END_TEST

/* Chunks that hold large aligned nodes, after begins that are aligned to little and to much. */
START_TEST(large_nodes)
{
    static const size_t sizes[] = {0, 99991, 4000000};
    static const uint64_t at[] = {0, 1, 4096, (1 << 20) - 5, UINT64_C(3) << 20};
    for (int b = 0; b < 5; b++) {
        for (int level = 0; level < LEVELS; level++) {
            struct what what = {.level = (samesum_level)level, .begin = at[b], .n = 2200000};
            what.type = b % 2 ? SAMESUM_F32 : SAMESUM_F64;
            what.threads = 1 + b % 2;
            compare_chunks(&what, RECIPE_CANCEL, sizes, 3);
        }
    }
    all_were_same();
}
END_TEST

/* finish() after each piece gives the prefix and changes nothing. */
START_TEST(finish_does_not_change_the_state)
{
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        if (!has_states(&what)) {
            continue;
        }
        const void *x, *y;
        what.begin = 9;
        what.n = 700;
        use(&what, RECIPE_CANCEL, &x, &y);
        samesum_state *state = new_state(&what, what.begin);
        for (size_t done = 0, piece = 0; done + piece <= 700; done += piece, piece++) {
            feed(state, &what, element(what.type, x, done), element(what.type, y, done), piece);
            what.n = done + piece;
            uint64_t expected = reference(&what, x, y);
            same(&what, finished(state, what.type), expected);
            same(&what, finished(state, what.type), expected);
        }
        samesum_state_destroy(state);
    }
    all_were_same();
}
END_TEST

START_TEST(reset_forgets_and_moves)
{
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        if (!has_states(&what)) {
            continue;
        }
        const void *x, *y;
        what.n = 4500;
        use(&what, RECIPE_WIDE, &x, &y);
        samesum_state *state = new_state(&what, 3);
        feed(state, &what, x, y, 1234);
        what.begin = 77;
        ck_assert_int_eq(samesum_state_reset(state, what.begin), SAMESUM_OK);
        uint64_t begin = 0, end = 0;
        ck_assert_int_eq(samesum_state_range(state, &begin, &end), SAMESUM_OK);
        ck_assert(begin == what.begin && end == what.begin);
        what.n = 0;
        same(&what, finished(state, what.type), reference(&what, NULL, NULL));
        what.n = 4500;
        feed(state, &what, x, y, what.n);
        same(&what, finished(state, what.type), reference(&what, x, y));
        samesum_want want = {0};
        samesum_type type = SAMESUM_F64;
        ck_assert_int_eq(samesum_state_describe(state, &want, &type), SAMESUM_OK);
        ck_assert(want.op == what.op && want.level == what.level && type == what.type &&
                  want.ddof == what.ddof);
        samesum_state_destroy(state);
    }
    all_were_same();
}
END_TEST

/* ---- merging ---- */

enum { PIECES = 9 };

static int ascending(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Cuts [begin, begin + n) at random places (some pieces may be empty), each piece a state of its
 * own, on one backend or another, and merges neighbours in random order. */
static uint64_t merged(const struct what *what, const void *x, const void *y, bool mixed)
{
    samesum_state *state[PIECES];
    size_t cut[PIECES + 1] = {0};
    for (int i = 1; i < PIECES; i++) {
        cut[i] = random_below(what->n + 1);
        if (random_below(4) == 0) {
            cut[i] = cut[i] / 16 * 16;
        }
    }
    cut[PIECES] = what->n;
    qsort(cut, PIECES + 1, sizeof *cut, ascending);
    int left = PIECES;
    for (int i = 0; i < PIECES; i++) {
        struct what piece = *what;
        if (mixed) {
            piece.backend = backend_at((int)random_below((size_t)backend_count()));
        }
        state[i] = new_state(&piece, what->begin + cut[i]);
        feed(state[i], what, element(what->type, x, cut[i]), element(what->type, y, cut[i]),
             cut[i + 1] - cut[i]);
    }
    while (left > 1) {
        int i = (int)random_below((size_t)left - 1);
        uint64_t before = finished(state[i + 1], what->type);
        samesum_status status = samesum_state_merge(state[i], state[i + 1]);
        if (status != SAMESUM_OK) {
            ck_abort_msg("merge: %s", samesum_strerror(status));
        }
        same(what, finished(state[i + 1], what->type), before);
        samesum_state_destroy(state[i + 1]);
        left--;
        for (int j = i + 1; j < left; j++) {
            state[j] = state[j + 1];
        }
    }
    uint64_t result = finished(state[0], what->type);
    samesum_state_destroy(state[0]);
    return result;
}

static void compare_merged(size_t n, int rounds)
{
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        for (int b = 0; b < BEGINS; b++) {
            struct what what = kind(k);
            const void *x, *y;
            if (!has_states(&what)) {
                break;
            }
            what.n = n - random_below(n / 8 + 1);
            what.begin = begins[b];
            use(&what, recipes[random_below(RECIPES)], &x, &y);
            uint64_t expected = reference(&what, x, y);
            for (int i = 0; i < rounds; i++) {
                what.backend = backend_at(i % backend_count());
                same(&what, merged(&what, x, y, i % 2 == 1), expected);
            }
        }
    }
}

START_TEST(merge_short_pieces)
{
    compare_merged(40, (int)by_depth(3, 10, 60));
    compare_merged(300, (int)by_depth(2, 6, 40));
    all_were_same();
}
END_TEST

START_TEST(merge_long_pieces)
{
    compare_merged(5000, (int)by_depth(1, 3, 20));
    if (depth != DEPTH_SHORT) {
        compare_merged(40000, (int)by_depth(0, 1, 10));
    }
    all_were_same();
}
END_TEST

/* After a merge the state can be fed on. */
START_TEST(merge_then_feed)
{
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        for (size_t a = 0; a < 70; a += 7) {
            for (size_t b = a; b < 120; b += 11) {
                struct what what = kind(k);
                const void *x, *y;
                if (!has_states(&what)) {
                    continue;
                }
                what.n = 200;
                what.begin = a;
                use(&what, RECIPE_EDGELANES, &x, &y);
                samesum_state *into = new_state(&what, a), *from = new_state(&what, a + b);
                feed(into, &what, x, y, b);
                feed(from, &what, element(what.type, x, b), element(what.type, y, b), 200 - b - a);
                ck_assert_int_eq(samesum_state_merge(into, from), SAMESUM_OK);
                feed(into, &what, element(what.type, x, 200 - a), element(what.type, y, 200 - a),
                     a);
                same(&what, finished(into, what.type), reference(&what, x, y));
                samesum_state_destroy(into);
                samesum_state_destroy(from);
            }
        }
    }
    all_were_same();
}
END_TEST

/* ---- errors ---- */

/* Merging is refused with that status, and `into` still is [10, 40). */
static void refused(samesum_state *into, const samesum_state *from, samesum_status status)
{
    uint64_t before = finished(into, SAMESUM_F64), begin = 0, end = 0;
    ck_assert_int_eq(samesum_state_merge(into, from), status);
    ck_assert_int_eq(samesum_state_range(into, &begin, &end), SAMESUM_OK);
    ck_assert(begin == 10 && end == 40 && finished(into, SAMESUM_F64) == before);
}

START_TEST(merge_refuses)
{
    const double *x = data_x(RECIPE_UNIFORM, SAMESUM_F64, 100);
    struct what what = kind(0);
    samesum_state *into = new_state(&what, 10);
    feed(into, &what, x, NULL, 30);
    static const uint64_t wrong[] = {0, 10, 39, 41, 56, UINT64_MAX};
    for (int i = 0; i < 6; i++) {
        samesum_state *from = new_state(&what, wrong[i]);
        refused(into, from, SAMESUM_ERR_RANGE); /* an empty range too */
        if (wrong[i] != UINT64_MAX) {
            feed(from, &what, x, NULL, 20);
            refused(into, from, SAMESUM_ERR_RANGE);
        }
        samesum_state_destroy(from);
    }
    refused(into, into, SAMESUM_ERR_RANGE);
    refused(into, NULL, SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_merge(NULL, into), SAMESUM_ERR_NULL);
    for (int k = 1; k < ALL_KINDS; k += kind_step()) {
        what = kind(k);
        if (!has_states(&what)) {
            continue;
        }
        samesum_state *from = new_state(&what, 40);
        refused(into, from, SAMESUM_ERR_MISMATCH);
        samesum_state_destroy(from);
    }
    samesum_state_destroy(into);
}
END_TEST

START_TEST(index_overflow)
{
    const double *x = data_x(RECIPE_UNIFORM, SAMESUM_F64, 100);
    struct what what = kind(0);
    what.begin = UINT64_MAX - 50;
    samesum_state *state = new_state(&what, what.begin);
    what.n = 20;
    feed(state, &what, x, NULL, 20);
    uint64_t before = finished(state, SAMESUM_F64), begin, end;
    ck_assert_int_eq(samesum_state_update(state, x, NULL, 31), SAMESUM_ERR_RANGE);
    ck_assert_int_eq(samesum_state_range(state, &begin, &end), SAMESUM_OK);
    ck_assert(begin == what.begin && end == what.begin + 20);
    same(&what, finished(state, SAMESUM_F64), before);
    feed(state, &what, x + 20, NULL, 30);
    what.n = 50;
    same(&what, finished(state, SAMESUM_F64), reference(&what, x, NULL));
    ck_assert_int_eq(samesum_state_update(state, x, NULL, 1), SAMESUM_ERR_RANGE);
    samesum_state_destroy(state);
    all_were_same();
}
END_TEST

/* A user's case: 1e16, 65534 zeros, -1e16, 1, zeros. */
START_TEST(far_cancellation)
{
    enum { N = 70000 };
    double *x = calloc(N, sizeof *x);
    ck_assert_ptr_nonnull(x);
    x[0] = 1e16;
    x[65535] = -1e16;
    x[65536] = 1.0;
    static const size_t sizes[] = {1, 7, 4096, N};
    for (int level = 0; level < LEVELS; level++) {
        struct what what = {.level = (samesum_level)level, .n = N, .threads = 1, .data = "1e16"};
        uint64_t expected = reference(&what, x, NULL);
        for (int b = 0; b < backend_count(); b++) {
            what.backend = backend_at(b);
            same(&what, library(&what, x, NULL, NULL), expected);
            for (int i = 0; i < 4; i++) {
                same(&what, streamed(&what, x, NULL, sizes[i]), expected);
            }
            for (int i = 0; i < 20; i++) {
                same(&what, merged(&what, x, NULL, true), expected);
            }
        }
    }
    free(x);
    all_were_same();
}
END_TEST

Suite *suite_states(void)
{
    TCase *tests;
    Suite *suite = new_suite("states", &tests);
    tcase_add_test(tests, chunks);
    tcase_add_test(tests, end_of_the_index_range);
    if (depth != DEPTH_SHORT) {
        tcase_add_test(tests, chunks_and_threads);
    }
    if (depth == DEPTH_FULL) {
        tcase_add_test(tests, large_nodes);
    }
    tcase_add_test(tests, finish_does_not_change_the_state);
    tcase_add_test(tests, reset_forgets_and_moves);
    tcase_add_test(tests, merge_short_pieces);
    tcase_add_test(tests, merge_long_pieces);
    tcase_add_test(tests, merge_then_feed);
    tcase_add_test(tests, merge_refuses);
    tcase_add_test(tests, index_overflow);
    tcase_add_test(tests, far_cancellation);
    return suite;
}
