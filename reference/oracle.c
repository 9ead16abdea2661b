/* oracle.c - exact values by MPFR, which show themselves to be exact; see oracle.h. */
#include "oracle.h"

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What the special leaves make of the result, SPEC.md 4.4 steps 2 and 3. */
enum kind { NUMBER, PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER };

struct oracle {
    enum ref_type to; /* the result type: REF_F64, REF_F32, REF_F16 or REF_BF16 */
    enum kind kind;
    bool minus_zero; /* what an exact zero is */
    bool any;        /* a leaf is present */
    mpfr_t sum;      /* exact, of the finite leaves; a derived value to MEASURE_BITS bits */
    mpfr_t sum_abs;  /* exact, of their absolute values */
    /* A derived value v is defined by |v|^power = numerator / denominator, both exact. */
    int power; /* 0: not a derived value */
    mpfr_t numerator, denominator;
};

enum {
    MEASURE_BITS = 400, /* of a derived value in error measures; its rounding rests on none */
    /* all numbers of which derived values are made are multiples of 2^-2148 below 2^2300 */
    EXACT_BITS = 4500
};

/* The result types; largest < 2^above, and the smallest subnormal number is 2^smallest. */
static const struct format {
    int precision, above, smallest;
} formats[] = {[REF_F64] = {53, 1024, -1074},
               [REF_F32] = {24, 128, -149},
               [REF_F16] = {11, 16, -24},
               [REF_BF16] = {8, 128, -133}};

struct data {
    enum ref_op op;
    enum ref_type type;
    const void *x, *y;
    size_t n;
};

/* Both formats are binary32's with a narrower fraction; binary16's exponents lie 2^112 apart. */
static double half_value(enum ref_type type, uint16_t bits)
{
    bool f16 = type == REF_F16;
    uint32_t rest = bits & 0x7fff, wide = f16 ? rest << 13 : rest << 16;
    if (f16 && rest >= 0x7c00) {
        wide |= 0x7f800000;
    }
    wide |= (uint32_t)(bits & 0x8000) << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return f16 && rest < 0x7c00 ? (double)value * 0x1p112 : (double)value;
}

static double element(const struct data *data, const void *array, size_t i)
{
    if (data->type == REF_F16 || data->type == REF_BF16) {
        return half_value(data->type, ((const uint16_t *)array)[i]);
    }
    return data->type == REF_F64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

/* The leaf of element i is *a times *b. */
static void factors(const struct data *data, size_t i, double *a, double *b)
{
    *a = element(data, data->x, i);
    *b = 1.0;
    if (data->op == REF_ASUM) {
        *a = fabs(*a);
    } else if (data->op == REF_SUMSQ) {
        *b = *a;
    } else if (data->op == REF_DOT) {
        *b = element(data, data->y, i);
    }
}

/* ---- how many bits make every operation exact ---- */

/* The exponents of the lowest and the highest bit that are set in x, finite and not zero. */
static void bit_range(double x, int *low, int *high)
{
    int exponent;
    double m = fabs(frexp(x, &exponent)); /* |x| = m 2^exponent, 1/2 <= m < 1 */
    *high = exponent - 1;
    *low = *high;
    for (m = 2.0 * m - 1.0; m != 0.0; m -= m >= 1.0 ? 1.0 : 0.0) {
        m *= 2.0;
        --*low;
    }
}

/* A precision at which every sum of these leaves is exact. All leaves are multiples of 2^low, and
 * the sum of the n absolute values is below n 2^(high + 1). */
static mpfr_prec_t exact_precision(const struct data *data)
{
    int low = 0, high = 0;
    bool any = false;
    for (size_t i = 0; i < data->n; i++) {
        double a, b;
        factors(data, i, &a, &b);
        if (!isfinite(a) || !isfinite(b) || a == 0.0 || b == 0.0) {
            continue;
        }
        int low_a, high_a, low_b, high_b;
        bit_range(a, &low_a, &high_a);
        bit_range(b, &low_b, &high_b);
        int leaf_low = low_a + low_b, leaf_high = high_a + high_b + 1;
        low = !any || leaf_low < low ? leaf_low : low;
        high = !any || leaf_high > high ? leaf_high : high;
        any = true;
    }
    int count_bits = 0;
    while (count_bits < 63 && (data->n >> count_bits) != 0) {
        count_bits++;
    }
    return high - low + 1 + count_bits;
}

/* ---- the exact sum ---- */

/* Adds the finite leaf a * b; false where MPFR rounded. */
static bool add_leaf(struct oracle *o, double a, double b, mpfr_t product, mpfr_t factor)
{
    int rounded = mpfr_set_d(product, a, MPFR_RNDN);
    rounded |= mpfr_set_d(factor, b, MPFR_RNDN);
    rounded |= mpfr_mul(product, product, factor, MPFR_RNDN);
    rounded |= mpfr_add(o->sum, o->sum, product, MPFR_RNDN);
    rounded |= mpfr_abs(product, product, MPFR_RNDN);
    rounded |= mpfr_add(o->sum_abs, o->sum_abs, product, MPFR_RNDN);
    return rounded == 0;
}

/* Adds all leaves; false where an operation was inexact. */
static bool add_all(struct oracle *o, const struct data *data)
{
    bool plus = false, minus = false, nan_leaf = false, exact = true;
    mpfr_t product, factor;
    mpfr_init2(product, 106);
    mpfr_init2(factor, 53);
    mpfr_clear_flags();
    o->any = data->n != 0;
    o->minus_zero = o->any;
    for (size_t i = 0; i < data->n && exact; i++) {
        double a, b;
        factors(data, i, &a, &b);
        if (isfinite(a) && isfinite(b)) {
            exact = add_leaf(o, a, b, product, factor);
            bool zero = a == 0.0 || b == 0.0;
            o->minus_zero = o->minus_zero && zero && !signbit(a) != !signbit(b);
        } else {
            double leaf = a * b;
            nan_leaf = nan_leaf || isnan(leaf);
            plus = plus || leaf > 0.0;
            minus = minus || leaf < 0.0;
        }
    }
    exact = exact && !mpfr_inexflag_p() && !mpfr_overflow_p() && !mpfr_underflow_p() &&
            !mpfr_nanflag_p();
    mpfr_clear(product);
    mpfr_clear(factor);
    o->kind = nan_leaf || (plus && minus) ? NOT_A_NUMBER
              : plus                      ? PLUS_INFINITY
              : minus                     ? MINUS_INFINITY
                                          : NUMBER;
    return exact;
}

struct oracle *oracle_new(enum ref_op op, enum ref_type type, const void *x, const void *y,
                          size_t n)
{
    if ((unsigned)op > REF_DOT || (unsigned)type > REF_BF16 ||
        (n != 0 && (x == NULL || (op == REF_DOT && y == NULL)))) {
        return NULL;
    }
    struct oracle *o = malloc(sizeof *o);
    if (o == NULL) {
        return NULL;
    }
    struct data data = {op, type, x, y, n};
    bool binary64 = type == REF_F64 || type == REF_F32_WIDE;
    o->to = binary64 ? REF_F64 : REF_F32;
    o->power = 0;
    mpfr_prec_t precision = exact_precision(&data);
    mpfr_init2(o->sum, precision);
    mpfr_init2(o->sum_abs, precision);
    mpfr_set_zero(o->sum, 1);
    mpfr_set_zero(o->sum_abs, 1);
    if (!add_all(o, &data)) {
        oracle_free(o);
        return NULL;
    }
    return o;
}

void oracle_free(struct oracle *o)
{
    if (o != NULL) {
        mpfr_clear(o->sum);
        mpfr_clear(o->sum_abs);
        if (o->power != 0) {
            mpfr_clear(o->numerator);
            mpfr_clear(o->denominator);
        }
        free(o);
    }
}

/* ---- derived values, SPEC.md section 6 ---- */

/* numerator = n squares - sum^2, denominator = n (n - ddof), SPEC.md 6.3 step 1. Returns MPFR's
 * ternary values or-ed: 0 where all is exact. */
static int set_variance(struct oracle *o, const mpfr_t sum, const mpfr_t squares, size_t n,
                        uint64_t ddof)
{
    mpfr_t square;
    mpfr_init2(square, EXACT_BITS);
    int rounded = mpfr_sqr(square, sum, MPFR_RNDN);
    rounded |= mpfr_mul_ui(o->numerator, squares, n, MPFR_RNDN);
    rounded |= mpfr_sub(o->numerator, o->numerator, square, MPFR_RNDN);
    rounded |= mpfr_set_ui(o->denominator, n, MPFR_RNDN);
    rounded |= mpfr_mul_ui(o->denominator, o->denominator, n - ddof, MPFR_RNDN);
    mpfr_clear(square);
    return rounded;
}

/* The special cases of section 6. */
static enum kind derived_kind(enum ref_op op, uint64_t ddof, const struct data *data,
                              enum kind of_sum)
{
    bool infinity = false;
    for (size_t i = 0; i < data->n; i++) {
        infinity = infinity || isinf(element(data, data->x, i));
    }
    switch (op) {
    case REF_NRM2:
        return infinity ? PLUS_INFINITY : of_sum;
    case REF_MEAN:
        return data->n == 0 ? NOT_A_NUMBER : of_sum;
    default:
        return data->n <= ddof || of_sum != NUMBER ? NOT_A_NUMBER : NUMBER;
    }
}

struct oracle *oracle_derive(enum ref_op op, enum ref_type type, uint64_t ddof, const void *x,
                             size_t n)
{
    if (op < REF_NRM2 || op > REF_STD) {
        return NULL;
    }
    bool spread = op == REF_VAR || op == REF_STD;
    struct oracle *o = oracle_new(op == REF_MEAN ? REF_SUM : REF_SUMSQ, type, x, NULL, n);
    struct oracle *sum = spread && o != NULL ? oracle_new(REF_SUM, type, x, NULL, n) : NULL;
    if (o == NULL || (spread && sum == NULL)) {
        oracle_free(o);
        return NULL;
    }
    struct data data = {op, type, x, NULL, n};
    o->kind = derived_kind(op, ddof, &data, o->kind);
    o->power = op == REF_NRM2 || op == REF_STD ? 2 : 1;
    mpfr_init2(o->numerator, EXACT_BITS);
    mpfr_init2(o->denominator, EXACT_BITS);
    int rounded = 0;
    bool negative = mpfr_sgn(o->sum) < 0;
    if (o->kind == NUMBER && spread) {
        rounded = set_variance(o, sum->sum, o->sum, n, ddof);
    } else {
        rounded = mpfr_abs(o->numerator, o->sum, MPFR_RNDN);
        rounded |= mpfr_set_ui(o->denominator, op == REF_MEAN && n != 0 ? n : 1, MPFR_RNDN);
    }
    oracle_free(sum);
    mpfr_set_prec(o->sum, MEASURE_BITS);
    mpfr_div(o->sum, o->numerator, o->denominator, MPFR_RNDN);
    if (o->power == 2) {
        mpfr_sqrt(o->sum, o->sum, MPFR_RNDN);
    }
    mpfr_setsign(o->sum, o->sum, negative, MPFR_RNDN);
    if (rounded != 0) {
        oracle_free(o);
        return NULL;
    }
    return o;
}

/* SPEC.md 6.7 and section 9 note 16. Where the weights' sum is not finite, that of the products is
 * not either. */
static enum kind quotient_kind(const struct oracle *dot, const struct oracle *weights)
{
    if (weights->kind != NUMBER || mpfr_zero_p(weights->sum)) {
        return NOT_A_NUMBER;
    }
    double rounded = 0.0; /* in T */
    float narrow = 0.0F;
    oracle_result(weights, weights->to == REF_F32 ? (void *)&narrow : (void *)&rounded, NULL);
    rounded = weights->to == REF_F32 ? (double)narrow : rounded;
    if (dot->kind == NUMBER || dot->kind == NOT_A_NUMBER) {
        return dot->kind;
    }
    bool positive = (dot->kind == PLUS_INFINITY) == (rounded > 0.0);
    return isinf(rounded) ? NOT_A_NUMBER : positive ? PLUS_INFINITY : MINUS_INFINITY;
}

struct oracle *oracle_weighted_mean(enum ref_type type, const void *x, const void *weights,
                                    size_t n)
{
    struct oracle *o = oracle_new(REF_DOT, type, x, weights, n);
    struct oracle *w = oracle_new(REF_SUM, type, weights, NULL, n);
    if (o == NULL || w == NULL) {
        oracle_free(o);
        oracle_free(w);
        return NULL;
    }
    bool negative = mpfr_zero_p(o->sum) ? o->minus_zero : mpfr_sgn(o->sum) < 0;
    o->kind = quotient_kind(o, w);
    o->power = 1;
    mpfr_init2(o->numerator, EXACT_BITS);
    mpfr_init2(o->denominator, EXACT_BITS);
    int rounded = mpfr_abs(o->numerator, o->sum, MPFR_RNDN);
    rounded |= mpfr_abs(o->denominator, w->sum, MPFR_RNDN);
    negative = negative != (mpfr_sgn(w->sum) < 0);
    o->minus_zero = negative;
    mpfr_set_prec(o->sum, MEASURE_BITS);
    mpfr_div(o->sum, o->numerator, o->denominator, MPFR_RNDN);
    mpfr_setsign(o->sum, o->sum, negative, MPFR_RNDN);
    oracle_free(w);
    if (rounded != 0) {
        oracle_free(o);
        return NULL;
    }
    return o;
}

/* ---- rounding ---- */

void oracle_round_to(struct oracle *o, enum ref_type to)
{
    o->to = to;
}

static bool to_half(const struct oracle *o)
{
    return o->to == REF_F16 || o->to == REF_BF16;
}

static bool to_binary32(const struct oracle *o)
{
    return o->to == REF_F32;
}

static double read_result(const struct oracle *o, const void *result)
{
    float narrow;
    double r;
    uint16_t half;
    if (to_half(o)) {
        memcpy(&half, result, sizeof half);
        return half_value(o->to, half);
    }
    memcpy(&narrow, result, sizeof narrow);
    if (!to_binary32(o)) {
        memcpy(&r, result, sizeof r);
        return r;
    }
    return (double)narrow;
}

/* r is a number of the type, so this cuts off zeros only. */
static void write_half(enum ref_type to, void *result, double r)
{
    float narrow = (float)(to == REF_F16 && isfinite(r) ? r * 0x1p-112 : r);
    uint32_t bits, infinity = to == REF_F16 ? 0x7c00 : 0x7f80;
    memcpy(&bits, &narrow, sizeof bits);
    uint32_t rest = bits & 0x7fffffff, quiet = to == REF_F16 ? 0x200 : 0x40;
    uint16_t half = (uint16_t)(bits >> 31 << 15 | (to == REF_F16 ? rest >> 13 : rest >> 16));
    if (isinf(r)) {
        half = (uint16_t)(bits >> 31 << 15 | infinity);
    } else if (isnan(r)) {
        half = (uint16_t)(infinity | quiet);
    }
    memcpy(result, &half, sizeof half);
}

static void write_result(const struct oracle *o, void *result, double r)
{
    float narrow = (float)r; /* exact: for binary32 r is such a number */
    uint32_t nan32 = 0x7fc00000;
    uint64_t nan64 = UINT64_C(0x7ff8000000000000);
    if (to_half(o)) {
        write_half(o->to, result, r);
    } else if (to_binary32(o)) {
        memcpy(result, isnan(r) ? (void *)&nan32 : (void *)&narrow, sizeof narrow);
    } else {
        memcpy(result, isnan(r) ? (void *)&nan64 : (void *)&r, sizeof r);
    }
}

/* A non-zero sum to the nearest number of the format: to its precision first, then to its exponent
 * range. MPFR's ternary value carries the first rounding into the second, so that both together are
 * one rounding (MPFR's documentation of mpfr_subnormalize). */
static double round_number(const struct oracle *o, int *ternary)
{
    mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
    mpfr_t r;
    mpfr_init2(r, formats[o->to].precision);
    int t = mpfr_set(r, o->sum, MPFR_RNDN);
    mpfr_set_emin(formats[o->to].smallest + 1); /* MPFR's mantissas are in [1/2, 1) */
    mpfr_set_emax(formats[o->to].above);
    t = mpfr_check_range(r, t, MPFR_RNDN);
    t = mpfr_subnormalize(r, t, MPFR_RNDN);
    double d = mpfr_get_d(r, MPFR_RNDN); /* exact */
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    mpfr_clear(r);
    *ternary = (t > 0) - (t < 0);
    return d;
}

/* The neighbour of r >= 0 in the result type. */
static double neighbour(const struct oracle *o, double r, double towards)
{
    if (to_half(o)) {
        const struct format *f = &formats[o->to];
        int binade = r == 0.0 ? f->smallest : ilogb(r);
        if (towards < r && ldexp(1.0, binade) == r) {
            binade--; /* below a power of two numbers are closer */
        }
        int unit = binade - f->precision + 1;
        unit = unit > f->smallest ? unit : f->smallest;
        double step = ldexp(1.0, unit);
        if (isinf(r)) {
            return ldexp(1.0, f->above) - ldexp(1.0, f->above - f->precision);
        }
        double next = towards < r ? r - step : r + step;
        return next >= ldexp(1.0, f->above) ? HUGE_VAL : next;
    }
    return to_binary32(o) ? (double)nextafterf((float)r, (float)towards) : nextafter(r, towards);
}

/* m = the exact middle between a number r >= 0 and its upper neighbour, where 2^emax counts as a
 * number (SPEC.md 4.4 step 1). */
static void upper_middle(const struct oracle *o, double r, mpfr_t m)
{
    double next = neighbour(o, r, HUGE_VAL);
    if (isinf(next)) {
        mpfr_set_ui_2exp(m, 1, formats[o->to].above, MPFR_RNDN);
    } else {
        mpfr_set_d(m, next, MPFR_RNDN);
    }
    mpfr_add_d(m, m, r, MPFR_RNDN);
    mpfr_div_2ui(m, m, 1, MPFR_RNDN);
}

/* The sign of m - |v|, for a derived value from m^power denominator - numerator; *exact becomes
 * false where MPFR rounded. m >= 0 has 54 bits at most. */
static int compare(const struct oracle *o, const mpfr_t m, bool *exact)
{
    if (o->power == 0) {
        int plain = mpfr_cmpabs(m, o->sum);
        return (plain > 0) - (plain < 0);
    }
    mpfr_t left;
    mpfr_init2(left, EXACT_BITS);
    int rounded = mpfr_pow_ui(left, m, (unsigned long)o->power, MPFR_RNDN);
    rounded |= mpfr_mul(left, left, o->denominator, MPFR_RNDN);
    int sign = mpfr_cmp(left, o->numerator);
    mpfr_clear(left);
    *exact = *exact && rounded == 0;
    return (sign > 0) - (sign < 0);
}

/* Whether the significand of r >= 0 is even; infinity counts as even: it is the next number after
 * the largest one, whose significand is odd. */
static bool is_even(const struct oracle *o, double r)
{
    if (to_half(o)) {
        const struct format *f = &formats[o->to];
        int unit = r == 0.0 || isinf(r) ? f->smallest : ilogb(r) - f->precision + 1;
        unit = unit > f->smallest ? unit : f->smallest;
        return isinf(r) || fmod(ldexp(r, -unit), 2.0) == 0.0;
    }
    float narrow = (float)r;
    uint32_t bits32;
    uint64_t bits64;
    memcpy(&bits32, &narrow, sizeof bits32);
    memcpy(&bits64, &r, sizeof bits64);
    return to_binary32(o) ? bits32 % 2 == 0 : bits64 % 2 == 0;
}

/* |value| by MPFR's own rounding, for a half only nearly so. */
static double proposal(const struct oracle *o)
{
    int ignored;
    if (to_half(o)) {
        return mpfr_zero_p(o->sum) ? 0.0 : round_number(o, &ignored);
    }
    return to_binary32(o) ? (double)mpfr_get_flt(o->sum, MPFR_RNDN) : mpfr_get_d(o->sum, MPFR_RNDN);
}

/* A value to the nearest number of the format. An approximation proposes |r|; it is taken
 * only where exact comparisons put |v| between the middles to its two neighbours, and it is moved
 * by one unit until they do. false where a comparison was inexact. */
static bool round_proved(const struct oracle *o, double *r, int *ternary)
{
    double c = proposal(o);
    bool exact = true, moved = true;
    mpfr_t m;
    mpfr_init2(m, 60);
    for (c = fabs(c); moved && exact;) {
        moved = false;
        if (!isinf(c)) {
            upper_middle(o, c, m);
            int above = compare(o, m, &exact);
            moved = above < 0 || (above == 0 && !is_even(o, c));
            c = moved ? neighbour(o, c, HUGE_VAL) : c;
        }
        if (!moved && c > 0.0) {
            upper_middle(o, neighbour(o, c, 0.0), m);
            int below = compare(o, m, &exact);
            moved = below > 0 || (below == 0 && !is_even(o, c));
            c = moved ? neighbour(o, c, 0.0) : c;
        }
    }
    *ternary = 1;
    if (!isinf(c)) {
        mpfr_set_d(m, c, MPFR_RNDN);
        *ternary = compare(o, m, &exact);
    }
    mpfr_clear(m);
    bool negative = mpfr_zero_p(o->sum) ? o->minus_zero : mpfr_signbit(o->sum);
    *r = negative ? -c : c;
    *ternary = negative ? -*ternary : *ternary;
    return exact;
}

int oracle_result(const struct oracle *o, void *result, int *ternary)
{
    double r = 0.0;
    int t = 0;
    if (o->kind != NUMBER) {
        r = o->kind == NOT_A_NUMBER ? (double)NAN : HUGE_VAL;
        r = o->kind == MINUS_INFINITY ? -r : r;
    } else if (o->power != 0) {
        if (!round_proved(o, &r, &t)) {
            return -1;
        }
    } else if (mpfr_zero_p(o->sum)) {
        r = o->minus_zero ? -0.0 : 0.0;
    } else {
        r = round_number(o, &t);
        double direct = proposal(o);
        if (to_half(o) && !round_proved(o, &direct, &(int){0})) {
            return -1;
        }
        int sign = -mpfr_cmp_d(o->sum, r); /* of r minus the exact value */
        if (memcmp(&direct, &r, sizeof r) != 0 || (sign > 0) - (sign < 0) != t) {
            return -1;
        }
    }
    write_result(o, result, r);
    if (ternary != NULL) {
        *ternary = t;
    }
    return 0;
}

/* ---- errors ---- */

/* The exponent of a unit in the last place of the exact value. */
static long unit_exponent(const struct oracle *o)
{
    long smallest = formats[o->to].smallest;
    if (mpfr_zero_p(o->sum)) {
        return smallest;
    }
    long unit = (long)mpfr_get_exp(o->sum) - formats[o->to].precision;
    return unit > smallest ? unit : smallest;
}

/* Where the value or r is special: true, and *error is what oracle_ulps() says of them. */
static bool special_error(const struct oracle *o, double r, double *error)
{
    if (o->kind == NOT_A_NUMBER || isnan(r)) {
        *error = o->kind == NOT_A_NUMBER && isnan(r) ? 0.0 : (double)NAN;
        return true;
    }
    if (o->kind != NUMBER || isinf(r)) {
        double value = o->kind == PLUS_INFINITY    ? HUGE_VAL
                       : o->kind == MINUS_INFINITY ? -HUGE_VAL
                                                   : 0.0;
        *error = value == r ? 0.0 : isinf(r) ? r : -value;
        return true;
    }
    return false;
}

/* (r - sum), exactly before the one rounding of the quotient, divided by 2^unit or by |sum|. */
static double quotient(const struct oracle *o, double r, bool relative)
{
    mpfr_t difference, value;
    /* r and the sum are multiples of 2^-2148 below 2^2200 */
    mpfr_init2(difference, 4400);
    mpfr_init2(value, 53);
    mpfr_set_d(value, r, MPFR_RNDN);
    mpfr_sub(difference, value, o->sum, MPFR_RNDN);
    if (relative) {
        mpfr_div(value, difference, o->sum, MPFR_RNDN);
        mpfr_setsign(value, value, mpfr_signbit(difference), MPFR_RNDN);
    } else {
        mpfr_mul_2si(value, difference, -unit_exponent(o), MPFR_RNDN);
    }
    double q = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(difference);
    mpfr_clear(value);
    return q;
}

double oracle_ulps(const struct oracle *o, const void *result)
{
    double r = read_result(o, result), error;
    return special_error(o, r, &error) ? error : quotient(o, r, false);
}

double oracle_relative(const struct oracle *o, const void *result)
{
    double r = read_result(o, result), error;
    if (special_error(o, r, &error)) {
        return error;
    }
    if (mpfr_zero_p(o->sum)) {
        return r == 0.0 ? 0.0 : copysign(HUGE_VAL, r);
    }
    return quotient(o, r, true);
}

double oracle_condition(const struct oracle *o)
{
    if (o->kind != NUMBER || !o->any || o->power != 0) {
        return (double)NAN;
    }
    if (mpfr_zero_p(o->sum)) {
        return mpfr_zero_p(o->sum_abs) ? 1.0 : HUGE_VAL;
    }
    mpfr_t ratio;
    mpfr_init2(ratio, 53);
    mpfr_div(ratio, o->sum_abs, o->sum, MPFR_RNDN);
    double condition = fabs(mpfr_get_d(ratio, MPFR_RNDN));
    mpfr_clear(ratio);
    return condition;
}

int oracle_decimal(const struct oracle *o, int digits, char *text, size_t capacity)
{
    static const char *const names[] = {"", "inf", "-inf", "nan"};
    if (o->kind != NUMBER) {
        return mpfr_snprintf(text, capacity, "%s", names[o->kind]);
    }
    return mpfr_snprintf(text, capacity, "%.*Re", digits - 1, o->sum);
}
