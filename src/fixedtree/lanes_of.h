/* lanes.c for one accumulator type: SS_T is f64 or f32, SS_C its C type. */

#define SS_PASTE_(a, b) a##_##b
#define SS_PASTE(a, b) SS_PASTE_(a, b)
#define SS_F(name) SS_PASTE(SS_T, name)
#define SS_NODE SS_F(node)

/* pair: whether nodes of this level are made as pairs; plain ones keep their e, which is 0. */
static void SS_F(combine)(int pair, ss_lanes *restrict left, const ss_lanes *restrict right)
{
    SS_C *restrict ls = left->SS_T.s, *restrict le = left->SS_T.e;
    const SS_C *rs = right->SS_T.s, *re = right->SS_T.e;
    if (!pair) {
        for (int j = 0; j < SS_LANES; j++)
            ls[j] += rs[j];
        return;
    }
    for (int j = 0; j < SS_LANES; j++) {
        SS_NODE a = {ls[j], le[j]}, b = {rs[j], re[j]};
        a = SS_F(combine_pair)(a, b, 0);
        ls[j] = a.s;
        le[j] = a.e;
    }
}

/* Stage 2 pairs (0,1) (2,3) ..., then pairs of those. */
static SS_C SS_F(finish_plain)(const SS_C *s)
{
    SS_C a = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    SS_C b = ((s[8] + s[9]) + (s[10] + s[11])) + ((s[12] + s[13]) + (s[14] + s[15]));
    return a + b;
}

static SS_C SS_F(finish_pair)(const SS_C *s, const SS_C *e)
{
    SS_NODE n[SS_LANES];
    for (int j = 0; j < SS_LANES; j++) {
        n[j].s = s[j];
        n[j].e = e[j];
    }
    for (int left = SS_LANES / 2; left > 0; left /= 2)
        for (int j = 0; j < left; j++)
            n[j] = SS_F(combine_pair)(n[2 * j], n[2 * j + 1], 0);
    SS_C r = n[0].s;
    if (isfinite(r) && isfinite(n[0].e) && n[0].e != 0) /* SPEC.md 4.2: finish */
        r += n[0].e;
    return r;
}

static SS_C SS_F(finish)(samesum_level accuracy, const ss_lanes *roots)
{
    return accuracy == SAMESUM_TREE ? SS_F(finish_plain)(roots->SS_T.s)
                                    : SS_F(finish_pair)(roots->SS_T.s, roots->SS_T.e);
}

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_F
#undef SS_NODE
