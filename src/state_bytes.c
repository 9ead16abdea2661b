/* The serialised form of a state; docs/state-format.md describes it. */
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fixedtree/fpenv.h"

enum { FORMAT_VERSION = 2, HEADER = 64, CHECKSUM = 4, SUM_HEADER = 16, EXTREMES = 24, PLACES = 24 };
static const unsigned char magic[8] = "samesum";

static void put(unsigned char *to, uint64_t v, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(v >> 8 * i);
}

static uint64_t get(const unsigned char *from, size_t bytes)
{
    uint64_t v = 0;
    for (size_t i = 0; i < bytes; i++)
        v |= (uint64_t)from[i] << 8 * i;
    return v;
}

/* CRC-32 as in IEEE 802.3, four bits a step. */
static uint32_t crc32(const unsigned char *p, size_t n)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc = table[(crc ^ p[i]) & 15] ^ crc >> 4;
        crc = table[(crc ^ p[i] >> 4) & 15] ^ crc >> 4;
    }
    return ~crc;
}

/* Bytes of the 16 s of a node; as many more for its e, which level tree does not have. */
static size_t half_bytes(const samesum_state *s)
{
    return SS_LANES * samesum_result_size(s->type);
}

static size_t node_bytes(const samesum_state *s)
{
    return half_bytes(s) * (s->want.level == SAMESUM_TREE ? 1 : 2);
}

/* The nodes of a tree in the order of their rows: head, complete rows, tail; NULL after the last.
 */
static ss_lanes *node_at(ss_tree *t, int i)
{
    if (ss_tree_has_head(t) && i-- == 0)
        return &t->head;
    if (i < t->rows.count)
        return &t->rows.node[i];
    return ss_tree_has_tail(t) && i == t->rows.count ? &t->tail : NULL;
}

size_t ss_state_body_bytes(const samesum_state *s)
{
    size_t bytes = 0;
    switch (ss_state_holds(s)) {
    case SS_HOLDS_SUMS:
        for (int i = 0; i < s->sums.sums; i++) {
            ss_magnitude m;
            ss_exact_magnitude(&s->sums.acc[i], &m);
            bytes += SUM_HEADER + 4 * (size_t)m.length;
        }
        return bytes;
    case SS_HOLDS_EXTREMES:
        return ss_is_index(s->want.op) ? EXTREMES + PLACES : EXTREMES;
    case SS_HOLDS_TREES:
        break;
    }
    const ss_tree *t = s->tree; /* a second one has as many nodes */
    return (size_t)ss_state_trees(s) *
           (size_t)(t->rows.count + ss_tree_has_head(t) + ss_tree_has_tail(t)) * node_bytes(s);
}

static size_t size_of(const samesum_state *s)
{
    return HEADER + ss_state_body_bytes(s) + CHECKSUM;
}

samesum_status samesum_state_size(const samesum_state *state, size_t *bytes)
{
    if (!state || !bytes)
        return SAMESUM_ERR_NULL;
    *bytes = size_of(state);
    return SAMESUM_OK;
}

/* One exact sum: its kinds, sign, place and digits. */
static unsigned char *save_sum(unsigned char *at, const ss_exact *acc)
{
    ss_magnitude m;
    ss_exact_magnitude(acc, &m);
    unsigned kinds = acc->nan | (unsigned)acc->plus_inf << 1 | (unsigned)acc->minus_inf << 2 |
                     (unsigned)acc->other_than_minus_zero << 3;
    put(at, kinds, 4);
    put(at + 4, (uint64_t)m.negative, 4);
    put(at + 8, m.length > 0 ? (uint64_t)(m.exponent - SS_EXACT_LOWEST) / 32 : 0, 4);
    put(at + 12, (uint64_t)m.length, 4);
    at += SUM_HEADER;
    for (int i = 0; i < m.length; i++, at += 4)
        put(at, m.digit[i], 4);
    return at;
}

/* Reads what save_sum wrote, of at most *bytes bytes, and lowers these. Returns NULL where it is no
 * such thing. */
static const unsigned char *load_sum(const unsigned char *at, size_t *bytes, uint64_t count,
                                     ss_exact *acc)
{
    if (*bytes < SUM_HEADER)
        return NULL;
    uint64_t kinds = get(at, 4), negative = get(at + 4, 4), low = get(at + 8, 4);
    uint64_t length = get(at + 12, 4);
    *bytes -= SUM_HEADER;
    /* two digits above stay free for sums to come */
    if (kinds > 15 || negative > 1 || low + length > SS_EXACT_DIGITS - 2 || *bytes < 4 * length ||
        (length == 0 && (low != 0 || negative)))
        return NULL;
    *bytes -= 4 * length;
    at += SUM_HEADER;
    if (length > 0 && (get(at, 4) == 0 || get(at + 4 * (length - 1), 4) == 0))
        return NULL;
    acc->count = count;
    acc->nan = kinds & 1;
    acc->plus_inf = kinds >> 1 & 1;
    acc->minus_inf = kinds >> 2 & 1;
    acc->other_than_minus_zero = kinds >> 3 & 1;
    for (uint64_t i = 0; i < length; i++, at += 4) {
        int64_t d = (int64_t)get(at, 4);
        ss_exact_add(acc, negative ? -d : d, 32 * (int)(low + i) + SS_EXACT_LOWEST);
    }
    return at;
}

/* count numbers of so many bytes, which lie side by side; in this machine's order they are copied.
 */
enum { IS_LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

static void put_numbers(unsigned char *at, const void *numbers, size_t count, size_t bytes)
{
    if (IS_LITTLE) {
        memcpy(at, numbers, count * bytes);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)numbers + i * bytes, bytes);
        put(at + i * bytes, bits, bytes);
    }
}

static void get_numbers(const unsigned char *at, void *numbers, size_t count, size_t bytes)
{
    if (IS_LITTLE) {
        memcpy(numbers, at, count * bytes);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = get(at + i * bytes, bytes);
        memcpy((char *)numbers + i * bytes, &bits, bytes);
    }
}

/* A zero e is written as +0.0: its sign follows from how nodes were made, and reaches no result
 * (SPEC.md, note 4). */
static inline void plus_zeros(unsigned char *e, size_t bytes)
{
    uint64_t minus = 0, v = 0; /* as they lie in memory */
    put((unsigned char *)&minus, UINT64_C(1) << (8 * bytes - 1), bytes);
    for (size_t i = 0; i < SS_LANES; i++, e += bytes) {
        memcpy(&v, e, bytes);
        if (v == minus)
            memset(e, 0, bytes);
    }
}

/* Writes the nodes of a tree. */
static unsigned char *save_tree(unsigned char *at, const samesum_state *s, const ss_tree *tree)
{
    const size_t scalar = samesum_result_size(s->type), bytes = node_bytes(s);
    const ss_lanes *node;
    for (int i = 0; (node = node_at((ss_tree *)(uintptr_t)tree, i)); i++, at += bytes) {
        put_numbers(at, node, bytes / scalar, scalar);
        if (bytes == half_bytes(s))
            continue;
        if (scalar == sizeof(double)) /* of a known size, which compilers make fast */
            plus_zeros(at + half_bytes(s), sizeof(double));
        else
            plus_zeros(at + half_bytes(s), sizeof(float));
    }
    return at;
}

static unsigned char *save_extremes(unsigned char *at, const ss_found *found)
{
    uint64_t min, max;
    memcpy(&min, &found->min, sizeof min);
    memcpy(&max, &found->max, sizeof max);
    put(at, (uint64_t)(found->some | found->nan << 1 | found->any << 2), 8);
    put(at + 8, min, 8);
    put(at + 16, max, 8);
    return at + EXTREMES;
}

/* Where they are; argmin and argmax alone, which no file holds. */
static unsigned char *save_places(unsigned char *at, const ss_found *found)
{
    put(at, found->min_tile, 8);
    put(at + 8, found->max_tile, 8);
    put(at + 16, found->nan_tile, 8);
    return at + PLACES;
}

unsigned char *ss_state_put_body(unsigned char *at, const samesum_state *s)
{
    switch (ss_state_holds(s)) {
    case SS_HOLDS_SUMS:
        for (int i = 0; i < s->sums.sums; i++)
            at = save_sum(at, &s->sums.acc[i]);
        break;
    case SS_HOLDS_EXTREMES:
        at = save_extremes(at, &s->found);
        if (ss_is_index(s->want.op))
            at = save_places(at, &s->found);
        break;
    case SS_HOLDS_TREES:
        for (int i = 0; i < ss_state_trees(s); i++)
            at = save_tree(at, s, &s->tree[i]);
        break;
    }
    return at;
}

samesum_status samesum_state_save(const samesum_state *state, void *buf, size_t capacity,
                                  size_t *written)
{
    if (!state || !buf || !written)
        return SAMESUM_ERR_NULL;
    size_t size = size_of(state);
    if (capacity < size)
        return SAMESUM_ERR_SIZE;
    unsigned char *at = buf;
    const samesum_want *want = &state->want;
    int exact = ss_state_is_exact(state);
    memcpy(at, magic, sizeof magic);
    put(at + 8, FORMAT_VERSION, 4);
    put(at + 12, (uint64_t)samesum_arithmetic_version(), 4);
    put(at + 16, want->op, 4);
    put(at + 20, state->type, 4);
    put(at + 24, want->level, 4);
    put(at + 28, want->ddof, 4);
    put(at + 32, exact ? 0 : state->begin, 8);
    put(at + 40, exact ? state->end - state->begin : state->end, 8);
    put(at + 48, state->present, 8);
    put(at + 56, (unsigned)want->nan | (unsigned)want->result << 1 | (want->conj ? 4u : 0u), 8);
    at = ss_state_put_body(at + HEADER, state);
    put(at, crc32(buf, size - CHECKSUM), CHECKSUM);
    *written = size;
    return SAMESUM_OK;
}

/* Gives an empty tree the range [begin, end), with the levels of the nodes that such a range has.
 */
static void set_range(ss_tree *t, uint64_t end)
{
    uint64_t row = t->rows.begin, last = end / SS_LANES;
    t->end = end;
    for (; row < last; row += UINT64_C(1) << t->rows.level[t->rows.count++])
        t->rows.level[t->rows.count] = (signed char)ss_aligned_level(row, last);
    t->rows.end = row;
}

/* Whether lanes [from, to) of a row at an end of the range are as absent lanes are kept. */
static int are_absent(const ss_tree *t, const ss_lanes *row, int from, int to)
{
    ss_lanes absent, lanes;
    memset(&absent, 0, sizeof absent);
    memset(&lanes, 0, sizeof lanes);
    ss_lanes_clear(&t->arith, &absent, from, to);
    ss_lanes_copy(&t->arith, &lanes, row, from, to);
    return memcmp(&absent, &lanes, sizeof lanes) == 0;
}

static int ends_are_sound(const ss_tree *t)
{
    int first = (int)(t->begin % SS_LANES), end = (int)(t->end % SS_LANES);
    if (ss_tree_has_head(t) && !are_absent(t, &t->head, 0, first))
        return 0;
    if (!ss_tree_has_tail(t))
        return 1;
    return are_absent(t, &t->tail, end, SS_LANES) &&
           (t->begin / SS_LANES < t->end / SS_LANES || are_absent(t, &t->tail, 0, first));
}

static const unsigned char *load_tree(const unsigned char *at, const samesum_state *s,
                                      ss_tree *tree)
{
    const size_t scalar = samesum_result_size(s->type), bytes = node_bytes(s);
    ss_lanes *node;
    for (int i = 0; (node = node_at(tree, i)); i++, at += bytes) {
        memset(node, 0, sizeof *node);
        get_numbers(at, node, bytes / scalar, scalar);
    }
    return at;
}

/* Whether v is a number that elements of the type can be. */
static int is_of_type(samesum_type type, double v)
{
    const ss_format_shape shape = ss_format_of(type == SAMESUM_F64    ? SS_FORMAT_F64
                                               : type == SAMESUM_F16  ? SS_FORMAT_F16
                                               : type == SAMESUM_BF16 ? SS_FORMAT_BF16
                                                                      : SS_FORMAT_F32);
    if (v == 0 || !isfinite(v))
        return !isnan(v);
    int unit = ilogb(v) - shape.precision + 1;
    unit = unit < shape.smallest ? shape.smallest : unit;
    double units = ldexp(v, -unit);
    return ilogb(v) < shape.limit && units == rint(units);
}

static int load_extremes(const unsigned char *at, samesum_state *s)
{
    uint64_t kinds = get(at, 8), min = get(at + 8, 8), max = get(at + 16, 8);
    ss_found *f = &s->found;
    f->some = kinds & 1;
    f->nan = kinds >> 1 & 1;
    f->any = kinds >> 2 & 1;
    if (ss_is_index(s->want.op)) {
        f->min_tile = get(at + EXTREMES, 8);
        f->max_tile = get(at + EXTREMES + 8, 8);
        f->nan_tile = get(at + EXTREMES + 16, 8);
    }
    memcpy(&f->min, &min, sizeof min);
    memcpy(&f->max, &max, sizeof max);
    if (kinds > 7 || f->any != (f->some || f->nan) || f->any != (s->present > 0))
        return 0;
    if (!f->some)
        return f->min == HUGE_VAL && f->max == -HUGE_VAL;
    return is_of_type(s->type, f->min) && is_of_type(s->type, f->max) &&
           (f->min < f->max || (f->min == f->max && signbit(f->min) >= signbit(f->max)));
}

int ss_state_get_body(const unsigned char *at, size_t bytes, uint64_t end, samesum_state *s)
{
    unsigned numbers = ss_numbers_of_element(s->want.op, s->type);
    s->end = end;
    switch (ss_state_holds(s)) {
    case SS_HOLDS_SUMS:
        for (int i = 0; at && i < s->sums.sums; i++)
            at = load_sum(at, &bytes, s->present * numbers, &s->sums.acc[i]);
        return at && bytes == 0 && ss_exact_sums_are_possible(&s->sums);
    case SS_HOLDS_EXTREMES:
        return bytes == ss_state_body_bytes(s) && load_extremes(at, s);
    case SS_HOLDS_TREES:
        break;
    }
    for (int i = 0; i < ss_state_trees(s); i++)
        set_range(&s->tree[i], end * numbers);
    if (ss_state_body_bytes(s) != bytes)
        return 0;
    for (int i = 0; i < ss_state_trees(s); i++) {
        at = load_tree(at, s, &s->tree[i]);
        if (!ends_are_sound(&s->tree[i]))
            return 0;
    }
    return 1;
}

samesum_status samesum_state_load(samesum_state **state, const void *buf, size_t bytes)
{
    if (!state || !buf)
        return SAMESUM_ERR_NULL;
    const unsigned char *at = buf;
    if (bytes < HEADER + CHECKSUM || memcmp(at, magic, sizeof magic) != 0)
        return SAMESUM_ERR_CORRUPT;
    if (crc32(at, bytes - CHECKSUM) != get(at + bytes - CHECKSUM, CHECKSUM))
        return SAMESUM_ERR_CORRUPT;
    if (get(at + 8, 4) != FORMAT_VERSION ||
        get(at + 12, 4) != (uint64_t)samesum_arithmetic_version())
        return SAMESUM_ERR_VERSION;
    uint64_t op = get(at + 16, 4), type = get(at + 20, 4), level = get(at + 24, 4);
    uint64_t begin = get(at + 32, 8), end = get(at + 40, 8), present = get(at + 48, 8);
    uint64_t ddof = get(at + 28, 4), options = get(at + 56, 8);
    if (op > SS_LAST_OP || type >= SS_ELEMENT_TYPES || level > SAMESUM_EXACT || begin > end ||
        (level == SAMESUM_EXACT && begin != 0) || present > end - begin || options > 7 ||
        (ddof != 0 && op != SAMESUM_VAR && op != SAMESUM_STD) ||
        ((options & 1) && op < SAMESUM_MIN) ||
        end > UINT64_MAX / ss_numbers_of_element((samesum_op)op, (samesum_type)type))
        return SAMESUM_ERR_CORRUPT;

    samesum_want want = {.op = (samesum_op)op,
                         .level = (samesum_level)level,
                         .ddof = (unsigned)ddof,
                         .nan = (samesum_nan)(options & 1),
                         .result = (samesum_result_type)(options >> 1 & 1),
                         .conj = (int)(options >> 2)};
    samesum_state *s;
    samesum_status st = samesum_state_create(&s, &want, (samesum_type)type, begin);
    if (st == SAMESUM_ERR_TWO_PASSES || st == SAMESUM_ERR_OP || st == SAMESUM_ERR_OPTION)
        return SAMESUM_ERR_CORRUPT;
    if (st != SAMESUM_OK)
        return st;
    s->present = present;
    ss_fpenv caller = ss_fpenv_enter();
    int sound = ss_state_get_body(at + HEADER, bytes - HEADER - CHECKSUM, end, s);
    ss_fpenv_leave(caller);
    if (!sound) {
        samesum_state_destroy(s);
        return SAMESUM_ERR_CORRUPT;
    }
    *state = s;
    return SAMESUM_OK;
}
