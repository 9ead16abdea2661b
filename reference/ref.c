/* ref.c - the reference implementation of SPEC.md: levels tree, kahan, compensated and exact. */
#include "ref_elements.h"
#include "ref_job.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#if defined(__FAST_MATH__)
#error "SPEC.md 2.1: every operation is one IEEE 754 operation; build without -ffast-math"
#endif
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "SPEC.md 2.1: binary32 operations must be rounded to binary32; build for SSE2 or better"
#endif

enum { SEGMENT_LEVEL = 8 }; /* SPEC.md 1.3: a segment is 2^8 rows */

/* A node of the tree, SPEC.md 1.4. A plain node is a pair with e = 0. The members hold values of T;
 * each binary32 value is also a binary64 value, so one struct serves both. */
struct node {
    bool present;
    double s, e;
};

static const struct node absent = {false, 0.0, 0.0};

/* ---- fl(): one operation in T, SPEC.md 2.1 ---- */

static double add(enum ref_type type, double a, double b)
{
    return type == REF_F32 ? (double)((float)a + (float)b) : a + b;
}

static double sub(enum ref_type type, double a, double b)
{
    return type == REF_F32 ? (double)((float)a - (float)b) : a - b;
}

static double mul(enum ref_type type, double a, double b)
{
    return type == REF_F32 ? (double)((float)a * (float)b) : a * b;
}

static double fused(enum ref_type type, double a, double b, double c)
{
    return type == REF_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

/* ---- leaves, SPEC.md section 3 ---- */

/* Element i of an array whose first element is `begin`; exact in binary64. */
static double element(const struct ref_job *job, const void *array, uint64_t i)
{
    if (job->type == REF_F64) {
        return ((const double *)array)[i - job->begin];
    }
    return (double)((const float *)array)[i - job->begin];
}

/* The two factors of a leaf: x and y of dot, x and x of sumsq. */
static double second_factor(const struct ref_job *job, uint64_t i)
{
    return element(job, job->op == REF_DOT ? job->y : job->x, i);
}

/* Element i of the range, absent where a mask removes it (SPEC.md 1.5, 3.2). */
static struct node leaf(const struct ref_job *job, uint64_t i)
{
    if (!ref_is_kept(job, i - job->begin)) {
        return absent;
    }
    double x = element(job, job->x, i);
    if (job->op == REF_SUM) {
        return (struct node){true, x, 0.0};
    }
    if (job->op == REF_ASUM) {
        return (struct node){true, fabs(x), 0.0};
    }
    double y = second_factor(job, i);
    double p = mul(job->type, x, y);
    double e = job->level == REF_COMPENSATED ? fused(job->type, x, y, -p) : 0.0;
    return (struct node){true, p, e};
}

/* ---- nodes, SPEC.md 4.1, 4.2, 4.3 ---- */

static struct node combine(enum ref_type type, bool pairs, struct node a, struct node b)
{
    if (!a.present) {
        return b;
    }
    if (!b.present) {
        return a;
    }
    double s = add(type, a.s, b.s);
    if (!pairs) {
        return (struct node){true, s, 0.0}; /* 4.1 step 2 */
    }
    double z = sub(type, s, a.s); /* 4.2 step 2 */
    double t = add(type, sub(type, a.s, sub(type, s, z)), sub(type, b.s, z));
    double e = add(type, add(type, a.e, b.e), t);
    return (struct node){true, s, e};
}

/* Stage 1, SPEC.md 4.1 step 3: the node of `lane` that covers the 2^level rows from row `first`. */
static struct node row_node(const struct ref_job *job, uint64_t lane, int level, uint64_t first)
{
    uint64_t last = first + (level == 64 ? UINT64_MAX : (UINT64_C(1) << level) - 1);
    if (first > (job->end - 1) / job->lanes || last < job->begin / job->lanes) {
        return absent; /* no row of the range is under this node */
    }
    if (level == 0) {
        uint64_t row = first * job->lanes; /* the row's first element */
        bool inside = lane < job->end - row && row + lane >= job->begin;
        return inside ? leaf(job, row + lane) : absent;
    }
    uint64_t half = UINT64_C(1) << (level - 1);
    struct node a = row_node(job, lane, level - 1, first);
    struct node b = row_node(job, lane, level - 1, first + half);
    bool pairs = job->level == REF_COMPENSATED ||
                 (job->level == REF_KAHAN && level > SEGMENT_LEVEL); /* 4.3 step 1 */
    return combine(job->type, pairs, a, b);
}

/* Stage 2, SPEC.md 4.1 step 5: the node over the 2^level lane roots from lane `first`. */
static struct node lane_node(const struct ref_job *job, int row_level, int level, uint64_t first)
{
    if (first >= job->lanes) {
        return absent;
    }
    if (level == 0) {
        return row_node(job, first, row_level, 0);
    }
    uint64_t half = UINT64_C(1) << (level - 1);
    struct node a = lane_node(job, row_level, level - 1, first);
    struct node b = lane_node(job, row_level, level - 1, first + half);
    return combine(job->type, job->level != REF_TREE, a, b); /* 4.3 step 2 */
}

/* The first k with 2^k >= count, SPEC.md 4.1 step 4. */
static int levels_for(uint64_t count)
{
    int k = 0;
    while (k < 64 && (UINT64_C(1) << k) < count) {
        k++;
    }
    return k;
}

static double tree(const struct ref_job *job)
{
    if (job->begin == job->end) {
        return 0.0; /* 4.1 step 6 */
    }
    uint64_t rows = (job->end - 1) / job->lanes + 1;
    struct node root = lane_node(job, levels_for(rows), levels_for(job->lanes), 0);
    if (!isfinite(root.s) || !isfinite(root.e) || root.e == 0.0) {
        return root.s; /* 4.2 step 3 */
    }
    return add(job->type, root.s, root.e);
}

/* ---- level exact, SPEC.md 4.4: a fixed-point number wide enough for every sum of products ---- */

/* limb[i] counts units of 2^(32 i - 2176), see REF_EXACT_UNIT. The smallest product is 2^-2148; the
 * largest is below 2^2048, and 64 more bits hold any sum of 2^64 of them. Between carries a limb
 * strays outside [0, 2^32); a term moves it by less than 2^36, so 2^24 terms stay inside int64_t.
 */
enum { LOWEST = REF_EXACT_UNIT, LIMBS = (2176 + 2048 + 64) / 32 };
static const uint64_t limb_mask = 0xffffffff;
static const uint64_t terms_between_carries = UINT64_C(1) << 24;

struct fixed {
    int64_t limb[LIMBS];
};

/* Brings every limb but the topmost into [0, 2^32); the topmost keeps the sign. */
static void carry(struct fixed *sum)
{
    for (int i = 0; i + 1 < LIMBS; i++) {
        int64_t low = sum->limb[i] & (int64_t)limb_mask;
        sum->limb[i + 1] += (sum->limb[i] - low) / (INT64_C(1) << 32);
        sum->limb[i] = low;
    }
}

/* Adds (negative ? -1 : 1) * v * 2^exponent. */
static void add_integer(struct fixed *sum, bool negative, uint64_t v, int exponent)
{
    int at = (exponent - LOWEST) / 32;
    int shift = (exponent - LOWEST) % 32;
    uint64_t low = (v & limb_mask) << shift;
    uint64_t high = (v >> 32) << shift;
    uint64_t part[3] = {low & limb_mask, (low >> 32) + (high & limb_mask), high >> 32};
    for (int i = 0; i < 3 && at + i < LIMBS; i++) {
        sum->limb[at + i] += negative ? -(int64_t)part[i] : (int64_t)part[i];
    }
}

/* |x| = v * 2^exponent with an integer v < 2^53 and exponent >= -1074; x is finite. */
static uint64_t split(double x, int *exponent)
{
    frexp(x, exponent);
    *exponent = *exponent - 53 > -1074 ? *exponent - 53 : -1074;
    return (uint64_t)ldexp(fabs(x), -*exponent);
}

/* Adds x * y for finite x and y, as four products of 32-bit halves. */
static void add_product(struct fixed *sum, double x, double y)
{
    int ex, ey;
    uint64_t vx = split(x, &ex), vy = split(y, &ey);
    bool negative = !signbit(x) != !signbit(y);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            uint64_t a = (vx >> (32 * i)) & limb_mask, b = (vy >> (32 * j)) & limb_mask;
            if (a != 0 && b != 0) {
                add_integer(sum, negative, a * b, ex + ey + 32 * (i + j));
            }
        }
    }
}

/* Sets the sign and the magnitude of a sum. */
static void finish_sum(struct fixed *sum, struct ref_exact *exact)
{
    carry(sum);
    exact->negative = sum->limb[LIMBS - 1] < 0;
    if (exact->negative) {
        for (int i = 0; i < LIMBS; i++) {
            sum->limb[i] = -sum->limb[i];
        }
        carry(sum);
    }
    exact->magnitude.used = 0;
    for (int i = 0; i < LIMBS; i++) {
        exact->magnitude.digit[i] = (uint32_t)sum->limb[i];
        if (sum->limb[i] != 0) {
            exact->magnitude.used = i + 1;
        }
    }
}

void ref_exact_sum(const struct ref_job *job, enum ref_op op, struct ref_exact *exact)
{
    struct ref_job of = *job;
    of.op = op;
    struct fixed sum = {{0}};
    bool plus_infinity = false, minus_infinity = false, nan_leaf = false;
    bool any = false, all_minus_zero = true;
    for (uint64_t i = job->begin; i < job->end; i++) {
        if (!ref_is_kept(job, i - job->begin)) {
            continue;
        }
        any = true;
        double x = element(job, job->x, i), y = 1.0;
        if (op == REF_ASUM) {
            x = fabs(x);
        } else if (op == REF_SUMSQ || op == REF_DOT) {
            y = second_factor(&of, i);
        }
        if (isfinite(x) && isfinite(y)) {
            add_product(&sum, x, y);
            bool zero = x == 0.0 || y == 0.0;
            all_minus_zero = all_minus_zero && zero && !signbit(x) != !signbit(y);
        } else {
            double product = x * y; /* infinite or NaN */
            nan_leaf = nan_leaf || isnan(product);
            plus_infinity = plus_infinity || product > 0.0;
            minus_infinity = minus_infinity || product < 0.0;
        }
        if ((i - job->begin) % terms_between_carries == terms_between_carries - 1) {
            carry(&sum);
        }
    }
    finish_sum(&sum, exact);
    bool is_nan = nan_leaf || (plus_infinity && minus_infinity); /* 4.4 step 2 */
    exact->finite = !nan_leaf && !plus_infinity && !minus_infinity;
    exact->special = is_nan ? (double)NAN : plus_infinity ? HUGE_VAL : -HUGE_VAL;
    /* 4.4 step 3; without any leaf that is not zero the magnitude is zero */
    exact->negative = exact->negative || (any && all_minus_zero);
}

double ref_exact_rounded(const struct ref_exact *exact, enum ref_type to)
{
    if (!exact->finite) {
        return exact->special;
    }
    double r = ref_round(&exact->magnitude, LOWEST, false, to);
    return exact->negative ? -r : r;
}

double ref_sum(const struct ref_job *job)
{
    if (job->level != REF_EXACT) {
        return tree(job);
    }
    struct ref_exact sum;
    ref_exact_sum(job, job->op, &sum);
    return ref_exact_rounded(&sum, job->to);
}

/* ---- the call ---- */

int ref_reduce(enum ref_op op, enum ref_type type, enum ref_level level, int lanes, const void *x,
               const void *y, uint64_t begin, uint64_t end, void *result)
{
    bool known = (unsigned)op <= REF_DOT && (unsigned)type <= REF_F32_WIDE &&
                 (unsigned)level <= REF_EXACT && lanes >= 1 && begin <= end;
    bool data = begin == end || (x != NULL && (op != REF_DOT || y != NULL));
    if (!known || !data || result == NULL) {
        return -1;
    }
    struct ref_job job = {op, type, type, level, (uint64_t)lanes, 0, x, y, NULL, begin, end};
    ref_write(type, ref_sum(&job), result);
    return 0;
}
