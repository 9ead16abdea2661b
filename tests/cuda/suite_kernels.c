/* suite_kernels.c - few and small calls that between them launch every kernel: for
 * compute-sanitizer. Fails where a kernel was not launched. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "launches.h"
#include "shares.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { DIMS = 3 };

/* A part of an array whose axes have `gap` indices more. */
static const struct shape {
    const char *name;
    int dims;
    size_t extent[DIMS], gap[DIMS];
    int axes[2], axis_count;
    bool segmented, masked;
} shapes[] = {
    {"vector", 1, {9001}, {0}, {0}, 1, false, false},
    {"segments", 1, {9001}, {0}, {0}, 1, true, false},
    {"masked", 1, {2000}, {0}, {0}, 1, false, true},
    /* read in ways of their own below level exact */
    {"short rows", 2, {40, 16}, {0}, {1}, 1, false, false},
    {"rows", 2, {3, 9001}, {0, 3}, {1}, 1, false, false},
    {"series", 2, {300, 37}, {0}, {0}, 1, false, false},
    {"aligned series", 2, {300, 64}, {0}, {0}, 1, false, false},
    {"long vector", 1, {150001}, {0}, {0}, 1, false, false},
    {"vector of a tile", 1, {200}, {0}, {0}, 1, false, false},
    {"masked, apart", 2, {300, 3}, {0}, {0}, 1, false, true},
    {"masked series", 2, {300, 37}, {0}, {0}, 1, false, true},
    /* of extremes and counts; planes are rows of two axes that are no single one */
    {"long series", 2, {2200, 16}, {0}, {0}, 1, false, false},
    {"masked segments", 1, {9001}, {0}, {0}, 1, true, true},
    {"short planes", 3, {20, 2, 8}, {0, 0, 3}, {1, 2}, 2, false, false},
    {"planes", 3, {3, 20, 70}, {0, 0, 3}, {1, 2}, 2, false, false},
    {"large planes", 3, {3, 20, 700}, {0, 0, 3}, {1, 2}, 2, false, false},
    {"series of planes", 3, {2, 150, 37}, {0, 3, 0}, {0, 1}, 2, false, false},
    {"series of long planes", 3, {2, 1100, 16}, {0, 3, 0}, {0, 1}, 2, false, false},
};
enum { EXACT_SHAPES = 3, SUM_SHAPES = 11, SHAPES = sizeof shapes / sizeof *shapes };

static const size_t offsets[] = {0, 50, 50, 8900};
enum { SEGMENTS = sizeof offsets / sizeof *offsets - 1 };

/* Lays x, y and the mask out alike. Returns the elements that they span. */
static size_t strides_of(const struct shape *s, size_t unit, ptrdiff_t *strides)
{
    size_t n = 1;
    for (int d = s->dims - 1; d >= 0; d--) {
        strides[d] = (ptrdiff_t)(n * unit);
        n *= s->extent[d] + s->gap[d];
    }
    return n;
}

static struct answer cpu_segments(const struct cell *cell, const samesum_array *host)
{
    struct answer answer = answer_make(cell, SEGMENTS);
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, 1);
    answer.status =
        samesum_reduce_segments(host, offsets, SEGMENTS, &want, answer.values, answer.counts, NULL);
    return answer;
}

static void reduce(const struct cell *cell, const struct shape *s)
{
    ptrdiff_t strides[DIMS], mask_strides[DIMS];
    size_t bytes = element_bytes(cell->type), n = strides_of(s, bytes, strides);
    char *x = malloc(n * bytes), *y = malloc(n * bytes), *mask = malloc(n);
    ck_assert(x != NULL && y != NULL && mask != NULL);
    fill_elements(cell->type, STYLE_CANCEL, n, x);
    fill_elements(cell->type, STYLE_NEAR, n, y);
    strides_of(s, 1, mask_strides);
    for (size_t i = 0; i < n; i++) {
        mask[i] = random_below(4) != 0;
    }
    samesum_array host = {.x = x,
                          .type = cell->type,
                          .dims = s->dims,
                          .shape = s->extent,
                          .strides = strides,
                          .y_strides = strides,
                          .weights_strides = strides,
                          .mask_strides = mask_strides};
    host.y = cell_pairs(cell) ? y : NULL;
    host.weights = cell->weighted ? y : NULL;
    host.mask = mask;
    host.mask_kind = s->masked ? SAMESUM_MASK_BYTES : SAMESUM_MASK_NONE;
    if (s->segmented) {
        struct answer expected = cpu_segments(cell, &host);
        device_compare(&expected, cell, &host, NULL, 0, offsets, SEGMENTS, s->name);
        answer_free(&expected);
    } else {
        device_as_cpu(cell, &host, s->axes, s->axis_count, s->name);
    }
    free(x);
    free(y);
    free(mask);
}

/* In the first `count` shapes. */
static void in_shapes(int count, samesum_op op, samesum_type type, samesum_level level)
{
    struct cell cell = cell_of(op, type, level);
    for (int s = 0; s < count; s++) {
        reduce(&cell, &shapes[s]);
    }
}

START_TEST(sums)
{
    static const samesum_op ops[] = {SAMESUM_SUM, SAMESUM_ASUM, SAMESUM_SUMSQ, SAMESUM_DOT};
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
        for (int o = 0; o < 4; o++) {
            for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
                in_shapes(level == SAMESUM_EXACT ? EXACT_SHAPES : SUM_SHAPES, ops[o],
                          (samesum_type)type, (samesum_level)level);
            }
        }
    }
    all_were_same();
}
END_TEST

START_TEST(extremes)
{
    static const samesum_op ops[] = {SAMESUM_MIN, SAMESUM_ARGMIN, SAMESUM_MINMAX};
    static const samesum_type types[] = {SAMESUM_F64, SAMESUM_F32, SAMESUM_F16};
    for (int t = 0; t < 3; t++) {
        for (int o = 0; o < 3; o++) {
            in_shapes(SHAPES, ops[o], types[t], SAMESUM_TREE);
        }
    }
    all_were_same();
}
END_TEST

/* Two sums at once, whose kernels are those of masked numbers. */
START_TEST(two_sums)
{
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_COMPENSATED; level++) {
            struct cell weighted = cell_of(SAMESUM_MEAN, (samesum_type)type, (samesum_level)level);
            weighted.weighted = true;
            for (int s = 0; s < SUM_SHAPES; s++) {
                reduce(&weighted, &shapes[s]);
            }
            in_shapes(SUM_SHAPES, SAMESUM_VAR, (samesum_type)type, (samesum_level)level);
        }
    }
    all_were_same();
}
END_TEST

/* Two passes, and complex elements. */
START_TEST(others)
{
    static const struct {
        samesum_op op;
        samesum_type type;
    } of[] = {{SAMESUM_VAR, SAMESUM_F64},  {SAMESUM_VAR, SAMESUM_F32},
              {SAMESUM_VAR, SAMESUM_F16},  {SAMESUM_VAR, SAMESUM_BF16},
              {SAMESUM_NRM2, SAMESUM_F64}, {SAMESUM_NRM2, SAMESUM_F32},
              {SAMESUM_SUM, SAMESUM_C64},  {SAMESUM_SUMSQ, SAMESUM_C128}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            in_shapes(EXACT_SHAPES, of[i].op, of[i].type, (samesum_level)level);
        }
    }
    all_were_same();
}
END_TEST

static void state(samesum_op op, samesum_type type, samesum_level level)
{
    enum { ROOM = 1 << 17, N = 9001, BEGIN = 5 };
    static char saved[ROOM];
    struct cell cell = cell_of(op, type, level);
    size_t n = N, bytes = 0, image_bytes = 0;
    char *x = malloc(N * element_bytes(type)), result[16] = {0};
    samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 1);
    samesum_state *on_cpu = NULL, *on_device = NULL;
    samesum_array host = {.x = x, .type = type, .dims = 1, .shape = &n};
    char expected[16] = {0};
    fill_elements(type, STYLE_CANCEL, N, x);
    ck_assert_int_eq(samesum_state_create(&on_cpu, &want, type, BEGIN), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_update_array(on_cpu, &host, NULL), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_finish(on_cpu, expected), SAMESUM_OK);
    ck_assert_int_eq(samesum_cuda_state_bytes(&want, type, &image_bytes), SAMESUM_OK);
    char *image = malloc(image_bytes);
    ck_assert(x != NULL && image != NULL);
    device_state(&host, BEGIN, &want, image, image_bytes, NULL);
    ck_assert_int_eq(samesum_cuda_state_save(image, image_bytes, saved, ROOM, &bytes), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_load(&on_device, saved, bytes), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_finish(on_device, result), SAMESUM_OK);
    count_bits(compare_values(&cell, result, expected, result_bytes(&cell), N, SAMESUM_BACKEND_CUDA,
                              0, "a state"));
    samesum_state_destroy(on_cpu);
    samesum_state_destroy(on_device);
    free(image);
    free(x);
}

START_TEST(states)
{
    static const samesum_type types[] = {SAMESUM_F64, SAMESUM_F32};
    for (int t = 0; t < 2; t++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            state(SAMESUM_SUM, types[t], (samesum_level)level);
        }
        state(SAMESUM_MINMAX, types[t], SAMESUM_TREE);
    }
    all_were_same();
}
END_TEST

static void share(samesum_op op, samesum_type type, samesum_level level)
{
    enum { N = 40000 };
    struct cell cell = cell_of(op, type, level);
    size_t n = N;
    char *x = malloc(N * element_bytes(type));
    samesum_array host = {.x = x, .type = type, .dims = 1, .shape = &n};
    ck_assert_ptr_nonnull(x);
    fill_elements(type, op == SAMESUM_NRM2 ? STYLE_TINY : STYLE_CANCEL, N, x);
    shares_as_cpu(&cell, &host, NULL, 0, 3, "shares");
    free(x);
}

START_TEST(shares)
{
    static const samesum_type types[] = {SAMESUM_F64, SAMESUM_F32};
    static const samesum_op ops[] = {SAMESUM_NRM2, SAMESUM_MIN, SAMESUM_ARGMIN, SAMESUM_MINMAX};
    for (int t = 0; t < 2; t++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            struct cell cell = cell_of(SAMESUM_SUM, types[t], (samesum_level)level);
            share(SAMESUM_SUM, types[t], (samesum_level)level);
            states_as_cpu(&cell, 9000);
        }
    }
    for (int o = 0; o < 4; o++) {
        share(ops[o], SAMESUM_F32, SAMESUM_TREE);
    }
    struct cell min = cell_of(SAMESUM_MIN, SAMESUM_F32, SAMESUM_TREE);
    states_as_cpu(&min, 9000);
    all_were_same();
}
END_TEST

START_TEST(none_is_left)
{
    ck_assert_msg(launches_missing() == 0, "kernels that were never launched");
}
END_TEST

/* Operands begin where allocations do, which aligned series need. */
static void begin(void)
{
    operands_anywhere = false;
    always_with_counts = true;
}

static void end(void)
{
    operands_anywhere = true;
    always_with_counts = false;
}

Suite *suite_cuda_kernels(void)
{
    TCase *tests;
    Suite *suite = new_suite("kernels", &tests);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, sums);
    tcase_add_test(tests, two_sums);
    tcase_add_test(tests, extremes);
    tcase_add_test(tests, others);
    tcase_add_test(tests, states);
    tcase_add_test(tests, shares);
    tcase_add_test(tests, none_is_left);
    return suite;
}
