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

typedef struct SS_K(chain) {
    f64_vec sum[SS_SLICES_MOST];
    f64_vec left, most, least;
} SS_K(chain);

/* Adds x[c] to the slices from..to of chain c, all chains in step, since each addition waits for
 * the one before; x becomes what is left. */
SS_INLINE void SS_K(deposit)(int chains, SS_K(chain) * chain, int from, int to, f64_vec *x)
{
    for (int k = from; k < to; k++) {
        f64_vec t[SS_CHAINS], q[SS_CHAINS];
        for (int c = 0; c < chains; c++)
            t[c] = f64_add(chain[c].sum[k], x[c]);
        for (int c = 0; c < chains; c++)
            q[c] = f64_sub2(t[c], chain[c].sum[k]);
        for (int c = 0; c < chains; c++) { /* both kinds of unit are busy */
            x[c] = k % 3 == 2 ? f64_sub2(x[c], q[c]) : f64_sub(x[c], q[c]);
            chain[c].sum[k] = t[c];
        }
    }
    for (int c = 0; c < chains; c++)
        chain[c].left = f64_or(chain[c].left, x[c]);
}

/* One vector of elements for each chain. */
SS_INLINE void SS_K(step)(ss_leaf leaf, int slices, int chains, SS_K(chain) * chain,
                          const f64_vec *x, const f64_vec *y)
{
    int two_terms = sizeof(SS_ELEM) == 8 && (leaf == SS_LEAF_DOT || leaf == SS_LEAF_SUMSQ);
    f64_vec term[SS_CHAINS], error[SS_CHAINS];
    for (int c = 0; c < chains; c++) {
        f64_node n = f64_leaf(leaf, two_terms, x[c], y[c]);
        f64_vec size = f64_abs(n.s);
        term[c] = n.s;
        error[c] = n.e;
        chain[c].most = f64_max(size, chain[c].most);
        if (two_terms)
            chain[c].least = f64_min(size, chain[c].least);
    }
    SS_K(deposit)(chains, chain, 0, two_terms ? slices - 1 : slices, term);
    if (two_terms)
        SS_K(deposit)(chains, chain, 1, slices, error);
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
            out->sum[k] = (int64_t)((uint64_t)out->sum[k] + (uint64_t)a - (uint64_t)b);
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

/* Asks for what lies 1 KiB ahead, of x and then of y: where the two lie a power of two apart, as
 * large arrays do, memory gives 512 bytes of each in turn much faster than single lines. */
SS_INLINE void SS_K(fetch)(const SS_ELEM *x, const SS_ELEM *y)
{
    for (int i = 0; i < SS_TURN; i += 64)
        __builtin_prefetch((const char *)x + 1024 + i);
    for (int i = 0; i < SS_TURN; i += 64)
        __builtin_prefetch((const char *)y + 1024 + i);
}

SS_INLINE void SS_K(slice)(ss_leaf leaf, int slices, const void *px, const void *py, size_t n,
                           int exponent, ss_slices *out)
{
    const SS_ELEM *x = px, *y = leaf == SS_LEAF_DOT ? py : px;
    SS_K(chain) chain[SS_CHAINS];
    for (int c = 0; c < SS_CHAINS; c++) {
        for (int k = 0; k < slices; k++)
            chain[c].sum[k] = f64_all(ss_slice_start(ss_grid(exponent, k)));
        chain[c].left = chain[c].most = f64_zero();
        chain[c].least = f64_all(DBL_MAX);
    }
    f64_vec vx[SS_CHAINS], vy[SS_CHAINS];
    size_t i = 0, round = (size_t)(SS_CHAINS * f64_width);
    for (; i + round <= n; i += round) {
        if (leaf == SS_LEAF_DOT && i * sizeof *x % SS_TURN == 0)
            SS_K(fetch)(x + i, y + i);
        for (int c = 0; c < SS_CHAINS; c++) {
            vx[c] = SS_LOAD(x + i + c * f64_width);
            vy[c] = leaf == SS_LEAF_DOT ? SS_LOAD(y + i + c * f64_width) : vx[c];
        }
        SS_K(step)(leaf, slices, SS_CHAINS, chain, vx, vy);
    }
    for (; i < n;
         i += f64_width) { /* a padding of 0, or 0 * 0, is no term; it does lower `least` */
        int rest = n - i < f64_width ? (int)(n - i) : f64_width;
        vx[0] = SS_LOAD_PART(x + i, rest, 0);
        vy[0] = leaf == SS_LEAF_DOT ? SS_LOAD_PART(y + i, rest, 0) : vx[0];
        SS_K(step)(leaf, slices, 1, chain, vx, vy);
    }
    for (int k = 0; k < slices; k++)
        out->sum[k] = 0;
    out->most = 0;
    out->least = DBL_MAX;
    out->complete = 1;
    for (int c = 0; c < SS_CHAINS; c++)
        SS_K(collect)(slices, exponent, &chain[c], out);
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
