#include "golden.h"
#include "rows.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operations and types as the file names them. */
static const struct {
    const char *name;
    struct cell cell;
} ops[] = {{"sum", {.op = SAMESUM_SUM}},
           {"asum", {.op = SAMESUM_ASUM}},
           {"sumsq", {.op = SAMESUM_SUMSQ}},
           {"dot", {.op = SAMESUM_DOT}},
           {"dotc", {.op = SAMESUM_DOT, .conj = true}},
           {"nrm2", {.op = SAMESUM_NRM2}},
           {"mean", {.op = SAMESUM_MEAN}},
           {"var0", {.op = SAMESUM_VAR}},
           {"var1", {.op = SAMESUM_VAR, .ddof = 1}},
           {"std0", {.op = SAMESUM_STD}},
           {"std1", {.op = SAMESUM_STD, .ddof = 1}},
           {"wsum", {.op = SAMESUM_SUM, .weighted = true}},
           {"wmean", {.op = SAMESUM_MEAN, .weighted = true}},
           {"min", {.op = SAMESUM_MIN}},
           {"max", {.op = SAMESUM_MAX}},
           {"argmin", {.op = SAMESUM_ARGMIN}},
           {"argmax", {.op = SAMESUM_ARGMAX}},
           {"minmax", {.op = SAMESUM_MINMAX}},
           {"min_ignore", {.op = SAMESUM_MIN, .nan = SAMESUM_NAN_IGNORE}},
           {"max_ignore", {.op = SAMESUM_MAX, .nan = SAMESUM_NAN_IGNORE}},
           {"argmin_ignore", {.op = SAMESUM_ARGMIN, .nan = SAMESUM_NAN_IGNORE}},
           {"argmax_ignore", {.op = SAMESUM_ARGMAX, .nan = SAMESUM_NAN_IGNORE}},
           {"minmax_ignore", {.op = SAMESUM_MINMAX, .nan = SAMESUM_NAN_IGNORE}}};
static const struct {
    const char *name;
    samesum_type type;
    samesum_result_type result;
    enum recipe_type data;
} types[] = {{"f64", SAMESUM_F64, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F64},
             {"f32", SAMESUM_F32, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F32},
             {"f32w", SAMESUM_F32_WIDE, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F32},
             {"f16", SAMESUM_F16, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F16},
             {"bf16", SAMESUM_BF16, SAMESUM_RESULT_ACCUMULATOR, RECIPE_BF16},
             {"c64", SAMESUM_C64, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F32},
             {"c128", SAMESUM_C128, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F64},
             {"f16i", SAMESUM_F16, SAMESUM_RESULT_INPUT, RECIPE_F16},
             {"bf16i", SAMESUM_BF16, SAMESUM_RESULT_INPUT, RECIPE_BF16}};
static const char *const levels[] = {"tree", "kahan", "compensated", "exact"};
enum { OP_NAMES = sizeof ops / sizeof *ops, TYPE_NAMES = sizeof types / sizeof *types };

/* The index of the entry of that name, the first member of an entry; `count` where there is none.
 */
static int find(const char *name, const void *table, size_t entry_bytes, int count)
{
    int i = 0;
    for (const char *at = table; i < count; i++, at += entry_bytes) {
        const char *entry;
        memcpy(&entry, at, sizeof entry);
        if (strcmp(name, entry) == 0) {
            break;
        }
    }
    return i;
}

/* The numbers of a result: 0x and hexadecimal digits, a comma before the second one. */
static bool parse_bits(const char *text, char *bytes, size_t expected)
{
    size_t used = 0;
    while (strncmp(text, "0x", 2) == 0) {
        size_t digits = strspn(text + 2, "0123456789abcdef"), size = digits / 2;
        uint64_t bits = strtoull(text + 2, NULL, 16);
        if (used + size > expected) {
            return false;
        }
        memcpy(bytes + used, &bits, size);
        used += size;
        text += 2 + digits;
        text += *text == ',';
    }
    return used == expected;
}

static bool parse(const char *text, struct golden *line)
{
    char op[16], type[16], level[16], recipe[16], bits[48];
    if (sscanf(text, "%15s %15s %15s %15s %" SCNu64 " %zu %47s", op, type, level, recipe,
               &line->seed, &line->n, bits) != 7 ||
        recipe_find(recipe, &line->recipe) != 0) {
        return false;
    }
    int o = find(op, ops, sizeof *ops, OP_NAMES), t = find(type, types, sizeof *types, TYPE_NAMES),
        l = find(level, levels, sizeof *levels, CELL_LEVELS);
    if (o == OP_NAMES || t == TYPE_NAMES || l == CELL_LEVELS) {
        return false;
    }
    line->cell = ops[o].cell;
    line->cell.op_name = ops[o].name;
    line->cell.type = types[t].type;
    line->cell.type_name = types[t].name;
    line->cell.result = types[t].result;
    line->cell.level = (samesum_level)l;
    line->cell.level_name = levels[l];
    line->data = types[t].data;
    return parse_bits(bits, line->expected, result_bytes(&line->cell));
}

/* Lines come in order of recipe, element type and seed, so one pair of arrays is enough. */
void golden_each(const char *path, size_t most, int step, golden_visit *visit)
{
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    void *x = malloc(most * sizeof(double)), *y = malloc(most * sizeof(double));
    ck_assert(x != NULL && y != NULL);
    long lines = 0, of_type[SAMESUM_C128 + 1] = {0}, exact = 0;
    struct golden line, before = {.recipe = RECIPE_COUNT};
    char text[256];
    while (fgets(text, sizeof text, file) != NULL) {
        if (text[0] == '#') {
            continue;
        }
        memset(&line, 0, sizeof line);
        ck_assert_msg(parse(text, &line), "not a golden value: %s", text);
        lines++;
        of_type[line.cell.type]++;
        exact += line.cell.level == SAMESUM_EXACT;
        size_t numbers = line.n * (is_complex(line.cell.type) ? 2 : 1);
        if (numbers > most || lines % step != 1 % step) {
            continue;
        }
        line.made =
            line.recipe != before.recipe || line.seed != before.seed || line.data != before.data;
        if (line.made) {
            recipe_fill(line.recipe, line.data, line.seed, 0, most, x);
            recipe_fill_y(line.recipe, line.data, line.seed, 0, most, y);
            before = line;
        }
        visit(&line, x, y);
    }
    fclose(file);
    free(x);
    free(y);
    ck_assert_int_gt(lines, 30000);
    ck_assert_int_gt(exact, 8000);
    for (int type = 0; type <= SAMESUM_C128; type++) {
        ck_assert_int_gt(of_type[type], 300);
    }
}
