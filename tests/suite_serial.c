/* suite_serial.c - serialised states: round trips, the documented layout, and refusal of whatever
 * is damaged or foreign. */
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 40000, HEADER = 64 };

static uint32_t crc32(const unsigned char *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    return ~crc;
}

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(value >> 8 * i);
    }
}

static void fix_checksum(unsigned char *bytes, size_t n)
{
    put(bytes + n - 4, crc32(bytes, n - 4), 4);
}

/* A state of that range, fed with data of a recipe. */
static samesum_state *fed(const struct what *what, enum recipe recipe)
{
    samesum_state *state = new_state(what, what->begin);
    feed(state, what, data_x(recipe, what->type, what->n), data_y(recipe, what->type, what->n),
         what->n);
    return state;
}

static size_t saved(const samesum_state *state, unsigned char *bytes)
{
    size_t size = 0, written = 0;
    ck_assert_int_eq(samesum_state_size(state, &size), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_save(state, bytes, MOST_BYTES, &written), SAMESUM_OK);
    ck_assert_uint_eq(size, written);
    return size;
}

static samesum_state *loaded(const unsigned char *bytes, size_t n)
{
    samesum_state *state = NULL;
    ck_assert_int_eq(samesum_state_load(&state, bytes, n), SAMESUM_OK);
    ck_assert_ptr_nonnull(state);
    return state;
}

/* ---- round trips ---- */

static void round_trip(struct what *what, enum recipe recipe)
{
    static unsigned char first[MOST_BYTES], second[MOST_BYTES];
    const void *x = data_x(recipe, what->type, what->n + 50);
    const void *y = data_y(recipe, what->type, what->n + 50);
    what->data = recipe_name(recipe);
    samesum_state *state = fed(what, recipe);
    size_t n = saved(state, first);
    ck_assert_uint_le(n, 32 * 1024);
    samesum_state *copy = loaded(first, n);
    ck_assert_uint_eq(saved(copy, second), n);
    ck_assert_mem_eq(first, second, n);
    uint64_t begin = 1, end = 0;
    ck_assert_int_eq(samesum_state_range(copy, &begin, &end), SAMESUM_OK);
    uint64_t at = what->level == SAMESUM_EXACT ? 0 : what->begin; /* order is not kept */
    ck_assert(begin == at && end == at + what->n);
    samesum_want want;
    samesum_type type;
    ck_assert_int_eq(samesum_state_describe(copy, &want, &type), SAMESUM_OK);
    ck_assert(want.op == what->op && want.level == what->level && type == what->type &&
              want.ddof == what->ddof);
    same(what, finished(copy, what->type), reference(what, x, y));
    if (what->begin + what->n <= UINT64_MAX - 50) { /* it can be fed on */
        feed(copy, what, element(what->type, x, what->n), element(what->type, y, what->n), 50);
        what->n += 50;
        same(what, finished(copy, what->type), reference(what, x, y));
    }
    samesum_state_destroy(copy);
    samesum_state_destroy(state);
}

START_TEST(round_trips)
{
    static const uint64_t begins[] = {
        0, 1, 16, 4090, 4097, (UINT64_C(1) << 40) + 5, 1000, 77, UINT64_MAX - 20000};
    for (int k = 0; k < ALL_KINDS; k++) {
        for (int i = 0; i < (int)by_depth(9, 18, 90); i++) {
            struct what what = kind(k);
            if (!has_states(&what)) {
                break;
            }
            what.begin = begins[i % 9];
            what.n = random_below(i % 4 == 0 ? 40 : i % 4 == 1 ? 700 : 17000);
            what.backend = backend_at(i % backend_count());
            round_trip(&what, (enum recipe)((k + i) % RECIPE_COUNT));
        }
    }
    all_were_same();
}
END_TEST

/* The largest number of nodes: many levels up and down again. */
START_TEST(large_ranges)
{
    for (int level = 0; level < LEVELS; level++) {
        struct what what = {.level = (samesum_level)level, .type = SAMESUM_F32};
        what.begin = 1;
        what.n = by_depth(30, 200000, 1048574);
        round_trip(&what, RECIPE_CANCEL);
    }
    all_were_same();
}
END_TEST

/* Pieces of a stream, saved, read back elsewhere and merged there. */
START_TEST(merge_of_loaded_states)
{
    static unsigned char bytes[MOST_BYTES];
    for (int k = 0; k < ALL_KINDS; k++) {
        struct what what = kind(k), part = kind(k);
        if (!has_states(&what)) {
            continue;
        }
        what.data = "loaded pieces";
        what.n = 5000;
        const void *x = data_x(RECIPE_WIDE, what.type, what.n);
        const void *y = data_y(RECIPE_WIDE, what.type, what.n);
        samesum_state *all = new_state(&what, 0);
        for (size_t done = 0; done < what.n; done += part.n) {
            part.n = random_below(700) + 1;
            part.n = part.n < what.n - done ? part.n : what.n - done;
            samesum_state *piece = new_state(&part, done);
            feed(piece, &part, element(what.type, x, done), element(what.type, y, done), part.n);
            size_t n = saved(piece, bytes);
            samesum_state_destroy(piece);
            piece = loaded(bytes, n);
            ck_assert_int_eq(samesum_state_merge(all, piece), SAMESUM_OK);
            samesum_state_destroy(piece);
        }
        same(&what, finished(all, what.type), reference(&what, x, y));
        samesum_state_destroy(all);
    }
    all_were_same();
}
END_TEST

/* ---- the layout of docs/state-format.md ---- */

static unsigned char *put_header(unsigned char *at, const struct what *what)
{
    memcpy(at, "samesum\0", 8);
    put(at + 8, 2, 4);  /* format */
    put(at + 12, 1, 4); /* arithmetic */
    put(at + 16, what->op, 4);
    put(at + 20, what->type, 4);
    put(at + 24, what->level, 4);
    uint64_t begin = what->level == SAMESUM_EXACT ? 0 : what->begin;
    put(at + 28, what->ddof, 4);
    put(at + 32, begin, 8);
    put(at + 40, begin + what->n, 8);
    put(at + 48, what->n, 8); /* all are present */
    put(at + 56, 0, 8);       /* no options */
    return at + HEADER;
}

/* Binary32, compensated, [5, 40): 11 lanes of row 0, row 1, 8 lanes of row 2. */
START_TEST(layout_of_pairs)
{
    unsigned char expected[HEADER + 3 * 128 + 4], got[MOST_BYTES];
    float x[35];
    struct what what = {.type = SAMESUM_F32, .level = SAMESUM_COMPENSATED, .begin = 5, .n = 35};
    for (int i = 0; i < 35; i++) {
        x[i] = 1.0f / (float)(i + 1);
    }
    unsigned char *at = put_header(expected, &what);
    for (uint64_t row = 0; row < 3; row++) {
        for (uint64_t i = 16 * row; i < 16 * row + 16; i++, at += 4) {
            put(at, i >= 5 && i < 40 ? bits_of_float(x[i - 5]) : 0x80000000, 4);
        }
        memset(at, 0, 64); /* e = +0 */
        at += 64;
    }
    fix_checksum(expected, sizeof expected);
    samesum_state *state = new_state(&what, 5);
    feed(state, &what, x, NULL, 35);
    ck_assert_uint_eq(saved(state, got), sizeof expected);
    ck_assert_mem_eq(got, expected, sizeof expected);
    samesum_state_destroy(state);
}
END_TEST

/* Binary64, tree, sumsq, [32, 81): rows 2 and 3 as one node, row 4, one lane of row 5. */
START_TEST(layout_of_plain_nodes)
{
    unsigned char expected[HEADER + 3 * 128 + 4], got[MOST_BYTES];
    double x[49];
    struct what what = {.op = SAMESUM_SUMSQ, .begin = 32, .n = 49};
    for (int i = 0; i < 49; i++) {
        x[i] = 1.0 / (double)(i + 1);
    }
    unsigned char *at = put_header(expected, &what);
    for (int lane = 0; lane < 16; lane++, at += 8) {
        put(at, bits_of_double(x[lane] * x[lane] + x[16 + lane] * x[16 + lane]), 8);
    }
    for (int lane = 0; lane < 16; lane++, at += 8) {
        put(at, bits_of_double(x[32 + lane] * x[32 + lane]), 8);
    }
    for (int lane = 0; lane < 16; lane++, at += 8) {
        put(at, bits_of_double(lane == 0 ? x[48] * x[48] : -0.0), 8);
    }
    fix_checksum(expected, sizeof expected);
    samesum_state *state = new_state(&what, 32);
    feed(state, &what, x, NULL, 49);
    ck_assert_uint_eq(saved(state, got), sizeof expected);
    ck_assert_mem_eq(got, expected, sizeof expected);
    samesum_state_destroy(state);
}
END_TEST

/* Writes an exact sum of so many digits. */
static unsigned char *put_sum(unsigned char *at, unsigned kinds, unsigned negative, unsigned place,
                              unsigned length, const uint32_t *digits)
{
    const uint32_t words[] = {kinds, negative, place, length};
    for (unsigned i = 0; i < 4 + length; i++, at += 4) {
        put(at, i < 4 ? words[i] : digits[i - 4], 4);
    }
    return at;
}

enum { NAN_SEEN = 1, PLUS_INF = 2, MINUS_INF = 4, OTHER = 8 };

static void has_layout(const struct what *what, const void *x, const void *y,
                       unsigned char *expected, const unsigned char *end)
{
    unsigned char got[MOST_BYTES];
    size_t n = (size_t)(end - expected) + 4;
    put_header(expected, what);
    fix_checksum(expected, n);
    samesum_state *state = new_state(what, 77), *copy;
    feed(state, what, x, y, what->n);
    ck_assert_uint_eq(saved(state, got), n);
    ck_assert_mem_eq(got, expected, n);
    copy = loaded(got, n);
    same(what, finished(copy, what->type), finished(state, what->type));
    samesum_state_destroy(copy);
    samesum_state_destroy(state);
}

START_TEST(layout_of_exact_sums)
{
    unsigned char bytes[MOST_BYTES], *sums = bytes + HEADER;
    /* units of 2^(32 place - 2176): place 68 is 2^0, place 34 holds the smallest subnormal at
     * 2^14 of 2^-1088, place 100 is 2^1024 and place 99 2^992 */
    const double x[] = {-1.0, -0x1p-32, 0x1p-1074, -0x1p1023};
    const uint32_t one[] = {1}, two[] = {1, 1}, tiny[] = {1 << 14}, huge[] = {0x80000000};
    struct what what = {.level = SAMESUM_EXACT, .n = 2, .data = "layout"};
    has_layout(&what, x, NULL, bytes, put_sum(sums, OTHER, 1, 67, 2, two));
    what.op = SAMESUM_ASUM;
    has_layout(&what, x, NULL, bytes, put_sum(sums, OTHER, 0, 67, 2, two));
    what.op = SAMESUM_MEAN;
    what.n = 1;
    has_layout(&what, x, NULL, bytes, put_sum(sums, OTHER, 1, 68, 1, one));
    has_layout(&what, x + 2, NULL, bytes, put_sum(sums, OTHER, 0, 34, 1, tiny));
    has_layout(&what, x + 3, NULL, bytes, put_sum(sums, OTHER, 1, 99, 1, huge));
    /* squares: 1 and 2^-64; and ddof */
    const uint32_t squares[] = {1, 0, 1};
    what = (struct what){.op = SAMESUM_VAR, .ddof = 1, .level = SAMESUM_EXACT, .n = 2, .data = ""};
    has_layout(&what, x, NULL, bytes,
               put_sum(put_sum(sums, OTHER, 1, 67, 2, two), OTHER, 0, 66, 3, squares));
    /* the largest product twice, and the smallest: 2^-2148 is 2^28 of 2^-2176 */
    const double large[] = {0x1.fffffffffffffp1023, -0x1p-1074};
    const uint32_t smallest[] = {1 << 28};
    what = (struct what){.op = SAMESUM_SUMSQ, .level = SAMESUM_EXACT, .n = 1, .data = ""};
    has_layout(&what, large + 1, NULL, bytes, put_sum(sums, OTHER, 0, 0, 1, smallest));
    /* (2^53 - 1)^2 2^1942 = (2^106 - 2^54 + 1) 2^1942; 1942 + 2176 is 22 beyond 128 digits */
    const uint32_t largest[] = {1 << 22, 0, 0xfffff000, 0xffffffff};
    has_layout(&what, large, NULL, bytes, put_sum(sums, OTHER, 0, 128, 4, largest));
    /* special values, zeros, nothing */
    const double special[] = {(double)NAN, -0.0, HUGE_VAL, -HUGE_VAL, 0.0};
    what.op = SAMESUM_SUM;
    what.n = 0;
    has_layout(&what, special, NULL, bytes, put_sum(sums, 0, 0, 0, 0, NULL));
    what.n = 1;
    has_layout(&what, special, NULL, bytes, put_sum(sums, NAN_SEEN, 0, 0, 0, NULL));
    has_layout(&what, special + 1, NULL, bytes, put_sum(sums, 0, 0, 0, 0, NULL));
    has_layout(&what, special + 2, NULL, bytes, put_sum(sums, PLUS_INF, 0, 0, 0, NULL));
    has_layout(&what, special + 3, NULL, bytes, put_sum(sums, MINUS_INF, 0, 0, 0, NULL));
    has_layout(&what, special + 4, NULL, bytes, put_sum(sums, OTHER, 0, 0, 0, NULL));
    what.n = 5;
    has_layout(&what, special, NULL, bytes, put_sum(sums, 15, 0, 0, 0, NULL));
    all_were_same();
}
END_TEST

/* ---- refusal ---- */

/* Loading answers that status, and leaves *state alone. */
static void refuses(const unsigned char *bytes, size_t n, samesum_status status, const char *what)
{
    static char mark;
    samesum_state *state = (samesum_state *)(void *)&mark;
    samesum_status got = samesum_state_load(&state, bytes, n);
    if (got != status || state != (samesum_state *)(void *)&mark) {
        ck_abort_msg("%s, %zu bytes: status %d, not %d, or *state was changed", what, n, (int)got,
                     (int)status);
    }
}

/* The same for damage that can hit the checksum and the versions alike. Copied to a block of just
 * this size, so that a checker sees what is read beyond it. */
static void refuses_damaged(const unsigned char *bytes, size_t n, const char *what)
{
    static char mark;
    samesum_state *state = (samesum_state *)(void *)&mark;
    unsigned char *copy = malloc(n + 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy + 1, bytes, n); /* unaligned as well */
    samesum_status got = samesum_state_load(&state, copy + 1, n);
    free(copy);
    if ((got != SAMESUM_ERR_CORRUPT && got != SAMESUM_ERR_VERSION) ||
        state != (samesum_state *)(void *)&mark) {
        ck_abort_msg("%s, %zu bytes: status %d, or *state was changed", what, n, (int)got);
    }
}

static size_t example(int i, unsigned char *bytes)
{
    static const struct what examples[] = {
        {.type = SAMESUM_F32, .level = SAMESUM_COMPENSATED, .begin = 5, .n = 35},
        {.op = SAMESUM_DOT, .level = SAMESUM_TREE, .n = 1000},
        {.type = SAMESUM_F32_WIDE, .level = SAMESUM_KAHAN, .begin = 9},
        {.op = SAMESUM_ASUM, .type = SAMESUM_F32, .level = SAMESUM_KAHAN, .begin = 99, .n = 4444},
        {.op = SAMESUM_SUM, .level = SAMESUM_EXACT, .n = 100},
        {.op = SAMESUM_STD, .level = SAMESUM_EXACT, .n = 300, .type = SAMESUM_F32}};
    samesum_state *state = fed(&examples[i], RECIPE_UNIFORM);
    size_t n = saved(state, bytes);
    samesum_state_destroy(state);
    return n;
}
enum { EXAMPLES = 6, PLAIN_EXAMPLES = 4 }; /* the last ones are exact */

START_TEST(every_flipped_bit)
{
    unsigned char bytes[MOST_BYTES];
    for (int i = 0; i < (int)by_depth(1, EXAMPLES, EXAMPLES); i++) {
        size_t n = example(i, bytes);
        for (size_t bit = 0; bit < 8 * n; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            refuses_damaged(bytes, n, "a flipped bit");
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        samesum_state_destroy(loaded(bytes, n));
    }
}
END_TEST

START_TEST(every_other_length)
{
    unsigned char bytes[MOST_BYTES] = {0};
    for (int i = 0; i < EXAMPLES; i++) {
        size_t n = example(i, bytes);
        for (size_t shorter = 0; shorter < n; shorter++) {
            refuses_damaged(bytes, shorter, "truncated");
        }
        memset(bytes + n, 0, 300);
        for (size_t longer = n + 1; longer < n + 300; longer++) {
            refuses_damaged(bytes, longer, "extended");
        }
        for (size_t shorter = HEADER + 4; shorter < n; shorter++) { /* with a right checksum */
            unsigned char copy[MOST_BYTES];
            memcpy(copy, bytes, shorter);
            fix_checksum(copy, shorter);
            refuses(copy, shorter, SAMESUM_ERR_CORRUPT, "truncated, right checksum");
        }
        for (size_t longer = n + 1; longer < n + 300; longer++) {
            unsigned char copy[MOST_BYTES];
            memcpy(copy, bytes, longer);
            fix_checksum(copy, longer);
            refuses(copy, longer, SAMESUM_ERR_CORRUPT, "extended, right checksum");
        }
    }
}
END_TEST

/* A field of the header set to a value, with a right checksum, in the first examples. */
static void refuses_field(int examples, int offset, uint64_t value, int width,
                          samesum_status status, const char *what)
{
    unsigned char bytes[MOST_BYTES];
    for (int i = 0; i < examples; i++) {
        size_t n = example(i, bytes);
        put(bytes + offset, value, width);
        fix_checksum(bytes, n);
        refuses(bytes, n, status, what);
    }
}

START_TEST(foreign_values_with_a_right_checksum)
{
    static const uint64_t out[] = {8, 9, 255, 0x100, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff};
    for (int i = 0; i < 8; i++) {
        refuses_field(EXAMPLES, 16, out[i], 4, SAMESUM_ERR_CORRUPT, "operation");
        refuses_field(EXAMPLES, 20, out[i] == 8 ? 7 : out[i], 4, SAMESUM_ERR_CORRUPT, "type");
        refuses_field(EXAMPLES, 24, out[i] == 8 ? 4 : out[i], 4, SAMESUM_ERR_CORRUPT, "level");
        refuses_field(EXAMPLES - 1, 28, out[i], 4, SAMESUM_ERR_CORRUPT, "ddof of others");
        refuses_field(EXAMPLES, 8, out[i], 4, SAMESUM_ERR_VERSION, "format version");
        refuses_field(EXAMPLES, 12, out[i], 4, SAMESUM_ERR_VERSION, "arithmetic version");
    }
    refuses_field(PLAIN_EXAMPLES, 16, SAMESUM_NRM2, 4, SAMESUM_ERR_CORRUPT,
                  "an operation of two passes");
    refuses_field(EXAMPLES, 8, 0, 4, SAMESUM_ERR_VERSION, "format version 0");
    refuses_field(EXAMPLES, 8, 1, 4, SAMESUM_ERR_VERSION, "format version 1");
    refuses_field(EXAMPLES, 48, UINT64_C(1) << 40, 8, SAMESUM_ERR_CORRUPT, "more than the range");
    refuses_field(EXAMPLES, 56, 8, 8, SAMESUM_ERR_CORRUPT, "an unknown option");
    refuses_field(EXAMPLES, 56, 1, 8, SAMESUM_ERR_CORRUPT, "a NaN policy of a sum");
    refuses_field(EXAMPLES, 56, 4, 8, SAMESUM_ERR_CORRUPT, "conj of real data");
    refuses_field(EXAMPLES, 12, 0, 4, SAMESUM_ERR_VERSION, "arithmetic version 0");
    refuses_field(EXAMPLES, 12, 2, 4, SAMESUM_ERR_VERSION, "arithmetic version 2");
    refuses_field(EXAMPLES, 0, UINT64_C(0x006d757365656d73), 8, SAMESUM_ERR_CORRUPT, "magic");
    refuses_field(EXAMPLES, 7, 1, 1, SAMESUM_ERR_CORRUPT, "magic");
    refuses_field(EXAMPLES, 32, UINT64_MAX, 8, SAMESUM_ERR_CORRUPT, "begin after end");
    refuses_field(EXAMPLES, 32, 17, 8, SAMESUM_ERR_CORRUPT, "another begin");
    refuses_field(PLAIN_EXAMPLES, 40, UINT64_MAX, 8, SAMESUM_ERR_CORRUPT, "another end");
    refuses_field(PLAIN_EXAMPLES, 40, UINT64_C(1) << 63, 8, SAMESUM_ERR_CORRUPT, "another end");
}
END_TEST

/* A value in a lane of the first or the last row that the range does not reach. */
START_TEST(values_outside_of_the_range)
{
    static const struct what ranges[] = {
        {.level = SAMESUM_COMPENSATED, .begin = 5, .n = 40},  /* head, tail */
        {.level = SAMESUM_KAHAN, .begin = 5, .n = 2},         /* within one row */
        {.type = SAMESUM_F32, .level = SAMESUM_TREE, .n = 7}, /* tail */
    };
    for (int i = 0; i < 3; i++) {
        unsigned char bytes[MOST_BYTES];
        samesum_state *state = fed(&ranges[i], RECIPE_UNIFORM);
        size_t n = saved(state, bytes), width = samesum_result_size(ranges[i].type);
        size_t halves = ranges[i].level == SAMESUM_TREE ? 1 : 2;
        samesum_state_destroy(state);
        size_t last_row = n - 4 - 16 * halves * width;
        size_t at = ranges[i].begin ? HEADER : last_row + 15 * width; /* lane 0, or 15 */
        bytes[at] ^= 1;
        fix_checksum(bytes, n);
        refuses(bytes, n, SAMESUM_ERR_CORRUPT, "a value outside of the range");
        bytes[at] ^= 1;
        bytes[last_row + 16 * width - 1] ^= 0x80; /* the sign of lane 15's -0.0 */
        fix_checksum(bytes, n);
        refuses(bytes, n, SAMESUM_ERR_CORRUPT, "+0.0 outside of the range");
    }
}
END_TEST

/* One exact sum, or two, that no data give. */
static void refuses_sums(const struct what *what, unsigned char *bytes, const unsigned char *end)
{
    put_header(bytes, what);
    fix_checksum(bytes, (size_t)(end - bytes) + 4);
    refuses(bytes, (size_t)(end - bytes) + 4, SAMESUM_ERR_CORRUPT, what->data);
}

START_TEST(sums_of_no_data)
{
    unsigned char bytes[MOST_BYTES], *at = bytes + HEADER;
    const uint32_t one[200] = {1}, top_zero[] = {1, 0}, low_zero[] = {0, 1};
    uint32_t ones[200];
    memset(ones, 0xff, sizeof ones);
    struct what what = {.level = SAMESUM_EXACT, .n = 3, .data = "kinds"};
    refuses_sums(&what, bytes, put_sum(at, 16, 0, 0, 0, NULL));
    refuses_sums(&what, bytes, put_sum(at, 0x80000008, 0, 0, 0, NULL));
    what.data = "sign";
    refuses_sums(&what, bytes, put_sum(at, OTHER, 2, 68, 1, one));
    refuses_sums(&what, bytes, put_sum(at, OTHER, 1, 0, 0, NULL));
    what.data = "zero digits";
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 68, 2, top_zero));
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 68, 2, low_zero));
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 68, 0, NULL));
    what.data = "place";
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 134, 1, one));
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 0xffffffff, 1, one));
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 100, 35, ones));
    what.data = "length";
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 0, 135, ones));
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 60, 1, one) + 4);
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 60, 2, ones) - 4);
    refuses_sums(&what, bytes, at);
    put_sum(at, OTHER, 0, 60, 1, one);
    put(at + 12, 0xffffffff, 4);
    refuses_sums(&what, bytes, at + 20);
    what.data = "a sum without leaves";
    refuses_sums(&what, bytes, put_sum(at, 0, 0, 68, 1, one));
    what.n = 0;
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 68, 1, one));
    refuses_sums(&what, bytes, put_sum(at, NAN_SEEN, 0, 0, 0, NULL));
    what = (struct what){.op = SAMESUM_VAR, .level = SAMESUM_EXACT, .n = 2, .data = "one sum"};
    refuses_sums(&what, bytes, put_sum(at, OTHER, 0, 68, 1, one));
    what.data = "sums of different data";
    refuses_sums(&what, bytes, put_sum(put_sum(at, OTHER, 0, 0, 1, one), OTHER, 0, 0, 0, NULL));
    refuses_sums(&what, bytes, put_sum(put_sum(at, OTHER, 0, 70, 1, one), OTHER, 0, 68, 1, one));
    refuses_sums(&what, bytes, put_sum(put_sum(at, OTHER, 0, 68, 1, one), OTHER, 1, 68, 1, one));
    what.data = "begin";
    what.op = SAMESUM_SUM;
    put_sum(at, OTHER, 0, 68, 1, one);
    put_header(bytes, &what);
    put(bytes + 32, 1, 8);
    fix_checksum(bytes, HEADER + 24);
    refuses(bytes, HEADER + 24, SAMESUM_ERR_CORRUPT, "begin");
}
END_TEST

/* Extremes that no data give, in a state of min and max of three binary32 numbers. */
START_TEST(extremes_of_no_data)
{
    static const struct {
        uint64_t kinds;
        double min, max;
    } bad[] = {
        {8, 1, 2},        {15, 1, 2},          {4, HUGE_VAL, -HUGE_VAL},
        {1, 1, 2},        {5, 2, 1},           {5, 1, 1 + 0x1p-40},
        {5, 0x1p-150, 1}, {5, (double)NAN, 2}, {5, 1, 1e39},
        {5, 0.0, -0.0},   {6, 1, 2},           {0, HUGE_VAL, -HUGE_VAL},
    };
    const float x[] = {1, 2, (float)NAN};
    unsigned char bytes[MOST_BYTES];
    samesum_want want = {.op = SAMESUM_MINMAX};
    samesum_state *state;
    ck_assert_int_eq(samesum_state_create(&state, &want, SAMESUM_F32, 7), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_update(state, x, NULL, 3), SAMESUM_OK);
    size_t n = saved(state, bytes);
    ck_assert_uint_eq(n, HEADER + 24 + 4);
    samesum_state_destroy(state);
    samesum_state_destroy(loaded(bytes, n));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put(bytes + HEADER, bad[i].kinds, 8);
        put(bytes + HEADER + 8, bits_of_double(bad[i].min), 8);
        put(bytes + HEADER + 16, bits_of_double(bad[i].max), 8);
        fix_checksum(bytes, n);
        refuses(bytes, n, SAMESUM_ERR_CORRUPT, "extremes");
    }
}
END_TEST

START_TEST(random_bytes)
{
    unsigned char bytes[600];
    for (int i = 0; i < 20000; i++) {
        size_t n = random_below(sizeof bytes);
        for (size_t j = 0; j < n; j++) {
            bytes[j] = (unsigned char)random_bits();
        }
        if (n >= HEADER + 8 && i % 2) { /* good enough to pass the first checks */
            struct what what = {.op = (samesum_op)random_below(4),
                                .type = (samesum_type)random_below(3),
                                .level = (samesum_level)random_below(3)};
            what.begin = UINT64_MAX - random_below(100);
            what.n = random_below(8);
            put_header(bytes, &what);
            put(bytes + 40, what.begin - 1 - random_below(1000), 8);
            fix_checksum(bytes, n);
        }
        refuses_damaged(bytes, n, "random bytes");
    }
}
END_TEST

START_TEST(arguments_of_save_and_load)
{
    unsigned char bytes[MOST_BYTES];
    memset(bytes, 0xa5, sizeof bytes);
    struct what what = {.n = 50};
    samesum_state *state = fed(&what, RECIPE_ONES);
    size_t size = 0, written = 12345;
    ck_assert_int_eq(samesum_state_size(state, &size), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_save(state, bytes, size - 1, &written), SAMESUM_ERR_SIZE);
    ck_assert_int_eq(samesum_state_save(state, bytes, 0, &written), SAMESUM_ERR_SIZE);
    ck_assert_int_eq(samesum_state_save(state, NULL, size, &written), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_save(NULL, bytes, size, &written), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_save(state, bytes, size, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_size(NULL, &size), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_state_size(state, NULL), SAMESUM_ERR_NULL);
    ck_assert_uint_eq(written, 12345);
    for (size_t i = 0; i < sizeof bytes; i++) {
        ck_assert_uint_eq(bytes[i], 0xa5);
    }
    ck_assert_int_eq(samesum_state_save(state, bytes + 1, size, &written), SAMESUM_OK);
    ck_assert(bytes[0] == 0xa5 && bytes[size + 1] == 0xa5 && written == size);
    refuses(NULL, size, SAMESUM_ERR_NULL, "no bytes");
    ck_assert_int_eq(samesum_state_load(NULL, bytes + 1, size), SAMESUM_ERR_NULL);
    samesum_state_destroy(state);
}
END_TEST

Suite *suite_serial(void)
{
    TCase *tests;
    Suite *suite = new_suite("serial", &tests);
    tcase_add_test(tests, round_trips);
    tcase_add_test(tests, large_ranges);
    tcase_add_test(tests, merge_of_loaded_states);
    tcase_add_test(tests, layout_of_pairs);
    tcase_add_test(tests, layout_of_plain_nodes);
    tcase_add_test(tests, layout_of_exact_sums);
    tcase_add_test(tests, every_flipped_bit);
    tcase_add_test(tests, every_other_length);
    tcase_add_test(tests, foreign_values_with_a_right_checksum);
    tcase_add_test(tests, values_outside_of_the_range);
    tcase_add_test(tests, sums_of_no_data);
    tcase_add_test(tests, extremes_of_no_data);
    tcase_add_test(tests, random_bytes);
    tcase_add_test(tests, arguments_of_save_and_load);
    return suite;
}
