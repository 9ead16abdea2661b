#include "fixedtree/lanes.h"
#include "fixedtree/isa_scalar.h"

#define SS_T f64
#define SS_C double
#define SS_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2)
#define SS_ODD(a, b) __builtin_shufflevector(a, b, 1, 3)
#include "kahan/node.h"
#include "fixedtree/lanes_of.h"
#undef SS_T
#undef SS_C
#undef SS_EVEN
#undef SS_ODD
#define SS_T f32
#define SS_C float
#define SS_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define SS_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#include "kahan/node.h"
#include "fixedtree/lanes_of.h"
#undef SS_T
#undef SS_C
#undef SS_EVEN
#undef SS_ODD

void ss_lanes_combine(const ss_arith *arith, int level, ss_lanes *left, const ss_lanes *right)
{
    /* SPEC.md 4.3: kahan is plain up to the segment's level and compensated above. */
    int pair = arith->level == SAMESUM_COMPENSATED ||
               (arith->level == SAMESUM_KAHAN && level > SS_SEGMENT_LEVEL);
    if (arith->wide)
        f64_combine(pair, left, right);
    else
        f32_combine(pair, left, right);
}

void ss_lanes_clear(const ss_arith *arith, ss_lanes *row, int from, int to)
{
    for (int j = from; j < to; j++) {
        if (arith->wide) {
            row->f64.s[j] = -0.0;
            row->f64.e[j] = 0;
        } else {
            row->f32.s[j] = -0.0f;
            row->f32.e[j] = 0;
        }
    }
}

void ss_lanes_copy(const ss_arith *arith, ss_lanes *row, const ss_lanes *src, int from, int to)
{
    for (int j = from; j < to; j++) {
        if (arith->wide) {
            row->f64.s[j] = src->f64.s[j];
            row->f64.e[j] = src->f64.e[j];
        } else {
            row->f32.s[j] = src->f32.s[j];
            row->f32.e[j] = src->f32.e[j];
        }
    }
}

double ss_lanes_finish(const ss_arith *arith, const ss_lanes *roots)
{
    return arith->wide ? f64_finish(arith->level, roots) : (double)f32_finish(arith->level, roots);
}

int ss_lanes_are_finite(const ss_arith *arith, const ss_lanes *lanes)
{
    int finite = 1;
    for (int j = 0; j < SS_LANES; j++)
        finite &= arith->wide ? isfinite(lanes->f64.s[j]) : isfinite(lanes->f32.s[j]);
    return finite;
}
