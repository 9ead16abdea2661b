/* suite_table.c - operation x type x level x shape x backend, all of it: the operations, types and
 * levels are listed in cells.c, the shapes below. Each cell counts the bits of results compared
 * with the reference, or is refused by the rule that cells.c names; a cell that does neither fails.
 * At full depth the table is written to build/tests/table.txt. */
#include "cells.h"
#include "grids.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Data of one shape, and what is done along which axes or segments of it. */
struct job {
    struct grid grid;
    int axis;
    size_t offsets[8], segments; /* 0: axes */
};

static void vector(struct job *job, const struct cell *cell, size_t n, enum layout layout,
                   enum style style)
{
    grid_make(&job->grid, cell->type, 1, &n);
    grid_operands(&job->grid, cell, layout, style);
}

static void contiguous(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    vector(job, cell, n, LAYOUT_PLAIN, style);
}

static void strided(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    vector(job, cell, n, random_below(2) ? LAYOUT_GAPS : LAYOUT_ODD, style);
}

static void backwards(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    vector(job, cell, n, LAYOUT_BACK, style);
}

static void repeated(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    vector(job, cell, n, LAYOUT_REPEAT, style);
}

static void mask_bytes(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    static const size_t kept[] = {0, 1, 8, 15, 16};
    vector(job, cell, n, LAYOUT_PLAIN, style);
    grid_mask(&job->grid, SAMESUM_MASK_BYTES, random_below(2) ? LAYOUT_PLAIN : LAYOUT_GAPS,
              kept[random_below(5)]);
}

static void mask_bits(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    static const size_t kept[] = {0, 1, 8, 15, 16};
    vector(job, cell, n, LAYOUT_PLAIN, style);
    grid_mask(&job->grid, SAMESUM_MASK_BITS, LAYOUT_PLAIN, kept[random_below(5)]);
}

/* Numbers that the narrower types round, zeros of either sign, and an infinity. */
static void missing_value(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    static const double values[] = {-1e34, 0.1, 0.0, -0.0, HUGE_VAL, 1.0, -1e300};
    vector(job, cell, n, LAYOUT_C, style);
    grid_missing(&job->grid, SAMESUM_MISSING_VALUE, values[random_below(7)], 1 + random_below(9));
}

static void missing_nan(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    vector(job, cell, n, LAYOUT_C, style);
    grid_missing(&job->grid, SAMESUM_MISSING_NAN, (double)NAN, random_below(16));
}

static void row(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    size_t shape[2] = {n < 300 ? 5 : 2, n};
    grid_make(&job->grid, cell->type, 2, shape);
    grid_operands(&job->grid, cell, random_below(2) ? LAYOUT_PLAIN : LAYOUT_GAPS, style);
    job->axis = -1;
}

/* Enough series at most lengths to fill the vectors of every backend. */
static void axis(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    static const enum layout axes[] = {LAYOUT_PLAIN, LAYOUT_C, LAYOUT_PADDED, LAYOUT_GAPS};
    size_t shape[2] = {n, n < 300 ? 37 : n == 4097 ? 18 : 3};
    grid_make(&job->grid, cell->type, 2, shape);
    grid_operands(&job->grid, cell, axes[random_below(4)], style);
    job->axis = 0;
}

/* Rows of length n and near it, and empty ones. The first begins behind the array's begin. */
static void segment(struct job *job, const struct cell *cell, size_t n, enum style style)
{
    const size_t lengths[] = {n, 0, n / 2, n + 1, 0, 3};
    job->offsets[0] = 2;
    for (int i = 0; i < 6; i++) {
        job->offsets[i + 1] = job->offsets[i] + lengths[i];
    }
    job->segments = 6;
    vector(job, cell, job->offsets[6] + random_below(3),
           random_below(2) ? LAYOUT_PLAIN : LAYOUT_BACK, style);
}

static const struct {
    const char *name;
    void (*make)(struct job *job, const struct cell *cell, size_t n, enum style style);
} shapes[] = {
    {"contiguous", contiguous},
    {"stride", strided},
    {"stride<0", backwards},
    {"stride=0", repeated},
    {"bytes", mask_bytes},
    {"bits", mask_bits},
    {"missing", missing_value},
    {"NaNs", missing_nan},
    {"row", row},
    {"axis", axis},
    {"segment", segment},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, ALL = CELLS * SHAPES };

/* What came of each cell. */
static long bits[CELLS][SHAPES], bits_of_backend[SAMESUM_BACKEND_NEON + 1];
static samesum_status refused[CELLS][SHAPES];

/* ---- cells that are computed ---- */

static void variant(struct cell *cell)
{
    static const unsigned ddof[] = {0, 1, 1, 5};
    cell->ddof = ddof[random_below(4)];
    cell->nan = (samesum_nan)random_below(2);
    bool same_anyway =
        cell->type == SAMESUM_F64 || cell->type == SAMESUM_F32 || is_complex(cell->type);
    if (same_anyway) { /* to ask for the input's type changes nothing for these */
        cell->result = (samesum_result_type)random_below(2);
    }
}

/* samesum_reduce() gives the same. */
static long plain_call(const struct answer *expected, const struct cell *cell,
                       const struct grid *grid, samesum_backend backend, int threads,
                       const char *name)
{
    char result[16] = {0};
    samesum_data data = {
        .x = grid->array.x, .y = grid->array.y, .n = grid->elements, .type = cell->type};
    samesum_want want = cell_want(cell, backend, threads);
    samesum_status status = samesum_reduce(&data, &want, result, NULL);
    if (status != expected->status) {
        ck_abort_msg("%s %s %s: samesum_reduce() answers %d, not %d", cell->op_name,
                     cell->type_name, name, status, expected->status);
    }
    return status < 0 ? 0
                      : compare_values(cell, result, expected->values, expected->bytes,
                                       grid->elements, backend, threads, name);
}

static void compare(int c, int s, size_t n, enum style style)
{
    struct cell cell = cell_at(c);
    struct job job = {.axis = 0};
    char name[80];
    variant(&cell);
    snprintf(name, sizeof name, "%s n=%zu %s%s", shapes[s].name, n, style_name(style),
             cell.nan ? " ignore" : "");
    shapes[s].make(&job, &cell, n, style);
    const samesum_array *array = &job.grid.array;
    struct answer expected = job.segments ? expect_segments(&cell, array, job.offsets, job.segments)
                                          : expect_array(&cell, array, &job.axis, 1);
    for (int b = 0; b < backend_count(); b++) {
        samesum_backend backend = backend_at(b);
        for (int threads = 1; threads <= (n > 4000 ? 3 : 1); threads += 2) {
            long more = job.segments ? compare_segments(&expected, &cell, array, job.offsets,
                                                        job.segments, backend, threads, name)
                                     : compare_array(&expected, &cell, array, &job.axis, 1, backend,
                                                     threads, name);
            if (shapes[s].make == contiguous && !cell.weighted) {
                more += plain_call(&expected, &cell, &job.grid, backend, threads, name);
            }
            bits[c][s] += more;
            bits_of_backend[backend] += more;
        }
    }
    answer_free(&expected);
    grid_free(&job.grid);
}

/* ---- cells that are refused ---- */

static bool answers(int c, int s, samesum_backend backend, samesum_status status)
{
    static int shown;
    struct cell cell = cell_at(c);
    struct job job = {.axis = 0};
    samesum_counts counts[40];
    unsigned char results[40 * 16], before[sizeof counts];
    memset(results, 0x5a, sizeof results);
    memset(counts, 0x5a, sizeof counts);
    memset(before, 0x5a, sizeof before);
    shapes[s].make(&job, &cell, 17, STYLE_NEAR);
    samesum_want want = cell_want(&cell, backend, 1);
    samesum_status got =
        job.segments
            ? samesum_reduce_segments(&job.grid.array, job.offsets, job.segments, &want, results,
                                      counts, NULL)
            : samesum_reduce_array(&job.grid.array, &job.axis, 1, &want, results, counts, NULL);
    samesum_data data = {.x = job.grid.array.x, .y = job.grid.array.y, .n = 17, .type = cell.type};
    bool right = got == status && memcmp(before, results, sizeof results) == 0 &&
                 memcmp(before, counts, sizeof counts) == 0;
    if (shapes[s].make == contiguous && !cell.weighted) {
        right = right && samesum_reduce(&data, &want, results, NULL) == status &&
                memcmp(before, results, sizeof results) == 0;
    }
    grid_free(&job.grid);
    if (!right && shown++ < 12) {
        printf("%s %s %s %s: answers %d, not %d, or writes\n", cell.op_name, cell.type_name,
               cell.level_name, shapes[s].name, got, status);
    }
    return right;
}

static void refuse(int c, int s, samesum_status status)
{
    bool all = true;
    for (int b = 0; b < backend_count(); b++) {
        all = answers(c, s, backend_at(b), status) && all;
    }
    refused[c][s] = all ? status : SAMESUM_OK;
}

/* ---- the table ---- */

static const char *status_word(samesum_status status)
{
    return status == SAMESUM_ERR_OP ? "op" : status == SAMESUM_ERR_OPTION ? "option" : "-";
}

static void print_level(FILE *file, int level)
{
    fprintf(file, "\nlevel %s\n%-7s%-13s", cell_at(level).level_name, "", "");
    for (int s = 0; s < SHAPES; s++) {
        fprintf(file, "%11s", shapes[s].name);
    }
    for (int c = level; c < CELLS; c += CELL_LEVELS) {
        struct cell cell = cell_at(c);
        fprintf(file, "\n%-7s%-13s", cell.op_name, cell.type_name);
        for (int s = 0; s < SHAPES; s++) {
            if (bits[c][s] > 0) {
                fprintf(file, "%11ld", bits[c][s]);
            } else {
                fprintf(file, "%11s", status_word(refused[c][s]));
            }
        }
    }
    fprintf(file, "\n");
}

static void print_table(const char *path)
{
    FILE *file = fopen(path, "w");
    ck_assert_msg(file != NULL, "%s cannot be written", path);
    fprintf(
        file,
        "Bits of results compared with the reference, over all backends and thread counts;\n"
        "or refused: op, SPEC.md 6.8 step 4 (complex data); option, SPEC.md 2.3 (wide with a\n"
        "result in the input's type), or conj for real, weights for complex data (samesum.h).\n"
        "min to minmax do not look at the level. dotc: dot with x conjugated; wsum, wmean: sum\n"
        "and mean with weights; f16>f16: result in the input's type. stride, stride<0,\n"
        "stride=0: strides of each sign; bytes, bits: masks; missing: a missing value; NaNs:\n"
        "NaNs taken as missing.\n");
    for (int level = 0; level < CELL_LEVELS; level++) {
        print_level(file, level);
    }
    fprintf(file, "\n");
    for (int b = 0; b < backend_count(); b++) {
        fprintf(file, "%s: %ld bits\n", samesum_backend_name(backend_at(b)),
                bits_of_backend[backend_at(b)]);
    }
    ck_assert_int_eq(fclose(file), 0);
}

static void summarise(void)
{
    long computed = 0, refusals = 0, empty = 0, all = 0;
    for (int c = 0; c < CELLS; c++) {
        for (int s = 0; s < SHAPES; s++) {
            bool none = bits[c][s] == 0 && refused[c][s] == SAMESUM_OK;
            computed += bits[c][s] > 0;
            refusals += refused[c][s] != SAMESUM_OK;
            empty += none;
            all += bits[c][s];
            if (none && empty <= 12) {
                struct cell cell = cell_at(c);
                printf("EMPTY cell: %s %s %s %s\n", cell.op_name, cell.type_name, cell.level_name,
                       shapes[s].name);
            }
        }
    }
    printf("table: %d cells (%d operations, %d types, %d levels, %d shapes): %ld compared, %ld "
           "refused, %ld empty; %ld bits:",
           (int)ALL, CELL_OPS, CELL_TYPES, CELL_LEVELS, (int)SHAPES, computed, refusals, empty,
           all);
    for (int b = 0; b < backend_count(); b++) {
        printf(" %s %ld", samesum_backend_name(backend_at(b)), bits_of_backend[backend_at(b)]);
    }
    printf("\n");
    ck_assert_msg(empty == 0, "%ld cells of the table are empty", empty);
}

START_TEST(every_cell)
{
    static const size_t lengths[] = {17, 0,   1,   4097, 16,   257,   2,
                                     15, 255, 256, 4095, 4096, 10000, 140001};
    int lengths_here = (int)by_depth(1, 4, 13);
    for (int c = 0; c < CELLS; c++) {
        for (int s = 0; s < SHAPES; s++) {
            struct cell cell = cell_at(c);
            samesum_status refusal = cell_refusal(&cell, NULL);
            if (refusal != SAMESUM_OK) {
                refuse(c, s, refusal);
                continue;
            }
            /* Threads begin to work in the longest: a shape each. */
            int last = lengths_here + (depth == DEPTH_FULL && (c / CELL_LEVELS + s) % SHAPES == 0);
            for (int l = 0; l < last; l++) {
                if (depth == DEPTH_QUICK && l == 3 && (c + s) % 4 != 0) {
                    continue;
                }
                compare(c, s, lengths[l], (enum style)((c + s + l) % STYLES));
            }
        }
    }
    if (depth == DEPTH_FULL) {
        print_table(TEST_BUILD "/tests/table.txt");
    }
    summarise();
    all_were_same();
}
END_TEST

/* Sizes of results and elements, and 0 for what is refused. */
START_TEST(sizes)
{
    for (int c = 0; c < CELLS; c++) {
        struct cell cell = cell_at(c);
        samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 1);
        bool never = !cell.weighted && cell_refusal(&cell, NULL) != SAMESUM_OK;
        if (cell.weighted && is_complex(cell.type)) {
            continue; /* refused for the weights, which `want` does not hold */
        }
        ck_assert_msg(samesum_result_bytes(&want, cell.type) == (never ? 0 : result_bytes(&cell)) ||
                          (cell.weighted && cell_refusal(&cell, NULL) != SAMESUM_OK),
                      "%s %s: %zu bytes", cell.op_name, cell.type_name,
                      samesum_result_bytes(&want, cell.type));
        ck_assert_uint_eq(samesum_element_size(cell.type), element_bytes(cell.type));
    }
}
END_TEST

Suite *suite_table(void)
{
    TCase *tests;
    Suite *suite = new_suite("table", &tests);
    tcase_add_test(tests, every_cell);
    tcase_add_test(tests, sizes);
    return suite;
}
