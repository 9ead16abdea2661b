#include "vector.h"

#include "message.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

static const struct op_row {
    const char *name;
    samesum_op op;
    unsigned ddof;
    samesum_nan nan;
    bool conj, weighted;
} op_rows[] = {
    {.name = "sum", .op = SAMESUM_SUM},
    {.name = "asum", .op = SAMESUM_ASUM},
    {.name = "sumsq", .op = SAMESUM_SUMSQ},
    {.name = "dot", .op = SAMESUM_DOT},
    {.name = "dotc", .op = SAMESUM_DOT, .conj = true},
    {.name = "nrm2", .op = SAMESUM_NRM2},
    {.name = "mean", .op = SAMESUM_MEAN},
    {.name = "wsum", .op = SAMESUM_SUM, .weighted = true},
    {.name = "wmean", .op = SAMESUM_MEAN, .weighted = true},
    {.name = "var0", .op = SAMESUM_VAR, .ddof = 0},
    {.name = "var1", .op = SAMESUM_VAR, .ddof = 1},
    {.name = "std0", .op = SAMESUM_STD, .ddof = 0},
    {.name = "std1", .op = SAMESUM_STD, .ddof = 1},
    {.name = "min", .op = SAMESUM_MIN},
    {.name = "max", .op = SAMESUM_MAX},
    {.name = "argmin", .op = SAMESUM_ARGMIN},
    {.name = "argmax", .op = SAMESUM_ARGMAX},
    {.name = "minmax", .op = SAMESUM_MINMAX},
    {.name = "min_ignore", .op = SAMESUM_MIN, .nan = SAMESUM_NAN_IGNORE},
    {.name = "max_ignore", .op = SAMESUM_MAX, .nan = SAMESUM_NAN_IGNORE},
    {.name = "argmin_ignore", .op = SAMESUM_ARGMIN, .nan = SAMESUM_NAN_IGNORE},
    {.name = "argmax_ignore", .op = SAMESUM_ARGMAX, .nan = SAMESUM_NAN_IGNORE},
    {.name = "minmax_ignore", .op = SAMESUM_MINMAX, .nan = SAMESUM_NAN_IGNORE},
};

static const struct type_row {
    const char *name;
    samesum_type type;
    samesum_result_type result;
    enum recipe_type numbers;
    int numbers_each;
} type_rows[] = {
    {"f64", SAMESUM_F64, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F64, 1},
    {"f32", SAMESUM_F32, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F32, 1},
    {"f32w", SAMESUM_F32_WIDE, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F32, 1},
    {"f16", SAMESUM_F16, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F16, 1},
    {"f16i", SAMESUM_F16, SAMESUM_RESULT_INPUT, RECIPE_F16, 1},
    {"bf16", SAMESUM_BF16, SAMESUM_RESULT_ACCUMULATOR, RECIPE_BF16, 1},
    {"bf16i", SAMESUM_BF16, SAMESUM_RESULT_INPUT, RECIPE_BF16, 1},
    {"c64", SAMESUM_C64, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F32, 2},
    {"c128", SAMESUM_C128, SAMESUM_RESULT_ACCUMULATOR, RECIPE_F64, 2},
};

/* The row of that name in a table whose rows begin with one; NULL where there is none. */
static const void *find(const void *rows, size_t row_size, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        const char *row = (const char *)rows + i * row_size;
        const char *row_name;
        memcpy(&row_name, row, sizeof row_name);
        if (strcmp(row_name, name) == 0)
            return row;
    }
    return NULL;
}
#define FIND(rows, name) find(rows, sizeof *rows, sizeof rows / sizeof *rows, name)

static bool set_level(struct vector *v, const char *name)
{
    static const char *const names[] = {"tree", "kahan", "compensated", "exact"};
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], name) == 0) {
            v->want.level = (samesum_level)i;
            return true;
        }
    return false;
}

static bool parse(const char *line, struct vector *v)
{
    char level[16], recipe[16];
    unsigned long long seed, n, bits[2];
    const int fields = sscanf(line, "%15s %7s %15s %15s %llu %llu %llx,%llx", v->op, v->type_name,
                              level, recipe, &seed, &n, &bits[0], &bits[1]);
    const struct op_row *op = FIND(op_rows, v->op);
    const struct type_row *type = FIND(type_rows, v->type_name);
    if (fields < 7 || !op || !type || recipe_find(recipe, &v->recipe) != 0 || !set_level(v, level))
        return false;
    v->want.op = op->op;
    v->want.ddof = op->ddof;
    v->want.nan = op->nan;
    v->want.conj = op->conj;
    v->want.result = type->result;
    v->weighted = op->weighted;
    v->type = type->type;
    v->numbers = type->numbers;
    v->numbers_each = type->numbers_each;
    v->seed = seed;
    v->n = n;
    v->count = fields - 6;
    v->bits[0] = bits[0];
    v->bits[1] = v->count > 1 ? bits[1] : 0;
    return true;
}

bool vector_next(const char **at, struct vector *v)
{
    while (*at < vectors_end && (**at == '#' || **at == '\n'))
        *at = (const char *)memchr(*at, '\n', (size_t)(vectors_end - *at)) + 1;
    if (*at >= vectors_end)
        return false;
    *v = (struct vector){.n = 0};
    if (!parse(*at, v))
        die_bad("the built-in vectors are damaged at '%.40s'", *at);
    *at = (const char *)memchr(*at, '\n', (size_t)(vectors_end - *at)) + 1;
    return true;
}
