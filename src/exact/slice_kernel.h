/* The slicing kernel, written once for every ISA. Included once per element type, after a vector
 * header and node.h, with SS_NAME, SS_ELEM, SS_LOAD, SS_LOAD_PART as in row_kernel.h; terms are
 * binary64. leaf and slices are constants of each caller.
 *
 * Step by step, for a term x and the running sum S of a grid 2^g, 1.5 * 2^(52 + g) at first: t =
 * fl(S + x) rounds x to the grid, q = t - S is that multiple of 2^g, exactly, x - q is what is
 * left, exactly; S becomes t. S stays between 2^(52 + g) and 2^(53 + g), so that its bits count
 * multiples of 2^g. */

#define SS_PASTE_(a, b) a##_##b
#define SS_PASTE(a, b) SS_PASTE_(a, b)
#define SS_K(name) SS_PASTE(SS_NAME, name)

/* Adds x to the slices from..to; returns what is left of it. */
SS_INLINE f64_vec SS_K(deposit)(f64_vec *sum, int from, int to, f64_vec x)
{
    for (int k = from; k < to; k++) {
        f64_vec t = f64_add(sum[k], x);
        f64_vec q = f64_sub2(t, sum[k]);
        x = f64_sub(x, q);
        sum[k] = t;
    }
    return x;
}

typedef struct SS_K(chain) {
    f64_vec sum[SS_SLICES_MOST];
    f64_vec left, most, least;
} SS_K(chain);

/* One vector of elements. */
SS_INLINE void SS_K(step)(ss_leaf leaf, int slices, SS_K(chain) * c, f64_vec x, f64_vec y)
{
    int two_terms = sizeof(SS_ELEM) == 8 && (leaf == SS_LEAF_DOT || leaf == SS_LEAF_SUMSQ);
    f64_node n = f64_leaf(leaf, two_terms, x, y);
    f64_vec size = f64_abs(n.s);
    c->most = f64_max(size, c->most);
    if (two_terms) {
        c->least = f64_min(size, c->least);
        c->left = f64_or(c->left, SS_K(deposit)(c->sum, 0, slices - 1, n.s));
        c->left = f64_or(c->left, SS_K(deposit)(c->sum, 1, slices, n.e));
    } else {
        c->left = f64_or(c->left, SS_K(deposit)(c->sum, 0, slices, n.s));
    }
}

/* Adds the chain's running sums, as multiples of their grids, to out, and its other findings. */
static void SS_K(collect)(int slices, int exponent, const SS_K(chain) * c, ss_slices *out)
{
    double lane[f64_width];
    for (int k = 0; k < slices; k++) {
        double start = ss_slice_start(ss_grid(exponent, k));
        f64_store(lane, c->sum[k]);
        for (int j = 0; j < f64_width; j++) {
            int64_t a = ss_bits(lane[j]), b = ss_bits(start);
            out->sum[k] += a - b;
            if ((a ^ b) >> 52) /* a NaN or an infinity came by */
                out->complete = 0;
        }
    }
    f64_store(lane, c->most);
    for (int j = 0; j < f64_width; j++)
        out->most = lane[j] > out->most ? lane[j] : out->most;
    f64_store(lane, c->least);
    for (int j = 0; j < f64_width; j++)
        out->least = lane[j] < out->least ? lane[j] : out->least;
    f64_store(lane, f64_abs(c->left));
    for (int j = 0; j < f64_width; j++)
        if (ss_bits(lane[j]) != 0)
            out->complete = 0;
}

SS_INLINE void SS_K(slice)(ss_leaf leaf, int slices, const void *vx, const void *vy, size_t n,
                           int exponent, ss_slices *out)
{
    const SS_ELEM *x = vx, *y = leaf == SS_LEAF_DOT ? vy : vx;
    /* Two chains: the next addition to a running sum waits for the one before. */
    SS_K(chain) a, b;
    for (int k = 0; k < slices; k++)
        a.sum[k] = b.sum[k] = f64_all(ss_slice_start(ss_grid(exponent, k)));
    a.left = a.most = b.left = b.most = f64_zero();
    a.least = b.least = f64_all(DBL_MAX);
    size_t i = 0;
    for (; i + 2 * f64_width <= n; i += 2 * f64_width) {
        f64_vec x0 = SS_LOAD(x + i), x1 = SS_LOAD(x + i + f64_width), y0 = x0, y1 = x1;
        if (leaf == SS_LEAF_DOT) {
            y0 = SS_LOAD(y + i);
            y1 = SS_LOAD(y + i + f64_width);
        }
        SS_K(step)(leaf, slices, &a, x0, y0);
        SS_K(step)(leaf, slices, &b, x1, y1);
    }
    for (; i < n; i += f64_width) { /* a padding of 1 * 0 or 0 is no term; it does lower `least` */
        int rest = n - i < f64_width ? (int)(n - i) : f64_width;
        f64_vec x0 = SS_LOAD_PART(x + i, rest, 0), y0 = x0;
        if (leaf == SS_LEAF_DOT)
            y0 = SS_LOAD_PART(y + i, rest, 0);
        SS_K(step)(leaf, slices, &a, x0, y0);
    }
    for (int k = 0; k < slices; k++)
        out->sum[k] = 0;
    out->most = 0;
    out->least = DBL_MAX;
    out->complete = 1;
    SS_K(collect)(slices, exponent, &a, out);
    SS_K(collect)(slices, exponent, &b, out);
    if (out->most >= ldexp(1, exponent + 1))
        out->complete = 0;
}

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_K
#undef SS_NAME
#undef SS_ELEM
#undef SS_LOAD
#undef SS_LOAD_PART
