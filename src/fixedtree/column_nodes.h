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
SS_INLINE SS_NODE SS_F(stage2)(int pair, SS_NODE *lane)
{
    for (int left = SS_LANES / 2; left > 0; left /= 2)
        for (int j = 0; j < left; j++)
            lane[j] = pair ? SS_F(combine_pair)(lane[2 * j], lane[2 * j + 1], 0)
                           : SS_F(combine_plain)(lane[2 * j], lane[2 * j + 1]);
    return lane[0];
}

/* The finish (SPEC.md 4.2 step 3) and the canonical NaN (section 5), without a branch. */
SS_INLINE void SS_F(finish16)(int pair, SS_C *s, const SS_C *e)
{
    const SS_C most = sizeof(SS_C) == sizeof(double) ? (SS_C)DBL_MAX : (SS_C)FLT_MAX;
    for (int c = 0; c < SS_LANES; c++) {
        if (pair) {
            SS_C as = s[c] < 0 ? -s[c] : s[c], ae = e[c] < 0 ? -e[c] : e[c], both = s[c] + e[c];
            s[c] = ((as <= most) & (ae <= most) & (ae > 0)) ? both : s[c];
        }
        s[c] = s[c] == s[c] ? s[c] : (SS_C)NAN;
    }
}

SS_INLINE void SS_F(finish_columns)(int pair, const void *vs, const void *ve, size_t pitch,
                                    size_t series, void *results)
{
    for (size_t v = 0; v < series; v += SS_LANES) {
        SS_C s[SS_LANES], e[SS_LANES], tile[2][SS_LANES * SS_LANES];
        const SS_C *from_s = (const SS_C *)vs + v, *from_e = (const SS_C *)ve + v;
        size_t here = series - v < SS_LANES ? series - v : SS_LANES;
        if (here < SS_LANES) { /* the columns beyond have no values */
            memset(tile, 0, sizeof tile);
            for (size_t j = 0; j < SS_LANES; j++) {
                memcpy(tile[0] + j * SS_LANES, from_s + j * pitch, here * sizeof *s);
                if (pair)
                    memcpy(tile[1] + j * SS_LANES, from_e + j * pitch, here * sizeof *e);
            }
            from_s = tile[0];
            from_e = tile[1];
            pitch = SS_LANES;
        }
        for (size_t c = 0; c < SS_LANES; c += SS_WIDTH) {
            const SS_C *ls = from_s + c, *le = from_e + c;
            SS_NODE lane[SS_LANES];
            for (int j = 0; j < SS_LANES; j++, ls += pitch, le += pitch) {
                lane[j].s = SS_F(load)(ls);
                lane[j].e = pair ? SS_F(load)(le) : SS_F(zero)();
            }
            SS_NODE root = SS_F(stage2)(pair, lane);
            SS_F(store)(s + c, root.s);
            SS_F(store)(e + c, root.e);
        }
        SS_F(finish16)(pair, s, e);
        memcpy((char *)results + v * sizeof *s, s, here * sizeof *s);
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
