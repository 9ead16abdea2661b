/* suite_custom.c - reductions over nodes of one's own: against the library's sums, and against
 * SPEC.md 4.1 evaluated literally, for functions that neither commute nor associate. */
#include "fpenv.h"
#include "suites.h"
#include "support.h"

#include <fenv.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16, SEGMENT = 4096, BIGGEST_NODE = 4096, UNTOUCHED = 0x5a };

/* ---- SPEC.md 4.1, literally ---- */

/* Steps 1 and 3: node(k, i, lane); false where it is absent. With lane_leaf a node of level 8 is
 * what that says. */
static bool literal_node(const samesum_custom *c, uint64_t n, int k, uint64_t i, uint64_t lane,
                         void *node)
{
    uint64_t index = (i << k) * LANES + lane;
    if (index >= n) {
        return false;
    }
    if (c->lane_leaf != NULL && k == 8) {
        size_t count = 0;
        while (count < 256 && index + count * LANES < n) {
            count++;
        }
        return c->lane_leaf(c->context, index, count, node) != 0;
    }
    if (k == 0) {
        return c->leaf(c->context, index, node) != 0;
    }
    void *right = malloc(c->node_bytes);
    bool has_left = literal_node(c, n, k - 1, 2 * i, lane, node);
    bool has_right = literal_node(c, n, k - 1, 2 * i + 1, lane, right);
    if (has_left && has_right) {
        c->combine(c->context, node, right);
    } else if (has_right) {
        memcpy(node, right, c->node_bytes);
    }
    free(right);
    return has_left || has_right;
}

/* Steps 4 and 5. */
static bool literal(const samesum_custom *c, uint64_t n, void *result)
{
    int k = c->lane_leaf != NULL ? 8 : 0;
    while (n > (UINT64_C(1) << k) * LANES) {
        k++;
    }
    char *root[LANES];
    bool has[LANES];
    for (int j = 0; j < LANES; j++) {
        root[j] = malloc(c->node_bytes);
        has[j] = literal_node(c, n, k, 0, (uint64_t)j, root[j]);
    }
    for (int left = LANES; left > 1; left /= 2) {
        for (int j = 0; j < left; j += 2) {
            if (has[j] && has[j + 1]) {
                c->combine(c->context, root[j], root[j + 1]);
            } else if (has[j + 1]) {
                memcpy(root[j], root[j + 1], c->node_bytes);
            }
            has[j / 2] = has[j] || has[j + 1];
            char *kept = root[j];
            root[j] = root[j / 2];
            root[j / 2] = kept;
        }
    }
    if (has[0]) {
        memcpy(result, root[0], c->node_bytes);
    }
    for (int j = 0; j < LANES; j++) {
        free(root[j]);
    }
    return has[0];
}

/* ---- comparison ---- */

static uint64_t hash_of(const void *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
    }
    return hash;
}

/* One call, which must do what it says of its status, of who ran and of the memory at result. */
static bool call(const samesum_custom *c, uint64_t n, int threads, void *result)
{
    unsigned char bytes[BIGGEST_NODE + 8];
    samesum_ran ran;
    memset(bytes, UNTOUCHED, sizeof bytes);
    samesum_status status = samesum_reduce_custom(c, n, threads, bytes, &ran);
    ck_assert(status == SAMESUM_OK || status == SAMESUM_NO_VALUE);
    ck_assert(ran.backend == SAMESUM_BACKEND_SCALAR);
    ck_assert(ran.threads >= 1 && (threads == 0 || ran.threads <= threads));
    size_t written = sizeof bytes;
    while (written > 0 && bytes[written - 1] == UNTOUCHED) {
        written--;
    }
    ck_assert(written <= (status == SAMESUM_OK ? c->node_bytes : 0));
    if (status == SAMESUM_OK) {
        memcpy(result, bytes, c->node_bytes);
    }
    return status == SAMESUM_OK;
}

/* The call with each number of threads up to `most` gives what the literal evaluation gives. */
static void as_literal(const samesum_custom *c, uint64_t n, int most, const char *data)
{
    static unsigned char got[BIGGEST_NODE], expected[BIGGEST_NODE];
    struct what what = {.n = n, .data = data};
    bool there = literal(c, n, expected);
    for (what.threads = 1; what.threads <= most; what.threads++) {
        bool here = call(c, n, what.threads, got);
        same(&what, here, there);
        if (here && there) {
            same(&what, hash_of(got, c->node_bytes), hash_of(expected, c->node_bytes));
        }
    }
}

/* ---- text: what is combined with what, to be read ---- */

enum { TEXT = 200 };

static int text_leaf(void *context, uint64_t index, void *node)
{
    memset(node, 0, TEXT);
    snprintf(node, TEXT, "%d", (int)index);
    return strchr(context, (int)('a' + index)) == NULL;
}

static void text_combine(void *context, void *left, const void *right)
{
    (void)context;
    char both[TEXT] = "";
    ck_assert_int_lt(snprintf(both, TEXT, "(%s %s)", (char *)left, (const char *)right), TEXT);
    memcpy(left, both, TEXT);
}

START_TEST(order_to_be_read)
{
    static const struct {
        uint64_t n;
        char absent[20]; /* a: element 0, and so on */
        const char *expected;
    } cases[] = {
        {1, "", "0"},
        {3, "", "((0 1) 2)"},
        {7, "", "(((0 1) (2 3)) ((4 5) 6))"},
        {17, "", "(((((0 16) 1) (2 3)) ((4 5) (6 7))) (((8 9) (10 11)) ((12 13) (14 15))))"},
        {17, "bcdefghijklmnop", "(0 16)"},
        {19, "abefghijklmnop", "((16 17) ((2 18) 3))"},
        {6, "ace", "((1 3) 5)"},
        {6, "acf", "((1 3) 4)"},
    };
    char got[TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char absent[20];
        memcpy(absent, cases[i].absent, sizeof absent);
        samesum_custom c = {
            .node_bytes = TEXT, .leaf = text_leaf, .combine = text_combine, .context = absent};
        ck_assert(call(&c, cases[i].n, 1, got));
        ck_assert_str_eq(got, cases[i].expected);
    }
}
END_TEST

/* ---- nodes of any size, mixed so that every byte tells of the order ---- */

enum pattern {
    ALL_PRESENT,
    NONE_PRESENT,
    EVERY_THIRD,
    RANDOMLY,
    LANES_ABSENT,    /* lane 5 and lanes 8 to 15 */
    ONE_LANE,        /* all but lane 11 */
    SEGMENTS_ABSENT, /* 0, 3 and 4 */
    FIRST_ONE,       /* all others are absent */
    LAST_ONE,
    LATE_HALF, /* the first half is absent */
    PATTERNS
};

static const char *const pattern_names[PATTERNS] = {
    "all present", "none present",    "every third", "randomly", "lanes absent",
    "one lane",    "segments absent", "first one",   "last one", "late half"};

struct mixing {
    size_t bytes;
    enum pattern pattern;
    uint64_t n;
    atomic_int misplaced; /* nodes at other addresses than multiples of 16 */
};

static uint64_t mix(uint64_t v)
{
    v = (v ^ v >> 31) * 0x7fb5d329728ea185;
    v = (v ^ v >> 27) * 0x81dadef4bc2dd44d;
    return v ^ v >> 33;
}

static bool is_present(const struct mixing *m, uint64_t index)
{
    switch (m->pattern) {
    case NONE_PRESENT:
        return false;
    case EVERY_THIRD:
        return index % 3 == 1;
    case RANDOMLY:
        return mix(index) % 8 == 0;
    case LANES_ABSENT:
        return index % LANES < 8 && index % LANES != 5;
    case ONE_LANE:
        return index % LANES == 11;
    case SEGMENTS_ABSENT:
        return index / SEGMENT != 0 && index / SEGMENT != 3 && index / SEGMENT != 4;
    case FIRST_ONE:
        return index == 0;
    case LAST_ONE:
        return index == m->n - 1;
    case LATE_HALF:
        return index >= m->n / 2;
    default:
        return true;
    }
}

/* Absent ones are written too: nobody may look at them. */
static int mixing_leaf(void *context, uint64_t index, void *node)
{
    struct mixing *m = context;
    unsigned char *bytes = node;
    for (size_t i = 0; i < m->bytes; i++) {
        bytes[i] = (unsigned char)mix(index + 1000 * i);
    }
    return is_present(m, index);
}

static int mixing_lane_leaf(void *context, uint64_t index, size_t count, void *node)
{
    return mixing_leaf(context, mix(index) + count, node);
}

static void mixing_combine(void *context, void *left, const void *right)
{
    struct mixing *m = context;
    unsigned char *a = left;
    const unsigned char *b = right;
    for (size_t i = 0; i < m->bytes; i++) {
        a[i] = (unsigned char)(mix(a[i] * 256u + b[i]) >> 7);
    }
}

/* As the two above, where the library alone calls: it places nodes, the literal evaluation does
 * not. */
static int placed_leaf(void *context, uint64_t index, void *node)
{
    struct mixing *m = context;
    atomic_fetch_add(&m->misplaced, (uintptr_t)node % 16 != 0);
    return mixing_leaf(context, index, node);
}

static void placed_combine(void *context, void *left, const void *right)
{
    struct mixing *m = context;
    atomic_fetch_add(&m->misplaced, (uintptr_t)left % 16 != 0 || (uintptr_t)right % 16 != 0);
    mixing_combine(context, left, right);
}

static samesum_custom mixer(struct mixing *m)
{
    return (samesum_custom){
        .node_bytes = m->bytes, .leaf = mixing_leaf, .combine = mixing_combine, .context = m};
}

/* 64-bit nodes: every byte of the result is a hash of the whole tree. */
static int hash_leaf(void *context, uint64_t index, void *node)
{
    uint64_t v = mix(index + 1);
    memcpy(node, &v, sizeof v);
    return is_present(context, index);
}

static int hash_lane_leaf(void *context, uint64_t index, size_t count, void *node)
{
    uint64_t v = mix(mix(index + 1) + count);
    memcpy(node, &v, sizeof v);
    return is_present(context, index);
}

static void hash_combine(void *context, void *left, const void *right)
{
    (void)context;
    uint64_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    a = mix(3 * mix(a) + b);
    memcpy(left, &a, sizeof a);
}

static const uint64_t borders[] = {4096, 8192, 12288, 65536, 131072, 1000000};
enum { BORDERS = sizeof borders / sizeof *borders };

/* Lengths around the borders; at less depth fewer and smaller ones. */
static int border_count(void)
{
    return (int)by_depth(3, 5, BORDERS);
}
static const int around[] = {-17, -1, 0, 1, 16, 100};
enum { AROUND = sizeof around / sizeof *around };

START_TEST(every_small_length)
{
    struct mixing m = {.pattern = ALL_PRESENT};
    samesum_custom c = {.node_bytes = 8, .leaf = hash_leaf, .combine = hash_combine, .context = &m};
    samesum_custom by_lane = c;
    by_lane.leaf = NULL;
    by_lane.lane_leaf = hash_lane_leaf;
    for (uint64_t n = 0; n <= by_depth(200, 1000, 5000); n++) {
        as_literal(&c, n, 1, "hash");
        as_literal(&by_lane, n, 1, "hash of lanes");
    }
    all_were_same();
}
END_TEST

START_TEST(lengths_and_threads)
{
    struct mixing m = {.pattern = ALL_PRESENT};
    samesum_custom c = {.node_bytes = 8, .leaf = hash_leaf, .combine = hash_combine, .context = &m};
    samesum_custom by_lane = c;
    by_lane.leaf = NULL;
    by_lane.lane_leaf = hash_lane_leaf;
    for (int b = 0; b < border_count(); b++) {
        for (int a = 0; a < AROUND; a += (int)by_depth(3, 1, 1)) {
            uint64_t n = borders[b] + (uint64_t)around[a];
            as_literal(&c, n, 7, "hash");
            as_literal(&by_lane, n, 7, "hash of lanes");
        }
    }
    /* many segments at little cost: parts that begin and end anywhere in the tree */
    for (uint64_t segments = 33; segments < by_depth(40, 100, 700); segments++) {
        as_literal(&by_lane, segments * SEGMENT - segments, 7, "hash of lanes");
    }
    all_were_same();
}
END_TEST

START_TEST(absent_elements)
{
    static const uint64_t lengths[] = {1, 5, 40, 4095, 4097, 20500, 200001};
    for (size_t l = 0; l < by_depth(6, 7, 7); l++) {
        for (int p = 0; p < PATTERNS; p++) {
            struct mixing m = {.pattern = (enum pattern)p, .n = lengths[l]};
            samesum_custom c = {
                .node_bytes = 8, .leaf = hash_leaf, .combine = hash_combine, .context = &m};
            as_literal(&c, lengths[l], 5, pattern_names[p]);
            c.leaf = NULL;
            c.lane_leaf = hash_lane_leaf;
            as_literal(&c, lengths[l], 5, pattern_names[p]);
        }
    }
    all_were_same();
}
END_TEST

START_TEST(node_sizes)
{
    static const size_t sizes[] = {1, 3, 8, 16, 17, 24, BIGGEST_NODE};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct mixing m = {.bytes = sizes[s], .pattern = RANDOMLY};
        samesum_custom c = mixer(&m);
        as_literal(&c, 4500, 1, "node sizes");
        if (sizes[s] < BIGGEST_NODE && depth != DEPTH_SHORT) {
            as_literal(&c, 150001, 3, "node sizes");
        }
        unsigned char ignored[BIGGEST_NODE];
        c.leaf = placed_leaf;
        c.combine = placed_combine;
        call(&c, 4500, 1, ignored);
        if (depth != DEPTH_SHORT) {
            call(&c, 135001, 3, ignored);
        }
        c.leaf = NULL;
        c.lane_leaf = mixing_lane_leaf;
        c.combine = mixing_combine;
        as_literal(&c, 140000, 3, "node sizes, lanes");
        ck_assert_int_eq(atomic_load(&m.misplaced), 0);
    }
    all_were_same();
}
END_TEST

/* ---- sums: the library's own bits ---- */

struct pair {
    double s, e;
};

static int plain_leaf(void *context, uint64_t index, void *node)
{
    *(double *)node = ((const double *)context)[index];
    return 1;
}

static void plain_combine(void *context, void *left, const void *right)
{
    (void)context;
    *(double *)left += *(const double *)right;
}

static int pair_leaf(void *context, uint64_t index, void *node)
{
    *(struct pair *)node = (struct pair){((const double *)context)[index], 0};
    return 1;
}

/* SPEC.md 4.2 step 2. */
static void pair_combine(void *context, void *left, const void *right)
{
    (void)context;
    struct pair *a = left;
    const struct pair *b = right;
    double s = a->s + b->s, z = s - a->s;
    double t = (a->s - (s - z)) + (b->s - z);
    *a = (struct pair){s, (a->e + b->e) + t};
}

/* The plain sum of rows [from, to) of a lane by halves, as SPEC.md 4.1 step 3 has it. */
static double lane_sum(const double *x, size_t from, size_t to, size_t half)
{
    if (to - from == 1) {
        return x[from * LANES];
    }
    while (from + half >= to) {
        half /= 2;
    }
    return lane_sum(x, from, from + half, half) + lane_sum(x, from + half, to, half);
}

/* SPEC.md 4.3 step 1: so this is level kahan. */
static int kahan_lane_leaf(void *context, uint64_t index, size_t count, void *node)
{
    *(struct pair *)node =
        (struct pair){lane_sum((const double *)context + index, 0, count, 256), 0};
    return 1;
}

static const struct {
    samesum_level level;
    samesum_custom custom;
} sums[] = {
    {SAMESUM_TREE, {.node_bytes = 8, .leaf = plain_leaf, .combine = plain_combine}},
    {SAMESUM_COMPENSATED,
     {.node_bytes = sizeof(struct pair), .leaf = pair_leaf, .combine = pair_combine}},
    {SAMESUM_KAHAN,
     {.node_bytes = sizeof(struct pair), .lane_leaf = kahan_lane_leaf, .combine = pair_combine}},
};

static void as_sums(size_t n, int most)
{
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        struct what what = {.level = sums[i].level, .n = n, .data = "cancel"};
        const double *x = data_x(RECIPE_CANCEL, SAMESUM_F64, n);
        uint64_t expected = library(&what, x, NULL, NULL);
        samesum_custom c = sums[i].custom;
        c.context = (void *)(uintptr_t)x;
        for (what.threads = 1; what.threads <= most; what.threads++) {
            struct pair node = {0, 0};
            ck_assert(call(&c, n, what.threads, &node) == (n > 0));
            same(&what, bits_of_double(node.e == 0 ? node.s : node.s + node.e), expected);
        }
    }
}

START_TEST(sums_as_the_library)
{
    for (size_t n = 0; n <= 200; n++) {
        as_sums(n, 1);
    }
    for (int b = 0; b < border_count(); b++) {
        for (int a = 0; a < AROUND; a += (int)by_depth(3, 2, 1)) {
            as_sums((size_t)(borders[b] + (uint64_t)around[a]), 7);
        }
    }
    all_were_same();
}
END_TEST

/* ---- what people reduce ---- */

struct moments {
    uint64_t count;
    double mean, m2;
};

static int moments_leaf(void *context, uint64_t index, void *node)
{
    const double *x = context;
    *(struct moments *)node = (struct moments){1, x[index], 0};
    return x[index] > -0.9;
}

/* Chan, Golub and LeVeque. */
static void moments_combine(void *context, void *left, const void *right)
{
    (void)context;
    struct moments *a = left;
    const struct moments *b = right;
    double count = (double)(a->count + b->count), part = (double)b->count / count;
    double delta = b->mean - a->mean;
    a->mean += delta * part;
    a->m2 += b->m2 + delta * delta * ((double)a->count * part);
    a->count += b->count;
}

START_TEST(moments)
{
    size_t n = by_depth(140001, 300007, 1000003);
    double *x = malloc(n * sizeof *x);
    double sum = 0, squares = 0, present = 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)(int64_t)mix(i + 1) * 0x1p-63;
        if (x[i] > -0.9) {
            present++;
            sum += x[i];
            squares += x[i] * x[i];
        }
    }
    samesum_custom c = {.node_bytes = sizeof(struct moments),
                        .leaf = moments_leaf,
                        .combine = moments_combine,
                        .context = x};
    as_literal(&c, n, 8, "moments");
    struct moments m = {0, 0, 0};
    ck_assert(call(&c, n, 0, &m));
    ck_assert((double)m.count == present);
    ck_assert_double_eq_tol(m.mean, sum / present, 1e-10);
    ck_assert_double_eq_tol(m.m2 / present, squares / present - m.mean * m.mean, 1e-10);
    free(x);
    all_were_same();
}
END_TEST

/* The fullest bin of a histogram: bins are added, and the maximum is taken in the end. */
enum { BINS = 50 };

static unsigned bin_of(uint64_t index)
{
    return (unsigned)((mix(index) % BINS * (mix(index + 7) % BINS)) / BINS);
}

static int histogram_leaf(void *context, uint64_t index, void *node)
{
    (void)context;
    memset(node, 0, BINS * sizeof(uint32_t));
    ((uint32_t *)node)[bin_of(index)] = 1;
    return 1;
}

static int histogram_lane_leaf(void *context, uint64_t index, size_t count, void *node)
{
    (void)context;
    memset(node, 0, BINS * sizeof(uint32_t));
    for (size_t i = 0; i < count; i++) {
        ((uint32_t *)node)[bin_of(index + LANES * i)]++;
    }
    return 1;
}

static void histogram_combine(void *context, void *left, const void *right)
{
    (void)context;
    for (int i = 0; i < BINS; i++) {
        ((uint32_t *)left)[i] += ((const uint32_t *)right)[i];
    }
}

START_TEST(histogram)
{
    uint64_t n = by_depth(9001, 200001, 300001);
    uint32_t expected[BINS] = {0}, got[BINS];
    for (uint64_t i = 0; i < n; i++) {
        expected[bin_of(i)]++;
    }
    samesum_custom c = {
        .node_bytes = sizeof got, .leaf = histogram_leaf, .combine = histogram_combine};
    for (int by_lane = 0; by_lane < 2; by_lane++) {
        for (int threads = 1; threads < 4; threads++) {
            ck_assert(call(&c, n, threads, got));
            struct what what = {.n = n, .threads = threads, .data = "histogram"};
            same(&what, hash_of(got, sizeof got), hash_of(expected, sizeof expected));
        }
        c.leaf = NULL;
        c.lane_leaf = histogram_lane_leaf;
    }
    all_were_same();
}
END_TEST

/* ---- threads, environment, errors ---- */

START_TEST(who_ran)
{
    samesum_custom c = sums[0].custom;
    c.context = (void *)(uintptr_t)data_x(RECIPE_CANCEL, SAMESUM_F64, 300000);
    double result;
    samesum_ran ran;
    ck_assert_int_eq(samesum_reduce_custom(&c, 300000, 3, &result, &ran), SAMESUM_OK);
    ck_assert_int_eq(ran.threads, samesum_has_openmp() ? 3 : 1);
    ck_assert_int_eq(samesum_reduce_custom(&c, 300000, 1, &result, &ran), SAMESUM_OK);
    ck_assert_int_eq(ran.threads, 1);
    ck_assert_int_eq(samesum_reduce_custom(&c, 1, 3, &result, &ran), SAMESUM_OK);
    ck_assert_int_eq(ran.threads, 1);
    ck_assert_int_eq(samesum_reduce_custom(&c, 300000, 0, &result, NULL), SAMESUM_OK);
}
END_TEST

struct environment {
    atomic_long leaves, combinations, other; /* other: calls in another rounding mode */
};

static int environment_leaf(void *context, uint64_t index, void *node)
{
    struct environment *e = context;
    atomic_fetch_add(&e->leaves, 1);
    atomic_fetch_add(&e->other, fegetround() != FE_UPWARD);
    *(double *)node = (double)(index + 1);
    return 1;
}

static void environment_combine(void *context, void *left, const void *right)
{
    struct environment *e = context;
    atomic_fetch_add(&e->combinations, 1);
    atomic_fetch_add(&e->other, fegetround() != FE_UPWARD);
    *(double *)left = 1 / (*(double *)left + *(const double *)right); /* inexact */
}

/* The functions run in the caller's environment, on each thread; it and the threads' are left as
 * they were, flags included. */
START_TEST(environment)
{
    uint64_t n = 140001;
    for (int threads = 1; threads <= 4; threads++) {
        struct environment e = {0};
        samesum_custom c = {.node_bytes = sizeof(double),
                            .leaf = environment_leaf,
                            .combine = environment_combine,
                            .context = &e};
        double upward;
        struct fpenv own = fpenv_get();
        fesetround(FE_UPWARD);
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_OVERFLOW);
        struct fpenv before = fpenv_get();
        samesum_status status = samesum_reduce_custom(&c, n, threads, &upward, NULL);
        struct fpenv after = fpenv_get();
        feclearexcept(FE_ALL_EXCEPT);
        fesetround(FE_TONEAREST);
        fpenv_set(own);
        ck_assert_int_eq(status, SAMESUM_OK);
        ck_assert(memcmp(&before, &after, sizeof before) == 0);
        ck_assert_int_eq(atomic_load(&e.leaves), (long)n);
        ck_assert_int_eq(atomic_load(&e.combinations), (long)n - 1);
        ck_assert_int_eq(atomic_load(&e.other), 0);
        long wrong = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(4) reduction(+ : wrong)
#endif
        wrong += fegetround() != FE_TONEAREST;
        ck_assert_int_eq(wrong, 0);
    }
}
END_TEST

START_TEST(errors)
{
    struct mixing m = {.bytes = 8, .pattern = NONE_PRESENT};
    samesum_custom good = mixer(&m), bad;
    uint64_t result = 77;
    samesum_ran ran = {SAMESUM_BACKEND_NEON, 77};
    ck_assert_int_eq(samesum_reduce_custom(NULL, 5, 1, &result, &ran), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_reduce_custom(&good, 5, 1, NULL, &ran), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_reduce_custom(&good, 5, -1, &result, &ran), SAMESUM_ERR_THREADS);
    bad = good;
    bad.combine = NULL;
    ck_assert_int_eq(samesum_reduce_custom(&bad, 5, 1, &result, &ran), SAMESUM_ERR_NULL);
    bad = good;
    bad.node_bytes = 0;
    ck_assert_int_eq(samesum_reduce_custom(&bad, 5, 1, &result, &ran), SAMESUM_ERR_SIZE);
    bad = good;
    bad.lane_leaf = mixing_lane_leaf;
    ck_assert_int_eq(samesum_reduce_custom(&bad, 5, 1, &result, &ran), SAMESUM_ERR_OPTION);
    bad.leaf = NULL;
    bad.lane_leaf = NULL;
    ck_assert_int_eq(samesum_reduce_custom(&bad, 5, 1, &result, &ran), SAMESUM_ERR_OPTION);
    static const size_t too_big[] = {SIZE_MAX, SIZE_MAX - 16, SIZE_MAX / 16};
    for (size_t i = 0; i < sizeof too_big / sizeof *too_big; i++) {
        bad = good;
        bad.node_bytes = too_big[i];
        ck_assert_int_eq(samesum_reduce_custom(&bad, 5, 1, &result, &ran), SAMESUM_ERR_NOMEM);
        ck_assert_int_eq(samesum_reduce_custom(&bad, 900000, 3, &result, &ran), SAMESUM_ERR_NOMEM);
    }
    ck_assert(result == 77 && ran.threads == 77 && ran.backend == SAMESUM_BACKEND_NEON);
    ck_assert_int_eq(samesum_reduce_custom(&good, 0, 0, &result, &ran), SAMESUM_NO_VALUE);
    ck_assert_int_eq(samesum_reduce_custom(&good, 9000, 0, &result, NULL), SAMESUM_NO_VALUE);
    ck_assert(result == 77 && ran.threads == 1 && ran.backend == SAMESUM_BACKEND_SCALAR);
}
END_TEST

Suite *suite_custom(void)
{
    TCase *tests;
    Suite *suite = new_suite("custom", &tests);
    tcase_add_test(tests, order_to_be_read);
    tcase_add_test(tests, every_small_length);
    tcase_add_test(tests, lengths_and_threads);
    tcase_add_test(tests, absent_elements);
    tcase_add_test(tests, node_sizes);
    tcase_add_test(tests, sums_as_the_library);
    tcase_add_test(tests, moments);
    tcase_add_test(tests, histogram);
    tcase_add_test(tests, who_ran);
    tcase_add_test(tests, environment);
    tcase_add_test(tests, errors);
    return suite;
}
