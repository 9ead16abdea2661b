/* small_float.c - an integer oracle over an 8-bit float; see small_float.h. */
#include "small_float.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SUM, ASUM, SUMSQ, DOT, NRM2, MEAN, VAR, STD }; /* the numbers of ref.h */
enum { F64, F32, F32_WIDE, EXACT = 3 };

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 natural;

/* ---- the format ---- */

enum kind { FINITE, INFINITE, NOT_A_NUMBER };

/* A number of the format: integer times the unit. */
struct small {
    enum kind kind;
    bool negative;
    int64_t integer; /* signed, of a finite number */
};

static struct small decode(unsigned code)
{
    int exponent = (int)(code >> 3 & 15), fraction = (int)(code & 7);
    struct small s = {FINITE, code >> 7 != 0, 0};
    if (exponent == 15) {
        s.kind = fraction == 0 ? INFINITE : NOT_A_NUMBER;
    } else {
        s.integer = exponent == 0 ? fraction : (int64_t)(8 + fraction) << (exponent - 1);
    }
    s.integer = s.negative ? -s.integer : s.integer;
    return s;
}

static double scaled(const struct small *s, int unit)
{
    double v = s->kind == NOT_A_NUMBER ? (double)NAN
               : s->kind == INFINITE   ? HUGE_VAL
                                       : ldexp((double)s->integer, unit);
    return copysign(v, s->negative ? -1.0 : 1.0);
}

/* ---- places ---- */

/* x's numbers count 2^x_unit, y's 2^y_unit. An anchor is one more element in front (times 1). */
struct place {
    const char *name;
    int x_unit, y_unit;
    int64_t anchor; /* counts 2^x_unit; 0: none */
};

enum { MOST_PLACES = 7 };

static bool is_product(int op)
{
    return op == SUMSQ || op == DOT || op == NRM2 || op == VAR || op == STD;
}

static int list_places(int op, int type, struct place *places)
{
    bool binary32_data = type != F64, binary32_result = type == F32;
    int precision = binary32_data ? 24 : 53; /* of the anchor, and of T but for wide */
    int smallest = binary32_data ? -149 : -1074, top = binary32_data ? 128 : 1024;
    int count = 0;
    places[count++] = (struct place){"exact", 0, 0, 0};
    places[count++] = (struct place){"smallest", smallest, 0, 0};
    if (op == SUM || op == ASUM || op == MEAN || op == DOT) {
        int64_t border = INT64_C(1) << (precision + 2);
        places[count++] = (struct place){"border", 5, 0, border};
        places[count++] = (struct place){"border", 5, 0, -border};
        /* (2^precision - 1) eights of the unit */
        int64_t largest = ((INT64_C(1) << precision) - 1) * 8;
        places[count++] = (struct place){"largest", top - precision - 3, 0, largest};
    }
    if (is_product(op)) {
        /* products count 2^-4 of the smallest number of the result; or overflow at 2^34 units */
        int product = binary32_result ? -149 - 4 : -1074 - 4;
        int huge = (binary32_result ? 128 : 1024) - 34;
        bool fits =
            type != F32_WIDE; /* binary32 products neither underflow nor overflow binary64 */
        if (fits) {
            places[count++] = (struct place){"underflow", product / 2, product - product / 2, 0};
            places[count++] = (struct place){"overflow", huge / 2, huge - huge / 2, 0};
        }
    }
    return count;
}

/* ---- integers rounded to a binary format ---- */

static natural square_root(natural v)
{
    natural r = 0;
    for (natural b = (natural)1 << 63; b != 0; b >>= 1) {
        if ((r + b) * (r + b) <= v) {
            r += b;
        }
    }
    return r;
}

/* numerator / denominator 2^unit, or the square root of it, rounded once. numerator < 2^118,
 * 0 < denominator <= 16. */
static double round_once(natural numerator, natural denominator, int unit, bool rooted, int type)
{
    int precision = type == F32 ? 24 : 53, smallest = type == F32 ? -149 : -1074;
    if (numerator == 0) {
        return 0.0;
    }
    while (numerator >> 118 == 0 || (rooted && unit % 2 != 0)) {
        numerator <<= 1;
        unit--;
    }
    natural v = numerator / denominator;
    bool more = numerator % denominator != 0;
    if (rooted) {
        natural r = square_root(v);
        more = more || r * r != v;
        v = r;
        unit /= 2;
    }
    int bits = 0;
    while (v >> bits > 1) {
        bits++;
    }
    bits++;
    int drop = bits - precision > smallest - unit ? bits - precision : smallest - unit;
    if (drop > bits) {
        return 0.0; /* below half of the smallest number */
    }
    natural kept = v >> drop, rest = v - (kept << drop), half = (natural)1 << (drop - 1);
    if (rest > half || (rest == half && (more || kept % 2 != 0))) {
        kept++;
    }
    double r = ldexp((double)(uint64_t)kept, unit + drop);
    return type == F32 && r > (double)FLT_MAX ? HUGE_VAL : r;
}

/* ---- expected values ---- */

enum { MOST = 4 };

/* The elements as integers: x and y. */
struct elements {
    size_t n;
    struct small x[MOST], y[MOST];
};

/* The result if special values decide it. */
static bool special_result(int op, const struct elements *e, double *r)
{
    bool plus = false, minus = false, nan = false, finite = true;
    for (size_t i = 0; i < e->n; i++) {
        const struct small *x = &e->x[i], *y = &e->y[i];
        bool both = op == DOT;
        bool negative = both                      ? x->negative != y->negative
                        : op == SUM || op == MEAN ? x->negative
                                                  : 0;
        bool infinite = x->kind == INFINITE || (both && y->kind == INFINITE);
        bool zero = both && ((x->kind == FINITE && x->integer == 0) ||
                             (y->kind == FINITE && y->integer == 0));
        bool nan_leaf =
            x->kind == NOT_A_NUMBER || (both && y->kind == NOT_A_NUMBER) || (infinite && zero);
        finite = finite && !nan_leaf && !infinite;
        nan = nan || nan_leaf;
        plus = plus || (!nan_leaf && infinite && !negative);
        minus = minus || (!nan_leaf && infinite && negative);
    }
    if (finite) {
        return false;
    }
    bool is_nan = op == NRM2 ? !plus : op >= VAR || nan || (plus && minus);
    *r = is_nan ? (double)NAN : plus ? HUGE_VAL : -HUGE_VAL;
    return true;
}

static double expected(int op, int type, uint64_t ddof, const struct place *place,
                       const struct elements *e)
{
    double r;
    if (special_result(op, e, &r)) {
        return r;
    }
    wide sum = 0;
    natural squares = 0;
    bool minus_zero = true;
    for (size_t i = 0; i < e->n; i++) {
        wide x = e->x[i].integer, y = op == DOT ? e->y[i].integer : 1;
        bool negative = op == DOT ? e->x[i].negative != e->y[i].negative : e->x[i].negative;
        minus_zero = minus_zero && op != ASUM && x * y == 0 && negative;
        sum += op == ASUM && x < 0 ? -x : x * y;
        squares += is_product(op) && op != DOT ? (natural)(x * x) : 0;
    }
    natural n = e->n, magnitude = (natural)(sum < 0 ? -sum : sum);
    int unit = place->x_unit;
    switch (op) {
    case SUMSQ:
    case NRM2:
        return round_once(squares, 1, 2 * unit, op == NRM2, type);
    case VAR:
    case STD:
        return round_once(n * squares - magnitude * magnitude, n * (n - ddof), 2 * unit, op == STD,
                          type);
    default:
        r = round_once(magnitude, op == MEAN ? n : 1, unit + (op == DOT ? place->y_unit : 0), false,
                       type);
        return sum < 0 || (sum == 0 && minus_zero) ? -r : r;
    }
}

/* ---- one comparison ---- */

static uint64_t bits_of(double r, int type)
{
    uint64_t bits;
    uint32_t narrow_bits;
    float narrow = (float)r;
    memcpy(&bits, &r, sizeof bits);
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    if (isnan(r)) {
        return type == F32 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
    }
    return type == F32 ? narrow_bits : bits;
}

static void store(void *array, int type, size_t i, double v)
{
    if (type == F64) {
        ((double *)array)[i] = v;
    } else {
        ((float *)array)[i] = (float)v;
    }
}

static void compare(small_float_reduce *reduce, int op, int type, uint64_t ddof,
                    const struct place *place, const struct elements *e,
                    struct small_float_report *report)
{
    double x[MOST], y[MOST];
    for (size_t i = 0; i < e->n; i++) {
        store(x, type, i, scaled(&e->x[i], place->x_unit));
        store(y, type, i, scaled(&e->y[i], place->y_unit));
    }
    uint64_t got = 0, want = bits_of(expected(op, type, ddof, place, e), type);
    uint32_t narrow = 0;
    int status =
        reduce(op, type, EXACT, ddof, x, y, e->n, type == F32 ? (void *)&narrow : (void *)&got);
    got = type == F32 ? narrow : got;
    report->compared++;
    if ((status != 0 || got != want) && report->wrong++ == 0) {
        snprintf(report->first_wrong, sizeof report->first_wrong,
                 "op %d type %d ddof %" PRIu64 " place %s n %zu last three elements %" PRId64
                 " %" PRId64 " %" PRId64 " units of 2^%d: status %d, 0x%" PRIx64
                 " instead of 0x%" PRIx64,
                 op, type, ddof, place->name, e->n, e->x[e->n - 3].integer, e->x[e->n - 2].integer,
                 e->x[e->n - 1].integer, place->x_unit, status, got, want);
    }
}

void small_float_check(small_float_reduce *reduce, int op, int type, uint32_t first, uint32_t step,
                       struct small_float_report *report)
{
    struct place places[MOST_PLACES];
    int place_count = list_places(op, type, places);
    for (uint64_t number = first; number < SMALL_FLOAT_TRIPLES; number += step) {
        struct small triple[3];
        for (int i = 0; i < 3; i++) {
            triple[i] = decode((unsigned)(number >> (8 * i) & 255));
        }
        for (int p = 0; p < place_count; p++) {
            struct elements e = {.n = 0};
            int64_t anchor = places[p].anchor;
            if (anchor != 0) {
                e.x[e.n] = (struct small){FINITE, anchor < 0, anchor};
                e.y[e.n++] = (struct small){FINITE, false, 1};
            }
            for (int i = 0; i < 3; i++) { /* y is x backwards */
                e.x[e.n] = triple[i];
                e.y[e.n++] = triple[2 - i];
            }
            for (uint64_t ddof = 0; ddof <= (op >= VAR ? 1 : 0); ddof++) {
                compare(reduce, op, type, ddof, &places[p], &e, report);
            }
        }
    }
}
