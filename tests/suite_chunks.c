/* suite_chunks.c - states fed with chunks of any layout, masked and with missing values: however an
 * array is cut, by whatever calls it is fed, saved, loaded and merged, it gives the one call's
 * bits. */
#include "grids.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What states there are for a cell that is not refused: samesum.h, "states". */
static samesum_status status_of_create(const struct cell *cell)
{
    if (cell->op == SAMESUM_ARGMIN || cell->op == SAMESUM_ARGMAX) {
        return SAMESUM_ERR_OP;
    }
    bool two_passes =
        cell->op == SAMESUM_NRM2 || cell->op == SAMESUM_VAR || cell->op == SAMESUM_STD;
    return two_passes && cell->level != SAMESUM_EXACT ? SAMESUM_ERR_TWO_PASSES : SAMESUM_OK;
}

static bool fed_by_states(const struct cell *cell)
{
    return !cell->weighted && cell_refusal(cell, NULL) == SAMESUM_OK &&
           status_of_create(cell) == SAMESUM_OK;
}

START_TEST(which_states_there_are)
{
    for (int c = 0; c < CELLS; c++) {
        struct cell cell = cell_at(c);
        samesum_state *state = NULL;
        samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 1);
        samesum_status status = cell_refusal(&cell, NULL);
        if (cell.weighted) {
            continue;
        }
        status = status == SAMESUM_OK ? status_of_create(&cell) : status;
        samesum_status got = samesum_state_create(&state, &want, cell.type, 0);
        ck_assert_msg(got == status, "%s %s %s: %d, not %d", cell.op_name, cell.type_name,
                      cell.level_name, got, status);
        ck_assert((state == NULL) == (status != SAMESUM_OK));
        if (state != NULL) {
            samesum_want told = {0};
            samesum_type type = SAMESUM_F64;
            ck_assert_int_eq(samesum_state_describe(state, &told, &type), SAMESUM_OK);
            ck_assert(told.op == cell.op && type == cell.type);
            ck_assert(told.level == cell.level || cell_extreme(&cell));
        }
        samesum_state_destroy(state);
    }
}
END_TEST

/* ---- cutting ---- */

/* Rows from up to to - 1 of the grid along its first axis. bits: room for their mask. */
static samesum_array cut(const struct grid *grid, size_t from, size_t to, size_t *shape,
                         unsigned char *bits)
{
    samesum_array a = grid->array;
    size_t inner = 1, bytes = element_bytes(a.type);
    memcpy(shape, grid->shape, sizeof grid->shape);
    shape[0] = to - from;
    for (int d = 1; d < a.dims; d++) {
        inner *= shape[d];
    }
    ptrdiff_t whole = (ptrdiff_t)(inner * bytes), rows = (ptrdiff_t)from;
    a.shape = shape;
    if (a.x != NULL) {
        a.x = (const char *)a.x + rows * (a.strides ? a.strides[0] : whole);
    }
    if (a.y != NULL) {
        a.y = (const char *)a.y + rows * (a.y_strides ? a.y_strides[0] : whole);
    }
    if (a.mask_kind == SAMESUM_MASK_BYTES && a.mask != NULL) {
        a.mask =
            (const char *)a.mask + rows * (a.mask_strides ? a.mask_strides[0] : (ptrdiff_t)inner);
    }
    if (a.mask_kind == SAMESUM_MASK_BITS) {
        const unsigned char *all = a.mask;
        for (size_t i = 0; i < inner * (to - from); i++) {
            size_t at = from * inner + i;
            unsigned bit = (unsigned)all[at / 8] >> at % 8 & 1u;
            bits[i / 8] = (unsigned char)((bits[i / 8] & ~(1u << i % 8)) | bit << i % 8);
        }
        a.mask = bits;
    }
    return a;
}

/* Whether it can be fed by samesum_state_update() as well. */
static bool is_plain(const samesum_array *a)
{
    return a->strides == NULL && a->y_strides == NULL && a->mask_kind == SAMESUM_MASK_NONE &&
           a->missing == SAMESUM_MISSING_NONE;
}

/* Feeds rows from up to to - 1 in random chunks, by either call, and adds the chunks' counts. */
static void feed_rows(samesum_state *state, const struct grid *grid, size_t from, size_t to,
                      samesum_counts *sum)
{
    unsigned char *bits = malloc(grid->elements / 8 + 1);
    size_t shape[GRID_DIMS];
    ck_assert_ptr_nonnull(bits);
    while (from < to) {
        size_t step = random_below(4) == 0 ? random_below(to - from + 1) : random_below(9);
        size_t end = from + step < to ? from + step : to;
        samesum_array chunk = cut(grid, from, end, shape, bits);
        samesum_counts counts;
        memset(&counts, 0x5a, sizeof counts);
        samesum_status status;
        if (is_plain(&chunk) && random_below(2)) {
            size_t n = grid->shape[0] == 0 ? 0 : grid->elements / grid->shape[0] * (end - from);
            status = samesum_state_update(state, chunk.x, chunk.y, n);
            struct row row = row_of(&chunk);
            counts = row_counts(&row);
            row_free(&row);
        } else if (random_below(5)) {
            status = samesum_state_update_array(state, &chunk, &counts);
            struct row row = row_of(&chunk);
            samesum_counts plain = row_counts(&row);
            struct cell cell = {.type = grid->array.type};
            compare_counts(&cell, &counts, &plain, row.n, "a chunk");
            row_free(&row);
        } else {
            status = samesum_state_update_array(state, &chunk, NULL);
            struct row row = row_of(&chunk);
            counts = row_counts(&row);
            row_free(&row);
        }
        ck_assert_msg(status == SAMESUM_OK, "update: %s", samesum_strerror(status));
        sum->present += counts.present;
        sum->masked += counts.masked;
        from = end;
    }
    free(bits);
}

static samesum_state *saved_and_loaded(samesum_state *state)
{
    samesum_state *copy = NULL;
    size_t bytes = 0, written = 0;
    ck_assert_int_eq(samesum_state_size(state, &bytes), SAMESUM_OK);
    unsigned char *buffer = malloc(bytes);
    ck_assert_ptr_nonnull(buffer);
    ck_assert_int_eq(samesum_state_save(state, buffer, bytes - 1, &written), SAMESUM_ERR_SIZE);
    ck_assert_uint_eq(written, 0);
    ck_assert_int_eq(samesum_state_save(state, buffer, bytes, &written), SAMESUM_OK);
    ck_assert_uint_eq(written, bytes);
    ck_assert_int_eq(samesum_state_load(&copy, buffer, bytes), SAMESUM_OK);
    free(buffer);
    samesum_state_destroy(state);
    return copy;
}

static void judge(const samesum_state *state, const struct answer *expected,
                  const struct cell *cell, const char *name)
{
    char result[16];
    memset(result, 0x5a, sizeof result);
    samesum_status status = samesum_state_finish(state, result);
    ck_assert_msg(status == expected->status, "%s %s %s %s: finish answers %d, not %d",
                  cell->op_name, cell->type_name, cell->level_name, name, status, expected->status);
    compare_values(cell, result, expected->values, expected->bytes, expected->counts[0].present,
                   SAMESUM_BACKEND_AUTO, 0, name);
    for (size_t i = expected->bytes; i < sizeof result; i++) {
        ck_assert(result[i] == 0x5a);
    }
}

static samesum_state *created(const struct cell *cell, uint64_t begin)
{
    samesum_state *state = NULL;
    samesum_want want = cell_want(cell, backend_at((int)random_below((size_t)backend_count())),
                                  (int)random_below(3));
    ck_assert_int_eq(samesum_state_create(&state, &want, cell->type, begin), SAMESUM_OK);
    return state;
}

/* One state for the whole. */
static void in_one(const struct grid *grid, const struct answer *expected, const struct cell *cell,
                   const char *name)
{
    samesum_counts sum = {0};
    uint64_t begin = 7, end = 7;
    samesum_state *state = created(cell, 0);
    feed_rows(state, grid, 0, grid->shape[0], &sum);
    ck_assert_int_eq(samesum_state_range(state, &begin, &end), SAMESUM_OK);
    ck_assert(begin == 0 && end == grid->elements);
    ck_assert_uint_eq(sum.present, expected->counts[0].present);
    ck_assert_uint_eq(sum.masked, expected->counts[0].masked);
    judge(state, expected, cell, name);
    if (random_below(3) == 0) {
        state = saved_and_loaded(state);
        judge(state, expected, cell, name);
    }
    samesum_state_destroy(state);
}

/* Several, of adjacent ranges, merged in a random bracketing, some of them saved and loaded. */
static void in_pieces(const struct grid *grid, const struct answer *expected,
                      const struct cell *cell, const char *name)
{
    enum { PIECES = 6 };
    samesum_state *state[PIECES];
    samesum_counts sum = {0};
    size_t rows = grid->shape[0], from = 0, count = 1 + random_below(PIECES);
    size_t inner = rows == 0 ? 0 : grid->elements / rows;
    for (size_t i = 0; i < count; i++) {
        size_t to = i + 1 == count ? rows : from + random_below(rows - from + 1);
        state[i] = created(cell, from * inner);
        feed_rows(state[i], grid, from, to, &sum);
        state[i] = random_below(2) ? saved_and_loaded(state[i]) : state[i];
        from = to;
    }
    while (count > 1) {
        size_t i = random_below(count - 1);
        ck_assert_int_eq(samesum_state_merge(state[i], state[i + 1]), SAMESUM_OK);
        samesum_state_destroy(state[i + 1]);
        count--;
        memmove(&state[i + 1], &state[i + 2], (count - i - 1) * sizeof *state);
    }
    judge(state[0], expected, cell, name);
    samesum_state_destroy(state[0]);
}

static void cell_in_chunks(struct cell cell, size_t most)
{
    static const size_t kept[] = {0, 3, 12, 16};
    struct grid grid;
    size_t shape[3] = {random_below(most), 1 + random_below(4), 1 + random_below(3)};
    int dims = 1 + (int)random_below(3);
    enum layout layout = random_below(2) ? LAYOUT_PLAIN : (enum layout)random_below(LAYOUTS);
    enum style style = (enum style)random_below(STYLES);
    char name[80];
    cell.ddof = (unsigned)random_below(3);
    cell.nan = (samesum_nan)random_below(2);
    grid_make(&grid, cell.type, dims, shape);
    grid_operands(&grid, &cell, layout, style);
    if (random_below(3) == 0) {
        bool bits = random_below(2);
        grid_mask(&grid, bits ? SAMESUM_MASK_BITS : SAMESUM_MASK_BYTES,
                  bits ? LAYOUT_PLAIN : layout, kept[random_below(4)]);
    }
    if (random_below(3) == 0) {
        bool nan = random_below(2);
        grid_missing(&grid, nan ? SAMESUM_MISSING_NAN : SAMESUM_MISSING_VALUE,
                     nan ? (double)NAN : 2.0, random_below(17));
    }
    snprintf(name, sizeof name, "chunks, %s %s mask %d missing %d%s", layout_name(layout),
             style_name(style), (int)grid.array.mask_kind, (int)grid.array.missing,
             cell.nan ? " ignore" : "");
    struct answer expected = expect_array(&cell, &grid.array, NULL, 0);
    in_one(&grid, &expected, &cell, name);
    in_pieces(&grid, &expected, &cell, name);
    answer_free(&expected);
    grid_free(&grid);
}

START_TEST(random_chunks)
{
    for (size_t i = 0; i < by_depth(1, 2, 20); i++) {
        for (int c = (int)i % kind_step(); c < CELLS; c += kind_step()) {
            struct cell cell = cell_at(c);
            if (fed_by_states(&cell)) {
                cell_in_chunks(cell, i % 8 == 7 ? 9000 : 400);
            }
        }
    }
    all_were_same();
}
END_TEST

/* Absent elements before the first one: states that begin elsewhere than at 0 (SPEC.md 7.3). */
START_TEST(begins_elsewhere)
{
    for (int c = 0; c < CELLS; c += kind_step()) {
        struct cell cell = cell_at(c);
        if (!fed_by_states(&cell)) {
            continue;
        }
        struct grid grid;
        size_t n = 1 + random_below(6000), absent = random_below(n);
        samesum_counts sum = {0};
        grid_make(&grid, cell.type, 1, &n);
        grid_operands(&grid, &cell, LAYOUT_PLAIN, STYLE_CANCEL);
        unsigned char *keep = malloc(n);
        ck_assert_ptr_nonnull(keep);
        memset(keep, 0, absent);
        memset(keep + absent, 1, n - absent);
        samesum_array masked = grid.array;
        masked.mask_kind = SAMESUM_MASK_BYTES;
        masked.mask = keep;
        struct answer expected = expect_array(&cell, &masked, NULL, 0);
        samesum_state *state = created(&cell, absent);
        feed_rows(state, &grid, absent, n, &sum);
        judge(state, &expected, &cell, "begins elsewhere");
        samesum_state_destroy(state);
        answer_free(&expected);
        grid_free(&grid);
        free(keep);
    }
    all_were_same();
}
END_TEST

/* ---- refusals ---- */

static samesum_status update_with(samesum_state *state, const samesum_array *chunk)
{
    samesum_counts counts;
    unsigned char untouched[sizeof counts];
    uint64_t begin, end, begin_now, end_now;
    char before[16] = {0}, after[16] = {0};
    memset(&counts, 0x5a, sizeof counts);
    memset(untouched, 0x5a, sizeof untouched);
    samesum_state_range(state, &begin, &end);
    samesum_state_finish(state, before);
    samesum_status status = samesum_state_update_array(state, chunk, &counts);
    samesum_state_range(state, &begin_now, &end_now);
    samesum_state_finish(state, after);
    ck_assert(status == SAMESUM_OK || (begin == begin_now && end == end_now));
    ck_assert(status == SAMESUM_OK || memcmp(&counts, untouched, sizeof counts) == 0);
    ck_assert(status == SAMESUM_OK || memcmp(before, after, sizeof before) == 0);
    return status;
}

START_TEST(chunks_that_are_refused)
{
    static const double x[4] = {1, 2, 3, 4};
    static const size_t four[1] = {4}, huge[2] = {(size_t)1 << 32, (size_t)1 << 32};
    samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_COMPENSATED};
    samesum_state *state = NULL, *pairs = NULL, *late = NULL;
    samesum_array good = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = four}, a = good;
    ck_assert_int_eq(samesum_state_create(&state, &want, SAMESUM_F64, 0), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_create(&late, &want, SAMESUM_F64, UINT64_MAX - 3), SAMESUM_OK);
    want.op = SAMESUM_DOT;
    ck_assert_int_eq(samesum_state_create(&pairs, &want, SAMESUM_F64, 0), SAMESUM_OK);
    ck_assert_int_eq(update_with(state, &good), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_update_array(NULL, &good, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(update_with(state, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(update_with(pairs, &good), SAMESUM_ERR_NULL);
    a.x = NULL;
    ck_assert_int_eq(update_with(state, &a), SAMESUM_ERR_NULL);
    a = good, a.type = SAMESUM_F32;
    ck_assert_int_eq(update_with(state, &a), SAMESUM_ERR_MISMATCH);
    a = good, a.weights = x;
    ck_assert_int_eq(update_with(state, &a), SAMESUM_ERR_OPTION);
    a = good, a.mask_kind = (samesum_mask_kind)9, a.mask = x;
    ck_assert_int_eq(update_with(state, &a), SAMESUM_ERR_OPTION);
    a = good, a.missing = (samesum_missing)9;
    ck_assert_int_eq(update_with(state, &a), SAMESUM_ERR_OPTION);
    a = good, a.mask_kind = SAMESUM_MASK_BITS;
    ck_assert_int_eq(update_with(state, &a), SAMESUM_ERR_NULL);
    a = good, a.dims = SAMESUM_MAX_DIMS + 1;
    ck_assert_int_eq(update_with(state, &a), SAMESUM_ERR_SHAPE);
    a = good, a.dims = 2, a.shape = huge;
    ck_assert_int_eq(update_with(state, &a), SAMESUM_ERR_SHAPE);
    ck_assert_int_eq(update_with(late, &good), SAMESUM_ERR_RANGE);
    double sum = 0;
    ck_assert_int_eq(samesum_state_finish(state, &sum), SAMESUM_OK);
    ck_assert(bits_of_double(sum) == bits_of_double(10));
    samesum_state_destroy(state);
    samesum_state_destroy(pairs);
    samesum_state_destroy(late);
}
END_TEST

/* A damaged state never loads, nor does a shorter one; each bit matters. */
START_TEST(damaged_states)
{
    for (int c = 0; c < CELLS; c += (int)by_depth(31, 7, 3)) {
        struct cell cell = cell_at(c);
        if (!fed_by_states(&cell)) {
            continue;
        }
        struct grid grid;
        size_t n = 300, bytes = 0;
        samesum_counts sum = {0};
        grid_make(&grid, cell.type, 1, &n);
        grid_operands(&grid, &cell, LAYOUT_PLAIN, STYLE_NEAR);
        samesum_state *state = created(&cell, 0), *loaded = NULL;
        feed_rows(state, &grid, 0, n, &sum);
        ck_assert_int_eq(samesum_state_size(state, &bytes), SAMESUM_OK);
        unsigned char *buffer = malloc(bytes);
        ck_assert_ptr_nonnull(buffer);
        ck_assert_int_eq(samesum_state_save(state, buffer, bytes, &bytes), SAMESUM_OK);
        for (size_t i = 0; i < bytes; i++) {
            unsigned char flip = (unsigned char)(1u << random_below(8));
            buffer[i] ^= flip;
            ck_assert_int_lt(samesum_state_load(&loaded, buffer, bytes), 0);
            buffer[i] ^= flip;
            ck_assert_int_lt(samesum_state_load(&loaded, buffer, i), 0);
            ck_assert_ptr_null(loaded);
        }
        ck_assert_int_eq(samesum_state_load(&loaded, buffer, bytes), SAMESUM_OK);
        samesum_state_destroy(loaded);
        samesum_state_destroy(state);
        free(buffer);
        grid_free(&grid);
    }
}
END_TEST

/* States that differ in what they compute do not merge. */
START_TEST(states_that_do_not_merge)
{
    static const samesum_type types[] = {SAMESUM_F32, SAMESUM_F16, SAMESUM_BF16, SAMESUM_C64,
                                         SAMESUM_C128};
    samesum_want sum = {.op = SAMESUM_SUM}, most = {.op = SAMESUM_MAX};
    samesum_state *a = NULL, *b = NULL;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++) {
            ck_assert_int_eq(samesum_state_create(&a, &sum, types[i], 0), SAMESUM_OK);
            ck_assert_int_eq(samesum_state_create(&b, &sum, types[k], 0), SAMESUM_OK);
            ck_assert_int_eq(samesum_state_merge(a, b), i == k ? SAMESUM_OK : SAMESUM_ERR_MISMATCH);
            samesum_state_destroy(a);
            samesum_state_destroy(b);
        }
    }
    ck_assert_int_eq(samesum_state_create(&a, &sum, SAMESUM_F16, 0), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_create(&b, &most, SAMESUM_F16, 0), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_merge(a, b), SAMESUM_ERR_MISMATCH);
    ck_assert_int_eq(samesum_state_merge(b, a), SAMESUM_ERR_MISMATCH);
    samesum_state_destroy(a);
    samesum_state_destroy(b);
}
END_TEST

Suite *suite_chunks(void)
{
    TCase *tests;
    Suite *suite = new_suite("chunks", &tests);
    tcase_add_test(tests, which_states_there_are);
    tcase_add_test(tests, random_chunks);
    tcase_add_test(tests, begins_elsewhere);
    tcase_add_test(tests, chunks_that_are_refused);
    tcase_add_test(tests, damaged_states);
    tcase_add_test(tests, states_that_do_not_merge);
    return suite;
}
