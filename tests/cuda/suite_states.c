/* suite_states.c - states of the device and of the CPU, merged (reference/SPEC.md section 7). */
#include "cuda/device_state.h"
#include "cuda_suites.h"
#include "device.h"
#include "grids.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 17 };

/* The state of a chunk, made on the device: its serialised form. */
static size_t saved_state(const struct cell *cell, const samesum_array *host, uint64_t begin,
                          char *buf, samesum_counts *counts)
{
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0);
    size_t state_bytes = 0, written = 0;
    ck_assert_int_eq(samesum_cuda_state_bytes(&want, cell->type, &state_bytes), SAMESUM_OK);
    char *image = malloc(state_bytes);
    ck_assert_ptr_nonnull(image);
    device_state(host, begin, &want, image, state_bytes, counts);
    samesum_status status = samesum_cuda_state_save(image, state_bytes, buf, ROOM, &written);
    ck_assert_msg(status == SAMESUM_OK, "save: %s", samesum_strerror(status));
    free(image);
    return written;
}

static samesum_state *cpu_state(const struct cell *cell, const samesum_array *host, uint64_t begin,
                                samesum_counts *counts)
{
    samesum_state *state = NULL;
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, 1);
    ck_assert_int_eq(samesum_state_create(&state, &want, cell->type, begin), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_update_array(state, host, counts), SAMESUM_OK);
    return state;
}

static void same_bytes(const struct cell *cell, size_t n, uint64_t begin, const char *got,
                       size_t got_bytes, const char *expected, size_t expected_bytes)
{
    struct what what = {.op = cell->op,
                        .type = cell->type,
                        .level = cell->level,
                        .begin = begin,
                        .n = n,
                        .backend = SAMESUM_BACKEND_CUDA,
                        .data = "bytes of a state"};
    same(&what, got_bytes, expected_bytes);
    for (size_t i = 0; i < expected_bytes && got_bytes == expected_bytes; i += 8) {
        size_t bytes = expected_bytes - i < 8 ? expected_bytes - i : 8;
        uint64_t a = 0, b = 0;
        memcpy(&a, got + i, bytes);
        memcpy(&b, expected + i, bytes);
        same(&what, a, b);
    }
    count_bits((long)expected_bytes * 8);
}

/* The results of two states are. */
static void same_results(const struct cell *cell, size_t n, const samesum_state *state,
                         const char *saved, size_t bytes)
{
    char got[16] = {0}, expected[16] = {0};
    samesum_state *loaded = NULL;
    ck_assert_int_eq(samesum_state_load(&loaded, saved, bytes), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_finish(loaded, got), samesum_state_finish(state, expected));
    count_bits(compare_values(cell, got, expected, result_bytes(cell), n, SAMESUM_BACKEND_CUDA, 0,
                              "a state's result"));
    samesum_state_destroy(loaded);
}

/* The serialised states of one chunk are the same on both sides; where NaNs may be in them, whose
 * payload SPEC.md leaves open, their results. */
static void compare_states(const struct cell *cell, const samesum_array *host, size_t n,
                           uint64_t begin, enum style style)
{
    static char got[ROOM], expected[ROOM];
    samesum_counts counts, device_counts;
    size_t written = 0;
    bool with_counts = random_below(2) != 0;
    memset(&device_counts, 0x5a, sizeof device_counts);
    samesum_state *state = cpu_state(cell, host, begin, &counts);
    ck_assert_int_eq(samesum_state_save(state, expected, ROOM, &written), SAMESUM_OK);
    size_t bytes = saved_state(cell, host, begin, got, with_counts ? &device_counts : NULL);
    if (style == STYLE_HUGE || counts.nonfinite[0] + counts.nonfinite[1] > 0) {
        same_results(cell, n, state, got, bytes);
    } else {
        same_bytes(cell, n, begin, got, bytes, expected, written);
    }
    if (with_counts) {
        compare_counts(cell, &device_counts, &counts, n, "a state's chunk");
    }
    samesum_state_destroy(state);
}

static bool next_with_states(int *i, struct cell *cell)
{
    while (next_cell(i, cell)) {
        if (cell_has_states(cell)) {
            return true;
        }
    }
    return false;
}

/* Ranges that begin and end anywhere. */
START_TEST(serialised_states)
{
    static const uint64_t begins[] = {0,    1,    5,    15,   16,      17,
                                      4080, 4095, 4096, 4097, 1000003, (UINT64_C(1) << 40) + 5};
    static const size_t lengths[] = {0, 1, 7, 16, 33, 700, 4096, 8193, 10000, 140001};
    struct cell cell;
    size_t round = 0;
    for (int i = -1; next_with_states(&i, &cell);) {
        for (size_t l = 0; l < 10; l += by_depth(0, 3, 1)) {
            for (size_t b = round++ % 3; b < 12; b += by_depth(0, 12, 3)) {
                enum style style = (enum style)(round % STYLES);
                struct grid grid;
                grid_make(&grid, cell.type, 1, &lengths[l]);
                grid_operands(&grid, &cell, LAYOUT_PLAIN, style);
                compare_states(&cell, &grid.array, lengths[l], begins[b], style);
                grid_free(&grid);
            }
        }
    }
    all_were_same();
}
END_TEST

/* Chunks of any layout, with masks and missing values. */
START_TEST(chunks_of_any_shape)
{
    struct cell cell;
    for (int i = -1; next_with_states(&i, &cell);) {
        for (size_t round = 0; round < by_depth(0, 1, 12); round++) {
            size_t shape[2] = {1 + random_below(90), 1 + random_below(90)};
            enum style style = (enum style)random_below(STYLES);
            struct grid grid;
            grid_make(&grid, cell.type, 2, shape);
            grid_operands(&grid, &cell, (enum layout)random_below(LAYOUTS), style);
            if (random_below(2)) {
                grid_mask(&grid, random_below(2) ? SAMESUM_MASK_BYTES : SAMESUM_MASK_BITS,
                          LAYOUT_PLAIN, random_below(17));
            }
            if (grid.array.strides != NULL && (!grid.array.y || grid.array.y_strides != NULL) &&
                random_below(2)) {
                grid_missing(&grid, SAMESUM_MISSING_NAN, (double)NAN, random_below(9));
            }
            compare_states(&cell, &grid.array, shape[0] * shape[1], random_below(9000), style);
            grid_free(&grid);
        }
    }
    all_were_same();
}
END_TEST

/* ---- merging ---- */

/* The state of elements [from, to) by the CPU or the device. */
static samesum_state *piece(const struct cell *cell, const samesum_array *whole, size_t from,
                            size_t to, bool device)
{
    static char buf[ROOM];
    size_t n = to - from, bytes = element_bytes(cell->type);
    samesum_array chunk = *whole;
    chunk.shape = &n;
    chunk.x = (const char *)whole->x + from * bytes;
    chunk.y = whole->y ? (const char *)whole->y + from * bytes : NULL;
    if (!device) {
        return cpu_state(cell, &chunk, from, NULL);
    }
    samesum_state *state = NULL;
    size_t written = saved_state(cell, &chunk, from, buf, NULL);
    ck_assert_int_eq(samesum_state_load(&state, buf, written), SAMESUM_OK);
    return state;
}

enum { PIECES = 9 };

/* Merges neighbours in a random bracketing, until one state is left. */
static samesum_state *merged(samesum_state **states, int count)
{
    while (count > 1) {
        int at = (int)random_below((size_t)count - 1);
        ck_assert_int_eq(samesum_state_merge(states[at], states[at + 1]), SAMESUM_OK);
        samesum_state_destroy(states[at + 1]);
        count--;
        memmove(states + at + 1, states + at + 2, (size_t)(count - at - 1) * sizeof *states);
    }
    return states[0];
}

static void cut_and_merge(const struct cell *cell, size_t n)
{
    struct grid grid;
    samesum_state *states[PIECES];
    grid_make(&grid, cell->type, 1, &n);
    grid_operands(&grid, cell, LAYOUT_PLAIN, random_below(3) ? STYLE_CANCEL : STYLE_WIDE);
    size_t from = 0;
    for (int p = 0; p < PIECES; p++) {
        size_t to = p == PIECES - 1 ? n : from + random_below(n - from + 1);
        to = p < PIECES - 1 && random_below(4) == 0 ? from + random_below(20) : to;
        to = to < n ? to : n;
        states[p] = piece(cell, &grid.array, from, to, random_below(3) != 0);
        from = to;
    }
    samesum_state *whole = merged(states, PIECES);
    struct answer expected = cpu_answer(cell, &grid.array, NULL, 0);
    char result[16] = {0};
    samesum_status status = samesum_state_finish(whole, result);
    ck_assert_int_eq(status, expected.status);
    count_bits(compare_values(cell, result, expected.values, expected.bytes, n,
                              SAMESUM_BACKEND_CUDA, 0, "pieces of both sides merged"));
    samesum_state_destroy(whole);
    answer_free(&expected);
    grid_free(&grid);
}

START_TEST(pieces_of_both_sides)
{
    struct cell cell;
    for (int i = -1; next_with_states(&i, &cell);) {
        for (size_t round = 0; round < (size_t)(depth == DEPTH_FULL ? 4 : i % 5 == 0); round++) {
            cut_and_merge(&cell, random_below(round % 2 ? 300000 : 9000));
        }
    }
    all_were_same();
}
END_TEST

/* [1e16, 65534 zeros, -1e16, 1.0, zeros], cut in many places. */
START_TEST(zeros_between)
{
    enum { N = 70000 };
    static double x[N];
    size_t n = N, step = by_depth(0, 23001, 1709);
    x[0] = 1e16;
    x[65535] = -1e16;
    x[65536] = 1.0;
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        struct cell cell = cell_of(SAMESUM_SUM, SAMESUM_F64, (samesum_level)level);
        samesum_array host = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &n};
        struct answer expected = cpu_answer(&cell, &host, NULL, 0);
        for (size_t cut = 0; cut <= N; cut += step) {
            samesum_state *states[] = {piece(&cell, &host, 0, cut, cut % 2),
                                       piece(&cell, &host, cut, N, cut % 2 == 0 || cut % 3)};
            samesum_state *whole = merged(states, 2);
            double result = 0;
            ck_assert_int_eq(samesum_state_finish(whole, &result), SAMESUM_OK);
            count_bits(compare_values(&cell, (const char *)&result, expected.values, sizeof result,
                                      N, SAMESUM_BACKEND_CUDA, 0, "zeros between"));
            samesum_state_destroy(whole);
        }
        answer_free(&expected);
    }
    all_were_same();
}
END_TEST

/* What has no state is refused as on the CPU. */
START_TEST(refusals)
{
    struct cell cell;
    for (int i = -1; next_cell(&i, &cell);) {
        samesum_state *state = NULL;
        samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 1);
        samesum_status expected = samesum_state_create(&state, &want, cell.type, 0);
        samesum_state_destroy(state);
        size_t bytes = 77;
        ck_assert_int_eq(samesum_cuda_state_bytes(&want, cell.type, &bytes), expected);
        ck_assert(expected == SAMESUM_OK ? bytes != 77 : bytes == 77);
    }
}
END_TEST

/* Images whose range or places of digits were damaged on their way. */
START_TEST(damaged_images)
{
    static char buf[ROOM];
    static const double x[2 * 40];
    size_t n = 40, written = 0;
    ss_cuda_state image;
    const struct {
        samesum_level level;
        int *at, wrong;
    } damages[] = {
        {SAMESUM_TREE, (int *)&image.begin, 41},
        {SAMESUM_TREE, (int *)&image.end + 1, -1},
        {SAMESUM_TREE, (int *)&image.present, 41},
        {SAMESUM_EXACT, &image.acc[0].low, -1},
        {SAMESUM_EXACT, &image.acc[1].high, SS_EXACT_DIGITS + 1},
    };
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        samesum_want want = {.op = SAMESUM_SUM, .level = damages[d].level};
        samesum_array host = {.x = x, .type = SAMESUM_C128, .dims = 1, .shape = &n};
        device_state(&host, 0, &want, &image, sizeof image, NULL);
        ck_assert_int_eq(samesum_cuda_state_save(&image, sizeof image, buf, ROOM, &written),
                         SAMESUM_OK);
        *damages[d].at = damages[d].wrong;
        ck_assert_int_eq(samesum_cuda_state_save(&image, sizeof image, buf, ROOM, &written),
                         SAMESUM_ERR_CORRUPT);
    }
}
END_TEST

/* What is no image of a state, and buffers that are too small. */
START_TEST(bad_images)
{
    samesum_want want = {.op = SAMESUM_SUM};
    size_t bytes = 0, written = 0;
    char buf[64];
    ck_assert_int_eq(samesum_cuda_state_bytes(NULL, SAMESUM_F64, &bytes), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_cuda_state_bytes(&want, SAMESUM_F64, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_cuda_state_bytes(&want, (samesum_type)99, &bytes), SAMESUM_ERR_TYPE);
    ck_assert_int_eq(samesum_cuda_state_bytes(&want, SAMESUM_F64, &bytes), SAMESUM_OK);
    char *image = malloc(bytes);
    ck_assert_ptr_nonnull(image);
    memset(image, 0x5a, bytes);
    ck_assert_int_eq(samesum_cuda_state_save(NULL, bytes, buf, 64, &written), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_cuda_state_save(image, bytes, NULL, 64, &written), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_cuda_state_save(image, bytes, buf, 64, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_cuda_state_save(image, 3, buf, 64, &written), SAMESUM_ERR_SIZE);
    ck_assert_int_eq(samesum_cuda_state_save(image, bytes, buf, 64, &written), SAMESUM_ERR_CORRUPT);
    /* a right one */
    static const double x[] = {1, 2, 3};
    size_t three = 3;
    samesum_array host = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &three};
    device_state(&host, 0, &want, image, bytes, NULL);
    ck_assert_int_eq(samesum_cuda_state_save(image, bytes, buf, 5, &written), SAMESUM_ERR_SIZE);
    free(image);
}
END_TEST

Suite *suite_cuda_states(void)
{
    TCase *tests;
    Suite *suite = new_suite("states", &tests);
    tcase_add_test(tests, serialised_states);
    tcase_add_test(tests, chunks_of_any_shape);
    tcase_add_test(tests, pieces_of_both_sides);
    tcase_add_test(tests, zeros_between);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, bad_images);
    tcase_add_test(tests, damaged_images);
    return suite;
}
