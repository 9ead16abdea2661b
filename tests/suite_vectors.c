/* suite_vectors.c - the golden values of tests/vectors/golden.txt on every backend, and the file
 * itself against its generator. */
#include "suites.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line of golden.txt. */
struct line {
    struct what what;
    enum recipe recipe;
    uint64_t seed, bits;
};

static int find(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static bool parse(const char *text, struct line *line)
{
    static const char *const ops[] = {"sum",  "asum", "sumsq", "dot",  "nrm2",
                                      "mean", "var0", "var1",  "std0", "std1"};
    static const samesum_op numbers[] = {SAMESUM_SUM,  SAMESUM_ASUM, SAMESUM_SUMSQ, SAMESUM_DOT,
                                         SAMESUM_NRM2, SAMESUM_MEAN, SAMESUM_VAR,   SAMESUM_VAR,
                                         SAMESUM_STD,  SAMESUM_STD};
    static const char *const types[] = {"f64", "f32", "f32w"};
    static const char *const levels[] = {"tree", "kahan", "compensated", "exact"};
    char op[16], type[16], level[16], recipe[16];
    if (sscanf(text, "%15s %15s %15s %15s %" SCNu64 " %zu 0x%" SCNx64, op, type, level, recipe,
               &line->seed, &line->what.n, &line->bits) != 7 ||
        recipe_find(recipe, &line->recipe) != 0) {
        return false;
    }
    int o = find(op, ops, 10), t = find(type, types, 3), l = find(level, levels, 4);
    if (o < 0 || t < 0 || l < 0) {
        return false;
    }
    line->what.op = numbers[o];
    line->what.ddof = o == 7 || o == 9;
    line->what.type = (samesum_type)t;
    line->what.level = (samesum_level)l;
    line->what.data = recipe_name(line->recipe);
    return true;
}

static void compare(struct line *line, const void *x, const void *y)
{
    static const int threads[] = {1, 2, 3, 7};
    int counts = line->what.n <= 131072 ? 1 : (int)by_depth(0, 2, 4);
    for (int b = 0; b < backend_count(); b++) {
        line->what.backend = backend_at(b);
        for (int t = 0; t < counts; t++) {
            line->what.threads = threads[t];
            same(&line->what, library(&line->what, x, y, NULL), line->bits);
        }
    }
}

/* Lines come in order of recipe, element type and seed, so one pair of arrays is enough. */
START_TEST(golden_values)
{
    enum { MOST = 1000000 };
    FILE *file = fopen("tests/vectors/golden.txt", "r");
    ck_assert_msg(file != NULL, "tests/vectors/golden.txt cannot be read");
    size_t most = by_depth(2000, 70000, MOST);
    void *x = malloc(most * sizeof(double)), *y = malloc(most * sizeof(double));
    ck_assert(x != NULL && y != NULL);
    long lines = 0, exact = 0;
    struct line line = {0}, before = {.recipe = RECIPE_COUNT};
    char text[256];
    while (fgets(text, sizeof text, file) != NULL) {
        if (text[0] == '#') {
            continue;
        }
        memset(&line, 0, sizeof line);
        ck_assert_msg(parse(text, &line), "not a golden value: %s", text);
        lines++;
        exact += line.what.level == SAMESUM_EXACT;
        if (line.what.n > most || (depth != DEPTH_FULL && lines % 5 != 1)) {
            continue;
        }
        bool f64 = line.what.type == SAMESUM_F64;
        if (line.recipe != before.recipe || line.seed != before.seed ||
            f64 != (before.what.type == SAMESUM_F64)) {
            enum recipe_type type = f64 ? RECIPE_F64 : RECIPE_F32;
            recipe_fill(line.recipe, type, line.seed, 0, most, x);
            recipe_fill_y(line.recipe, type, line.seed, 0, most, y);
            before = line;
        }
        compare(&line, x, y);
    }
    fclose(file);
    free(x);
    free(y);
    ck_assert_int_gt(lines, 1000);
    ck_assert_int_gt(exact, 1000);
    all_were_same();
}
END_TEST

/* WG21 P4016R0 publishes this sum for 16 lanes. */
START_TEST(published_value)
{
    enum { MILLION = 1000000 };
    double *x = malloc(MILLION * sizeof *x), result;
    ck_assert_ptr_nonnull(x);
    recipe_fill(RECIPE_UNIFORM, RECIPE_F64, RECIPE_P4016_SEED, 0, MILLION, x);
    ck_assert_int_eq(samesum_sum_f64(x, MILLION, SAMESUM_TREE, &result), SAMESUM_OK);
    struct what what = {.n = MILLION, .data = "P4016R0"};
    same(&what, bits_of_double(result), UINT64_C(0x40618f71f6379380));
    free(x);
    all_were_same();
}
END_TEST

START_TEST(file_is_what_the_generator_makes)
{
    ck_assert_int_eq(run_command(TEST_BUILD "/vectors > " TEST_BUILD "/tests/golden.txt && "
                                            "cmp " TEST_BUILD
                                            "/tests/golden.txt tests/vectors/golden.txt"),
                     0);
}
END_TEST

Suite *suite_vectors(void)
{
    TCase *tests;
    Suite *suite = new_suite("vectors", &tests);
    tcase_add_test(tests, golden_values);
    tcase_add_test(tests, published_value);
    if (depth == DEPTH_FULL) {
        tcase_add_test(tests, file_is_what_the_generator_makes);
    }
    return suite;
}
