/* vectors.c - prints tests/vectors/golden.txt from the reference; tests/vectors/README.md describes
 * the file. With the argument `check` it prints nothing and only tells whether the reference still
 * gives the published values. */
#include "../tests/vectors/recipes.h"
#include "ref.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line's operation: those with a digit are var and std with that ddof. */
static const struct {
    const char *name;
    struct ref_request request;
} ops[] = {{"sum", {.op = REF_SUM}},
           {"asum", {.op = REF_ASUM}},
           {"sumsq", {.op = REF_SUMSQ}},
           {"dot", {.op = REF_DOT}},
           {"nrm2", {.op = REF_NRM2}},
           {"mean", {.op = REF_MEAN}},
           {"var0", {.op = REF_VAR}},
           {"var1", {.op = REF_VAR, .ddof = 1}},
           {"std0", {.op = REF_STD}},
           {"std1", {.op = REF_STD, .ddof = 1}},
           /* these in the second part alone, with the new types */
           {"dotc", {.op = REF_DOT, .conj = true}},
           {"wsum", {.op = REF_SUM, .weighted = true}},
           {"wmean", {.op = REF_MEAN, .weighted = true}},
           {"min", {.op = REF_MIN}},
           {"max", {.op = REF_MAX}},
           {"argmin", {.op = REF_ARGMIN}},
           {"argmax", {.op = REF_ARGMAX}},
           {"minmax", {.op = REF_MINMAX}},
           {"min_ignore", {.op = REF_MIN, .ignore_nan = true}},
           {"max_ignore", {.op = REF_MAX, .ignore_nan = true}},
           {"argmin_ignore", {.op = REF_ARGMIN, .ignore_nan = true}},
           {"argmax_ignore", {.op = REF_ARGMAX, .ignore_nan = true}},
           {"minmax_ignore", {.op = REF_MINMAX, .ignore_nan = true}}};
enum { FIRST_OPS = 10, OPS = sizeof ops / sizeof ops[0] };
static const char *const level_names[] = {"tree", "kahan", "compensated", "exact"};

/* digits: of one number of a result. */
static const struct {
    const char *name;
    enum ref_type type;
    enum recipe_type data;
    bool result_in_input;
    int digits;
} types[] = {{"f64", REF_F64, RECIPE_F64, false, 16},       {"f32", REF_F32, RECIPE_F32, false, 8},
             {"f32w", REF_F32_WIDE, RECIPE_F32, false, 16}, {"f16", REF_F16, RECIPE_F16, false, 8},
             {"bf16", REF_BF16, RECIPE_BF16, false, 8},     {"c64", REF_C64, RECIPE_F32, false, 8},
             {"c128", REF_C128, RECIPE_F64, false, 16},     {"f16i", REF_F16, RECIPE_F16, true, 4},
             {"bf16i", REF_BF16, RECIPE_BF16, true, 4}};
enum { FIRST_TYPES = 3, TYPES = sizeof types / sizeof types[0] };

enum { MILLION = 1000000, MAX_SIZES = 128, SEED = 1 };

/* One recipe's data as one element type: as many elements as any line needs. */
struct data {
    enum recipe recipe;
    uint64_t seed;
    void *x, *y;
};

static struct ref_request request_of(int op, int type, int level)
{
    struct ref_request request = ops[op].request;
    request.type = types[type].type;
    request.level = (enum ref_level)level;
    request.result_in_input = types[type].result_in_input;
    return request;
}

static bool gives_index(int op)
{
    return ops[op].request.op == REF_ARGMIN || ops[op].request.op == REF_ARGMAX;
}

/* A result of two numbers. */
static bool gives_two(int op, int type)
{
    enum ref_op o = ops[op].request.op;
    bool complex_type = types[type].type == REF_C64 || types[type].type == REF_C128;
    return o == REF_MINMAX || (complex_type && (o == REF_SUM || o == REF_DOT || o == REF_MEAN));
}

/* Number `part` of a result. */
static void print_bits(const unsigned char *result, int digits, int part)
{
    uint64_t wide;
    uint32_t narrow;
    uint16_t half;
    const unsigned char *at = result + part * (digits / 2);
    if (digits == 16) {
        memcpy(&wide, at, sizeof wide);
    } else if (digits == 8) {
        memcpy(&narrow, at, sizeof narrow);
        wide = narrow;
    } else {
        memcpy(&half, at, sizeof half);
        wide = half;
    }
    printf("%s0x%0*" PRIx64, part == 0 ? "" : ",", digits, wide);
}

static void print_line(const struct data *data, int op, int type, int level, size_t n)
{
    unsigned char result[2 * sizeof(double)];
    struct ref_request request = request_of(op, type, level);
    int status = ref_row(&request, data->x, data->y, NULL, n, result);
    if (status < 0) {
        fprintf(stderr, "vectors: the reference refuses %s %s\n", ops[op].name, types[type].name);
        exit(1);
    }
    printf("%s %s %s %s %" PRIu64 " %zu ", ops[op].name, types[type].name, level_names[level],
           recipe_name(data->recipe), data->seed, n);
    print_bits(result, gives_index(op) ? 16 : types[type].digits, 0);
    if (gives_two(op, type)) {
        print_bits(result, types[type].digits, 1);
    }
    printf("\n");
}

/* ---- the first part: sum to std of f64, f32 and f32w ---- */

/* The sizes at which rows, segments and lanes begin and end. */
static int list_sizes(size_t *sizes)
{
    static const size_t around[] = {48,   64,   128,  256,   512,   1024,
                                    4096, 8192, 8448, 12288, 65536, 69632};
    int count = 0;
    for (size_t n = 0; n <= 40; n++) {
        sizes[count++] = n;
    }
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        for (size_t n = around[i] - 1; n <= around[i] + 1; n++) {
            sizes[count++] = n;
        }
    }
    return count;
}

/* One size in so many is wanted of a recipe and an operation, beginning with another one for each
 * combination. The recipes from RECIPE_OFFSET on are made for statistics. */
static int period(enum recipe recipe, int op)
{
    int statistics = recipe >= RECIPE_OFFSET;
    if (recipe == RECIPE_UNIFORM) {
        return ops[op].request.op <= REF_DOT ? 1 : 5;
    }
    return ops[op].request.op <= REF_DOT ? (statistics ? 10 : 5) : statistics ? 10 : 25;
}

static void print_recipe(const struct data *data, int first_type, int last_type)
{
    size_t sizes[MAX_SIZES];
    int count = list_sizes(sizes);
    for (int i = 0; i < count; i++) {
        for (int type = first_type; type <= last_type; type++) {
            for (int op = 0; op < FIRST_OPS; op++) {
                for (int level = REF_TREE; level <= REF_EXACT; level++) {
                    int combination = ((int)data->recipe + type + op) * 3 + level;
                    if ((combination + i) % period(data->recipe, op) == 0) {
                        print_line(data, op, type, level, sizes[i]);
                    }
                }
            }
        }
    }
    int large = data->recipe == RECIPE_UNIFORM || data->recipe == RECIPE_WIDE ||
                data->recipe == RECIPE_CANCEL;
    for (int type = first_type; large && type <= last_type; type++) {
        for (int op = 0; op < FIRST_OPS; op++) {
            if (ops[op].request.op > REF_DOT && data->recipe != RECIPE_UNIFORM) {
                break;
            }
            for (int level = REF_TREE; level <= REF_EXACT; level++) {
                print_line(data, op, type, level, MILLION);
            }
        }
    }
}

static void fill(struct data *data, enum recipe recipe, enum recipe_type type, uint64_t seed,
                 size_t n)
{
    data->recipe = recipe;
    data->seed = seed;
    recipe_fill(recipe, type, seed, 0, n, data->x);
    recipe_fill_y(recipe, type, seed, 0, n, data->y);
}

/* ---- the second part: the other types and operations ---- */

enum { SECOND_MOST = 70000 };

/* What the second part has of an operation and a type, at one level: one size in so many, beginning
 * with another one for each combination; 0: nothing. */
static int second_period(enum recipe recipe, int op, int type, int level)
{
    enum ref_op o = ops[op].request.op;
    bool weighted = ops[op].request.weighted, complex_op = ops[op].request.conj;
    bool complex_type = types[type].type == REF_C64 || types[type].type == REF_C128;
    bool in_first_part = op < FIRST_OPS && type < FIRST_TYPES;
    bool real_only = o == REF_ASUM || o >= REF_VAR || weighted;
    if (in_first_part || (complex_type ? real_only : complex_op) ||
        (o >= REF_MIN && level != REF_TREE) || (gives_index(op) && types[type].result_in_input)) {
        return 0;
    }
    /* those that the extremes differ by */
    bool extremes = o >= REF_MIN && (recipe == RECIPE_NAN || recipe == RECIPE_MIXEDZERO);
    return recipe == RECIPE_UNIFORM ? (types[type].result_in_input ? 5 : 1)
           : extremes               ? 5
           : complex_type           ? 25
                                    : 40;
}

static void print_second(const struct data *data, enum recipe_type of)
{
    static const size_t sizes[] = {0, 1, 15, 16, 17, 255, 256, 257, 4095, 4096, 4097, SECOND_MOST};
    for (int i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
        for (int type = 0; type < TYPES; type++) {
            for (int op = 0; op < OPS; op++) {
                for (int level = REF_TREE; level <= REF_EXACT; level++) {
                    int period = second_period(data->recipe, op, type, level);
                    int combination = ((int)data->recipe * 7 + type * 5 + op) * 3 + level * 11;
                    bool refused = gives_index(op) && sizes[i] == 0;
                    if (types[type].data == of && period != 0 && !refused &&
                        (combination + i) % period == 0) {
                        print_line(data, op, type, level, sizes[i]);
                    }
                }
            }
        }
    }
}

/* ---- the file ---- */

/* WG21 P4016R0 publishes the sum of its generator's first million numbers for 16 and 128 lanes. */
static int published_values_hold(struct data *data)
{
    uint64_t bits16 = 0, bits128 = 0;
    fill(data, RECIPE_UNIFORM, RECIPE_F64, RECIPE_P4016_SEED, MILLION);
    ref_reduce(REF_SUM, REF_F64, REF_TREE, 16, data->x, NULL, 0, MILLION, &bits16);
    ref_reduce(REF_SUM, REF_F64, REF_TREE, 128, data->x, NULL, 0, MILLION, &bits128);
    return bits16 == UINT64_C(0x40618f71f6379380) && bits128 == UINT64_C(0x40618f71f6379397);
}

static void print_all(struct data *data)
{
    printf("# Golden values of samesum, arithmetic version 1 (reference/SPEC.md).\n"
           "# op type level recipe seed n bits; README.md beside this file describes them.\n"
           "# Made by reference/vectors.c: build/vectors > tests/vectors/golden.txt\n"
           "# The first line is published in WG21 P4016R0.\n");
    print_line(data, REF_SUM, REF_F64, REF_TREE, MILLION);
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        fill(data, (enum recipe)recipe, RECIPE_F64, SEED, MILLION);
        print_recipe(data, REF_F64, REF_F64);
        fill(data, (enum recipe)recipe, RECIPE_F32, SEED, MILLION);
        print_recipe(data, REF_F32, REF_F32_WIDE);
    }
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        for (int of = RECIPE_F64; of <= RECIPE_BF16; of++) {
            fill(data, (enum recipe)recipe, (enum recipe_type)of, SEED, 2 * SECOND_MOST);
            print_second(data, (enum recipe_type)of);
        }
    }
}

int main(int argc, char **argv)
{
    struct data data = {.x = malloc(MILLION * sizeof(double)),
                        .y = malloc(MILLION * sizeof(double))};
    int status = 0;
    if (data.x == NULL || data.y == NULL) {
        fprintf(stderr, "vectors: out of memory\n");
        status = 1;
    } else if (!published_values_hold(&data)) {
        fprintf(stderr, "vectors: the reference misses the published values of WG21 P4016R0\n");
        status = 1;
    } else if (argc < 2 || strcmp(argv[1], "check") != 0) {
        print_all(&data);
        status = ferror(stdout) || fflush(stdout) != 0;
    }
    free(data.x);
    free(data.y);
    return status;
}
