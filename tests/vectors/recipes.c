/* recipes.c - deterministic test data by integer arithmetic; README.md beside it describes each. */
#include "recipes.h"

#include <string.h>

/* A binary floating-point format, by the widths of its fields; sum_bits: the fraction bits of the
 * format that sums of it are accumulated in. */
struct format {
    int fraction_bits;
    int exponent_bits;
    int sum_bits;
};

static const struct format formats[] = {[RECIPE_F64] = {52, 11, 52},
                                        [RECIPE_F32] = {23, 8, 23},
                                        [RECIPE_F16] = {10, 5, 23},
                                        [RECIPE_BF16] = {7, 8, 23}};

static const struct {
    const char *name;
    enum recipe y;
} table[RECIPE_COUNT] = {
    [RECIPE_UNIFORM] = {"uniform", RECIPE_UNIFORM},
    [RECIPE_WIDE] = {"wide", RECIPE_WIDE},
    [RECIPE_PRODUCTS] = {"products", RECIPE_PRODUCTS},
    [RECIPE_CANCEL] = {"cancel", RECIPE_MIRROR},
    [RECIPE_MIRROR] = {"mirror", RECIPE_CANCEL},
    [RECIPE_BIGSMALL] = {"bigsmall", RECIPE_TENTH},
    [RECIPE_TIES] = {"ties", RECIPE_TIES},
    [RECIPE_STALL] = {"stall", RECIPE_ONES},
    [RECIPE_HUGE] = {"huge", RECIPE_UNIFORM},
    [RECIPE_SUBNORMAL] = {"subnormal", RECIPE_UNIFORM},
    [RECIPE_ONES] = {"ones", RECIPE_TENTH},
    [RECIPE_TENTH] = {"tenth", RECIPE_TENTH},
    [RECIPE_NEGZERO] = {"negzero", RECIPE_ONES},
    [RECIPE_MIXEDZERO] = {"mixedzero", RECIPE_HUGE},
    [RECIPE_INF] = {"inf", RECIPE_ONES},
    [RECIPE_NEGINF] = {"neginf", RECIPE_ONES},
    [RECIPE_INFS] = {"infs", RECIPE_UNIFORM},
    [RECIPE_NAN] = {"nan", RECIPE_INF},
    [RECIPE_EDGEROWS] = {"edgerows", RECIPE_ONES},
    [RECIPE_EDGELANES] = {"edgelanes", RECIPE_ONES},
    [RECIPE_OFFSET] = {"offset", RECIPE_NOISE},
    [RECIPE_NOISE] = {"noise", RECIPE_OFFSET},
    [RECIPE_BIGSQ] = {"bigsq", RECIPE_TINYSQ},
    [RECIPE_TINYSQ] = {"tinysq", RECIPE_BIGSQ},
    [RECIPE_BRINK] = {"brink", RECIPE_BRINK},
    [RECIPE_SPIKE] = {"spike", RECIPE_UNIFORM},
};

/* ---- random bits ---- */

static const uint64_t lcg_factor = UINT64_C(6364136223846793005);
static const uint64_t lcg_step = UINT64_C(1442695040888963407);

/* The generator's state after `count` steps from `state`, by repeated squaring of the step. */
static uint64_t lcg_after(uint64_t state, uint64_t count)
{
    uint64_t factor = lcg_factor, step = lcg_step;
    for (; count != 0; count >>= 1) {
        if (count & 1) {
            state = state * factor + step;
        }
        step = step * factor + step;
        factor *= factor;
    }
    return state;
}

/* splitmix64: the output of index i of the stream `seed`. */
static uint64_t mix(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* ---- numbers from fields ---- */

static int bias(const struct format *f)
{
    return (1 << (f->exponent_bits - 1)) - 1;
}

/* The bits with the biased exponent field `exponent`; surplus bits of sign and fraction drop out.
 */
static uint64_t fields(const struct format *f, uint64_t sign, int exponent, uint64_t fraction)
{
    uint64_t mask = (UINT64_C(1) << f->fraction_bits) - 1;
    return (sign & 1) << (f->fraction_bits + f->exponent_bits) |
           (uint64_t)exponent << f->fraction_bits | (fraction & mask);
}

/* (-1)^sign 2^exponent times 1.fraction */
static uint64_t number(const struct format *f, uint64_t sign, int exponent, uint64_t fraction)
{
    return fields(f, sign, exponent + bias(f), fraction);
}

static int all_ones(const struct format *f)
{
    return (1 << f->exponent_bits) - 1;
}

/* binary16 has so few exponents that some recipes take other ones: its largest is 2^15, and the
 * sum of any 2^20 numbers, or of their squares, is far from binary32's limits. */
static int is_binary16(const struct format *f)
{
    return f->exponent_bits == 5;
}

/* A number far above one in the accumulator's precision. */
static int big_exponent(const struct format *f)
{
    return f->sum_bits + 8 < bias(f) ? f->sum_bits + 8 : bias(f);
}

/* (-1)^sign m 2^-fraction_bits for an integer m <= 2^fraction_bits. */
static uint64_t fixed_point(const struct format *f, uint64_t sign, uint64_t m)
{
    int exponent = 0;
    if (m == 0) {
        return 0;
    }
    while ((m >> f->fraction_bits) == 0) {
        m <<= 1;
        exponent--;
    }
    return number(f, sign, exponent, m);
}

/* ---- the recipes ---- */

/* P4016R0: (top bits of the state - 2^p) / 2^p, with p the number of fraction bits. */
static uint64_t uniform(const struct format *f, uint64_t lcg)
{
    uint64_t top = lcg >> (63 - f->fraction_bits), one = UINT64_C(1) << f->fraction_bits;
    return top < one ? fixed_point(f, 1, one - top) : fixed_point(f, 0, top - one);
}

/* A random exponent from low to high, both included. */
static uint64_t spread(const struct format *f, uint64_t seed, uint64_t i, int low, int high)
{
    uint64_t r = mix(seed, i);
    int exponent = low + (int)((r >> 1) % (uint64_t)(high - low + 1));
    return fields(f, r, exponent, mix(~seed, i));
}

/* Element i of a block of 64 takes the magnitude of element 63 - i of its first half. */
static uint64_t mirrored(const struct format *f, uint64_t seed, uint64_t i)
{
    uint64_t source = i % 64 < 32 ? i : i - i % 64 + (63 - i % 64);
    return spread(f, seed, source, bias(f), bias(f) + f->fraction_bits * 3 / 4);
}

static uint64_t cancel(const struct format *f, uint64_t seed, uint64_t i)
{
    uint64_t bits = mirrored(f, seed, i);
    if (i % 64 < 32) {
        return bits;
    }
    uint64_t nudge = mix(~seed, i) % 8 == 0; /* one element in eight misses by one unit */
    return (bits ^ fields(f, 1, 0, 0)) ^ nudge;
}

static uint64_t bigsmall(const struct format *f, uint64_t seed, uint64_t i)
{
    uint64_t r = mix(seed, i);
    if (i % 2 == 0) {
        return number(f, i / 2, big_exponent(f), r);
    }
    return number(f, r >> 63, -1, r);
}

static uint64_t ties(const struct format *f, uint64_t seed, uint64_t i)
{
    uint64_t r = mix(seed, i);
    const int p = f->sum_bits;
    const int exponents[4] = {0, -p, -p - 1, -2 * p - 2}, binary16[4] = {15, 15 - p, 14 - p, -14};
    return number(f, r >> 63, is_binary16(f) ? binary16[r % 4] : exponents[r % 4], 0);
}

static uint64_t special(const struct format *f, enum recipe recipe, uint64_t i, uint64_t ordinary)
{
    enum { PERIOD = 4099, FIRST = 7, SECOND = 23 }; /* 4099 is a prime: the spots meet every lane */
    uint64_t spot = i % PERIOD;
    if (recipe == RECIPE_NAN && (spot == FIRST || spot == SECOND)) {
        uint64_t quiet = UINT64_C(1) << (f->fraction_bits - 1);
        return fields(f, i, all_ones(f), (spot == FIRST ? quiet : 0) | 0x5a5);
    }
    if (recipe == RECIPE_SPIKE) {
        return spot == FIRST ? number(f, i, big_exponent(f), 0) : ordinary;
    }
    int negative = recipe == RECIPE_NEGINF || (recipe == RECIPE_INFS && spot == SECOND);
    int hit = recipe != RECIPE_NAN && (spot == FIRST || (recipe == RECIPE_INFS && spot == SECOND));
    return hit ? fields(f, (uint64_t)negative, all_ones(f), 0) : ordinary;
}

/* With U the unit of the largest number M: -1.5 U at `first`, M at `second`, elsewhere -U/4 or 0.
 * The sum s of the first two is M - U, a tie, and s - (-1.5 U) rounds to infinity, s - M does not;
 * so a TwoSum with swapped operands gives another error (SPEC.md section 9, note 3). */
static uint64_t edge(const struct format *f, uint64_t seed, uint64_t i, uint64_t first,
                     uint64_t second)
{
    int unit = bias(f) - f->fraction_bits;
    if (i == first) {
        return number(f, 1, unit, UINT64_C(1) << (f->fraction_bits - 1));
    }
    if (i == second) {
        return number(f, 0, bias(f), UINT64_MAX);
    }
    return mix(seed, i) % 2 == 0 ? 0 : number(f, 1, unit - 2, 0);
}

/* 2^(fraction_bits - 12) + (0 ... 15): the integer counts 2^12 units of the fraction, in a half
 * 2^2. */
static uint64_t offset(const struct format *f, uint64_t r)
{
    int unit = f->fraction_bits < 23 ? 2 : 12;
    return number(f, 0, f->fraction_bits - unit, (r % 16) << unit);
}

/* 1000 = 2^9 * 1.953125, whose fraction has 6 bits; the lower half of the fraction is random. */
static uint64_t noise(const struct format *f, uint64_t r)
{
    uint64_t thousand = UINT64_C(61) << (f->fraction_bits - 6);
    return number(f, 0, 9, thousand | r >> (64 - f->fraction_bits / 2));
}

/* Half of the exponent of nrm2's threshold, 2^-960 or 2^-100 (SPEC.md 6.1 step 3); no square of a
 * binary16 is so small, so this takes small ones. */
static int brink(const struct format *f)
{
    return f->fraction_bits == 52 ? -480 : is_binary16(f) ? -11 : -50;
}

static uint64_t tenth(const struct format *f)
{
    /* 0.1 = 1.6 * 2^-4, and .6 in binary is 1001 1001 ...; it is never a tie, so the first bit
     * that is cut off says whether to round up. */
    uint64_t fraction = UINT64_C(0x9999999999999999) >> (63 - f->fraction_bits);
    return number(f, 0, -4, (fraction >> 1) + (fraction & 1));
}

static uint64_t make(enum recipe recipe, const struct format *f, uint64_t seed, uint64_t i,
                     uint64_t lcg)
{
    switch (recipe) {
    case RECIPE_UNIFORM:
        return uniform(f, lcg);
    case RECIPE_WIDE:
        return spread(f, seed, i, 0, all_ones(f) - (is_binary16(f) ? 1 : 22));
    case RECIPE_PRODUCTS: /* from 2^-(half of the range) - 24 to a product's sum below overflow */
        return is_binary16(f)
                   ? spread(f, seed, i, 0, all_ones(f) - 1)
                   : spread(f, seed, i, bias(f) / 2 - f->fraction_bits, bias(f) + bias(f) / 2 - 12);
    case RECIPE_CANCEL:
        return cancel(f, seed, i);
    case RECIPE_MIRROR:
        return mirrored(f, seed, i);
    case RECIPE_BIGSMALL:
        return bigsmall(f, seed, i);
    case RECIPE_TIES:
        return ties(f, seed, i);
    case RECIPE_STALL:
        return is_binary16(f) ? number(f, 0, i == 0 ? 15 : 15 - f->sum_bits - 1, 0)
                              : number(f, 0, i == 0 ? f->sum_bits + 1 : 0, 0);
    case RECIPE_HUGE:
        return spread(f, seed, i, all_ones(f) - 2, all_ones(f) - 1);
    case RECIPE_SUBNORMAL:
        return spread(f, seed, i, 0, 0);
    case RECIPE_ONES:
        return number(f, 0, 0, 0);
    case RECIPE_TENTH:
        return tenth(f);
    case RECIPE_NEGZERO:
        return fields(f, 1, 0, 0);
    case RECIPE_MIXEDZERO:
        return fields(f, mix(seed, i), 0, 0);
    case RECIPE_INF:
    case RECIPE_NEGINF:
    case RECIPE_INFS:
    case RECIPE_NAN:
        return special(f, recipe, i, uniform(f, lcg));
    case RECIPE_EDGEROWS:
        return edge(f, seed, i, 5, 21); /* lane 5 of rows 0 and 1 */
    case RECIPE_EDGELANES:
        return edge(f, seed, i, 2, 3); /* lanes 2 and 3 of row 0 */
    case RECIPE_OFFSET:
        return offset(f, mix(seed, i));
    case RECIPE_NOISE:
        return noise(f, mix(seed, i));
    case RECIPE_BIGSQ:
        return spread(f, seed, i, bias(f) + bias(f) * 5 / 8, bias(f) + bias(f) * 3 / 4);
    case RECIPE_TINYSQ:
        return spread(f, seed, i, bias(f) - bias(f) * 3 / 4, bias(f) - bias(f) * 5 / 8);
    case RECIPE_BRINK:
        return spread(f, seed, i, bias(f) + brink(f) - 3, bias(f) + brink(f));
    case RECIPE_SPIKE:
        return special(f, recipe, i, tenth(f));
    case RECIPE_COUNT:
        break;
    }
    return 0;
}

size_t recipe_element_size(enum recipe_type type)
{
    return type == RECIPE_F64 ? 8 : type == RECIPE_F32 ? 4 : 2;
}

void recipe_fill(enum recipe recipe, enum recipe_type type, uint64_t seed, uint64_t first, size_t n,
                 void *out)
{
    const struct format *f = &formats[type];
    uint64_t lcg = lcg_after(seed, first);
    for (size_t k = 0; k < n; k++) {
        lcg = lcg * lcg_factor + lcg_step;
        uint64_t bits = make(recipe, f, seed, first + k, lcg);
        uint32_t narrow = (uint32_t)bits;
        uint16_t half = (uint16_t)bits;
        size_t size = recipe_element_size(type);
        memcpy((unsigned char *)out + k * size,
               type == RECIPE_F64   ? (void *)&bits
               : type == RECIPE_F32 ? (void *)&narrow
                                    : (void *)&half,
               size);
    }
}

enum recipe recipe_y(enum recipe recipe)
{
    return table[recipe].y;
}

uint64_t recipe_y_seed(uint64_t seed)
{
    return seed ^ UINT64_C(0x9E3779B97F4A7C15);
}

void recipe_fill_y(enum recipe recipe, enum recipe_type type, uint64_t seed, uint64_t first,
                   size_t n, void *out)
{
    recipe_fill(recipe_y(recipe), type, recipe_y_seed(seed), first, n, out);
}

const char *recipe_name(enum recipe recipe)
{
    return (unsigned)recipe < RECIPE_COUNT ? table[recipe].name : NULL;
}

int recipe_find(const char *name, enum recipe *recipe)
{
    for (int i = 0; i < RECIPE_COUNT; i++) {
        if (strcmp(name, table[i].name) == 0) {
            *recipe = (enum recipe)i;
            return 0;
        }
    }
    return -1;
}
