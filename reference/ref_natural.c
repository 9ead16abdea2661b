/* ref_natural.c - natural numbers of any size, and the one rounding of SPEC.md 4.4. */
#include "ref_natural.h"

#include <float.h>
#include <math.h>

void ref_add_at(struct ref_natural *v, int at, uint64_t term)
{
    for (; term != 0; at++) {
        for (; v->used <= at; v->used++) {
            v->digit[v->used] = 0;
        }
        term += v->digit[at];
        v->digit[at] = (uint32_t)term;
        term >>= 32;
    }
}

struct ref_natural ref_product(const struct ref_natural *a, const struct ref_natural *b)
{
    struct ref_natural p = {.used = 0};
    for (int i = 0; i < a->used; i++) {
        for (int j = 0; j < b->used; j++) {
            ref_add_at(&p, i + j, (uint64_t)a->digit[i] * b->digit[j]);
        }
    }
    return p;
}

struct ref_natural ref_natural_of(uint64_t value)
{
    struct ref_natural v = {.used = 0};
    ref_add_at(&v, 0, value);
    return v;
}

struct ref_natural ref_difference(const struct ref_natural *a, const struct ref_natural *b)
{
    struct ref_natural d = {.used = a->used};
    uint64_t borrow = 0;
    for (int i = 0; i < a->used; i++) {
        uint64_t take = borrow + (i < b->used ? b->digit[i] : 0);
        d.digit[i] = (uint32_t)(a->digit[i] - take);
        borrow = take > a->digit[i];
    }
    return d;
}

bool ref_is_less(const struct ref_natural *a, const struct ref_natural *b)
{
    for (int i = a->used > b->used ? a->used : b->used; i-- > 0;) {
        uint32_t digit_a = i < a->used ? a->digit[i] : 0;
        uint32_t digit_b = i < b->used ? b->digit[i] : 0;
        if (digit_a != digit_b) {
            return digit_a < digit_b;
        }
    }
    return false;
}

bool ref_is_zero(const struct ref_natural *a)
{
    struct ref_natural zero = {.used = 0};
    return !ref_is_less(&zero, a);
}

struct ref_natural ref_shifted_up(const struct ref_natural *v, int digits)
{
    struct ref_natural s = {.used = v->used + digits};
    for (int i = 0; i < s.used; i++) {
        s.digit[i] = i < digits ? 0 : v->digit[i - digits];
    }
    return s;
}

struct ref_natural ref_shifted_down(const struct ref_natural *v, int digits, bool *more)
{
    struct ref_natural s = {.used = 0};
    for (int i = 0; i < v->used; i++) {
        if (i < digits) {
            *more = *more || v->digit[i] != 0;
        } else {
            s.digit[s.used++] = v->digit[i];
        }
    }
    return s;
}

/* 2 v + low */
static struct ref_natural twice(const struct ref_natural *v, uint64_t low)
{
    struct ref_natural t = {.used = 0};
    for (int i = 0; i < v->used; i++) {
        ref_add_at(&t, i, 2 * (uint64_t)v->digit[i]);
    }
    ref_add_at(&t, 0, low);
    return t;
}

/* By long division, bit by bit. */
struct ref_natural ref_quotient(const struct ref_natural *v, uint64_t divisor, bool *more)
{
    struct ref_natural q = {.used = v->used};
    uint64_t rest = 0;
    for (int i = v->used; i-- > 0;) {
        q.digit[i] = 0;
        for (int b = 31; b >= 0; b--) {
            rest = 2 * rest + ((v->digit[i] >> b) & 1);
            q.digit[i] = 2 * q.digit[i] + (rest >= divisor);
            rest -= rest >= divisor ? divisor : 0;
        }
    }
    *more = *more || rest != 0;
    return q;
}

struct ref_natural ref_long_quotient(const struct ref_natural *v, const struct ref_natural *divisor,
                                     bool *more)
{
    struct ref_natural q = {.used = v->used}, rest = {.used = 0};
    for (int i = v->used; i-- > 0;) {
        q.digit[i] = 0;
        for (int b = 31; b >= 0; b--) {
            rest = twice(&rest, (v->digit[i] >> b) & 1);
            bool fits = !ref_is_less(&rest, divisor);
            rest = fits ? ref_difference(&rest, divisor) : rest;
            q.digit[i] = 2 * q.digit[i] + fits;
        }
    }
    *more = *more || !ref_is_zero(&rest);
    return q;
}

/* Bit by bit from the top. */
struct ref_natural ref_root(const struct ref_natural *v, bool *more)
{
    struct ref_natural r = {.used = 0}, square;
    for (int p = 16 * v->used - 1; p >= 0; p--) {
        struct ref_natural trial = r;
        ref_add_at(&trial, p / 32, UINT64_C(1) << (p % 32));
        square = ref_product(&trial, &trial);
        if (!ref_is_less(v, &square)) {
            r = trial;
        }
    }
    square = ref_product(&r, &r);
    *more = *more || ref_is_less(&square, v);
    return r;
}

/* Bit p of a natural number, 0 outside of its digits. */
static uint64_t bit(const struct ref_natural *v, int p)
{
    return p >= 0 && p / 32 < v->used ? (v->digit[p / 32] >> (p % 32)) & 1 : 0;
}

/* The result types of SPEC.md 4.4 step 4. */
static const struct {
    int precision, smallest; /* the smallest subnormal number is 2^smallest */
    double largest;
} formats[] = {[REF_F64] = {53, -1074, DBL_MAX},
               [REF_F32] = {24, -149, (double)FLT_MAX},
               [REF_F32_WIDE] = {53, -1074, DBL_MAX},
               [REF_F16] = {11, -24, 65504.0},
               [REF_BF16] = {8, -133, 0x1.fep127}};

double ref_round(const struct ref_natural *v, int exponent, bool more, enum ref_type to)
{
    int precision = formats[to].precision;
    int smallest = formats[to].smallest - exponent;
    int top = 32 * v->used - 1;
    while (top >= 0 && bit(v, top) == 0) {
        top--;
    }
    int unit = top - precision + 1 > smallest ? top - precision + 1 : smallest;
    uint64_t kept = 0; /* the integer part in units of 2^unit */
    for (int p = top; p >= unit; p--) {
        kept = 2 * kept + bit(v, p);
    }
    bool half = bit(v, unit - 1), rest = more;
    for (int p = unit - 2 < top ? unit - 2 : top; p >= 0 && !rest; p--) {
        rest = bit(v, p);
    }
    kept += half && (rest || (kept & 1));
    /* exact, or beyond the largest number and then infinite */
    double r = ldexp((double)kept, unit + exponent);
    return r > formats[to].largest ? HUGE_VAL : r;
}
