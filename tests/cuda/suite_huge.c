/* suite_huge.c - more than 2^32 elements: a pattern of 2^20 elements repeated, with others near
 * both ends. The CPU's states read the pattern again and again instead of holding it so often. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { PATTERN = 1 << 20, TAIL = 17 };

struct huge {
    samesum_type type;
    size_t repeats, n; /* the pattern so often (2^32 elements), then TAIL elements */
    char *first, *pattern, *tail, *device;
};

/* Fills the device's memory by copies that double. */
static bool make(struct huge *huge, samesum_type type, enum style style)
{
    size_t bytes = element_bytes(type), pattern = PATTERN * bytes;
    *huge = (struct huge){.type = type, .repeats = by_depth(0, 4, 4096)};
    huge->n = huge->repeats * PATTERN + TAIL;
    size_t free_bytes = 0, total = 0;
    CUDA(cudaMemGetInfo(&free_bytes, &total));
    if (free_bytes < huge->n * bytes + ((size_t)1 << 30)) {
        skipped("huge", "the device has too little memory");
        return false;
    }
    huge->first = malloc(pattern);
    huge->pattern = malloc(pattern);
    huge->tail = malloc(TAIL * bytes);
    ck_assert(huge->first != NULL && huge->pattern != NULL && huge->tail != NULL);
    fill_elements(type, style, PATTERN, huge->pattern);
    fill_elements(type, style, TAIL, huge->tail);
    fill_elements(type, style, PATTERN, huge->first);
    CUDA(cudaMalloc((void **)&huge->device, huge->n * bytes));
    CUDA(cudaMemcpy(huge->device, huge->pattern, pattern, cudaMemcpyHostToDevice));
    for (size_t done = 1; done < huge->repeats; done *= 2) {
        CUDA(cudaMemcpy(huge->device + done * pattern, huge->device, done * pattern,
                        cudaMemcpyDeviceToDevice));
    }
    CUDA(cudaMemcpy(huge->device, huge->first, pattern, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(huge->device + huge->repeats * pattern, huge->tail, TAIL * bytes,
                    cudaMemcpyHostToDevice));
    return true;
}

static void unmake(struct huge *huge)
{
    CUDA(cudaFree(huge->device));
    free(huge->first);
    free(huge->pattern);
    free(huge->tail);
}

/* What the CPU's states give for the whole, x with itself for dot. */
static void by_states(const struct huge *huge, const struct cell *cell, char *result)
{
    samesum_state *state = NULL;
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, 0);
    bool pairs = cell_pairs(cell);
    ck_assert_int_eq(samesum_state_create(&state, &want, huge->type, 0), SAMESUM_OK);
    for (size_t i = 0; i < huge->repeats; i++) {
        const char *x = i == 0 ? huge->first : huge->pattern;
        ck_assert_int_eq(samesum_state_update(state, x, pairs ? x : NULL, PATTERN), SAMESUM_OK);
    }
    ck_assert_int_eq(samesum_state_update(state, huge->tail, pairs ? huge->tail : NULL, TAIL),
                     SAMESUM_OK);
    ck_assert_int_ge(samesum_state_finish(state, result), 0);
    samesum_state_destroy(state);
}

/* The whole vector, elsewhere in memory or not. */
static void whole(const struct huge *huge, const struct cell *cell, const char *expected)
{
    samesum_data data = {.x = huge->device, .n = huge->n, .type = huge->type};
    data.y = cell_pairs(cell) ? huge->device : NULL;
    batch_call((struct device_call){.data = &data}, cell, expected, huge->n, "huge");
    batch_end();
}

START_TEST(sums)
{
    static const samesum_type types[] = {SAMESUM_BF16, SAMESUM_F32, SAMESUM_F32_WIDE};
    static const samesum_op ops[][4] = {{SAMESUM_SUM, SAMESUM_SUM, SAMESUM_SUM, SAMESUM_SUM},
                                        {SAMESUM_SUM, SAMESUM_MEAN, SAMESUM_DOT, SAMESUM_SUM},
                                        {SAMESUM_DOT, SAMESUM_SUMSQ, SAMESUM_ASUM, SAMESUM_DOT}};
    for (int t = 0; t < 3; t++) {
        struct huge huge;
        if (!make(&huge, types[t], STYLE_CANCEL)) {
            return;
        }
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            struct cell cell = cell_of(ops[t][level], types[t], (samesum_level)level);
            char expected[16] = {0};
            by_states(&huge, &cell, expected);
            whole(&huge, &cell, expected);
        }
        unmake(&huge);
    }
    all_were_same();
}
END_TEST

/* The index of an element beyond 2^32, and the extremes on both sides of it. */
START_TEST(extremes)
{
    struct huge huge;
    if (!make(&huge, SAMESUM_BF16, STYLE_OFFSET)) { /* all of them between 1 and 1000 */
        return;
    }
    const size_t border = huge.repeats * PATTERN; /* 2^32 */
    const size_t places[] = {0, 5, PATTERN + 1, border - 1, border, border + 11};
    uint16_t least = half_bits(SAMESUM_BF16, -3), most = half_bits(SAMESUM_BF16, 1e6);
    for (int p = 0; p < 6; p++) {
        uint16_t kept[2];
        char *low = huge.device + 2 * places[p], *high = huge.device + 2 * places[(p + 3) % 6];
        float minmax[2] = {-3, 999424}; /* 1e6 in bfloat16 */
        uint64_t index[2] = {places[p], places[(p + 3) % 6]};
        CUDA(cudaMemcpy(&kept[0], low, 2, cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(&kept[1], high, 2, cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(low, &least, 2, cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(high, &most, 2, cudaMemcpyHostToDevice));
        struct cell cell = cell_of(SAMESUM_ARGMIN, SAMESUM_BF16, SAMESUM_TREE);
        whole(&huge, &cell, (const char *)&index[0]);
        cell.op = SAMESUM_ARGMAX;
        whole(&huge, &cell, (const char *)&index[1]);
        cell.op = SAMESUM_MINMAX;
        whole(&huge, &cell, (const char *)minmax);
        CUDA(cudaMemcpy(low, &kept[0], 2, cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(high, &kept[1], 2, cudaMemcpyHostToDevice));
    }
    unmake(&huge);
    all_were_same();
}
END_TEST

/* 2^20 rows of 4096 elements and a few: the CPU reduces as many rows as the pattern has. */
START_TEST(rows)
{
    enum { LENGTH = 4096, OF_PATTERN = PATTERN / LENGTH };
    struct huge huge;
    if (!make(&huge, SAMESUM_BF16, STYLE_CANCEL)) {
        return;
    }
    size_t few[2] = {OF_PATTERN, LENGTH}, all[2] = {huge.repeats * OF_PATTERN, LENGTH};
    int axis = 1;
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        struct cell cell = cell_of(SAMESUM_SUM, huge.type, (samesum_level)level);
        samesum_array host = {.x = huge.first, .type = huge.type, .dims = 2, .shape = few};
        samesum_array array = {.x = huge.device, .type = huge.type, .dims = 2, .shape = all};
        struct answer first = cpu_answer(&cell, &host, &axis, 1);
        host.x = huge.pattern;
        struct answer others = cpu_answer(&cell, &host, &axis, 1);
        size_t bytes = all[0] * sizeof(float);
        float *got = malloc(bytes);
        ck_assert_ptr_nonnull(got);
        struct device_call call = {.array = &array,
                                   .axes = &axis,
                                   .axis_count = 1,
                                   .want = cell_want(&cell, SAMESUM_BACKEND_CUDA, 0)};
        call.out.results = scratch(bytes);
        CUDA(cudaMemset(call.out.results, 0x5a, bytes));
        ck_assert_int_eq(device_run(&call), SAMESUM_OK);
        device_get(got, call.out.results, bytes);
        scratch_end();
        for (size_t i = 0; i < huge.repeats; i++) {
            for (size_t r = 0; r < OF_PATTERN; r++) {
                const struct answer *expected = i == 0 ? &first : &others;
                count_bits(compare_values(&cell, (const char *)&got[i * OF_PATTERN + r],
                                          expected->values + r * sizeof(float), sizeof(float),
                                          LENGTH, SAMESUM_BACKEND_CUDA, 0, "huge rows"));
            }
        }
        free(got);
        answer_free(&first);
        answer_free(&others);
    }
    unmake(&huge);
    all_were_same();
}
END_TEST

Suite *suite_cuda_huge(void)
{
    TCase *tests;
    Suite *suite = new_suite("huge", &tests);
    tcase_add_test(tests, sums);
    tcase_add_test(tests, extremes);
    tcase_add_test(tests, rows);
    return suite;
}
