/* The row kernel (SPEC.md, 4.1 stage 1), written once for every ISA and type.
 *
 * Included once per element type, after a vector header and node.h, with
 *   SS_T     accumulator: f64 or f32
 *   SS_NAME  suffix of the functions' names
 *   SS_ELEM  C type of an element; of halves, that of their bits
 *   SS_ABSENT  what stands for -0.0 in it
 *   SS_LOAD  loads one vector of elements and converts it to the accumulator's type
 *   SS_LOAD_PART  the same for the first n lanes alone; the others become the value given
 *   SS_WHOLE_ROWS  defined where there are whole rows alone: SS_LOAD_PART is then not needed
 * leaf and pair are constants of each caller, and vanish when this is inlined.
 *
 * A row is SS_COLUMNS vectors. Blocks of a few rows become nodes in registers, one column after the
 * other; a stack of nodes, one for each one bit of the number of blocks done, takes them further
 * up. Longer blocks do less work, but where little is done between the loads, and one load advances
 * by 1 KiB or more from round to round, the prefetchers of Zen 4 lose a third to a half of the
 * memory's bandwidth; see block_level. */

#define SS_PASTE_(a, b) a##_##b
#define SS_PASTE(a, b) SS_PASTE_(a, b)
#define SS_F(name) SS_PASTE(SS_T, name)
#define SS_K(name) SS_PASTE(SS_NAME, name)
#define SS_V SS_F(vec)
#define SS_NODE SS_F(node)
#define SS_WIDTH SS_F(width)
#define SS_COLUMNS (SS_LANES / SS_WIDTH)
#define SS_ROW SS_K(row)

typedef struct SS_ROW {
    SS_NODE column[SS_COLUMNS];
} SS_ROW;

SS_INLINE SS_NODE SS_K(combine)(int pair, SS_NODE a, SS_NODE b)
{
    return pair ? SS_F(combine_pair)(a, b, 0) : SS_F(combine_plain)(a, b);
}

SS_INLINE SS_NODE SS_K(leaf)(ss_leaf leaf, int pair, const SS_ELEM *x, const SS_ELEM *y)
{
    SS_V vx = SS_LOAD(x);
    return SS_F(leaf)(leaf, pair, vx, leaf == SS_LEAF_DOT ? SS_LOAD(y) : vx);
}

/* One column of a node of level 1, 2, 3: of 2, 4, 8 rows that begin at x (and y). */
SS_INLINE SS_NODE SS_K(node1)(ss_leaf leaf, int pair, const SS_ELEM *x, const SS_ELEM *y)
{
    SS_NODE a = SS_K(leaf)(leaf, pair, x, y);
    SS_NODE b = SS_K(leaf)(leaf, pair, x + SS_LANES, y + SS_LANES);
    if (pair)
        return SS_F(combine_pair)(a, b, leaf == SS_LEAF_SUM || leaf == SS_LEAF_ASUM);
    return SS_F(combine_plain)(a, b);
}

#define SS_DOUBLED(twice, once, rows)                                                              \
    SS_INLINE SS_NODE SS_K(twice)(ss_leaf leaf, int pair, const SS_ELEM *x, const SS_ELEM *y)      \
    {                                                                                              \
        SS_NODE a = SS_K(once)(leaf, pair, x, y);                                                  \
        SS_NODE b = SS_K(once)(leaf, pair, x + (rows)*SS_LANES, y + (rows)*SS_LANES);              \
        return SS_K(combine)(pair, a, b);                                                          \
    }
SS_DOUBLED(node2, node1, 2)
SS_DOUBLED(node3, node2, 4)
#undef SS_DOUBLED

/* All columns of the node of that level. */
SS_INLINE SS_ROW SS_K(rows)(int level, ss_leaf leaf, int pair, const SS_ELEM *x, const SS_ELEM *y)
{
    SS_ROW r;
    for (int c = 0; c < SS_COLUMNS; c++) {
        const SS_ELEM *xc = x + c * SS_WIDTH, *yc = y + c * SS_WIDTH;
        r.column[c] = level == 0   ? SS_K(leaf)(leaf, pair, xc, yc)
                      : level == 1 ? SS_K(node1)(leaf, pair, xc, yc)
                      : level == 2 ? SS_K(node2)(leaf, pair, xc, yc)
                                   : SS_K(node3)(leaf, pair, xc, yc);
    }
    return r;
}

#ifndef SS_WHOLE_ROWS
/* The row of level 0 of which the first n elements are there; -0.0 and its product by +0.0 change
 * no sum. */
SS_INLINE SS_ROW SS_K(part_row)(ss_leaf leaf, int pair, const SS_ELEM *x, const SS_ELEM *y, int n)
{
    SS_ROW r;
    for (int c = 0; c < SS_COLUMNS; c++) {
        int at = c * SS_WIDTH;
        SS_V vx = SS_LOAD_PART(x + at, n - at, SS_ABSENT), vy = vx;
        if (leaf == SS_LEAF_DOT)
            vy = SS_LOAD_PART(y + at, n - at, 0);
        r.column[c] = SS_F(leaf)(leaf, pair, vx, vy);
    }
    return r;
}
#endif

SS_INLINE void SS_K(combine_rows)(int pair, const SS_ROW *a, SS_ROW *b)
{
    for (int c = 0; c < SS_COLUMNS; c++)
        b->column[c] = SS_K(combine)(pair, a->column[c], b->column[c]);
}

/* e is left alone where nodes are plain. */
SS_INLINE void SS_K(push)(int pair, SS_ROW *top, const SS_ROW *r)
{
    for (int c = 0; c < SS_COLUMNS; c++) {
        top->column[c].s = r->column[c].s;
        if (pair)
            top->column[c].e = r->column[c].e;
    }
}

SS_INLINE void SS_K(store)(int pair, const SS_ROW *r, ss_lanes *out)
{
    for (int c = 0; c < SS_COLUMNS; c++) {
        SS_F(store)(out->SS_T.s + c * SS_WIDTH, r->column[c].s);
        SS_F(store)(out->SS_T.e + c * SS_WIDTH, pair ? r->column[c].e : SS_F(zero)());
    }
}

/* The level of a block's node, and its elements: 512 bytes, or 1 KiB where each element of binary64
 * is more work. */
SS_INLINE int SS_K(block_level)(int pair)
{
    if (sizeof(SS_ELEM) == 16)
        return 1;
    return sizeof(SS_ELEM) == 8 && !pair ? 2 : 3;
}
SS_INLINE size_t SS_K(block)(int pair)
{
    return (size_t)SS_LANES << SS_K(block_level)(pair);
}

/* Puts the nodes of `blocks` blocks on the stack and returns how many it holds. */
SS_INLINE int SS_K(blocks)(ss_leaf leaf, int pair, const SS_ELEM *x, const SS_ELEM *y,
                           unsigned blocks, SS_ROW *stack)
{
    int top = 0;
    for (unsigned b = 0; b < blocks; b++) {
        SS_ROW r = SS_K(rows)(SS_K(block_level)(pair), leaf, pair, x, y);
        for (unsigned bits = b; bits & 1; bits >>= 1)
            SS_K(combine_rows)(pair, &stack[--top], &r);
        SS_K(push)(pair, &stack[top++], &r);
        x += SS_K(block)(pair);
        y += SS_K(block)(pair);
    }
    return top;
}

/* blocks with leaf and pair given: a function of its own, which node and partial call. */
typedef int SS_K(blocks_fn)(const void *x, const void *y, unsigned blocks, SS_ROW *stack);

SS_INLINE void SS_K(node)(ss_leaf leaf, int pair, SS_K(blocks_fn) * blocks, int level,
                          const void *vx, const void *vy, ss_lanes *out)
{
    const SS_ELEM *x = vx, *y = leaf == SS_LEAF_DOT ? vy : vx;
    SS_ROW stack[SS_NODE_LEVEL_MAX];
    blocks(x, y, 1u << (level - SS_K(block_level)(pair)), stack);
    SS_K(store)(pair, stack, out);
}

#ifndef SS_WHOLE_ROWS
SS_INLINE void SS_K(partial)(ss_leaf leaf, int pair, SS_K(blocks_fn) * blocks, const void *vx,
                             const void *vy, size_t n, ss_lanes *out)
{
    const SS_ELEM *x = vx, *y = leaf == SS_LEAF_DOT ? vy : vx;
    SS_ROW stack[SS_SEGMENT_LEVEL + 1];
    unsigned rows = (unsigned)n / SS_LANES, rest = (unsigned)n % SS_LANES;
    unsigned whole = rows >> SS_K(block_level)(pair);
    int top = whole ? blocks(x, y, whole, stack) : 0;
    x += whole * SS_K(block)(pair);
    y += whole * SS_K(block)(pair);
#define SS_REST(level)                                                                             \
    if (level < SS_K(block_level)(pair) && rows & (1u << level)) {                                 \
        SS_ROW r = SS_K(rows)(level, leaf, pair, x, y);                                            \
        SS_K(push)(pair, &stack[top++], &r);                                                       \
        x += SS_LANES << level;                                                                    \
        y += SS_LANES << level;                                                                    \
    }
    SS_REST(2)
    SS_REST(1)
    SS_REST(0)
#undef SS_REST
    if (rest || top == 0) { /* the row of level 0 with absent lanes */
        SS_ROW r = SS_K(part_row)(leaf, pair, x, y, (int)rest);
        SS_K(push)(pair, &stack[top++], &r);
    }
    SS_ROW r = stack[--top];
    while (top > 0)
        SS_K(combine_rows)(pair, &stack[--top], &r);
    SS_K(store)(pair, &r, out);
}
#endif

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_F
#undef SS_K
#undef SS_V
#undef SS_NODE
#undef SS_WIDTH
#undef SS_COLUMNS
#undef SS_ROW
#undef SS_NAME
#undef SS_ELEM
#undef SS_ABSENT
#undef SS_LOAD
#undef SS_LOAD_PART
#undef SS_WHOLE_ROWS
