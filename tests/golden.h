/* golden.h - reads tests/vectors/golden.txt (README.md beside it). */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include "cells.h"
#include "vectors/recipes.h"

/* One line of golden.txt. */
struct golden {
    struct cell cell;
    enum recipe recipe;
    enum recipe_type data;
    uint64_t seed;
    size_t n;
    char expected[16]; /* the result's bytes */
    bool made;         /* x and y are others than those of the line before */
};

typedef void golden_visit(const struct golden *line, const void *x, const void *y);

enum { GOLDEN_MOST = 1000000 }; /* numbers of the longest line; a complex element is two */

/* Visits one in `step` lines, those of at most `most` numbers, with `most` numbers at x and y.
 * Fails the test where the file is not whole. */
void golden_each(const char *path, size_t most, int step, golden_visit *visit);

#endif
