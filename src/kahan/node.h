/* What a node computes (SPEC.md, section 4): the plain node s and the pair (s, e), over any vector
 * type.
 *
 * Included once per accumulator type with SS_T defined as f64 or f32, after a header that gives,
 * for that type, SS_T##_vec and the operations add, sub, add2, sub2, mul, fma, abs, neg and zero on
 * it. add2 and sub2 give the bits of add and sub; a header may write them as fma(a, 1, b) so that
 * the other kind of execution unit works too. Every operation rounds once, to nearest even. No ISA
 * is named here. */

#define SS_PASTE_(a, b) a##_##b
#define SS_PASTE(a, b) SS_PASTE_(a, b)
#define SS_F(name) SS_PASTE(SS_T, name)
#define SS_V SS_F(vec)
#define SS_NODE SS_F(node)

#ifndef SS_INLINE
#define SS_INLINE static inline __attribute__((always_inline, unused))
#endif

#ifndef SS_LEAF_OPS
#define SS_LEAF_OPS
typedef enum ss_leaf { SS_LEAF_SUM, SS_LEAF_ASUM, SS_LEAF_SUMSQ, SS_LEAF_DOT, SS_LEAVES } ss_leaf;
#endif

/* e is dead, and costs nothing, where nodes are plain. */
typedef struct SS_NODE {
    SS_V s, e;
} SS_NODE;

/* SPEC.md 3: the leaf of an element x (and y). pair: it carries its own error (level compensated).
 */
SS_INLINE SS_NODE SS_F(leaf)(ss_leaf leaf, int pair, SS_V x, SS_V y)
{
    SS_NODE n = {x, SS_F(zero)()};
    if (leaf == SS_LEAF_ASUM)
        n.s = SS_F(abs)(x);
    if (leaf == SS_LEAF_SUMSQ)
        y = x;
    if (leaf == SS_LEAF_SUMSQ || leaf == SS_LEAF_DOT) {
        n.s = SS_F(mul)(x, y);
        if (pair) /* the product's error: a true fma, since Dekker's product fails near underflow */
            n.e = SS_F(fma)(x, y, SS_F(neg)(n.s));
    }
    return n;
}

/* SPEC.md 4.1: fl(a + b). */
SS_INLINE SS_NODE SS_F(combine_plain)(SS_NODE a, SS_NODE b)
{
    SS_NODE n = {SS_F(add)(a.s, b.s), a.e};
    return n;
}

/* SPEC.md 4.2: Knuth's TwoSum; t is the error of s. Half of it on each kind of unit. */
SS_INLINE SS_V SS_F(two_sum_error)(SS_V a, SS_V b, SS_V s)
{
    SS_V z = SS_F(sub)(s, a);
    SS_V left = SS_F(sub2)(a, SS_F(sub)(s, z));
    SS_V right = SS_F(sub2)(b, z);
    return SS_F(add2)(left, right);
}

/* SPEC.md 4.2: combine of pairs. fresh: both e are +0, as in leaves of sums; fl(0 + 0) + t is then
 * t. */
SS_INLINE SS_NODE SS_F(combine_pair)(SS_NODE a, SS_NODE b, int fresh)
{
    SS_NODE n;
    n.s = SS_F(add)(a.s, b.s);
    n.e = SS_F(two_sum_error)(a.s, b.s, n.s);
    if (!fresh)
        n.e = SS_F(add)(SS_F(add2)(a.e, b.e), n.e);
    return n;
}

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_F
#undef SS_V
#undef SS_NODE
