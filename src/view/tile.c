#include "view/view.h"

#include <math.h>
#include <string.h>

size_t ss_element_bytes(samesum_type type)
{
    static const size_t bytes[SS_ELEMENT_TYPES] = {
        [SAMESUM_F64] = 8,  [SAMESUM_F32] = 4, [SAMESUM_F32_WIDE] = 4, [SAMESUM_F16] = 2,
        [SAMESUM_BF16] = 2, [SAMESUM_C64] = 8, [SAMESUM_C128] = 16};
    return bytes[type];
}

/* The index of that size in ss_packers: of 2, 4, 8, 16 bytes. */
static int size_index(size_t bytes)
{
    return bytes == 2 ? 0 : bytes == 4 ? 1 : bytes == 8 ? 2 : 3;
}

static int is_flat(const ss_layout *layout, int place, size_t bytes)
{
    return layout->dims == 1 &&
           (layout->axis[0].stride[place] == (ptrdiff_t)bytes || layout->axis[0].extent <= 1);
}

/* bytes bytes of each of count elements, from `skip` on, side by side: where they lie, or in room.
 */
static const void *fetch(const ss_view *v, int place, uint64_t first, size_t count, size_t bytes,
                         size_t skip, void *room)
{
    const char *from = v->place[place] + skip;
    if (is_flat(v->layout, place, bytes))
        return from + first * bytes;
    char *out = room;
    ss_walk walk;
    for (ss_walk_start(&walk, v->layout, first); count > 0;) {
        size_t run = ss_walk_run(&walk);
        run = run < count ? run : count;
        ptrdiff_t stride = v->layout->axis[v->layout->dims - 1].stride[place];
        v->packers->gather[size_index(bytes)](from + walk.offset[place], stride, run, out);
        out += run * bytes;
        count -= run;
        ss_walk_step(&walk, run);
    }
    return room;
}

/* ---- what is present --------------------------------------------------------------------------
 */

/* The eight bits of a byte as bytes of 0 and 1, the lowest first. */
static void spread_byte(unsigned char byte, unsigned char *keep)
{
    uint64_t each = UINT64_C(0x0101010101010101), bits = byte * each & UINT64_C(0x8040201008040201);
    bits = (bits + 0x7f * each) >> 7 & each;
    memcpy(keep, &bits, sizeof bits);
}

/* keep[i] becomes bit `bit` + i * stride of the mask. */
static void read_bits(const unsigned char *mask, uint64_t bit, ptrdiff_t stride, size_t n,
                      unsigned char *keep)
{
    size_t i = 0;
    if (stride == 1) {
        for (; i < n && (bit + i) % 8 != 0; i++)
            keep[i] = mask[(bit + i) / 8] >> (bit + i) % 8 & 1;
        for (; i + 8 <= n; i += 8)
            spread_byte(mask[(bit + i) / 8], keep + i);
    }
    for (; i < n; i++) {
        uint64_t at = bit + (uint64_t)((ptrdiff_t)i * stride);
        keep[i] = mask[at / 8] >> at % 8 & 1;
    }
}

static void read_mask(const ss_view *v, uint64_t first, size_t count, unsigned char *keep)
{
    ss_walk walk;
    for (ss_walk_start(&walk, v->layout, first); count > 0;) {
        size_t run = ss_walk_run(&walk);
        run = run < count ? run : count;
        ptrdiff_t stride = v->layout->axis[v->layout->dims - 1].stride[SS_MASK];
        if (v->mask_kind == SAMESUM_MASK_BITS) {
            read_bits(v->mask, v->mask_bit + (uint64_t)walk.offset[SS_MASK], stride, run, keep);
        } else {
            const unsigned char *mask = v->mask + walk.offset[SS_MASK];
            if (stride == 1)
                for (size_t i = 0; i < run; i++)
                    keep[i] = mask[i] != 0;
            else
                for (size_t i = 0; i < run; i++)
                    keep[i] = mask[(ptrdiff_t)i * stride] != 0;
        }
        keep += run;
        count -= run;
        ss_walk_step(&walk, run);
    }
}

/* keep[i] becomes 0 where the imaginary part is zero and spare[i] says that the real part matched.
 */
static void drop_complex(samesum_type real, const void *imaginary, const unsigned char *spare,
                         size_t count, unsigned char *keep)
{
    for (size_t i = 0; i < count; i++) {
        double d;
        float f;
        if (real == SAMESUM_F64) {
            memcpy(&d, (const char *)imaginary + i * sizeof d, sizeof d);
        } else {
            memcpy(&f, (const char *)imaginary + i * sizeof f, sizeof f);
            d = f;
        }
        if (!spare[i] && d == 0)
            keep[i] = 0;
    }
}

/* keep[i] becomes 0 where the element at that place is missing. */
static void drop_missing(const ss_view *v, int place, uint64_t first, size_t count, ss_tile *t)
{
    samesum_type real = ss_real_type(v->type);
    size_t bytes = ss_element_bytes(real);
    const void *x = fetch(v, place, first, count, bytes, 0, t->raw);
    if (v->missing == SAMESUM_MISSING_NAN) {
        v->packers->drop_nan[real](x, count, t->keep);
        if (ss_is_complex(v->type)) {
            x = fetch(v, place, first, count, bytes, bytes, t->raw);
            v->packers->drop_nan[real](x, count, t->keep);
        }
    } else if (!ss_is_complex(v->type)) {
        v->packers->drop_value[real](x, v->missing_value, count, t->keep);
    } else {
        memset(t->spare, 1, count);
        v->packers->drop_value[real](x, v->missing_value, count, t->spare);
        x = fetch(v, place, first, count, bytes, bytes, t->raw);
        drop_complex(real, x, t->spare, count, t->keep);
    }
}

static void find_present(const ss_view *v, uint64_t first, size_t count, ss_tile *t)
{
    t->masked = ss_view_is_masked(v);
    t->present = count;
    if (!t->masked)
        return;
    if (v->mask_kind == SAMESUM_MASK_NONE)
        memset(t->keep, 1, count);
    else
        read_mask(v, first, count, t->keep);
    if (v->missing != SAMESUM_MISSING_NONE)
        for (int place = SS_X; place <= SS_Y; place++)
            if (v->missing_in[place])
                drop_missing(v, place, first, count, t);
    t->present = v->packers->count(t->keep, count);
}

/* ---- the numbers ------------------------------------------------------------------------------
 */

/* count elements, of per numbers of that many bytes each; absent ones become `bits`. Out may be x.
 */
static void blank(const ss_view *v, const void *x, size_t bytes, int per, uint64_t bits,
                  const unsigned char *keep, size_t count, void *out)
{
    if (per == 2 && bytes == 4) { /* as one of twice the size */
        bits |= bits << 32;
        bytes = 8;
        per = 1;
    }
    if (per == 1) {
        v->packers->blank[size_index(bytes)](x, bits, keep, count, out);
        return;
    }
    uint64_t both[2] = {bits, bits};
    for (size_t i = 0; i < count; i++)
        memmove((char *)out + i * sizeof both,
                keep[i] ? (const char *)x + i * sizeof both : (const char *)both, sizeof both);
}

static uint64_t minus_zero(samesum_type type)
{
    return type == SAMESUM_F64                           ? UINT64_C(1) << 63
           : type == SAMESUM_F16 || type == SAMESUM_BF16 ? UINT64_C(1) << 15
                                                         : UINT64_C(1) << 31;
}

/* The bits of the first element that is present. */
static uint64_t some_present(const void *x, size_t bytes, const unsigned char *keep, size_t count)
{
    uint64_t bits = 0;
    const unsigned char *at = memchr(keep, 1, count);
    if (at)
        memcpy(&bits, (const char *)x + (size_t)(at - keep) * bytes, bytes);
    return bits; /* of a little-endian machine, the lowest ones */
}

static void scale(int is_f64, void *x, int exponent, size_t count)
{
    double *d = x;
    float *f = x;
    if (is_f64)
        for (size_t i = 0; i < count; i++)
            d[i] = scalbn(d[i], exponent);
    else
        for (size_t i = 0; i < count; i++)
            f[i] = scalbnf(f[i], exponent);
}

/* count numbers of type `from` as numbers of type `to`, in the tile's store or where they are. */
static const void *convert(const ss_view *v, samesum_type from, samesum_type to, const void *x,
                           size_t count, void *store)
{
    if (from == to || (from == SAMESUM_F32 && to == SAMESUM_F32_WIDE))
        return x;
    v->packers->widen[from == SAMESUM_F16 ? 0 : from == SAMESUM_BF16 ? 1 : 2](x, count, store);
    return store;
}

/* x itself where it lies in the tile's store already, else a copy there. */
static void *own(const void *x, size_t bytes, void *store)
{
    return x == store ? store : memcpy(store, x, bytes);
}

void ss_view_tile(const ss_view *v, uint64_t first, size_t count, ss_padding padding, ss_tile *t)
{
    samesum_type real = ss_real_type(v->type);
    int per = ss_view_per(v);
    size_t numbers = count * (size_t)per, bytes = ss_element_bytes(v->out);
    size_t part = ss_element_bytes(real), each = v->part < 0 ? ss_element_bytes(v->type) : part;
    int widens = bytes != part;
    find_present(v, first, count, t);

    const void *x = fetch(v, v->first, first, count, each, v->part > 0 ? part : 0,
                          widens ? t->raw : t->store[0]);
    x = convert(v, real, v->out, x, numbers, t->store[0]);
    if (v->map != SS_MAP_NONE) {
        void *mine = own(x, numbers * bytes, t->store[0]);
        if (v->map == SS_MAP_DEVIATE)
            v->packers->deviate[v->out == SAMESUM_F64](mine, v->parameter, numbers);
        else
            scale(v->out == SAMESUM_F64, mine, -(int)v->parameter, numbers);
        x = mine;
    }
    if (t->masked) {
        uint64_t bits =
            padding == SS_PAD_NEUTRAL ? minus_zero(v->out) : some_present(x, bytes, t->keep, count);
        blank(v, x, bytes, per, bits, t->keep, count, t->store[0]);
        x = t->store[0];
    }
    t->x = x;
    t->y = NULL;
    if (!v->pair)
        return;

    const void *y = fetch(v, SS_Y, first, count, ss_element_bytes(v->type), 0,
                          widens || v->factor >= 0 ? t->raw : t->store[1]);
    if (v->factor >= 0) {
        v->packers->factor[real == SAMESUM_F64](y, v->factor, v->conj, count, t->store[1]);
        y = t->store[1];
    }
    y = convert(v, real, v->out, y, numbers, t->store[1]);
    if (t->masked) {
        blank(v, y, bytes, per, 0, t->keep, count, t->store[1]);
        y = t->store[1];
    }
    t->y = y;
}

const char *ss_view_every_second(const ss_view *v)
{
    samesum_type real = ss_real_type(v->type);
    ptrdiff_t bytes = (ptrdiff_t)ss_element_bytes(real);
    if (ss_view_is_masked(v) || v->map != SS_MAP_NONE || v->pair || v->out != real ||
        ss_view_per(v) != 1 || v->layout->dims != 1 ||
        v->layout->axis[0].stride[v->first] != 2 * bytes)
        return NULL;
    return v->place[v->first] + (v->part > 0 ? bytes : 0);
}

int ss_view_is_direct(const ss_view *v)
{
    size_t bytes = ss_element_bytes(v->type);
    return !ss_view_is_masked(v) && v->map == SS_MAP_NONE && v->part == SS_PART_WHOLE &&
           v->factor < 0 && ss_element_bytes(ss_real_type(v->type)) == ss_element_bytes(v->out) &&
           is_flat(v->layout, v->first, bytes) && (!v->pair || is_flat(v->layout, SS_Y, bytes));
}

void ss_view_read(const ss_view *v, uint64_t first, size_t count, ss_padding padding, ss_tile *t)
{
    if (!ss_view_is_direct(v)) {
        ss_view_tile(v, first, count, padding, t);
        return;
    }
    size_t bytes = ss_element_bytes(v->type);
    t->x = v->place[v->first] + first * bytes;
    t->y = v->pair ? v->place[SS_Y] + first * bytes : NULL;
    t->present = count;
    t->masked = 0;
}

/* ---- what was seen ----------------------------------------------------------------------------
 */

void ss_tally_start(ss_tally *tally, int nonfinite_wanted)
{
    *tally =
        (ss_tally){.nonfinite_wanted = nonfinite_wanted, .counts.first = {UINT64_MAX, UINT64_MAX}};
}

void ss_tally_join(ss_tally *tally, const ss_tally *other)
{
    tally->counts.present += other->counts.present;
    tally->counts.masked += other->counts.masked;
    for (int place = SS_X; place <= SS_Y; place++) {
        tally->counts.nonfinite[place] += other->counts.nonfinite[place];
        if (other->counts.first[place] < tally->counts.first[place])
            tally->counts.first[place] = other->counts.first[place];
    }
}

static int is_nonfinite(samesum_type real, const char *number)
{
    uint64_t bits = 0;
    memcpy(&bits, number, ss_element_bytes(real));
    uint64_t exponent = real == SAMESUM_F64    ? UINT64_C(0x7ff) << 52
                        : real == SAMESUM_F16  ? UINT64_C(0x1f) << 10
                        : real == SAMESUM_BF16 ? UINT64_C(0xff) << 7
                                               : UINT64_C(0xff) << 23;
    return (bits & exponent) == exponent;
}

void ss_view_nonfinite(const ss_view *v, uint64_t first, uint64_t count, ss_tally *tally)
{
    samesum_type real = ss_real_type(v->type);
    size_t bytes = ss_element_bytes(v->type), per = ss_is_complex(v->type) ? 2 : 1;
    ss_tile t;
    while (count > 0) {
        size_t n = count < SS_SEGMENT / per ? (size_t)count : SS_SEGMENT / per;
        find_present(v, first, n, &t);
        for (int place = SS_X; place <= SS_Y; place++) {
            if (!v->place[place])
                continue;
            const char *x = fetch(v, place, first, n, bytes, 0, t.store[0]);
            if (v->packers->nonfinite[real](x, n * per) == 0)
                continue;
            uint64_t *found = &tally->counts.nonfinite[place];
            for (size_t i = 0; i < n; i++) {
                const char *e = x + i * bytes;
                if ((t.masked && !t.keep[i]) ||
                    !(is_nonfinite(real, e) || (per == 2 && is_nonfinite(real, e + bytes / 2))))
                    continue;
                if ((*found)++ == 0 || first + i < tally->counts.first[place])
                    tally->counts.first[place] = first + i;
            }
        }
        first += n;
        count -= n;
    }
}
