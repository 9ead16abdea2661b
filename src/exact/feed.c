#include "exact/feed.h"

#include <float.h>
#include <math.h>
#include "exact/table.h"

/* Below this a product of binary64 numbers may have bits under the smallest subnormal, which its
 * error, being a binary64 number, cannot hold. */
#define SAFE_PRODUCT 0x1p-960

/* Blocks after which the data are looked at anew. */
#define GOOD_FOR 64

/* Elements up to which looking at them more closely costs more than it gains. */
#define FEW_ELEMENTS 32

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

static inline uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline int
exponent_of(double v) /* of a finite number: 2^result <= |v|, -1023 for subnormals */
{
    return (int)(bits_of(v) >> 52 & 2047) - 1023;
}

/* The elements of one kind of reduction, one at a time. */
typedef struct term {
    double x, y; /* two_terms: the factors */
    double p;    /* the term, or the rounded product */
} term;

static inline __attribute__((always_inline)) term term_at(int binary32, samesum_op op,
                                                          const char *x, const char *y, size_t i)
{
    term t;
    if (binary32) {
        float a, b = 0;
        memcpy(&a, x + i * sizeof a, sizeof a);
        if (op == SAMESUM_DOT)
            memcpy(&b, y + i * sizeof b, sizeof b);
        t.x = a;
        t.y = b;
    } else {
        memcpy(&t.x, x + i * sizeof t.x, sizeof t.x);
        t.y = 0;
        if (op == SAMESUM_DOT)
            memcpy(&t.y, y + i * sizeof t.y, sizeof t.y);
    }
    if (op == SAMESUM_SUMSQ)
        t.y = t.x;
    t.p = op == SAMESUM_SUM ? t.x : op == SAMESUM_ASUM ? fabs(t.x) : t.x * t.y;
    return t;
}

/* Adds the product of two finite binary64 numbers whose rounded product says too little. */
static void add_product(double x, double y, ss_exact *acc)
{
    int ex, ey;
    int64_t mx = ss_exact_integer(bits_of(x), &ex), my = ss_exact_integer(bits_of(y), &ey);
    /* mx * my in pieces of 2^0, 2^27 and 2^54: factors of 27 and 26 bits */
    int64_t x0 = mx % (1 << 27), x1 = mx / (1 << 27), y0 = my % (1 << 27), y1 = my / (1 << 27);
    ss_exact_add(acc, x0 * y0, ex + ey);
    ss_exact_add(acc, x0 * y1 + x1 * y0, ex + ey + 27);
    ss_exact_add(acc, x1 * y1, ex + ey + 54);
}

/* Notes the kind of a leaf that is no ordinary number. Returns 0 where it has a value to add. */
static inline int note_kind(const term *t, int product, ss_exact *acc)
{
    if (isnan(t->p)) {
        acc->nan = 1;
        return 1;
    }
    if (isinf(t->p) && (!product || isinf(t->x) || isinf(t->y))) {
        if (t->p > 0)
            acc->plus_inf = 1;
        else
            acc->minus_inf = 1;
        return 1;
    }
    if (t->p != 0 || (product && t->x != 0 && t->y != 0)) {
        acc->other_than_minus_zero = 1;
        return 0;
    }
    if (!signbit(t->p))
        acc->other_than_minus_zero = 1;
    return 1;
}

/* Adds one element straight to acc, whatever it is. */
__attribute__((noinline)) static void feed_element(double x, double y, double p, int product,
                                                   ss_exact *acc)
{
    term t = {x, y, p};
    if (note_kind(&t, product, acc))
        return;
    if (!product) {
        ss_exact_add_bits(acc, bits_of(t.p));
    } else if (fabs(t.p) >= SAFE_PRODUCT && fabs(t.p) <= DBL_MAX) {
        ss_exact_add_bits(acc, bits_of(t.p));
        ss_exact_add_bits(acc, bits_of(fma(t.x, t.y, -t.p)));
    } else {
        add_product(t.x, t.y, acc);
    }
}

/* Adds the elements one at a time, through the table or, without one, straight to acc. */
static inline __attribute__((always_inline)) void feed_singly(int binary32, samesum_op op,
                                                              const char *x, const char *y,
                                                              size_t n, ss_table *table,
                                                              ss_exact *acc)
{
    int product = !binary32 && (op == SAMESUM_DOT || op == SAMESUM_SUMSQ);
    /* exponent fields of terms that are ordinary numbers, and safe products: SAFE_PRODUCT's is 63
     */
    const unsigned least = product ? 63 : 1, most = 2046;
    int ordinary = 0;
    for (size_t i = 0; i < n; i++) {
        term t = term_at(binary32, op, x, y, i);
        uint64_t bits = bits_of(t.p);
        if (__builtin_expect((unsigned)(bits >> 52 & 2047) - least > most - least, 0)) {
            feed_element(t.x, t.y, t.p, product, acc);
            continue;
        }
        ordinary = 1;
        uint64_t error = product ? bits_of(fma(t.x, t.y, -t.p)) : 0;
        if (table) {
            ss_table_add(table, bits, 1, acc);
            if (product)
                ss_table_add(table, error, 0, acc);
        } else {
            ss_exact_add_bits(acc, bits);
            if (product)
                ss_exact_add_bits(acc, error);
        }
    }
    if (ordinary)
        acc->other_than_minus_zero = 1;
}

/* Adds few elements that are ordinary numbers of like exponents, as one integer of 128 bits.
 * Returns 0, and adds nothing, where they are not. */
static inline __attribute__((always_inline)) int
feed_window(int binary32, samesum_op op, const char *x, const char *y, size_t n, ss_exact *acc)
{
    enum { SPAN = 63 }; /* 53 bits, and 6 for the number of elements, beside it */
    uint64_t bits[FEW_ELEMENTS];
    int low = 2047, high = 0;
    for (size_t i = 0; i < n; i++) {
        bits[i] = bits_of(term_at(binary32, op, x, y, i).p);
        int b = (int)(bits[i] >> 52 & 2047);
        low = b < low ? b : low;
        high = b > high ? b : high;
    }
    if (low == 0 || high == 2047 || high - low > SPAN)
        return 0;
    u128 sum = 0;
    unsigned negative = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t m = (bits[i] & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
        uint64_t sign = 0 - (bits[i] >> 63); /* all ones where negative: ~v is -v - 1 */
        int shift = (int)(bits[i] >> 52 & 2047) - low;
        uint64_t below = (m << shift) ^ sign, above = (m >> 1 >> (63 - shift)) ^ sign;
        sum += (u128)above << 64 | below;
        negative += (unsigned)(sign & 1);
    }
    sum += negative;
    const int half = 62;
    ss_exact_add(acc, (int64_t)(sum & (((u128)1 << half) - 1)), low - 1075);
    ss_exact_add(acc, (int64_t)((i128)sum >> half), low - 1075 + half);
    acc->other_than_minus_zero = 1;
    return 1;
}

#define FEED(name, binary32, op)                                                                   \
    static void name(const char *x, const char *y, size_t n, ss_table *table, ss_exact *acc)       \
    {                                                                                              \
        if (table)                                                                                 \
            feed_singly(binary32, op, x, y, n, table, acc);                                        \
        else if (n > FEW_ELEMENTS || (!binary32 && op >= SAMESUM_SUMSQ) ||                         \
                 !feed_window(binary32, op, x, y, n, acc))                                         \
            feed_singly(binary32, op, x, y, n, NULL, acc);                                         \
    }
FEED(feed_f64_sum, 0, SAMESUM_SUM)
FEED(feed_f64_asum, 0, SAMESUM_ASUM)
FEED(feed_f64_sumsq, 0, SAMESUM_SUMSQ)
FEED(feed_f64_dot, 0, SAMESUM_DOT)
FEED(feed_f32_sum, 1, SAMESUM_SUM)
FEED(feed_f32_asum, 1, SAMESUM_ASUM)
FEED(feed_f32_sumsq, 1, SAMESUM_SUMSQ)
FEED(feed_f32_dot, 1, SAMESUM_DOT)

typedef void feed_fn(const char *x, const char *y, size_t n, ss_table *table, ss_exact *acc);
static feed_fn *const feed_one_by_one[2][SS_EXACT_OPS] = {
    {feed_f64_sum, feed_f64_asum, feed_f64_sumsq, feed_f64_dot},
    {feed_f32_sum, feed_f32_asum, feed_f32_sumsq, feed_f32_dot}};

static int has_two_terms(const ss_exact_plan *plan)
{
    return !plan->binary32 && (plan->op == SAMESUM_DOT || plan->op == SAMESUM_SUMSQ);
}

static size_t elem_bytes(const ss_exact_plan *plan)
{
    return plan->binary32 ? sizeof(float) : sizeof(double);
}

static term plan_term(const ss_exact_plan *plan, const char *x, const char *y, size_t i)
{
    return plan->binary32 ? term_at(1, plan->op, x, y, i) : term_at(0, plan->op, x, y, i);
}

/* A first guess, from a few elements. */
static void guess(const ss_exact_plan *plan, ss_tuner *tuner, const char *x, const char *y,
                  size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i += n / 8 + 1) {
        double size = fabs(plan_term(plan, x, y, i).p);
        most = size > most && size <= DBL_MAX ? size : most;
    }
    tuner->exponent = exponent_of(most) + 2;
    tuner->slicing = SS_FEW;
}

/* Looks at every element of a block, and sets the tuner for it. Returns 0 where it cannot be
 * sliced. */
static int survey(const ss_exact_plan *plan, ss_tuner *tuner, const char *x, const char *y,
                  size_t n)
{
    double most = 0, least = DBL_MAX;
    for (size_t i = 0; i < n; i++) {
        double size = fabs(plan_term(plan, x, y, i).p);
        most = size > most ? size : most;
        least = size < least && size > 0 ? size : least;
    }
    tuner->hopeless = 0;
    tuner->exponent = exponent_of(most) + 1; /* with room for the next blocks */
    /* the lowest bit that the smallest term may have */
    int bits = has_two_terms(plan)        ? 106
               : !plan->binary32          ? 53
               : plan->op <= SAMESUM_ASUM ? 24
                                          : 48;
    int lowest = exponent_of(least) - bits + 1;
    tuner->known = GOOD_FOR;
    for (tuner->slicing = SS_FEW; tuner->slicing < SS_SLICINGS; tuner->slicing++) {
        int slices = ss_slice_count(tuner->slicing, has_two_terms(plan));
        if (ss_grid(tuner->exponent, slices - 1) <= (lowest < -1074 ? -1074 : lowest))
            return tuner->exponent <= SS_EXPONENT_MOST;
    }
    return 0;
}

/* Whether a product's zero is that of a factor, and every other one is safe, for all elements of a
 * block. */
static int products_are_safe(samesum_op op, const char *x, const char *y, size_t n)
{
    int safe = 1;
    for (size_t i = 0; i < n; i++) {
        term t = op == SAMESUM_DOT ? term_at(0, SAMESUM_DOT, x, y, i)
                                   : term_at(0, SAMESUM_SUMSQ, x, y, i);
        safe &= (fabs(t.p) >= SAFE_PRODUCT) | (t.x == 0) | (t.y == 0);
    }
    return safe;
}

/* The kinds of a block of zeros: +0.0 among them, or not. */
static void feed_zeros(feed_fn *singly, const char *x, const char *y, size_t n, size_t elem,
                       ss_exact *acc)
{
    enum { STEP = 64 };
    for (size_t i = 0; i < n && !acc->other_than_minus_zero; i += STEP)
        singly(x + i * elem, y ? y + i * elem : NULL, n - i < STEP ? n - i : STEP, NULL, acc);
}

/* Tries to add a block by slices, as the tuner says. */
static int feed_sliced(const ss_exact_plan *plan, const ss_tuner *tuner, const char *x,
                       const char *y, size_t n, ss_exact *acc)
{
    int two = has_two_terms(plan);
    int exponent = tuner->exponent < SS_EXPONENT_LEAST ? SS_EXPONENT_LEAST : tuner->exponent;
    if (exponent > SS_EXPONENT_MOST)
        return 0;
    ss_slices s;
    plan->slicers->slice[plan->binary32][plan->op][tuner->slicing](x, y, n, exponent, &s);
    if (!s.complete || (two && s.least < SAFE_PRODUCT && !products_are_safe(plan->op, x, y, n)))
        return 0;
    if (s.most == 0) {
        feed_zeros(feed_one_by_one[plan->binary32][plan->op], x, y, n, elem_bytes(plan), acc);
        return 1;
    }
    for (int k = 0; k < ss_slice_count(tuner->slicing, two); k++)
        ss_exact_add(acc, s.sum[k], ss_grid(exponent, k));
    acc->other_than_minus_zero = 1;
    return 1;
}

/* Adds a block whose exponents are too far apart for slices in pieces: those that are better by
 * slices, the others through the table. Where most pieces are no better, the next blocks are not
 * tried. */
static void feed_split(const ss_exact_plan *plan, ss_tuner *tuner, const char *x, const char *y,
                       size_t n, ss_table *table, ss_exact *acc)
{
    enum { PIECE = 256 };
    int pieces = 0, sliced = 0;
    ss_table_start(table);
    for (size_t at = 0; at < n; at += PIECE, pieces++) {
        size_t m = n - at < PIECE ? n - at : PIECE;
        const char *px = x + at * elem_bytes(plan), *py = y ? y + at * elem_bytes(plan) : NULL;
        ss_tuner piece;
        if (!tuner->hopeless) {
            guess(plan, &piece, px, py, m);
            if (feed_sliced(plan, &piece, px, py, m, acc)) {
                sliced++;
                continue;
            }
        }
        feed_one_by_one[plan->binary32][plan->op](px, py, m, table, acc);
    }
    tuner->hopeless = tuner->hopeless || sliced < pieces / 2;
}

void ss_exact_feed(const ss_exact_plan *plan, ss_tuner *tuner, const void *vx, const void *vy,
                   size_t n, ss_exact *acc)
{
    const char *x = vx, *y = vy;
    feed_fn *singly = feed_one_by_one[plan->binary32][plan->op];
    ss_table table;
    table.used = 0;
    acc->count += n;
    while (n > 0) {
        size_t m = n < SS_BLOCK ? n : SS_BLOCK;
        if (m <= FEW_ELEMENTS) {
            singly(x, y, m, NULL, acc);
        } else {
            int tried = 0;
            if (tuner->known == 0)
                guess(plan, tuner, x, y, m);
            else
                tuner->known--;
            if (tuner->slicing < SS_SLICINGS)
                tried = feed_sliced(plan, tuner, x, y, m, acc);
            if (tried && tuner->known == 0)
                tuner->known = GOOD_FOR;
            if (!tried && (tuner->slicing < SS_SLICINGS || tuner->known == 0))
                tried = survey(plan, tuner, x, y, m) && feed_sliced(plan, tuner, x, y, m, acc);
            if (!tried)
                feed_split(plan, tuner, x, y, m, &table, acc);
        }
        x += m * elem_bytes(plan);
        if (y)
            y += m * elem_bytes(plan);
        n -= m;
    }
    ss_table_drain(&table, acc);
}
