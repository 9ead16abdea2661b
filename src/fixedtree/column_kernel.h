/* The tree (SPEC.md 4.1 stage 1) of many series side by side, written once for every ISA and type;
 * vector lanes are neighbouring series. ss_columns in kernels.h says what it computes.
 *
 * Included once per element type, after a vector header and node.h, with
 *   SS_T     accumulator: f64 or f32
 *   SS_C     C type of the accumulator
 *   SS_NAME  suffix of the functions' names
 *   SS_ELEM  C type of an element
 *   SS_LOAD  loads one vector of elements and converts it to the accumulator's type
 * pair is a constant of each caller, and vanishes when this is inlined; leaf is not: memory is
 * slower than the choice, and the code three times as small.
 *
 * A run is a stretch of columns (a lane of a series each) whose elements lie side by side in every
 * row: the series of one lane, or, where lines follow each other without gaps, those of all lanes.
 * Blocks of SS_BLOCK_ROWS rows become nodes in registers, which at once meet those on the stack
 * that they complete: a node is stored once per block, and loaded less than once. */

#define SS_PASTE_(a, b) a##_##b
#define SS_PASTE(a, b) SS_PASTE_(a, b)
#define SS_F(name) SS_PASTE(SS_T, name)
#define SS_K(name) SS_PASTE(SS_NAME, name)
#define SS_V SS_F(vec)
#define SS_NODE SS_F(node)
#define SS_WIDTH SS_F(width)

#ifndef SS_AHEAD
/* Bytes of each row that are fetched ahead. The prefetchers of Zen 4 follow neither several rows
 * nor short ones well: without this a walk over lines of 64 bytes takes twice as long. */
#define SS_AHEAD(rows) ((rows) == 1 ? 512u : 256u)
#endif

SS_INLINE SS_NODE SS_K(at)(ss_leaf leaf, int pair, const char *x)
{
    SS_V v = SS_LOAD(x);
    return SS_F(leaf)(leaf, pair, v, v);
}

SS_INLINE SS_NODE SS_K(meet)(int pair, SS_NODE a, SS_NODE b)
{
    return pair ? SS_F(combine_pair)(a, b, 0) : SS_F(combine_plain)(a, b);
}

/* Nodes of 2, 4 and 8 rows, which lie `row` bytes apart. */
SS_INLINE SS_NODE SS_K(node1)(ss_leaf leaf, int pair, const char *x, ptrdiff_t row)
{
    SS_NODE a = SS_K(at)(leaf, pair, x), b = SS_K(at)(leaf, pair, x + row);
    if (pair)
        return SS_F(combine_pair)(a, b, leaf == SS_LEAF_SUM || leaf == SS_LEAF_ASUM);
    return SS_F(combine_plain)(a, b);
}

SS_INLINE SS_NODE SS_K(node2)(ss_leaf leaf, int pair, const char *x, ptrdiff_t row)
{
    SS_NODE a = SS_K(node1)(leaf, pair, x, row), b = SS_K(node1)(leaf, pair, x + 2 * row, row);
    return SS_K(meet)(pair, a, b);
}

SS_INLINE SS_NODE SS_K(node3)(ss_leaf leaf, int pair, const char *x, ptrdiff_t row)
{
    SS_NODE a = SS_K(node2)(leaf, pair, x, row), b = SS_K(node2)(leaf, pair, x + 4 * row, row);
    return SS_K(meet)(pair, a, b);
}

/* The root of 1 to SS_BLOCK_ROWS rows: full nodes, of falling levels from left to right. */
SS_INLINE SS_NODE SS_K(ragged)(ss_leaf leaf, int pair, const char *x, ptrdiff_t row, int rows)
{
    if (rows == SS_BLOCK_ROWS)
        return SS_K(node3)(leaf, pair, x, row);
    SS_NODE r = {SS_F(zero)(), SS_F(zero)()};
    int have = 0;
    if (rows & 1) {
        r = SS_K(at)(leaf, pair, x + (rows - 1) * row);
        have = 1;
    }
    if (rows & 2) {
        SS_NODE a = SS_K(node1)(leaf, pair, x + (rows & 4) * row, row);
        r = have ? SS_K(meet)(pair, a, r) : a;
        have = 1;
    }
    if (rows & 4) {
        SS_NODE a = SS_K(node2)(leaf, pair, x, row);
        r = have ? SS_K(meet)(pair, a, r) : a;
    }
    return r;
}

SS_INLINE SS_NODE SS_K(stacked)(int pair, const SS_C *s, size_t apart)
{
    SS_NODE n = {SS_F(load)(s), pair ? SS_F(load)(s + apart) : SS_F(zero)()};
    return n;
}

/* One run of ss_columns.run, with rows known or not. */
SS_INLINE void SS_K(vectors)(ss_leaf leaf, int pair, const char *x, ptrdiff_t row, int rows,
                             size_t width, const char *next, const ss_meet *m)
{
    const SS_C *left = m->left;
    SS_C *s = m->s, *e = m->e;
    size_t bytes = width * sizeof(SS_ELEM), ahead = SS_AHEAD(rows);
    size_t turn = bytes > ahead ? bytes - ahead : 0;
    for (size_t c = 0; c < width; c += SS_WIDTH) {
        size_t at = c * sizeof(SS_ELEM);
        const char *fetch = at < turn ? x + at + ahead : next + (at - turn);
        for (int r = 0; r < rows; r++)
            __builtin_prefetch(fetch + r * row);
        const SS_C *l = left + c;
        int i = 0;
        SS_NODE n;
        if (rows > 0)
            n = SS_K(ragged)(leaf, pair, x + at, row, rows);
        else
            n = SS_K(stacked)(pair, l, m->apart), l -= 2 * m->apart, i = 1;
        for (; i < m->count; i++, l -= 2 * m->apart)
            n = SS_K(meet)(pair, SS_K(stacked)(pair, l, m->apart), n);
        SS_F(store)(s + c, n.s);
        if (pair)
            SS_F(store)(e + c, n.e);
    }
}

SS_INLINE void SS_K(run)(ss_leaf leaf, int pair, const char *x, ptrdiff_t row, int rows,
                         size_t width, const char *next, const ss_meet *m)
{
    if (rows == SS_BLOCK_ROWS)
        SS_K(vectors)(leaf, pair, x, row, SS_BLOCK_ROWS, width, next, m);
    else if (rows == 1)
        SS_K(vectors)(leaf, pair, x, row, 1, width, next, m);
    else
        SS_K(vectors)(leaf, pair, x, row, rows, width, next, m);
}

/* ss_columns.brief. pair2: nodes are pairs in stage 2. */
SS_INLINE void SS_K(brief)(ss_leaf leaf, int pair, int pair2, const char *x, ptrdiff_t stride,
                           int n, size_t series, void *results)
{
    for (size_t v = 0; v < series; v += SS_LANES) {
        SS_C s[SS_LANES], e[SS_LANES];
        for (size_t c = 0; c < SS_LANES; c += SS_WIDTH) {
            const char *at = x + (v + c) * sizeof(SS_ELEM);
            SS_NODE lane[SS_LANES];
            for (int j = 0; j < SS_LANES; j++, at += stride) {
                if (j + SS_LANES < n)
                    lane[j] = SS_K(node1)(leaf, pair, at, SS_LANES * stride);
                else if (j < n)
                    lane[j] = SS_K(at)(leaf, pair, at);
                else
                    lane[j] = (SS_NODE){SS_F(all)((SS_C)-0.0), SS_F(zero)()};
            }
            SS_NODE root = SS_F(stage2)(pair2, lane);
            SS_F(store)(s + c, root.s);
            SS_F(store)(e + c, root.e);
        }
        SS_F(finish16)(pair2, s, e);
        memcpy((char *)results + v * sizeof *s, s, sizeof s);
    }
}

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_F
#undef SS_K
#undef SS_V
#undef SS_NODE
#undef SS_WIDTH
#undef SS_NAME
#undef SS_ELEM
#undef SS_LOAD
