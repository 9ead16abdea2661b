/* recipes.h - test data that every machine can make again, bit for bit.
 *
 * A recipe turns (type, seed, index) into the bits of one element by integer arithmetic alone, so
 * neither compiler, libm nor rounding mode touches the data. Element i does not depend on how many
 * elements are made. tests/vectors/README.md describes each recipe. Needs the C library only. */
#ifndef SAMESUM_RECIPES_H
#define SAMESUM_RECIPES_H

#include <stddef.h>
#include <stdint.h>

enum recipe {
    RECIPE_UNIFORM,   /* [-1, 1), the generator of WG21 P4016R0 */
    RECIPE_WIDE,      /* all exponents that cannot overflow a sum of 2^20 elements */
    RECIPE_PRODUCTS,  /* exponents whose products reach from underflow to near overflow */
    RECIPE_CANCEL,    /* within every 64 elements the second half nearly cancels the first */
    RECIPE_MIRROR,    /* partner of cancel in dot: both halves alike */
    RECIPE_BIGSMALL,  /* big, small, -big, small, ... */
    RECIPE_TIES,      /* 1 and powers of two at and below half a unit of it */
    RECIPE_STALL,     /* one 2^p, then ones that a serial sum loses */
    RECIPE_HUGE,      /* random signs near the largest number */
    RECIPE_SUBNORMAL, /* random signs below the smallest normal number */
    RECIPE_ONES,
    RECIPE_TENTH,     /* 0.1 */
    RECIPE_NEGZERO,   /* all -0.0 */
    RECIPE_MIXEDZERO, /* random signs of zero */
    RECIPE_INF,       /* uniform with +inf at some spots */
    RECIPE_NEGINF,    /* uniform with -inf at some spots */
    RECIPE_INFS,      /* uniform with both infinities */
    RECIPE_NAN,       /* uniform with quiet and signalling NaNs of both signs */
    RECIPE_EDGEROWS,  /* TwoSum overflows inside, by the order of its operands, in stage 1 */
    RECIPE_EDGELANES, /* the same in stage 2 */
    RECIPE_OFFSET,    /* 2^40 (binary32: 2^11; halves less) plus integers from 0 to 15 */
    RECIPE_NOISE,     /* 1000 with noise in the lower half of the fraction */
    RECIPE_BIGSQ,     /* squares overflow, sums do not */
    RECIPE_TINYSQ,    /* squares underflow to zero */
    RECIPE_BRINK,     /* sums of squares on both sides of nrm2's threshold */
    RECIPE_SPIKE,     /* 0.1 with single large numbers at some spots */
    RECIPE_COUNT
};

/* The element type; wide accumulation uses RECIPE_F32 data, and a complex element is two numbers of
 * RECIPE_F32 or RECIPE_F64 data: element i the numbers 2i and 2i + 1. */
enum recipe_type { RECIPE_F64, RECIPE_F32, RECIPE_F16, RECIPE_BF16 };

/* In bytes. */
size_t recipe_element_size(enum recipe_type type);

/* The seed of the published golden values of WG21 P4016R0. */
#define RECIPE_P4016_SEED UINT64_C(0x243F6A8885A308D3)

/* Writes elements first, first + 1, ... first + n - 1 to out, an array of n double or
 * float, or of the bits of n halves. */
void recipe_fill(enum recipe recipe, enum recipe_type type, uint64_t seed, uint64_t first, size_t n,
                 void *out);
/* The same for the second operand of a dot product whose first one comes of recipe and seed: the
 * partner's recipe, seeded with recipe_y_seed(seed). */
void recipe_fill_y(enum recipe recipe, enum recipe_type type, uint64_t seed, uint64_t first,
                   size_t n, void *out);

enum recipe recipe_y(enum recipe recipe);
uint64_t recipe_y_seed(uint64_t seed);

/* The name used in golden.txt; NULL for no recipe. */
const char *recipe_name(enum recipe recipe);
/* 0 and *recipe, or -1 where no recipe has that name. */
int recipe_find(const char *name, enum recipe *recipe);

#endif
