/* suite_allocation.c - each allocation of the library made to fail in turn. The linker sends
 * malloc() and its kin in the library and the runner to the functions below (--wrap). */
#include "grids.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_long calls;   /* allocations since `watch` */
static atomic_long fail_at; /* this one fails, and all after it where fail_on; 0: none */
static atomic_bool fail_on;
static atomic_long live; /* blocks allocated and not yet freed since `watch` */
static atomic_bool watched;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
void __wrap_free(void *block);

static bool fails(void)
{
    if (!atomic_load(&watched)) {
        return false;
    }
    long call = atomic_fetch_add(&calls, 1) + 1, at = atomic_load(&fail_at);
    return at != 0 && (call == at || (atomic_load(&fail_on) && call > at));
}

static void *counted(void *block)
{
    if (block != NULL && atomic_load(&watched)) {
        atomic_fetch_add(&live, 1);
    }
    return block;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails()) {
        return NULL;
    }
    void *moved = __real_realloc(block, size);
    return block == NULL ? counted(moved) : moved;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    if (fails()) {
        return ENOMEM;
    }
    int status = __real_posix_memalign(block, alignment, size);
    counted(status == 0 ? *block : NULL);
    return status;
}

void __wrap_free(void *block)
{
    if (block != NULL && atomic_load(&watched)) {
        atomic_fetch_sub(&live, 1);
    }
    __real_free(block);
}

/* Counts from now on, and lets allocation number `at` fail, where `on` the later ones too. */
static void watch(long at, bool on)
{
    atomic_store(&calls, 0);
    atomic_store(&live, 0);
    atomic_store(&fail_at, at);
    atomic_store(&fail_on, on);
    atomic_store(&watched, true);
}

/* Ends that, and returns how many allocations there were. */
static long unwatch(void)
{
    atomic_store(&watched, false);
    return atomic_load(&calls);
}

/* ---- tests ---- */

START_TEST(counting_works)
{
    watch(2, false);
    void *volatile a = malloc(10), *volatile b = malloc(10), *volatile c = calloc(1, 10);
    long left = atomic_load(&live);
    free(a);
    free(c);
    ck_assert_int_eq(unwatch(), 3);
    ck_assert(a != NULL && b == NULL && c != NULL && left == 2 && atomic_load(&live) == 0);
}
END_TEST

START_TEST(one_thread_allocates_nothing)
{
    static const size_t lengths[] = {0, 1, 17, 4096, 70000, 131072, 300000};
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        for (size_t l = 0; l < by_depth(4, 5, 7); l++) {
            struct what what = kind(k);
            what.n = lengths[l];
            what.data = "cancel";
            const void *x = data_x(RECIPE_CANCEL, what.type, what.n);
            const void *y = data_y(RECIPE_CANCEL, what.type, what.n);
            uint64_t expected = reference(&what, x, y);
            for (int b = 0; b < backend_count(); b++) {
                what.backend = backend_at(b);
                what.threads = what.n <= 131072 ? (int)l % 2 : 1; /* 0: default, but small */
                watch(1, true);
                uint64_t got = library(&what, x, y, NULL);
                long allocations = unwatch();
                same(&what, got, expected);
                same(&what, (uint64_t)allocations, 0);
            }
        }
    }
    all_were_same();
}
END_TEST

/* Every call of this kind that several threads work on, with its i-th allocation failing: the bits
 * are right whatever happens, and nothing leaks. */
START_TEST(failures_of_threaded_calls)
{
    long most = 0;
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        what.n = 140001;
        what.threads = 3;
        what.data = "cancel";
        const void *x = data_x(RECIPE_CANCEL, what.type, what.n);
        const void *y = data_y(RECIPE_CANCEL, what.type, what.n);
        uint64_t expected = reference(&what, x, y);
        for (int on = 0; on < 2; on++) {
            for (long at = 0, count = 1; at <= count; at++) {
                samesum_data data = {.x = x, .y = y, .n = what.n, .type = what.type};
                samesum_want want = {
                    .op = what.op, .level = what.level, .threads = 3, .ddof = what.ddof};
                uint64_t result = 0x5a5a5a5a5a5a5a5a;
                watch(at, on);
                samesum_status status = samesum_reduce(&data, &want, &result, NULL);
                count = unwatch();
                most = count > most ? count : most;
                same(&what, (uint64_t)atomic_load(&live), 0);
                if (status != SAMESUM_ERR_NOMEM || at == 0) {
                    ck_assert_int_eq(status, SAMESUM_OK);
                    same(&what, bits_of(what.type, &result), expected);
                } else {
                    ck_assert(result == 0x5a5a5a5a5a5a5a5a);
                }
            }
        }
    }
    ck_assert_int_gt(most, samesum_has_openmp() ? 0 : -1); /* something did fail */
    all_were_same();
}
END_TEST

/* A whole life of states: created, fed, merged, saved, loaded, finished. Returns the first status
 * that is not SAMESUM_OK; frees everything. */
static samesum_status life(const struct what *what, const void *x, const void *y, void *result)
{
    unsigned char bytes[8000];
    size_t half = what->n / 2 + 5, written = 0;
    samesum_state *a = NULL, *b = NULL, *c = NULL;
    samesum_want want = {
        .op = what->op, .level = what->level, .threads = what->threads, .ddof = what->ddof};
    samesum_status status = samesum_state_create(&a, &want, what->type, 0);
    if (status == SAMESUM_OK) {
        status = samesum_state_create(&b, &want, what->type, half);
    }
    if (status == SAMESUM_OK) {
        status = samesum_state_update(a, x, y, half);
    }
    if (status == SAMESUM_OK) {
        status = samesum_state_update(b, element(what->type, x, half), element(what->type, y, half),
                                      what->n - half);
    }
    if (status == SAMESUM_OK) {
        status = samesum_state_save(b, bytes, sizeof bytes, &written);
    }
    if (status == SAMESUM_OK) {
        status = samesum_state_load(&c, bytes, written);
    }
    if (status == SAMESUM_OK) {
        status = samesum_state_merge(a, c);
    }
    if (status == SAMESUM_OK) {
        status = samesum_state_finish(a, result);
    }
    samesum_state_destroy(a);
    samesum_state_destroy(b);
    samesum_state_destroy(c);
    return status;
}

START_TEST(failures_of_states)
{
    int refused = 0;
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        if (!has_states(&what)) {
            continue;
        }
        what.n = by_depth(9000, 9000, 300001);
        what.threads = 2;
        what.data = "cancel";
        const void *x = data_x(RECIPE_CANCEL, what.type, what.n);
        const void *y = data_y(RECIPE_CANCEL, what.type, what.n);
        uint64_t expected = reference(&what, x, y);
        for (int on = 0; on < 2; on++) {
            for (long at = 0, count = 1; at <= count; at++) {
                uint64_t result = 0x5a5a5a5a5a5a5a5a;
                watch(at, on);
                samesum_status status = life(&what, x, y, &result);
                long now = unwatch();
                count = at == 0 ? now : count;
                same(&what, (uint64_t)atomic_load(&live), 0);
                if (status == SAMESUM_OK) {
                    same(&what, bits_of(what.type, &result), expected);
                } else {
                    ck_assert_int_eq(status, SAMESUM_ERR_NOMEM);
                    ck_assert(at > 0 && result == 0x5a5a5a5a5a5a5a5a);
                    refused++;
                }
            }
        }
    }
    ck_assert_int_gt(refused, 2 * KINDS / kind_step());
    all_were_same();
}
END_TEST

/* ---- arrays ---- */

struct layouts {
    int dims;
    size_t shape[3];
    int axis;
    bool masked;
};

/* Compares one call whose `at`-th allocation fails; returns how many allocations there were. A call
 * that lacks memory is either right or refuses and writes nothing. */
static long array_with_failure(const struct cell *cell, const struct grid *grid, int axis,
                               const struct answer *expected, int threads, long at, bool on)
{
    size_t bytes = expected->results * expected->bytes;
    char *results = malloc(bytes + 1), *before = malloc(bytes + 1);
    samesum_counts *counts = malloc((expected->results + 1) * sizeof *counts);
    ck_assert(results != NULL && before != NULL && counts != NULL);
    memset(results, 0x5a, bytes);
    memset(before, 0x5a, bytes);
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, threads);
    watch(at, on);
    samesum_status status =
        samesum_reduce_array(&grid->array, &axis, 1, &want, results, counts, NULL);
    long count = unwatch();
    ck_assert_int_eq(atomic_load(&live), 0);
    if (status == SAMESUM_ERR_NOMEM) {
        ck_assert(at > 0 && memcmp(results, before, bytes) == 0);
    } else {
        ck_assert_int_eq(status, expected->status);
        compare_values(cell, results, expected->values, bytes, grid->elements, SAMESUM_BACKEND_AUTO,
                       threads, "an allocation fails");
        ck_assert(memcmp(counts, expected->counts, expected->results * sizeof *counts) == 0);
    }
    free(results);
    free(before);
    free(counts);
    return count;
}

START_TEST(failures_of_arrays)
{
    static const struct layouts layouts[] = {{1, {3000}, 0, true},         {2, {40, 90}, 1, false},
                                             {2, {300, 70}, 0, false},     {2, {70, 300}, 0, true},
                                             {2, {500, 400}, 0, false},    {2, {400, 500}, 1, true},
                                             {3, {9, 130, 171}, 1, false}, {1, {180001}, 0, true}};
    enum { LAYOUTS_HERE = sizeof layouts / sizeof *layouts };
    long most = 0;
    for (int c = 0; c < CELLS; c += (int)by_depth(41, 13, 1)) {
        struct cell cell = cell_at(c);
        const struct layouts *l = &layouts[(c / CELL_LEVELS + c) % LAYOUTS_HERE];
        struct grid grid;
        if (cell_refusal(&cell, NULL) != SAMESUM_OK) {
            continue;
        }
        grid_make(&grid, cell.type, l->dims, l->shape);
        grid_operands(&grid, &cell, c % 5 ? LAYOUT_PLAIN : LAYOUT_RANDOM, STYLE_CANCEL);
        if (l->masked) {
            grid_mask(&grid, SAMESUM_MASK_BYTES, LAYOUT_PLAIN, 12);
        }
        struct answer expected = expect_array(&cell, &grid.array, &l->axis, 1);
        for (int threads = 1; threads < 4; threads += 2) {
            for (int on = 0; on < 2; on++) {
                for (long at = 0, count = 1; at <= count; at++) {
                    count = array_with_failure(&cell, &grid, l->axis, &expected, threads, at, on);
                    most = count > most ? count : most;
                    ck_assert_msg(threads > 1 || l->dims > 1 || count == 0,
                                  "%s %s: one thread allocates for one row", cell.op_name,
                                  cell.type_name);
                }
            }
        }
        answer_free(&expected);
        grid_free(&grid);
    }
    ck_assert_int_gt(most, samesum_has_openmp() ? 0 : -1); /* something did fail */
    all_were_same();
}
END_TEST

static int own_leaf(void *context, uint64_t index, void *node)
{
    *(double *)node = ((const double *)context)[index];
    return 1;
}

static void own_combine(void *context, void *left, const void *right)
{
    (void)context;
    *(double *)left += *(const double *)right;
}

/* With nodes of one's own one failure leaves one thread at work; two are the end of the call. */
START_TEST(failures_of_custom_nodes)
{
    struct what what = {.n = 140001, .threads = 3, .data = "cancel"};
    const void *x = data_x(RECIPE_CANCEL, what.type, what.n);
    uint64_t expected = reference(&what, x, NULL);
    samesum_custom custom = {.node_bytes = sizeof(double),
                             .leaf = own_leaf,
                             .combine = own_combine,
                             .context = (void *)(uintptr_t)x};
    for (int on = 0; on < 2; on++) {
        for (long at = 0; at <= 3; at++) {
            uint64_t result = 0x5a5a5a5a5a5a5a5a;
            samesum_ran ran = {SAMESUM_BACKEND_AUTO, 0};
            watch(at, on);
            samesum_status status =
                samesum_reduce_custom(&custom, what.n, what.threads, &result, &ran);
            unwatch();
            same(&what, (uint64_t)atomic_load(&live), 0);
            if (at == 1 && (on || !samesum_has_openmp())) {
                ck_assert_int_eq(status, SAMESUM_ERR_NOMEM);
                ck_assert(result == 0x5a5a5a5a5a5a5a5a && ran.threads == 0);
            } else {
                ck_assert_int_eq(status, SAMESUM_OK);
                ck_assert_int_eq(ran.threads, at == 1 || !samesum_has_openmp() ? 1 : 3);
                same(&what, result, expected);
            }
        }
    }
    all_were_same();
}
END_TEST

Suite *suite_allocation(void)
{
    TCase *tests;
    Suite *suite = new_suite("allocation", &tests);
    tcase_add_test(tests, counting_works);
    tcase_add_test(tests, one_thread_allocates_nothing);
    if (depth != DEPTH_SHORT) {
        tcase_add_test(tests, failures_of_threaded_calls);
    }
    tcase_add_test(tests, failures_of_states);
    tcase_add_test(tests, failures_of_arrays);
    tcase_add_test(tests, failures_of_custom_nodes);
    return suite;
}
