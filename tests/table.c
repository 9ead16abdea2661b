#include "table.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
} shapes[TABLE_SHAPES] = {
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

const char *shape_name(int shape)
{
    return shapes[shape].name;
}

bool is_plain_vector(const struct cell *cell, int shape)
{
    return shapes[shape].make == contiguous && !cell->weighted;
}

/* ---- the walk ---- */

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

static void compare_cell(struct table *table, int c, int s, size_t n, enum style style,
                         table_compare *compare)
{
    struct cell cell = cell_at(c);
    struct job job = {.n = n, .shape = s};
    char name[80];
    variant(&cell);
    snprintf(name, sizeof name, "%s n=%zu %s%s", shapes[s].name, n, style_name(style),
             cell.nan ? " ignore" : "");
    shapes[s].make(&job, &cell, n, style);
    const samesum_array *array = &job.grid.array;
    struct answer expected = job.segments ? expect_segments(&cell, array, job.offsets, job.segments)
                                          : expect_array(&cell, array, &job.axis, 1);
    table->bits[c][s] += compare(table, &expected, &cell, &job, name);
    answer_free(&expected);
    grid_free(&job.grid);
}

static void refuse_cell(struct table *table, int c, int s, samesum_status status,
                        table_refuse *refuse)
{
    static int shown;
    struct cell cell = cell_at(c);
    struct job job = {.n = 17, .shape = s};
    shapes[s].make(&job, &cell, job.n, STYLE_NEAR);
    bool right = refuse(&cell, &job, status);
    grid_free(&job.grid);
    table->refused[c][s] = right ? status : SAMESUM_OK;
    if (!right && shown++ < 12) {
        printf("%s %s %s %s: does not answer %d, or writes\n", cell.op_name, cell.type_name,
               cell.level_name, shapes[s].name, status);
    }
}

void table_walk(struct table *table, int lengths, table_compare *compare, table_refuse *refuse)
{
    static const size_t of[] = {17, 0,   1,   4097, 16,   257,   2,
                                15, 255, 256, 4095, 4096, 10000, 140001};
    for (int c = 0; c < CELLS; c++) {
        for (int s = 0; s < TABLE_SHAPES; s++) {
            struct cell cell = cell_at(c);
            samesum_status refusal = cell_refusal(&cell, NULL);
            if (refusal != SAMESUM_OK) {
                refuse_cell(table, c, s, refusal, refuse);
                continue;
            }
            /* Threads begin to work in the longest: a shape each. */
            int last = lengths + (depth == DEPTH_FULL && (c / CELL_LEVELS + s) % TABLE_SHAPES == 0);
            for (int l = 0; l < last; l++) {
                if (depth == DEPTH_QUICK && l == 3 && (c + s) % 4 != 0) {
                    continue;
                }
                compare_cell(table, c, s, of[l], (enum style)((c + s + l) % STYLES), compare);
            }
        }
    }
}

/* ---- the table ---- */

static const char *status_word(samesum_status status)
{
    return status == SAMESUM_ERR_OP ? "op" : status == SAMESUM_ERR_OPTION ? "option" : "-";
}

static void print_level(const struct table *table, FILE *file, int level)
{
    fprintf(file, "\nlevel %s\n%-7s%-13s", cell_at(level).level_name, "", "");
    for (int s = 0; s < TABLE_SHAPES; s++) {
        fprintf(file, "%11s", shapes[s].name);
    }
    for (int c = level; c < CELLS; c += CELL_LEVELS) {
        struct cell cell = cell_at(c);
        fprintf(file, "\n%-7s%-13s", cell.op_name, cell.type_name);
        for (int s = 0; s < TABLE_SHAPES; s++) {
            if (table->bits[c][s] > 0) {
                fprintf(file, "%11ld", table->bits[c][s]);
            } else {
                fprintf(file, "%11s", status_word(table->refused[c][s]));
            }
        }
    }
    fprintf(file, "\n");
}

void table_print(const struct table *table, const char *path, const char *by)
{
    FILE *file = fopen(path, "w");
    ck_assert_msg(file != NULL, "%s cannot be written", path);
    fprintf(
        file,
        "Bits of results compared with the reference, %s;\n"
        "or refused: op, SPEC.md 6.8 step 4 (complex data); option, SPEC.md 2.3 (wide with a\n"
        "result in the input's type), or conj for real, weights for complex data (samesum.h).\n"
        "min to minmax do not look at the level. dotc: dot with x conjugated; wsum, wmean: sum\n"
        "and mean with weights; f16>f16: result in the input's type. stride, stride<0,\n"
        "stride=0: strides of each sign; bytes, bits: masks; missing: a missing value; NaNs:\n"
        "NaNs taken as missing.\n",
        by);
    for (int level = 0; level < CELL_LEVELS; level++) {
        print_level(table, file, level);
    }
    fprintf(file, "\n");
    for (int b = 0; b < TABLE_BACKENDS; b++) {
        if (table->bits_of_backend[b] > 0) {
            fprintf(file, "%s: %ld bits\n", samesum_backend_name((samesum_backend)b),
                    table->bits_of_backend[b]);
        }
    }
    ck_assert_int_eq(fclose(file), 0);
}

void table_summarise(const struct table *table)
{
    long computed = 0, refusals = 0, empty = 0, all = 0;
    for (int c = 0; c < CELLS; c++) {
        for (int s = 0; s < TABLE_SHAPES; s++) {
            bool none = table->bits[c][s] == 0 && table->refused[c][s] == SAMESUM_OK;
            computed += table->bits[c][s] > 0;
            refusals += table->refused[c][s] != SAMESUM_OK;
            empty += none;
            all += table->bits[c][s];
            if (none && empty <= 12) {
                struct cell cell = cell_at(c);
                printf("EMPTY cell: %s %s %s %s\n", cell.op_name, cell.type_name, cell.level_name,
                       shapes[s].name);
            }
        }
    }
    printf("table: %d cells (%d operations, %d types, %d levels, %d shapes): %ld compared, %ld "
           "refused, %ld empty; %ld bits:",
           CELLS * TABLE_SHAPES, CELL_OPS, CELL_TYPES, CELL_LEVELS, (int)TABLE_SHAPES, computed,
           refusals, empty, all);
    for (int b = 0; b < TABLE_BACKENDS; b++) {
        if (table->bits_of_backend[b] > 0) {
            printf(" %s %ld", samesum_backend_name((samesum_backend)b), table->bits_of_backend[b]);
        }
    }
    printf("\n");
    ck_assert_msg(empty == 0, "%ld cells of the table are empty", empty);
}
