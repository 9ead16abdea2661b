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

/* Pairs are more work: vectors of 16 bytes, which every machine has, are halved until one node is
 * left in the first place. */
typedef SS_C SS_F(quarter) __attribute__((vector_size(16)));
#define SS_QUARTER SS_F(quarter)
#define SS_QUARTER_WIDTH (16 / (int)sizeof(SS_C))
#define SS_QUARTERS (SS_LANES / SS_QUARTER_WIDTH)

static inline SS_QUARTER SS_F(quarter_at)(const SS_C *x)
{
    SS_QUARTER v;
    memcpy(&v, x, sizeof v);
    return v;
}

/* combine is that of node.h (SPEC.md 4.2). */
static SS_C SS_F(finish_pair)(const SS_C *s, const SS_C *e)
{
    SS_QUARTER q[SS_QUARTERS], r[SS_QUARTERS];
    for (int i = 0; i < SS_QUARTERS; i++) {
        q[i] = SS_F(quarter_at)(s + i * SS_QUARTER_WIDTH);
        r[i] = SS_F(quarter_at)(e + i * SS_QUARTER_WIDTH);
    }
    for (int left = SS_LANES / 2; left > 0; left /= 2) {
        int half = left >= SS_QUARTER_WIDTH ? left / SS_QUARTER_WIDTH : 1;
        for (int i = 0; i < half; i++) {
            int next = left >= SS_QUARTER_WIDTH ? 2 * i + 1 : 0;
            SS_QUARTER a = SS_EVEN(q[2 * i], q[next]), b = SS_ODD(q[2 * i], q[next]);
            SS_QUARTER errors = SS_EVEN(r[2 * i], r[next]) + SS_ODD(r[2 * i], r[next]);
            SS_QUARTER sum = a + b, z = sum - a;
            r[i] = errors + ((a - (sum - z)) + (b - z));
            q[i] = sum;
        }
    }
    SS_C result = q[0][0], error = r[0][0];
    if (isfinite(result) && isfinite(error) && error != 0) /* SPEC.md 4.2: finish */
        result += error;
    return result;
}

#undef SS_QUARTER
#undef SS_QUARTER_WIDTH
#undef SS_QUARTERS

static SS_C SS_F(finish)(samesum_level accuracy, const ss_lanes *roots)
{
    return accuracy == SAMESUM_TREE ? SS_F(finish_plain)(roots->SS_T.s)
                                    : SS_F(finish_pair)(roots->SS_T.s, roots->SS_T.e);
}

#undef SS_PASTE_
#undef SS_PASTE
#undef SS_F
#undef SS_NODE
