/* suite_reference.c - the library against the reference (reference/ref.c), every operation, type,
 * level and backend, at every length at which the tree's shape changes. */
#include "suites.h"
#include "support.h"

enum { MARGIN = 17 };

/* Every `step`th operation, type and level. */
static void compare_some(enum recipe recipe, size_t n, int step)
{
    for (int k = (int)n % step; k < KINDS; k += step) {
        struct what what = kind(k);
        if (what.level == SAMESUM_EXACT && n % 5 != 0) {
            continue; /* no tree: suite_exact.c */
        }
        what.n = n;
        what.data = recipe_name(recipe);
        const void *x = data_x(recipe, what.type, n), *y = data_y(recipe, what.type, n);
        uint64_t expected = reference(&what, x, y);
        for (int b = 0; b < backend_count(); b++) {
            what.backend = backend_at(b);
            same(&what, library(&what, x, y, NULL), expected);
        }
    }
}

static void compare(enum recipe recipe, size_t n)
{
    compare_some(recipe, n, 1);
}

/* Makes the data once, at the largest length. */
static void make_data(enum recipe recipe, size_t n)
{
    for (int type = 0; type < TYPES; type++) {
        data_x(recipe, (samesum_type)type, n);
        data_y(recipe, (samesum_type)type, n);
    }
}

START_TEST(every_length_up_to_1100)
{
    size_t largest = by_depth(70, 300, 1100);
    int step = depth == DEPTH_FULL ? 1 : 3;
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe += step) {
        make_data((enum recipe)recipe, largest);
        for (size_t n = 0; n <= largest; n++) {
            compare((enum recipe)recipe, n);
        }
    }
    all_were_same();
}
END_TEST

/* Lengths within 17 of the multiples of `unit` up to `last`. */
static void around(enum recipe recipe, size_t unit, size_t last)
{
    make_data(recipe, last + MARGIN);
    for (size_t multiple = unit; multiple <= last; multiple += unit) {
        for (size_t n = multiple < MARGIN ? 0 : multiple - MARGIN; n <= multiple + MARGIN; n++) {
            compare(recipe, n);
        }
    }
}

/* Multiples of 16 up to 1100 are in the test above: 17 on both sides are every length. */
START_TEST(around_multiples_of_256)
{
    around(RECIPE_CANCEL, 256, by_depth(256, 512, 4096));
    around(RECIPE_WIDE, 256, by_depth(0, 512, 4096));
    around(RECIPE_INFS, 256, by_depth(0, 256, 1024));
    all_were_same();
}
END_TEST

START_TEST(around_multiples_of_4096)
{
    if (depth == DEPTH_SHORT) {
        make_data(RECIPE_CANCEL, 8200);
        compare(RECIPE_CANCEL, 4096);
        compare(RECIPE_CANCEL, 8199);
    } else {
        around(RECIPE_CANCEL, 4096, by_depth(0, 4096, 40960));
        around(RECIPE_EDGEROWS, 4096, by_depth(0, 0, 8192));
        around(RECIPE_NAN, 4096, by_depth(0, 0, 8192));
    }
    all_were_same();
}
END_TEST

START_TEST(around_multiples_of_8192)
{
    around(RECIPE_UNIFORM, 8192, by_depth(0, 0, 32768));
    around(RECIPE_MIXEDZERO, 8192, by_depth(0, 0, 8192));
    all_were_same();
}
END_TEST

START_TEST(around_multiples_of_65536)
{
    if (depth == DEPTH_QUICK) {
        make_data(RECIPE_BIGSMALL, 65553);
        compare(RECIPE_BIGSMALL, 65535);
        compare(RECIPE_BIGSMALL, 65553);
    }
    around(RECIPE_BIGSMALL, 65536, by_depth(0, 0, 131072));
    all_were_same();
}
END_TEST

/* Kernels and states may take up to 2^16 rows at once. */
START_TEST(around_powers_of_two)
{
    enum { MILLION = 1 << 20 };
    static const size_t lengths[] = {MILLION + 4113,     MILLION - 1,           MILLION,
                                     MILLION + 1,        2 * MILLION + 8193,    3 * MILLION - 17,
                                     MILLION / 2 + 4097, MILLION / 4 - 4096 + 3};
    make_data(RECIPE_CANCEL, 3 * MILLION);
    for (size_t i = 0; i < by_depth(0, 1, 8); i++) {
        compare_some(RECIPE_CANCEL, lengths[i], (int)by_depth(1, 7, 1));
    }
    all_were_same();
}
END_TEST

Suite *suite_reference(void)
{
    TCase *tests;
    Suite *suite = new_suite("reference", &tests);
    tcase_add_test(tests, every_length_up_to_1100);
    tcase_add_test(tests, around_multiples_of_256);
    tcase_add_test(tests, around_multiples_of_4096);
    tcase_add_test(tests, around_multiples_of_8192);
    tcase_add_test(tests, around_multiples_of_65536);
    if (depth != DEPTH_SHORT) {
        tcase_add_test(tests, around_powers_of_two);
    }
    return suite;
}
