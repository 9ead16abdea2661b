/* The serialised form of a state; docs/state-format.md describes it. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT_VERSION = 1, HEADER = 48, CHECKSUM = 4, SUM_HEADER = 16 };
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

/* The nodes of a state in the order of their rows: head, complete rows, tail; NULL after the last.
 */
static ss_lanes *node_at(samesum_state *s, int i)
{
    if (ss_state_has_head(s) && i-- == 0)
        return &s->head;
    if (i < s->rows.count)
        return &s->rows.node[i];
    return ss_state_has_tail(s) && i == s->rows.count ? &s->tail : NULL;
}

static int is_exact(const samesum_state *s)
{
    return s->want.level == SAMESUM_EXACT;
}

static size_t size_of(const samesum_state *s)
{
    size_t bytes = HEADER + CHECKSUM;
    if (is_exact(s)) {
        for (int i = 0; i < s->sums.sums; i++) {
            ss_magnitude m;
            ss_exact_magnitude(&s->sums.acc[i], &m);
            bytes += SUM_HEADER + 4 * (size_t)m.length;
        }
        return bytes;
    }
    return bytes +
           (size_t)(s->rows.count + ss_state_has_head(s) + ss_state_has_tail(s)) * node_bytes(s);
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

samesum_status samesum_state_save(const samesum_state *state, void *buf, size_t capacity,
                                  size_t *written)
{
    if (!state || !buf || !written)
        return SAMESUM_ERR_NULL;
    size_t size = size_of(state), scalar = samesum_result_size(state->type);
    if (capacity < size)
        return SAMESUM_ERR_SIZE;
    unsigned char *at = buf;
    memcpy(at, magic, sizeof magic);
    put(at + 8, FORMAT_VERSION, 4);
    put(at + 12, (uint64_t)samesum_arithmetic_version(), 4);
    put(at + 16, state->want.op, 4);
    put(at + 20, state->type, 4);
    put(at + 24, state->want.level, 4);
    put(at + 28, state->want.ddof, 4);
    put(at + 32, is_exact(state) ? 0 : state->begin, 8);
    put(at + 40, is_exact(state) ? state->end - state->begin : state->end, 8);
    at += HEADER;
    for (int i = 0; is_exact(state) && i < state->sums.sums; i++)
        at = save_sum(at, &state->sums.acc[i]);
    const ss_lanes *node;
    for (int i = 0; !is_exact(state) && (node = node_at((samesum_state *)(uintptr_t)state, i));
         i++) {
        for (size_t v = 0; v < node_bytes(state) / scalar; v++, at += scalar) {
            uint64_t bits = 0;
            memcpy(&bits, (const char *)node + v * scalar, scalar);
            put(at, bits, scalar);
        }
    }
    put(at, crc32(buf, size - CHECKSUM), CHECKSUM);
    *written = size;
    return SAMESUM_OK;
}

/* Gives an empty state the range [begin, end), with the levels of the nodes that such a range has.
 */
static void set_range(samesum_state *s, uint64_t end)
{
    uint64_t row = s->rows.begin, last = end / SS_LANES;
    s->end = end;
    for (; row < last; row += UINT64_C(1) << s->rows.level[s->rows.count++])
        s->rows.level[s->rows.count] = (signed char)ss_aligned_level(row, last);
    s->rows.end = row;
}

/* Whether lanes [from, to) of a row at an end of the range are as absent lanes are kept. */
static int are_absent(const samesum_state *s, const ss_lanes *row, int from, int to)
{
    ss_lanes absent, lanes;
    memset(&absent, 0, sizeof absent);
    memset(&lanes, 0, sizeof lanes);
    ss_lanes_clear(&s->plan.arith, &absent, from, to);
    ss_lanes_copy(&s->plan.arith, &lanes, row, from, to);
    return memcmp(&absent, &lanes, sizeof lanes) == 0;
}

static int ends_are_sound(const samesum_state *s)
{
    int first = (int)(s->begin % SS_LANES), end = (int)(s->end % SS_LANES);
    if (ss_state_has_head(s) && !are_absent(s, &s->head, 0, first))
        return 0;
    if (!ss_state_has_tail(s))
        return 1;
    return are_absent(s, &s->tail, end, SS_LANES) &&
           (s->begin / SS_LANES < s->end / SS_LANES || are_absent(s, &s->tail, 0, first));
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
    uint64_t begin = get(at + 32, 8), end = get(at + 40, 8);
    uint64_t ddof = get(at + 28, 4);
    if (op > SS_LAST_OP || type >= SS_TYPES || level > SAMESUM_EXACT || begin > end ||
        (level == SAMESUM_EXACT && begin != 0) ||
        (ddof != 0 && op != SAMESUM_VAR && op != SAMESUM_STD))
        return SAMESUM_ERR_CORRUPT;

    samesum_want want = {
        .op = (samesum_op)op, .level = (samesum_level)level, .ddof = (unsigned)ddof};
    samesum_state *s;
    samesum_status st = samesum_state_create(&s, &want, (samesum_type)type, begin);
    if (st != SAMESUM_OK)
        return st == SAMESUM_ERR_TWO_PASSES ? SAMESUM_ERR_CORRUPT : st;
    if (is_exact(s)) {
        size_t left = bytes - HEADER - CHECKSUM;
        const unsigned char *sum = at + HEADER;
        for (int i = 0; sum && i < s->sums.sums; i++)
            sum = load_sum(sum, &left, end, &s->sums.acc[i]);
        s->end = end;
        if (!sum || left != 0 || !ss_exact_sums_are_possible(&s->sums)) {
            samesum_state_destroy(s);
            return SAMESUM_ERR_CORRUPT;
        }
        *state = s;
        return SAMESUM_OK;
    }
    set_range(s, end);
    if (size_of(s) != bytes) {
        samesum_state_destroy(s);
        return SAMESUM_ERR_CORRUPT;
    }
    size_t scalar = samesum_result_size(s->type);
    at += HEADER;
    ss_lanes *node;
    for (int i = 0; (node = node_at(s, i)); i++) {
        memset(node, 0, sizeof *node);
        for (size_t v = 0; v < node_bytes(s) / scalar; v++, at += scalar) {
            uint64_t bits = get(at, scalar);
            memcpy((char *)node + v * scalar, &bits, scalar);
        }
    }
    if (!ends_are_sound(s)) {
        samesum_state_destroy(s);
        return SAMESUM_ERR_CORRUPT;
    }
    *state = s;
    return SAMESUM_OK;
}
