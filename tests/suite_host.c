/* suite_host.c - the host side of libsamesum_cuda: arrays cut and packed for a device, and
 * samesum_cuda_reduce_host() on a device that the CPU plays (tests/stand_in/device.cpp), or on a
 * real one where SAMESUM_CUDA_LIBRARY names the library. What comes out has the reference's bits.
 */
#include "cuda/host_chunks.h"
#include "grids.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAND_IN TEST_BUILD "/tests/stand_in/libsamesum_cuda.so"

/* ---- arrays -----------------------------------------------------------------------------------
 */

/* An array, and the axes that are reduced. */
struct problem {
    struct cell cell;
    struct grid grid;
    int axes[GRID_DIMS], axis_count;
    char name[64];
};

/* of_chunks: one whose states are made of chunks. empty: it may have no elements. */
static void problem_make(struct problem *p, bool of_chunks, bool empty, size_t most)
{
    size_t shape[GRID_DIMS];
    enum layout layout = (enum layout)random_below(LAYOUTS);
    enum style style = (enum style)random_below(STYLES);
    int dims;
    p->cell = random_cell(of_chunks);
    do {
        dims = random_shape(shape, most);
        grid_make(&p->grid, p->cell.type, dims, shape);
    } while (p->grid.elements == 0 && !empty);
    p->axis_count = of_chunks ? 0 : random_axes(dims, p->axes);
    grid_operands(&p->grid, &p->cell, layout, style);
    random_absence(&p->grid);
    snprintf(p->name, sizeof p->name, "%s %s mask %d, %d axes of %d", layout_name(layout),
             style_name(style), (int)p->grid.array.mask_kind, p->axis_count, dims);
}

static void judge(const struct problem *p, const struct answer *expected, samesum_status status,
                  const char *values, const samesum_counts *counts)
{
    ck_assert_msg(status == expected->status, "%s %s %s, %s: status %d, not %d", p->cell.op_name,
                  p->cell.type_name, p->cell.level_name, p->name, status, expected->status);
    for (size_t r = 0; r < expected->results; r++) {
        size_t n = expected->counts[r].present + expected->counts[r].masked;
        compare_values(&p->cell, values + r * expected->bytes,
                       expected->values + r * expected->bytes, expected->bytes, n,
                       SAMESUM_BACKEND_CUDA, 0, p->name);
        if (counts != NULL) {
            compare_counts(&p->cell, &counts[r], &expected->counts[r], n, p->name);
        }
    }
}

/* ---- packing, without a device ----------------------------------------------------------------
 */

/* Blocks of exactly the bytes that are to be written. */
static char *block(size_t bytes)
{
    char *at = malloc(bytes > 0 ? bytes : 1);
    ck_assert_ptr_nonnull(at);
    return at;
}

/* Feeds a state with packed chunks of random sizes. */
static void feed_packed(samesum_state *state, const ss_host_array *h)
{
    size_t most = random_below(3) ? 1 + random_below(40) : 1 + random_below(9000), n;
    for (uint64_t first = 0; first < h->elements; first += n) {
        char *place[SS_PLACES] = {NULL};
        samesum_array chunk;
        n = most < h->elements - first ? most : (size_t)(h->elements - first);
        for (int p = 0; p < SS_PLACES; p++) {
            if (h->operand[p].at != NULL) {
                place[p] = block(n * h->operand[p].bytes);
                ss_host_pack(h, p, first, n, place[p], (int)random_below(4));
            }
        }
        ss_host_arrived(&chunk, h, NULL, &n, place);
        ck_assert_int_eq(samesum_state_update_array(state, &chunk, NULL), SAMESUM_OK);
        for (int p = 0; p < SS_PLACES; p++) {
            free(place[p]);
        }
    }
}

/* A cut along the first axis, and one of the rest along the last one, each fed in chunks. */
static void feed_cut(samesum_state *state, const ss_host_array *h)
{
    if (h->dims == 0 || random_below(2)) {
        feed_packed(state, h);
        return;
    }
    ss_host_array part;
    size_t at = random_below(h->shape[0] + 1);
    ss_host_cut(&part, h, 0, 0, at);
    feed_packed(state, &part);
    ss_host_cut(&part, h, 0, at, h->shape[0] - at);
    feed_packed(state, &part);
}

START_TEST(packed_chunks)
{
    for (size_t i = 0; i < by_depth(60, 1500, 8000); i++) {
        struct problem p;
        ss_host_array h;
        samesum_state *state = NULL;
        char result[16];
        problem_make(&p, true, false, i % 16 == 0 ? 30000 : 900);
        struct answer expected = expect_array(&p.cell, &p.grid.array, NULL, 0);
        samesum_want want = cell_want(&p.cell, SAMESUM_BACKEND_AUTO, 1);
        ss_host_array_make(&h, &p.grid.array, &want);
        ck_assert_uint_eq(h.elements, p.grid.elements);
        ck_assert_int_eq(samesum_state_create(&state, &want, p.cell.type, 0), SAMESUM_OK);
        feed_cut(state, &h);
        judge(&p, &expected, samesum_state_finish(state, result), result, NULL);
        samesum_state_destroy(state);
        answer_free(&expected);
        grid_free(&p.grid);
    }
    all_were_same();
}
END_TEST

/* Operands that travel as a whole, in pieces of random sizes. */
static char *travel(const ss_host_array *h, int place, ss_host_trip *trip)
{
    ss_host_trip_plan(trip, h, place);
    if (h->operand[place].at == NULL) {
        return NULL;
    }
    char *to = block((size_t)trip->bytes);
    size_t piece = (1 + random_below(5000)) * h->operand[place].bytes, n;
    ck_assert_uint_le(trip->bytes, h->elements * h->operand[place].bytes);
    for (uint64_t first = 0; first < trip->bytes; first += n) {
        n = piece < trip->bytes - first ? piece : (size_t)(trip->bytes - first);
        ss_host_trip_bytes(trip, h, place, first, n, to + first, 2);
    }
    return to;
}

START_TEST(whole_arrays)
{
    int blocks = 0, packed = 0;
    for (size_t i = 0; i < by_depth(60, 1500, 8000); i++) {
        struct problem p;
        ss_host_array h;
        ss_host_trip trip[SS_PLACES];
        char *block_of[SS_PLACES], *place[SS_PLACES];
        samesum_array array;
        problem_make(&p, false, false, i % 16 == 0 ? 30000 : 900);
        struct answer expected = expect_array(&p.cell, &p.grid.array, p.axes, p.axis_count);
        samesum_want want = cell_want(&p.cell, SAMESUM_BACKEND_AUTO, 1);
        ss_host_array_make(&h, &p.grid.array, &want);
        for (int k = 0; k < SS_PLACES; k++) {
            block_of[k] = travel(&h, k, &trip[k]);
            place[k] = block_of[k] ? block_of[k] + trip[k].origin : NULL;
            blocks += trip[k].block != NULL;
            packed += block_of[k] != NULL && trip[k].block == NULL;
        }
        ss_host_arrived(&array, &h, trip, NULL, place);
        char *results = block(expected.results * expected.bytes);
        samesum_counts *counts = (samesum_counts *)block(expected.results * sizeof *counts);
        samesum_status status =
            samesum_reduce_array(&array, p.axes, p.axis_count, &want, results, counts, NULL);
        judge(&p, &expected, status, results, counts);
        free(results);
        free(counts);
        for (int k = 0; k < SS_PLACES; k++) {
            free(block_of[k]);
        }
        answer_free(&expected);
        grid_free(&p.grid);
    }
    ck_assert(blocks > 0 && packed > 0);
    all_were_same();
}
END_TEST

/* ---- the calls, on the stand-in ---------------------------------------------------------------
 */

typedef samesum_status reduce_host(const samesum_array *, const int *, int, const samesum_want *,
                                   void *, samesum_counts *);

/* NULL where the stand-in was not built; a library that is named has to be there. */
static reduce_host *stand_in(void)
{
    static void *handle;
    const char *real = getenv("SAMESUM_CUDA_LIBRARY");
    reduce_host *call = NULL;
    if (handle == NULL) {
        handle = dlopen(real ? real : STAND_IN, RTLD_NOW | RTLD_LOCAL);
    }
    void *found = handle ? dlsym(handle, "samesum_cuda_reduce_host") : NULL;
    memcpy(&call, &found, sizeof found);
    if (call == NULL) {
        ck_assert_msg(real == NULL, "SAMESUM_CUDA_LIBRARY: %s", dlerror());
        skipped("host", "the stand-in device was not built: it needs a C++ compiler");
    }
    return call;
}

static void set(const char *name, size_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", value);
    ck_assert_int_eq(value > 0 ? setenv(name, text, 1) : unsetenv(name), 0);
}

static void clear(void)
{
    set("SAMESUM_CUDA_CHUNK", 0);
    set("SAMESUM_CUDA_MEMORY", 0);
    set("STAND_IN_FAILS", 0);
}

START_TEST(random_arrays)
{
    reduce_host *call = stand_in();
    size_t too_large = 0, done = 0;
    for (size_t i = 0; call != NULL && i < by_depth(60, 1500, 8000); i++) {
        static const samesum_backend backends[] = {SAMESUM_BACKEND_AUTO, SAMESUM_BACKEND_CUDA};
        struct problem p;
        problem_make(&p, i % 3 == 0, true, i % 16 == 0 ? 30000 : 900);
        struct answer expected = expect_array(&p.cell, &p.grid.array, p.axes, p.axis_count);
        samesum_want want = cell_want(&p.cell, backends[i % 2], (int)random_below(3));
        char *results = block(expected.results * expected.bytes);
        samesum_counts *counts = (samesum_counts *)block(expected.results * sizeof *counts);
        bool counted = random_below(2) == 0;
        bool tight = random_below(3) == 0;
        set("SAMESUM_CUDA_CHUNK", random_below(2) ? 0 : 1 + random_below(5000));
        set("SAMESUM_CUDA_MEMORY", tight ? 2000 + random_below(20000) : 0);
        samesum_status status =
            call(&p.grid.array, p.axes, p.axis_count, &want, results, counted ? counts : NULL);
        if (tight && status == SAMESUM_ERR_NOMEM) {
            too_large++; /* a row that cannot be cut */
        } else {
            done++;
            judge(&p, &expected, status, results, counted ? counts : NULL);
        }
        free(results);
        free(counts);
        answer_free(&expected);
        grid_free(&p.grid);
    }
    clear();
    ck_assert(call == NULL || (done > too_large));
    all_were_same();
}
END_TEST

/* Whatever call of the runtime fails: a status, or, where memory was refused and less was enough,
 * the result. At the end of the process the stand-in looks for what was not freed. */
START_TEST(failures)
{
    enum { ROWS = 30, COLUMNS = 100, CALLS = 150 };
    static const samesum_op ops[] = {SAMESUM_SUM, SAMESUM_ARGMAX, SAMESUM_MEAN};
    bool real = getenv("SAMESUM_CUDA_LIBRARY") != NULL;
    reduce_host *call = real ? NULL : stand_in();
    static float x[ROWS * COLUMNS];
    const size_t shape[2] = {ROWS, COLUMNS};
    if (real) {
        skipped("host", "a real device cannot be told to fail");
    }
    const int axis = 1;
    samesum_array array = {.x = x, .type = SAMESUM_F32, .dims = 2, .shape = shape};
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        x[i] = (float)(i * 7919 % 1000);
    }
    for (int o = 0; call != NULL && o < 3; o++) {
        samesum_want want = {.op = ops[o]};
        const int axes = ops[o] != SAMESUM_MEAN;
        const size_t bytes = (axes ? ROWS : 1) * samesum_result_bytes(&want, SAMESUM_F32);
        char got[ROWS * sizeof(uint64_t)], expected[ROWS * sizeof(uint64_t)];
        size_t failed = 0;
        ck_assert_int_eq(samesum_reduce_array(&array, &axis, axes, &want, expected, NULL, NULL),
                         SAMESUM_OK);
        set("SAMESUM_CUDA_CHUNK", 700);
        for (size_t k = 1; k < CALLS; k++) {
            set("STAND_IN_FAILS", k);
            samesum_status status = call(&array, &axis, axes, &want, got, NULL);
            ck_assert(status == SAMESUM_OK || status == SAMESUM_ERR_CUDA ||
                      status == SAMESUM_ERR_NOMEM || status == SAMESUM_ERR_UNAVAILABLE);
            ck_assert(status != SAMESUM_OK || memcmp(got, expected, bytes) == 0);
            failed += status != SAMESUM_OK;
        }
        ck_assert_uint_gt(failed, 10);
    }
    clear();
}
END_TEST

START_TEST(arguments)
{
    reduce_host *call = stand_in();
    const double x[] = {1, 2, 3};
    const size_t three = 3, none = 0;
    const samesum_array good = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &three};
    const samesum_want sum = {.op = SAMESUM_SUM};
    double result = 0;
    if (call == NULL) {
        return;
    }
    samesum_array a = good;
    samesum_want w = sum;
    ck_assert_int_eq(call(NULL, NULL, 0, &sum, &result, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(call(&good, NULL, 0, NULL, &result, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(call(&good, NULL, 0, &sum, NULL, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(call(&good, NULL, 1, &sum, &result, NULL), SAMESUM_ERR_NULL);
    a.x = NULL;
    ck_assert_int_eq(call(&a, NULL, 0, &sum, &result, NULL), SAMESUM_ERR_NULL);
    a.shape = &none;
    result = 1;
    ck_assert_int_eq(call(&a, NULL, 0, &sum, &result, NULL), SAMESUM_OK);
    ck_assert(result == 0);
    w.op = SAMESUM_MEAN;
    ck_assert_int_eq(call(&a, NULL, 0, &w, &result, NULL), SAMESUM_NO_VALUE);
    w.op = SAMESUM_ARGMIN;
    ck_assert_int_eq(call(&a, NULL, 0, &w, &result, NULL), SAMESUM_ERR_EMPTY);
    w.op = SAMESUM_DOT;
    ck_assert_int_eq(call(&good, NULL, 0, &w, &result, NULL), SAMESUM_ERR_NULL);
    w.op = (samesum_op)99;
    ck_assert_int_eq(call(&good, NULL, 0, &w, &result, NULL), SAMESUM_ERR_OP);
    a = good;
    a.type = (samesum_type)99;
    ck_assert_int_eq(call(&a, NULL, 0, &sum, &result, NULL), SAMESUM_ERR_TYPE);
    a = good;
    a.dims = 99;
    ck_assert_int_eq(call(&a, NULL, 0, &sum, &result, NULL), SAMESUM_ERR_SHAPE);
    a = good;
    a.mask_kind = SAMESUM_MASK_BYTES;
    ck_assert_int_eq(call(&a, NULL, 0, &sum, &result, NULL), SAMESUM_ERR_NULL);
    a.mask_kind = (samesum_mask_kind)9;
    ck_assert_int_eq(call(&a, NULL, 0, &sum, &result, NULL), SAMESUM_ERR_OPTION);
    w = sum;
    w.level = (samesum_level)9;
    ck_assert_int_eq(call(&good, NULL, 0, &w, &result, NULL), SAMESUM_ERR_LEVEL);
    w = sum;
    w.threads = -1;
    ck_assert_int_eq(call(&good, NULL, 0, &w, &result, NULL), SAMESUM_ERR_THREADS);
    w = sum;
    w.backend = SAMESUM_BACKEND_SCALAR;
    ck_assert_int_eq(call(&good, NULL, 0, &w, &result, NULL), SAMESUM_ERR_BACKEND);
}
END_TEST

/* Levels that need two passes: what does not fit is refused, and exact streams it. */
START_TEST(too_large)
{
    reduce_host *call = stand_in();
    static double x[40000];
    const size_t n = 40000;
    samesum_array array = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &n};
    samesum_want want = {.op = SAMESUM_VAR};
    double result, expected;
    if (call == NULL) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)(i % 1000) + 0.1;
    }
    set("SAMESUM_CUDA_MEMORY", 100000);
    ck_assert_int_eq(call(&array, NULL, 0, &want, &result, NULL), SAMESUM_ERR_NOMEM);
    want.level = SAMESUM_EXACT;
    ck_assert_int_eq(call(&array, NULL, 0, &want, &result, NULL), SAMESUM_OK);
    ck_assert_int_eq(samesum_var_f64(x, n, 0, SAMESUM_EXACT, &expected), SAMESUM_OK);
    ck_assert_uint_eq(bits_of_double(result), bits_of_double(expected));
    clear();
}
END_TEST

Suite *suite_host(void)
{
    TCase *tests;
    Suite *suite = new_suite("host", &tests);
    tcase_add_test(tests, packed_chunks);
    tcase_add_test(tests, whole_arrays);
    tcase_add_test(tests, random_arrays);
    tcase_add_test(tests, failures);
    tcase_add_test(tests, arguments);
    tcase_add_test(tests, too_large);
    return suite;
}
