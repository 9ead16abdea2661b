/* lanes.c for one accumulator type: SS_T is f64 or f32, SS_C its C type. */

#define SS_PASTE_(a, b) a##_##b
#define SS_PASTE(a, b) SS_PASTE_(a, b)
#define SS_F(name) SS_PASTE(SS_T, name)
#define SS_NODE SS_F(node)

static SS_NODE SS_F(combine_at)(samesum_level accuracy, int level, SS_NODE a, SS_NODE b)
{
    /* SPEC.md 4.3: kahan is plain up to the segment's level and compensated above. */
    int pair =
        accuracy == SAMESUM_COMPENSATED || (accuracy == SAMESUM_KAHAN && level > SS_SEGMENT_LEVEL);
    return pair ? SS_F(combine_pair)(a, b, 0) : SS_F(combine_plain)(a, b);
}

static void SS_F(combine)(samesum_level accuracy, int level, ss_lanes *left, const ss_lanes *right)
{
    for (int j = 0; j < SS_LANES; j++) {
        SS_NODE a = {left->SS_T.s[j], left->SS_T.e[j]};
        SS_NODE b = {right->SS_T.s[j], right->SS_T.e[j]};
        a = SS_F(combine_at)(accuracy, level, a, b);
        left->SS_T.s[j] = a.s;
        left->SS_T.e[j] = a.e;
    }
}

/* Stage 2 pairs (0,1) (2,3) ..., then pairs of those; it counts as above every level of stage 1. */
static SS_C SS_F(finish)(samesum_level accuracy, const ss_lanes *roots)
{
    SS_NODE n[SS_LANES];
    for (int j = 0; j < SS_LANES; j++) {
        n[j].s = roots->SS_T.s[j];
        n[j].e = roots->SS_T.e[j];
    }
    for (int left = SS_LANES / 2; left > 0; left /= 2)
        for (int j = 0; j < left; j++)
            n[j] = SS_F(combine_at)(accuracy, SS_STAGE_2, n[2 * j], n[2 * j + 1]);
    SS_C r = n[0].s;
    if (accuracy != SAMESUM_TREE && isfinite(r) && isfinite(n[0].e) && n[0].e != 0)
        r += n[0].e;
    return isnan(r) ? (SS_C)NAN : r; /* SPEC.md 5: the canonical NaN */
}

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_F
#undef SS_NODE
