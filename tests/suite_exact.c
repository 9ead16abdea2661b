/* suite_exact.c - level exact: every result is the exact value rounded once, whatever the order,
 * the grouping and the way through src/exact. Against MPFR, the reference's integers, and an
 * integer oracle over an 8-bit float. */
#include "../reference/hard_cases.h"
#include "../reference/small_float.h"
#include "suites.h"
#include "truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DERIVED_AND_LEAVES = OPS + DERIVED };

/* The operation number i of all (var and std with ddof 0 and 1), of that type, at level exact. */
static struct what exact_kind(int i, int type)
{
    struct what what = kind(i < OPS ? i : KINDS + i - OPS);
    what.type = (samesum_type)type;
    what.level = SAMESUM_EXACT;
    return what;
}

static void on_every_backend(struct what *what, const void *x, const void *y, uint64_t expected)
{
    for (int b = 0; b < backend_count(); b++) {
        what->backend = backend_at(b);
        same(what, library(what, x, y, NULL), expected);
    }
    what->backend = SAMESUM_BACKEND_AUTO;
}

/* ---- few elements, hard to round ---- */

static void compare_with_truth(const char *data, int first, int last, int type, const void *x,
                               const void *y, size_t n)
{
    for (int i = first; i <= last; i++) {
        struct what what = exact_kind(i, type);
        what.n = n;
        what.data = data;
        on_every_backend(&what, x, y, truth(&what, x, y));
    }
}

/* The operations, by exact_kind()'s numbers, that a kind of hard case is made for. */
static const int own[HARD_KINDS][2] = {{0, 1}, {3, 3}, {0, 1}, {3, 3},
                                       {0, 3}, {5, 5}, {4, 4}, {6, 9}};

START_TEST(hard_cases)
{
    double x[HARD_MOST], y[HARD_MOST];
    uint64_t step = by_depth(1999, 199, 7);
    for (int k = 0; k < HARD_KINDS; k++) {
        enum hard_kind kind = (enum hard_kind)k;
        for (int type = 0; type < TYPES; type++) {
            uint64_t count = hard_case_count(kind, (enum ref_type)type);
            for (uint64_t i = (uint64_t)type; i < count; i += step) {
                size_t n = hard_case_fill(kind, (enum ref_type)type, i, x, y);
                bool all = i / step % 20 == 0;
                compare_with_truth(hard_case_name(kind), all ? 0 : own[k][0],
                                   all ? DERIVED_AND_LEAVES - 1 : own[k][1], type, x, y, n);
            }
        }
    }
    all_were_same();
}
END_TEST

static void random_numbers(int type, size_t n, int low, int high, void *array)
{
    for (size_t i = 0; i < n; i++) {
        double m = (double)(random_bits() >> 11) * 0x1p-53 + 0.5;
        int e = low + (int)random_below((size_t)(high - low + 1));
        double value = ldexp(random_below(2) ? m : -m, e);
        set_element((samesum_type)type, array, i, value);
    }
}

/* Exponents over the whole range, or over a part of it somewhere. */
static void random_case(int type, size_t n, void *x, void *y)
{
    int lowest = type == SAMESUM_F64 ? -1080 : -152, highest = type == SAMESUM_F64 ? 1023 : 127;
    static const int widths[] = {0, 3, 20, 60, 100, 200, 600, 3000};
    int width = widths[random_below(8)];
    width = width < highest - lowest ? width : highest - lowest;
    for (int which = 0; which < 2; which++) {
        int low = lowest + (int)random_below((size_t)(highest - lowest - width + 1));
        random_numbers(type, n, low, low + width, which ? y : x);
    }
}

START_TEST(random_sums)
{
    double x[300], y[300];
    for (size_t i = 0; i < by_depth(300, 2000, 40000); i++) {
        int type = (int)(i % TYPES);
        size_t n = 1 + random_below(i % 8 ? 40 : 300);
        random_case(type, n, x, y);
        int op = (int)(i / TYPES % DERIVED_AND_LEAVES), last = i % 4 ? op : DERIVED_AND_LEAVES - 1;
        compare_with_truth("random", i % 4 ? op : 0, last, type, x, y, n);
    }
    all_were_same();
}
END_TEST

START_TEST(heavy_cancellation)
{
    double x[HARD_MOST], y[HARD_MOST], most = 0;
    for (uint64_t i = 0; i < by_depth(100, 1000, 20000); i++) {
        int type = i % 4 ? SAMESUM_F64 : (int)(i / 4 % TYPES);
        size_t n = hard_case_fill(HARD_CANCEL, (enum ref_type)type, i, x, y);
        for (int op = SAMESUM_SUM; op <= SAMESUM_DOT; op += 3) {
            struct what what = exact_kind(op, type);
            what.n = n;
            what.data = "cancellation";
            double now = condition(&what, x, y);
            most = isfinite(now) && now > most ? now : most;
            on_every_backend(&what, x, y, truth(&what, x, y));
        }
    }
#ifdef TEST_HAVE_MPFR
    ck_assert_msg(most > 1e300, "largest condition number %g", most);
#endif
    all_were_same();
}
END_TEST

/* ---- the same sums among many other elements ---- */

/* Adds pairs (a, -a) to the n elements at x (and with b, for y), `pairs` of them, and shuffles: the
 * sum stays, and which way it takes changes. */
static size_t bury(int type, size_t n, size_t pairs, int low, int high, void *x, void *y)
{
    size_t bytes = samesum_element_size((samesum_type)type);
    char *a = (char *)x + n * bytes, *b = (char *)y + n * bytes;
    random_numbers(type, pairs, low, high, a);
    random_numbers(type, pairs, -2, 2, b);
    memcpy(a + pairs * bytes, a, pairs * bytes);
    memcpy(b + pairs * bytes, b, pairs * bytes);
    for (size_t i = 0; i < pairs; i++) {
        a[(pairs + i + 1) * bytes - 1] ^= (char)0x80; /* the sign; little-endian */
    }
    hard_case_permute((enum ref_type)type, random_bits(), n + 2 * pairs, x, y);
    return n + 2 * pairs;
}

START_TEST(buried_cases)
{
    enum { MOST = HARD_MOST + 2 * 5000 };
    static double x[MOST], y[MOST];
    static const enum hard_kind kinds[] = {HARD_HALFWAY, HARD_HALFWAY_DOT, HARD_THRESHOLD,
                                           HARD_THRESHOLD_DOT, HARD_CANCEL};
    for (size_t i = 0; i < by_depth(40, 400, 6000); i++) {
        int type = i % 3 ? SAMESUM_F64 : (int)(i / 3 % TYPES);
        enum hard_kind kind = kinds[i % 5];
        uint64_t count = hard_case_count(kind, (enum ref_type)type);
        struct what what = exact_kind(
            kind == HARD_HALFWAY_DOT || kind == HARD_THRESHOLD_DOT ? SAMESUM_DOT : SAMESUM_SUM,
            type);
        what.n = hard_case_fill(kind, (enum ref_type)type, random_below(count), x, y);
        what.data = hard_case_name(kind);
        uint64_t expected = truth(&what, x, y);
        bool zero = expected << (type == SAMESUM_F32 ? 33 : 1) == 0;
        int top = type == SAMESUM_F64 ? 1018 : 120, width = (int)random_below(i % 2 ? 40 : 200);
        int low = (int)random_below((size_t)(2 * top - width)) - top;
        size_t pairs = 1 + random_below(i % 16 == 0 ? 5000 : i % 4 == 0 ? 400 : 40);
        what.n = bury(type, what.n, pairs, low, low + width, x, y);
        if (!zero) {
            on_every_backend(&what, x, y, expected);
            same(&what, streamed(&what, x, y, 1 + random_below(what.n)), expected);
        }
    }
    all_were_same();
}
END_TEST

/* ---- many elements: every way through src/exact ---- */

/* What a block is like. */
enum texture {
    NARROW,     /* two slices are enough */
    WIDER,      /* three */
    WIDE,       /* seven */
    ALL,        /* the whole range */
    ZEROS,      /* of both signs */
    PLUS_ZEROS, /* all +0 */
    MINUS_ZEROS,
    SUBNORMAL,
    NEAR_TOP,    /* beyond what slices take, or at its border */
    NEAR_SAFE,   /* squares from 2^-998 to 2^-954 */
    NEAR_BOTTOM, /* about the smallest normal number */
    PRODUCTS,    /* squares and products about 2^-960 and below the subnormal numbers */
    TABLE,       /* equal large fractions, exponents far apart */
    ONE_HUGE,    /* narrow, and one far above */
    ONE_TINY,    /* narrow, and one far below */
    STEP_UP,     /* narrow, and one just above what the blocks before would suggest */
    WITH_NAN,
    WITH_INFINITY,
    WITH_INFINITIES,
    TEXTURES
};

static double random_in(int low, int high)
{
    double m = (double)(random_bits() >> 11) * 0x1p-53 + 1.0;
    return ldexp(random_below(2) ? m : -m, low + (int)random_below((size_t)(high - low + 1)));
}

/* One element of that texture; `about` is an exponent for those that have a place. */
static double textured(enum texture texture, int type, int about, size_t i)
{
    bool wide = type == SAMESUM_F64;
    int top = wide ? 1023 : 127, bottom = wide ? -1074 : -149;
    switch (texture) {
    case NARROW:
    case ONE_HUGE:
    case ONE_TINY:
    case STEP_UP:
    case WITH_NAN:
    case WITH_INFINITY:
    case WITH_INFINITIES:
        return random_in(about - 3, about);
    case WIDER:
        return random_in(about - 45, about);
    case WIDE:
        return random_in(about - (wide ? 180 : 100), about);
    case ALL:
        return random_in(bottom, top - 1);
    case ZEROS:
        return random_below(2) ? 0.0 : -0.0;
    case PLUS_ZEROS:
        return 0.0;
    case MINUS_ZEROS:
        return -0.0;
    case SUBNORMAL:
        return random_in(bottom, bottom + (wide ? 50 : 20));
    case NEAR_TOP:
        return random_in(top - 17, top - 1);
    case NEAR_SAFE:
        return wide ? random_in(-499, -478) : random_in(-75, -70);
    case NEAR_BOTTOM:
        return random_in(bottom + (wide ? 40 : 15), bottom + (wide ? 70 : 40));
    case PRODUCTS:
        return wide ? random_in(-545, -465) : random_in(-149, -60);
    default: /* TABLE */
        return ldexp(2.0 - (wide ? 0x1p-52 : 0x1p-23), i % 2 ? top - 60 : bottom + 70);
    }
}

static void fill_block(enum texture texture, int type, int about, size_t n, void *x, size_t first)
{
    samesum_type t = (samesum_type)type;
    int top = type == SAMESUM_F64 ? 1023 : 127, bottom = type == SAMESUM_F64 ? -1074 : -149;
    for (size_t i = 0; i < n; i++) {
        set_element(t, x, first + i, textured(texture, type, about, i));
    }
    if (n == 0) {
        return;
    }
    size_t at = first + random_below(n), other = first + random_below(n);
    if (texture == ONE_HUGE) {
        set_element(t, x, at, ldexp(1.5, about + 300 < top ? about + 300 : top));
    } else if (texture == ONE_TINY) {
        set_element(t, x, at, ldexp(1.5, about - 300 > bottom ? about - 300 : bottom));
    } else if (texture == STEP_UP) {
        set_element(t, x, at, ldexp(1.5, about + 1 + (int)random_below(5)));
    } else if (texture == WITH_NAN) {
        set_element(t, x, at, (double)NAN);
    } else if (texture == WITH_INFINITY) {
        set_element(t, x, at, HUGE_VAL);
    } else if (texture == WITH_INFINITIES) {
        set_element(t, x, other, HUGE_VAL);
        set_element(t, x, at, -HUGE_VAL);
    }
}

static int somewhere(int type)
{
    return (int)random_below(type == SAMESUM_F64 ? 1600 : 180) - (type == SAMESUM_F64 ? 700 : 100);
}

/* Blocks of textures; where `drift`, narrow ones whose exponents move by that much a block. Special
 * values are rare, and in later blocks, or all else would be wasted. */
static void fill_blocks(int type, size_t n, int drift, void *x)
{
    int about = somewhere(type), top = type == SAMESUM_F64 ? 1020 : 124;
    enum texture usual = (enum texture)random_below(WITH_NAN);
    bool special = random_below(10) == 0;
    for (size_t first = 0; first < n; first += 4096) {
        size_t m = n - first < 4096 ? n - first : 4096;
        enum texture texture = drift ? NARROW : usual;
        if (!drift && random_below(3) == 0) {
            texture = (enum texture)random_below(special && first > 0 ? TEXTURES : WITH_NAN);
        }
        about = about > top ? top : about < -top ? -top : about;
        fill_block(texture, type, about, m, x, first);
        about += drift;
        if (drift == 0 && random_below(8) == 0) {
            about = somewhere(type);
        }
    }
}

START_TEST(every_way)
{
    enum { MOST = 90000 };
    double *x = malloc(MOST * sizeof *x), *y = malloc(MOST * sizeof *y);
    ck_assert(x != NULL && y != NULL);
    for (size_t i = 0; i < by_depth(20, 250, 3000); i++) {
        int type = i % 2 ? SAMESUM_F64 : (int)(i / 2 % TYPES);
        size_t n = 1 + random_below(i % 32 == 0  ? by_depth(9000, MOST, MOST)
                                    : i % 4 == 0 ? by_depth(5000, 14000, 14000)
                                                 : 100);
        int drift = i % 5 ? 0 : (int)random_below(90) - 45;
        fill_blocks(type, n, drift, x);
        fill_blocks(type, n, drift ? -drift + (int)random_below(3) : 0, y);
        for (int k = (int)random_below(2); k < DERIVED_AND_LEAVES; k += i % 32 ? 1 : 3) {
            struct what what = exact_kind(k, type);
            what.n = n;
            what.data = "blocks";
            uint64_t expected = reference(&what, x, y);
            on_every_backend(&what, x, y, expected);
            same(&what, streamed(&what, x, y, 0), expected);
        }
    }
    free(x);
    free(y);
    all_were_same();
}
END_TEST

/* Every length at which a block is fed otherwise, of every texture. */
START_TEST(lengths_and_textures)
{
    static const size_t lengths[] = {0,   1,    2,    8,    15,   16,   17,   22,  23,
                                     24,  25,   26,   31,   32,   33,   47,   100, 150,
                                     255, 4095, 4096, 4097, 4119, 4120, 8191, 8193};
    static double x[8193], y[8193];
    for (int texture = 0; texture < TEXTURES; texture++) {
        for (size_t l = 0; l < by_depth(13, 21, 26); l++) {
            for (int type = 0; type < TYPES; type++) {
                size_t n = lengths[l];
                int about = somewhere(type);
                fill_block((enum texture)texture, type, about, n, x, 0);
                fill_block((enum texture)(random_below(2) ? texture : NARROW), type, 0, n, y, 0);
                for (int k = 0; k < DERIVED_AND_LEAVES; k++) {
                    struct what what = exact_kind(k, type);
                    what.n = n;
                    what.data = "textures";
                    on_every_backend(&what, x, y, reference(&what, x, y));
                }
            }
        }
    }
    all_were_same();
}
END_TEST

/* Of a narrow block, the exponent through the whole range, down to where grids end and up to where
 * running sums would overflow; in the middle one element that is 0 to 5 binades larger. */
START_TEST(every_exponent)
{
    double x[64], y[64];
    for (int type = 0; type < TYPES; type++) {
        int top = type == SAMESUM_F64 ? 1023 : 127, bottom = type == SAMESUM_F64 ? -1074 : -149;
        for (int e = bottom; e <= top; e += (int)by_depth(97, 7, 1)) {
            for (int up = 0; up < (int)by_depth(1, 3, 6); up++) {
                for (int i = 0; i < 64; i++) {
                    double value = random_in(e, e);
                    set_element((samesum_type)type, x, (size_t)i,
                                i == 33 ? value * (1 << up) : value);
                    set_element((samesum_type)type, y, (size_t)i, random_in(0, 0));
                }
                for (int k = up; k < DERIVED_AND_LEAVES; k += 3) {
                    struct what what = exact_kind(k, type);
                    what.n = 64;
                    what.data = "every exponent";
                    on_every_backend(&what, x, y, reference(&what, x, y));
                }
            }
        }
    }
    all_were_same();
}
END_TEST

/* A large number and its negative 16 elements later, in the same lane of every backend: running
 * sums leave their binade and come back. */
START_TEST(excursions)
{
    double x[64], y[64];
    for (int type = 0; type < TYPES; type++) {
        for (int up = 0; up < (type == SAMESUM_F64 ? 200 : 80); up += (int)by_depth(7, 1, 1)) {
            for (int i = 0; i < 64; i++) {
                double large = i == 26 ? -ldexp(1.5, up) : i == 10 ? ldexp(1.5, up) : 0;
                set_element((samesum_type)type, x, (size_t)i, large != 0 ? large : random_in(0, 0));
                set_element((samesum_type)type, y, (size_t)i, 1.0);
            }
            for (int k = 0; k < DERIVED_AND_LEAVES; k++) {
                struct what what = exact_kind(k, type);
                what.n = 64;
                what.data = "excursion";
                on_every_backend(&what, x, y, reference(&what, x, y));
            }
        }
    }
    all_were_same();
}
END_TEST

/* After a block that a guess of exponents is made from, blocks whose elements all have one sign and
 * are the largest that the guess allows, with large rests below each grid: running sums at their
 * brim. */
START_TEST(brim)
{
    enum { BLOCKS = 4, N = BLOCKS * 4096 };
    static double x[N], y[N];
    for (int type = 0; type < TYPES; type++) {
        for (int step = 0; step < 5; step++) {
            for (int i = 0; i < N; i++) {
                double later = ldexp(1.75 + 0x1p-39 - 0x1p-52, step);
                set_element((samesum_type)type, x, (size_t)i, i < 4096 ? 1.0 : later);
                set_element((samesum_type)type, y, (size_t)i, i < 4096 ? 1.0 : 1.0 + 0x1p-52);
            }
            for (int k = 0; k < DERIVED_AND_LEAVES; k++) {
                struct what what = exact_kind(k, type);
                what.n = N;
                what.data = "brim";
                on_every_backend(&what, x, y, reference(&what, x, y));
            }
        }
    }
    all_were_same();
}
END_TEST

/* ---- order and grouping ---- */

enum { MOST_BYTES = 2000 };

static size_t save_to(const samesum_state *state, unsigned char *bytes)
{
    size_t written = 0;
    ck_assert_int_eq(samesum_state_save(state, bytes, MOST_BYTES, &written), SAMESUM_OK);
    return written;
}

/* The elements, shuffled and dealt to a few states of any begin, backend and number of threads, fed
 * in chunks; some of them saved and loaded; merged in any order. Compares the bytes at the end. */
static void deal(const struct what *what, void *x, void *y, const unsigned char *bytes, size_t size)
{
    enum { HANDS = 7 };
    samesum_state *hand[HANDS];
    unsigned char got[MOST_BYTES];
    hard_case_permute((enum ref_type)what->type, random_bits(), what->n, x, y);
    size_t done = 0;
    for (int i = 0; i < HANDS; i++) {
        struct what part = *what;
        part.backend = backend_at((int)random_below((size_t)backend_count()));
        part.threads = 1 + (int)random_below(3);
        hand[i] = new_state(&part, random_below(2) ? 0 : random_bits() >> 8);
        size_t end = i == HANDS - 1 ? what->n : done + random_below(what->n - done + 1);
        while (done < end) {
            size_t n = 1 + random_below(end - done);
            feed(hand[i], what, element(what->type, x, done), element(what->type, y, done), n);
            done += n;
        }
        if (random_below(3) == 0) {
            size_t n = save_to(hand[i], got);
            samesum_state_destroy(hand[i]);
            ck_assert_int_eq(samesum_state_load(&hand[i], got, n), SAMESUM_OK);
        }
    }
    for (int left = HANDS; left > 1; left--) {
        int from = (int)random_below((size_t)left), into = (int)random_below((size_t)left - 1);
        into += into >= from;
        ck_assert_int_eq(samesum_state_merge(hand[into], hand[from]), SAMESUM_OK);
        samesum_state_destroy(hand[from]);
        hand[from] = hand[left - 1];
    }
    size_t n = save_to(hand[0], got);
    same(what, n, size);
    same(what, n == size && memcmp(got, bytes, n) == 0, true);
    samesum_state_destroy(hand[0]);
}

START_TEST(any_order_gives_the_same_bytes)
{
    enum { MOST = 150000 };
    double *x = malloc(MOST * sizeof *x), *y = malloc(MOST * sizeof *y);
    ck_assert(x != NULL && y != NULL);
    for (size_t i = 0; i < by_depth(6, 40, 400); i++) {
        int type = (int)(i % TYPES);
        struct what what = exact_kind((int)(i / TYPES % DERIVED_AND_LEAVES), type);
        what.n = i % 40 == 7 ? by_depth(100, MOST, MOST) : 1 + random_below(i % 2 ? 300 : 9000);
        what.data = "dealt";
        fill_blocks(type, what.n, 0, x);
        fill_blocks(type, what.n, 0, y);
        unsigned char bytes[MOST_BYTES];
        samesum_state *state = new_state(&what, 0);
        feed(state, &what, x, y, what.n);
        size_t size = save_to(state, bytes);
        same(&what, finished(state, what.type), reference(&what, x, y));
        samesum_state_destroy(state);
        for (int round = 0; round < 6; round++) {
            deal(&what, x, y, bytes, size);
        }
    }
    free(x);
    free(y);
    all_were_same();
}
END_TEST

/* Two states of one special or usual element each, or of none. */
START_TEST(kinds_merge)
{
    const double values[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -0.0, 0.0, 1.0, -1.0};
    enum { VALUES = 7 };
    for (int k = 0; k < DERIVED_AND_LEAVES * TYPES; k++) {
        for (int i = 0; i < (VALUES + 1) * (VALUES + 1); i++) {
            int part[] = {i % (VALUES + 1), i / (VALUES + 1)};
            struct what what = exact_kind(k % DERIVED_AND_LEAVES, k / DERIVED_AND_LEAVES);
            double x[2], y[2];
            samesum_state *state[] = {new_state(&what, 0), new_state(&what, 0)};
            what.data = "kinds";
            for (int j = 0; j < 2; j++) {
                if (part[j] < VALUES) {
                    set_element(what.type, x, what.n, values[part[j]]);
                    set_element(what.type, y, what.n, 1.0);
                    feed(state[j], &what, element(what.type, x, what.n),
                         element(what.type, y, what.n), 1);
                    what.n++;
                }
            }
            ck_assert_int_eq(samesum_state_merge(state[0], state[1]), SAMESUM_OK);
            same(&what, finished(state[0], what.type), reference(&what, x, y));
            samesum_state_destroy(state[0]);
            samesum_state_destroy(state[1]);
        }
    }
    all_were_same();
}
END_TEST

/* Merges a state with a copy of itself; with itself it refuses to. */
static void double_state(samesum_state *state)
{
    unsigned char bytes[2000];
    size_t written = 0;
    samesum_state *copy = NULL;
    ck_assert_int_eq(samesum_state_merge(state, state), SAMESUM_ERR_RANGE);
    ck_assert_int_eq(samesum_state_save(state, bytes, sizeof bytes, &written), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_load(&copy, bytes, written), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_merge(state, copy), SAMESUM_OK);
    samesum_state_destroy(copy);
}

/* A state doubled again and again. */
START_TEST(doubling)
{
    for (int type = 0; type < TYPES; type++) {
        double top = type == SAMESUM_F64 ? 0x1.fffffffffffffp1023 : (double)0x1.fffffep127F, x[2];
        struct what what = exact_kind(0, type), mean = exact_kind(5, type);
        set_element(what.type, x, 0, top);
        samesum_state *sum = new_state(&what, 0), *average = new_state(&mean, 0);
        feed(sum, &what, x, NULL, 1);
        feed(average, &mean, x, NULL, 1);
        what.data = mean.data = "doubling";
        for (int i = 0; i < 62; i++) {
            double_state(sum);
            double_state(average);
            bool fits = type == SAMESUM_F32_WIDE;
            double expected = fits ? ldexp(top, i + 1) : HUGE_VAL;
            same(&what, finished(sum, what.type), result_bits(what.type, expected));
            uint64_t bits = 0;
            ck_assert_int_eq(samesum_state_finish(average, &bits), SAMESUM_OK);
            same(&mean, bits_of(mean.type, &bits), result_bits(mean.type, top));
        }
        samesum_state_destroy(sum);
        samesum_state_destroy(average);
    }
    all_were_same();
}
END_TEST

/* ---- an 8-bit float ---- */

static int reduce_small(int op, int type, int level, uint64_t ddof, const void *x, const void *y,
                        size_t n, void *result)
{
    samesum_data data = {.x = x, .y = y, .n = n, .type = (samesum_type)type};
    samesum_want want = {
        .op = (samesum_op)op, .level = (samesum_level)level, .threads = 1, .ddof = (unsigned)ddof};
    return (int)samesum_reduce(&data, &want, result, NULL);
}

START_TEST(triples_of_an_8_bit_float)
{
    for (int op = 0; op <= SAMESUM_STD; op++) {
        for (int type = 0; type < TYPES; type++) {
            struct small_float_report report = {0};
            bool exhaustive = type == SAMESUM_F64 && (op == SAMESUM_SUM);
            uint32_t step = (uint32_t)by_depth(40009, 4001, exhaustive ? 1 : 61);
            small_float_check(reduce_small, op, type, (uint32_t)op, step, &report);
            struct what what = {.op = (samesum_op)op, .type = (samesum_type)type};
            what.level = SAMESUM_EXACT;
            what.data = "8-bit float";
            same_many(&what, (long)report.compared, (long)report.wrong);
            ck_assert_msg(report.wrong == 0, "%s", report.first_wrong);
        }
    }
    all_were_same();
}
END_TEST

Suite *suite_exact(void)
{
    TCase *tests;
    Suite *suite = new_suite("exact", &tests);
#ifndef TEST_HAVE_MPFR
    skipped("exact", "MPFR is not installed: the reference's integers stand in for it");
#endif
    tcase_add_test(tests, hard_cases);
    tcase_add_test(tests, random_sums);
    tcase_add_test(tests, heavy_cancellation);
    tcase_add_test(tests, buried_cases);
    tcase_add_test(tests, every_way);
    tcase_add_test(tests, lengths_and_textures);
    tcase_add_test(tests, every_exponent);
    tcase_add_test(tests, excursions);
    tcase_add_test(tests, brim);
    tcase_add_test(tests, any_order_gives_the_same_bytes);
    tcase_add_test(tests, kinds_merge);
    tcase_add_test(tests, doubling);
    tcase_add_test(tests, triples_of_an_8_bit_float);
    return suite;
}
