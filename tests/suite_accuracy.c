/* suite_accuracy.c - the error bounds that samesum.h states for its levels, against exact sums by
 * MPFR. */
#include "suites.h"
#include "support.h"

#ifdef TEST_HAVE_MPFR
#include "../reference/oracle.h"

#include <math.h>
#include <string.h>

/* The bound on |result - exact| / |exact|, with condition = S / |exact|. A hundredth is granted to
 * the terms of higher order. */
static double bound(const struct what *what, double relative, double condition)
{
    double u = what->type == SAMESUM_F32 ? 0x1p-24 : 0x1p-53, n = (double)what->n;
    double product = what->op == SAMESUM_SUMSQ || what->op == SAMESUM_DOT ? u * condition : 0;
    double last = u * (1 + relative); /* u |result| / |exact| */
    double log = ceil(log2(n)) + 1;
    switch (what->level) {
    case SAMESUM_TREE:
        return 1.01 * ((fmax(0, ceil(log2(n / 16))) + 4) * u * condition + product);
    case SAMESUM_KAHAN:
        return 1.01 * (last + 8 * u * condition + product);
    case SAMESUM_EXACT:
        return 1.01 * last;
    default:
        return 1.01 * (last + log * log * u * u * condition);
    }
}

/* Returns relative error / bound. */
static double compare(const struct what *what, const void *x, const void *y,
                      const struct oracle *oracle)
{
    uint64_t bits = library(what, x, y, NULL);
    uint32_t narrow = (uint32_t)bits;
    const void *result = what->type == SAMESUM_F32 ? (const void *)&narrow : (const void *)&bits;
    double relative = fabs(oracle_relative(oracle, result));
    double allowed = bound(what, relative, oracle_condition(oracle));
    ck_assert_msg(relative <= allowed, "op %d type %d level %d data %s n %zu: error %g, bound %g",
                  what->op, what->type, what->level, what->data, what->n, relative, allowed);
    return relative / allowed;
}

START_TEST(stated_bounds)
{
    static const enum recipe recipes[] = {RECIPE_UNIFORM, RECIPE_BIGSMALL, RECIPE_TIES,
                                          RECIPE_TENTH, RECIPE_CANCEL};
    static const size_t lengths[] = {1, 2, 16, 17, 100, 1000, 4097, 20000, 100000};
    double closest = 0;
    for (int r = 0; r < 5; r++) {
        for (int k = 0; k < OPS * TYPES; k++) {
            for (size_t l = 0; l < by_depth(6, 7, 9); l++) {
                struct what what = kind(k);
                what.n = lengths[l];
                what.data = recipe_name(recipes[r]);
                const void *x = data_x(recipes[r], what.type, what.n);
                const void *y = data_y(recipes[r], what.type, what.n);
                struct oracle *oracle =
                    oracle_new((enum ref_op)what.op, (enum ref_type)what.type, x, y, what.n);
                ck_assert_ptr_nonnull(oracle);
                for (int level = 0; level < LEVELS && isfinite(oracle_condition(oracle)); level++) {
                    what.level = (samesum_level)level;
                    closest = fmax(closest, compare(&what, x, y, oracle));
                }
                oracle_free(oracle);
            }
        }
    }
    ck_assert_msg(closest > 0.01, "the bounds are far away: does this test compare anything?");
}
END_TEST
#endif

Suite *suite_accuracy(void)
{
    TCase *tests;
    Suite *suite = new_suite("accuracy", &tests);
#ifdef TEST_HAVE_MPFR
    tcase_add_test(tests, stated_bounds);
#else
    skipped("accuracy", "exact sums need MPFR");
#endif
    return suite;
}
