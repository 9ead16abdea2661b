/* Nodes of many columns, for one accumulator type: SS_T is f64 or f32, SS_C its C type. Included
 * after a vector header and node.h. */

#define SS_PASTE_(a, b) a##_##b
#define SS_PASTE(a, b) SS_PASTE_(a, b)
#define SS_F(name) SS_PASTE(SS_T, name)
#define SS_NODE SS_F(node)
#define SS_WIDTH SS_F(width)

static void SS_F(combine_columns_plain)(size_t width, void *ls, void *le, const void *rs,
                                        const void *re)
{
    SS_C *s = ls;
    const SS_C *b = rs;
    (void)le;
    (void)re;
    for (size_t c = 0; c < width; c += SS_WIDTH)
        SS_F(store)(s + c, SS_F(add)(SS_F(load)(s + c), SS_F(load)(b + c)));
}

static void SS_F(combine_columns_pair)(size_t width, void *ls, void *le, const void *rs,
                                       const void *re)
{
    SS_C *s = ls, *e = le;
    const SS_C *bs = rs, *be = re;
    for (size_t c = 0; c < width; c += SS_WIDTH) {
        SS_NODE a = {SS_F(load)(s + c), SS_F(load)(e + c)};
        SS_NODE b = {SS_F(load)(bs + c), SS_F(load)(be + c)};
        a = SS_F(combine_pair)(a, b, 0);
        SS_F(store)(s + c, a.s);
        SS_F(store)(e + c, a.e);
    }
}

/* Stage 2 of one vector of series: pairs (0,1) (2,3) ..., then pairs of those. */
SS_INLINE SS_NODE SS_F(stage2)(int pair, const SS_C *s, const SS_C *e, size_t pitch)
{
    SS_NODE n[SS_LANES];
    for (int j = 0; j < SS_LANES; j++) {
        n[j].s = SS_F(load)(s + (size_t)j * pitch);
        n[j].e = pair ? SS_F(load)(e + (size_t)j * pitch) : SS_F(zero)();
    }
    for (int left = SS_LANES / 2; left > 0; left /= 2)
        for (int j = 0; j < left; j++)
            n[j] = pair ? SS_F(combine_pair)(n[2 * j], n[2 * j + 1], 0)
                        : SS_F(combine_plain)(n[2 * j], n[2 * j + 1]);
    return n[0];
}

/* The finish (SPEC.md 4.2 step 3) and the canonical NaN (section 5), without a branch. */
SS_INLINE void SS_F(finish_columns)(int pair, const void *vs, const void *ve, size_t pitch,
                                    size_t series, void *results)
{
    const SS_C *s = vs, *e = ve, most = sizeof(SS_C) == 8 ? (SS_C)DBL_MAX : (SS_C)FLT_MAX;
    for (size_t v = 0; v < series; v += SS_LANES) {
        SS_C rs[SS_LANES], re[SS_LANES];
        for (size_t c = 0; c < SS_LANES; c += SS_WIDTH) {
            SS_NODE n = SS_F(stage2)(pair, s + v + c, e + v + c, pitch);
            SS_F(store)(rs + c, n.s);
            SS_F(store)(re + c, n.e);
        }
        for (int c = 0; c < SS_LANES; c++) {
            if (pair) {
                SS_C both = rs[c] + re[c], as = rs[c] < 0 ? -rs[c] : rs[c],
                     ae = re[c] < 0 ? -re[c] : re[c];
                rs[c] = (as <= most) & (ae <= most) & (ae > 0) ? both : rs[c];
            }
            rs[c] = rs[c] == rs[c] ? rs[c] : (SS_C)NAN;
        }
        size_t most_left = series - v < SS_LANES ? series - v : SS_LANES;
        memcpy((char *)results + v * sizeof *rs, rs, most_left * sizeof *rs);
    }
}

static void SS_F(finish_columns_plain)(const void *s, const void *e, size_t pitch, size_t series,
                                       void *results)
{
    SS_F(finish_columns)(0, s, e, pitch, series, results);
}

static void SS_F(finish_columns_pair)(const void *s, const void *e, size_t pitch, size_t series,
                                      void *results)
{
    SS_F(finish_columns)(1, s, e, pitch, series, results);
}

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_F
#undef SS_NODE
#undef SS_WIDTH
