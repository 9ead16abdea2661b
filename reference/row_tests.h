/* row_tests.h - what the parts of check_row share. */
#ifndef SAMESUM_REFERENCE_ROW_TESTS_H
#define SAMESUM_REFERENCE_ROW_TESTS_H

#include "../tests/vectors/recipes.h"
#include "ref_elements.h"

#include <stddef.h>

enum { ROW_MOST = 70000, ROW_TYPES = 7, ROW_OPS = 13 };

/* Counts a test, and prints one that failed. */
void row_check(bool good, const char *what, const struct ref_request *q, const char *data,
               uint64_t n);
uint64_t row_random(void);

/* The recipes' type for each ref_type. */
extern const enum recipe_type row_data_type[ROW_TYPES];
/* Bytes of one number of an element. */
size_t row_number_size(int type);
/* n elements of a recipe and of its partner. */
void row_fill(int recipe, int type, uint64_t seed, size_t n, void *x, void *y);
/* Masks out about one element in `one_in`; returns how many are kept. */
size_t row_fill_mask(uint64_t one_in, size_t n, unsigned char *keep);

/* Bytes of a result. */
size_t row_result_size(const struct ref_request *q);
/* What SPEC.md refuses. */
bool row_is_refused(const struct ref_request *q);

/* Arrays of 2 ROW_MOST doubles, and of as many bytes. */
struct row_space {
    void *x, *y, *a, *b;
    unsigned char *keep, *keep2;
};

/* The parts; `step`: every step-th case of the long lists. */
void row_test_halves(struct row_space *s);
void row_test_complex(struct row_space *s);
void row_test_exact(struct row_space *s, uint64_t step);
void row_test_extremes(struct row_space *s);
void row_test_known(struct row_space *s);

#endif
