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
    enum ref_op op;
    uint64_t ddof;
} ops[] = {{"sum", REF_SUM, 0},  {"asum", REF_ASUM, 0}, {"sumsq", REF_SUMSQ, 0},
           {"dot", REF_DOT, 0},  {"nrm2", REF_NRM2, 0}, {"mean", REF_MEAN, 0},
           {"var0", REF_VAR, 0}, {"var1", REF_VAR, 1},  {"std0", REF_STD, 0},
           {"std1", REF_STD, 1}};
enum { OPS = sizeof ops / sizeof ops[0] };
static const char *const type_names[] = {"f64", "f32", "f32w"};
static const char *const level_names[] = {"tree", "kahan", "compensated", "exact"};

enum { MILLION = 1000000, MAX_SIZES = 128, SEED = 1 };

/* One recipe's data as one element type: as many elements as any line needs. */
struct data {
    enum recipe recipe;
    uint64_t seed;
    void *x, *y;
};

static void print_line(const struct data *data, int op, int type, int level, size_t n)
{
    uint64_t bits = 0;
    uint32_t narrow = 0;
    void *result = type == REF_F32 ? (void *)&narrow : (void *)&bits;
    enum ref_type t = (enum ref_type)type;
    enum ref_level l = (enum ref_level)level;
    int status = ops[op].op <= REF_DOT
                     ? ref_reduce(ops[op].op, t, l, REF_LANES, data->x, data->y, 0, n, result)
                     : ref_derive(ops[op].op, t, l, REF_LANES, ops[op].ddof, data->x, 0, n, result);
    if (status < 0) {
        fprintf(stderr, "vectors: the reference refuses %s %s\n", ops[op].name, type_names[type]);
        exit(1);
    }
    printf("%s %s %s %s %" PRIu64 " %zu ", ops[op].name, type_names[type], level_names[level],
           recipe_name(data->recipe), data->seed, n);
    if (type == REF_F32) {
        printf("0x%08" PRIx32 "\n", narrow);
    } else {
        printf("0x%016" PRIx64 "\n", bits);
    }
}

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
        return ops[op].op <= REF_DOT ? 1 : 5;
    }
    return ops[op].op <= REF_DOT ? (statistics ? 10 : 5) : statistics ? 10 : 25;
}

static void print_recipe(const struct data *data, int first_type, int last_type)
{
    size_t sizes[MAX_SIZES];
    int count = list_sizes(sizes);
    for (int i = 0; i < count; i++) {
        for (int type = first_type; type <= last_type; type++) {
            for (int op = 0; op < OPS; op++) {
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
        for (int op = 0; op < OPS; op++) {
            if (ops[op].op > REF_DOT && data->recipe != RECIPE_UNIFORM) {
                break;
            }
            for (int level = REF_TREE; level <= REF_EXACT; level++) {
                print_line(data, op, type, level, MILLION);
            }
        }
    }
}

static void fill(struct data *data, enum recipe recipe, enum recipe_type type, uint64_t seed)
{
    data->recipe = recipe;
    data->seed = seed;
    recipe_fill(recipe, type, seed, 0, MILLION, data->x);
    recipe_fill_y(recipe, type, seed, 0, MILLION, data->y);
}

/* WG21 P4016R0 publishes the sum of its generator's first million numbers for 16 and 128 lanes. */
static int published_values_hold(struct data *data)
{
    uint64_t bits16 = 0, bits128 = 0;
    fill(data, RECIPE_UNIFORM, RECIPE_F64, RECIPE_P4016_SEED);
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
        fill(data, (enum recipe)recipe, RECIPE_F64, SEED);
        print_recipe(data, REF_F64, REF_F64);
        fill(data, (enum recipe)recipe, RECIPE_F32, SEED);
        print_recipe(data, REF_F32, REF_F32_WIDE);
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
