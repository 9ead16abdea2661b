/* hard_cases.c - inputs at which results are hard to round; see hard_cases.h. */
#include "hard_cases.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* The formats of the elements and of the result. */
struct format {
    bool f64;          /* elements are binary64 */
    int element_bits;  /* precision of an element */
    int smallest, top; /* 2^smallest: the smallest element; 2^top: the largest power of two */
    int bits;          /* precision of the result */
    int result_smallest, result_top;
};

static struct format format_of(enum ref_type type)
{
    static const struct format formats[] = {
        [REF_F64] = {true, 53, -1074, 1023, 53, -1074, 1023},
        [REF_F32] = {false, 24, -149, 127, 24, -149, 127},
        [REF_F32_WIDE] = {false, 24, -149, 127, 53, -1074, 1023},
    };
    return formats[type];
}

/* ---- random numbers: splitmix64 ---- */

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int random_int(uint64_t *state, int low, int high)
{
    return low + (int)(random_bits(state) % (uint64_t)(high - low + 1));
}

/* ---- elements ---- */

struct list {
    const struct format *format;
    void *x, *y;
    size_t n;
};

static void store(const struct format *f, void *array, size_t i, double value)
{
    if (f->f64) {
        ((double *)array)[i] = value;
    } else {
        ((float *)array)[i] = (float)value;
    }
}

static void push(struct list *list, double x, double y)
{
    store(list->format, list->x, list->n, x);
    store(list->format, list->y, list->n++, y);
}

/* c 2^exponent, in a dot product as a product of two powers of about the same size. */
static void push_power(struct list *list, bool dot, int c, int exponent)
{
    int of_y = dot ? exponent / 2 : 0;
    push(list, ldexp((double)c, exponent - of_y), ldexp(1.0, of_y));
}

static void swap(bool f64, void *array, size_t i, size_t j)
{
    if (f64) {
        double *a = array, kept = a[i];
        a[i] = a[j];
        a[j] = kept;
    } else {
        float *a = array, kept = a[i];
        a[i] = a[j];
        a[j] = kept;
    }
}

void hard_case_permute(enum ref_type type, uint64_t seed, size_t n, void *x, void *y)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)(random_bits(&seed) % i);
        swap(type == REF_F64, x, i - 1, j);
        swap(type == REF_F64, y, i - 1, j);
    }
}

/* ---- halfway points ---- */

/* index mod of, and index divided by it: the digits of a case's number. */
static int digit(uint64_t *index, int of)
{
    int d = (int)(*index % (uint64_t)of);
    *index /= (uint64_t)of;
    return d;
}

enum { HALFWAY_VARIANTS = 3 * 4 * 5 * 2 };

static int lowest_exponent(const struct format *f, bool dot)
{
    int products =
        2 * f->smallest > f->result_smallest - 2 ? 2 * f->smallest : f->result_smallest - 2;
    return dot ? products : f->smallest;
}

static int highest_exponent(const struct format *f, bool dot)
{
    return dot && f->result_top > f->top ? 2 * f->top : f->top;
}

/* 2^e or a neighbour of it, plus or minus half a unit on either side of the border, plus or minus
 * nothing, something small or the smallest number; each term c times. Terms below the smallest
 * number vanish. */
static void halfway(struct list *list, bool dot, int c, uint64_t index)
{
    const struct format *f = list->format;
    int neighbour = digit(&index, 3), half = digit(&index, 4), little = digit(&index, 5);
    int sign = digit(&index, 2) == 0 ? c : -c;
    int e = lowest_exponent(f, dot) + (int)index, p = f->bits;
    push_power(list, dot, sign, e);
    if (neighbour != 0) {
        push_power(list, dot, neighbour == 1 ? sign : -sign, neighbour == 1 ? e - p + 1 : e - p);
    }
    push_power(list, dot, half % 2 == 0 ? sign : -sign, e - p - half / 2);
    if (little != 0) {
        int smallest = dot ? 2 * f->smallest : f->smallest;
        push_power(list, dot, little % 2 == 0 ? sign : -sign, little <= 2 ? smallest : e - 2 * p);
    }
}

enum { THRESHOLD_VARIANTS = 3 * 5 * 2 };

/* The largest number as 2^top + 2^top - its unit, plus or minus half of a unit or nothing, plus or
 * minus something small. The orders (hard_case_permute) overflow on the way or do not. */
static void threshold(struct list *list, bool dot, uint64_t index)
{
    const struct format *f = list->format;
    int half = digit(&index, 3) - 1, little = digit(&index, 5);
    int sign = digit(&index, 2) == 0 ? 1 : -1, top = highest_exponent(f, dot);
    int precision = top == f->result_top ? f->bits : f->element_bits;
    push_power(list, dot, sign, top);
    push_power(list, dot, sign, top);
    push_power(list, dot, -sign, top + 1 - precision);
    if (half != 0) {
        push_power(list, dot, half * sign, top - precision);
    }
    if (little != 0) {
        int smallest = dot ? 2 * f->smallest : f->smallest;
        push_power(list, dot, little % 2 == 0 ? sign : -sign,
                   little <= 2 ? smallest : top - 2 * precision);
    }
}

/* ---- random kinds ---- */

static double random_number(const struct format *f, uint64_t *state, int low, int high)
{
    double m = (double)(random_bits(state) >> (64 - f->element_bits)) + 1.0;
    m = random_bits(state) % 2 == 0 ? m : -m;
    return ldexp(m, random_int(state, low, high) - f->element_bits);
}

/* Numbers and their negatives, and one to three small ones; products of the same kind. */
static void cancel(struct list *list, uint64_t *state)
{
    const struct format *f = list->format;
    bool dot = random_bits(state) % 2 == 0;
    int high = dot ? f->top / 2 : f->top - 8, low = random_int(state, -high, high);
    int pairs = random_int(state, 1, 60);
    for (int i = 0; i < pairs; i++) {
        double a = random_number(f, state, low, high);
        double b = dot ? random_number(f, state, low / 2, high) : 1.0;
        push(list, a, b);
        push(list, -a, b);
    }
    for (int rest = random_int(state, 1, 3); rest > 0; rest--) {
        push(list, random_number(f, state, -high, low), 1.0);
    }
}

static double nudged(const struct format *f, double value, int steps)
{
    for (; steps != 0; steps -= steps > 0 ? 1 : -1) {
        double to = steps > 0 ? HUGE_VAL : -HUGE_VAL;
        value = f->f64 ? nextafter(value, to) : (double)nextafterf((float)value, (float)to);
    }
    return value;
}

/* (2t^2)^2 + (2t)^2 + 1 = (2t^2 + 1)^2: with t^2 from 2^(p-1) to 2^p the unit at 2t^2 is 2, so the
 * norm is halfway. */
static void norm_halfway(struct list *list, uint64_t *state)
{
    const struct format *f = list->format;
    double low = ceil(sqrt(ldexp(1.0, f->element_bits - 1)));
    double high = floor(sqrt(ldexp(1.0, f->element_bits)) - 1.0);
    double t = floor(low + (high - low) * ldexp((double)(random_bits(state) >> 11), -53));
    int exponent = random_int(state, f->smallest, f->top - f->element_bits - 2);
    push(list, ldexp(2.0 * t * t, exponent), 1.0);
    push(list, ldexp(2.0 * t, exponent), 1.0);
    push(list, ldexp(nudged(f, 1.0, random_int(state, -1, 1)), exponent), 1.0);
    if (random_bits(state) % 2 == 0) {
        push(list, ldexp(1.0, random_int(state, f->smallest, exponent)), 1.0);
    }
}

/* M^2 + y^2 with y^2 = 2 M h + h^2, where h is half of the largest number M's unit: the norm is
 * M + h, the threshold, up to the rounding of y and a few units. */
static void norm_threshold(struct list *list, uint64_t *state)
{
    const struct format *f = list->format;
    double y = ldexp(sqrt(ldexp(1.0, f->element_bits + 2) - 3.0), f->top - f->element_bits);
    y = f->f64 ? y : (double)(float)y;
    push(list, f->f64 ? DBL_MAX : (double)FLT_MAX, 1.0);
    push(list, nudged(f, y, random_int(state, -2, 2)), 1.0);
    if (random_bits(state) % 2 == 0) {
        push(list, ldexp(y, -random_int(state, 20, 40)), 1.0);
    }
}

static void norm(struct list *list, uint64_t *state)
{
    const struct format *f = list->format;
    int mode = random_int(state, 0, 3);
    if (mode == 0) {
        norm_threshold(list, state);
    } else if (mode == 1) { /* perfect squares and what is next to them */
        int exponent = random_int(state, f->smallest, f->top - 4);
        push(list, nudged(f, ldexp(3.0, exponent), random_int(state, -1, 1)), 1.0);
        push(list, ldexp(4.0, exponent), 1.0);
        for (int i = random_int(state, 0, 2); i > 0; i--) {
            push(list, ldexp(12.0, exponent), 1.0);
        }
    } else {
        norm_halfway(list, state);
    }
}

/* c + d and c - d have the variance d^2; with d odd and d^2 of one bit too many that is halfway. */
static void variance_halfway(struct list *list, uint64_t *state)
{
    const struct format *f = list->format;
    double low = ceil(sqrt(ldexp(1.0, f->bits))), high = floor(low * 1.41);
    double d = floor(low + (high - low) * ldexp((double)(random_bits(state) >> 11), -53));
    d += fmod(d, 2.0) == 0.0 ? 1.0 : 0.0;
    double c = f->f64 ? 0x1p40 * (double)random_int(state, 0, 7) : 0.0;
    int exponent = random_int(state, -f->top / 2, f->top / 2 - 60 * f->f64 - 20);
    push(list, ldexp(c + d, exponent), 1.0);
    push(list, ldexp(c - d, exponent), 1.0);
    for (int i = random_int(state, 0, 3) * 2; i > 0; i--) {
        push(list, ldexp(c, exponent), 1.0);
    }
    if (random_bits(state) % 2 == 0 && c == 0.0) {
        push(list, ldexp(1.0, random_int(state, f->smallest, exponent)), 1.0);
    }
}

static void variance(struct list *list, uint64_t *state)
{
    const struct format *f = list->format;
    int mode = random_int(state, 0, 5), n = random_int(state, 1, 40);
    int exponent = random_int(state, f->smallest, f->top - 8);
    double number = random_number(f, state, exponent, exponent);
    if (mode == 0) {
        variance_halfway(list, state);
    } else if (mode == 1) { /* a^2, 2 a^2 and sqrt(2) a near the overflow threshold */
        double a = random_bits(state) % 2 == 0 ? ldexp(1.0, (f->result_top + 1) / 2)
                                               : ldexp(sqrt(0.5), f->top) * 2.0;
        a = f->f64 ? fmin(a, DBL_MAX) : (double)(float)fmin(a, (double)FLT_MAX);
        a = nudged(f, a, random_int(state, -2, 0));
        push(list, a, 1.0);
        push(list, -a, 1.0);
    } else {
        for (int i = 0; i < n; i++) {
            double noise = mode == 2   ? 0.0
                           : mode == 3 ? random_number(f, state, exponent - 50, exponent - 5)
                           : mode == 4 ? random_number(f, state, f->smallest, f->top - 8)
                                       : fabs(number) * 16.0 * (double)random_int(state, 0, 9);
            push(list, mode == 2 ? number : number + noise, 1.0);
        }
    }
}

/* ---- the kinds ---- */

const char *hard_case_name(enum hard_kind kind)
{
    static const char *const names[] = {
        "halfway",      "halfway of products", "threshold", "threshold of products",
        "cancellation", "halfway mean",        "norm",      "variance"};
    return names[kind];
}

enum { ORDERS = 24, RANDOM_CASES = 20000 };

uint64_t hard_case_count(enum hard_kind kind, enum ref_type type)
{
    struct format f = format_of(type);
    bool dot = kind == HARD_HALFWAY_DOT;
    switch (kind) {
    case HARD_HALFWAY:
    case HARD_HALFWAY_DOT:
        return (uint64_t)(highest_exponent(&f, dot) - lowest_exponent(&f, dot) + 1) *
               HALFWAY_VARIANTS;
    case HARD_MEAN: /* 12 times 2^top is no number */
        return (uint64_t)(f.top - 3 - f.smallest) * HALFWAY_VARIANTS;
    case HARD_THRESHOLD:
    case HARD_THRESHOLD_DOT:
        return THRESHOLD_VARIANTS * ORDERS;
    default:
        return RANDOM_CASES;
    }
}

size_t hard_case_fill(enum hard_kind kind, enum ref_type type, uint64_t index, void *x, void *y)
{
    struct format f = format_of(type);
    struct list list = {&f, x, y, 0};
    uint64_t state = index * HARD_KINDS + (uint64_t)kind;
    size_t n = 0;
    switch (kind) {
    case HARD_HALFWAY:
    case HARD_HALFWAY_DOT:
        halfway(&list, kind == HARD_HALFWAY_DOT, 1, index);
        break;
    case HARD_MEAN:
        n = (size_t)random_int(&state, 4, 12);
        halfway(&list, false, (int)n, index);
        while (list.n < n) {
            push(&list, 0.0, 1.0);
        }
        break;
    case HARD_THRESHOLD:
    case HARD_THRESHOLD_DOT:
        threshold(&list, kind == HARD_THRESHOLD_DOT, index / ORDERS);
        break;
    case HARD_CANCEL:
        cancel(&list, &state);
        break;
    case HARD_NRM2:
        norm(&list, &state);
        break;
    default:
        variance(&list, &state);
        break;
    }
    hard_case_permute(type, state, list.n, x, y);
    return list.n;
}
