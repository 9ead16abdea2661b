/* vector.h - one golden vector: what is reduced, and the bits of the result.
 * tests/vectors/README.md describes the file. */
#ifndef SAMESUM_CLI_VECTOR_H
#define SAMESUM_CLI_VECTOR_H

#include "samesum.h"

#include "recipes.h"

#include <stdbool.h>

struct vector {
    char op[16], type_name[8]; /* as the file spells them */
    samesum_want want;         /* but for threads and backend */
    samesum_type type;
    bool weighted; /* the second operand is the weights */
    enum recipe recipe;
    enum recipe_type numbers; /* that the elements are made of */
    int numbers_each;         /* 2 for complex elements */
    uint64_t seed, n;
    int count; /* of the numbers in the result */
    uint64_t bits[2];
};

/* Reads the vector at *at and moves *at behind it. false: none is left. Ends the program where the
 * text is damaged. */
bool vector_next(const char **at, struct vector *v);

#endif
