#include "golden_number.h"

#include "number.h"

#include <stdlib.h>
#include <string.h>

/* "0x" and 16, 8 or 4 digits; the number of bits, or 0 where these are none. */
static int width_of(const char *bits, size_t length)
{
    if (length < 3 || memcmp(bits, "0x", 2) != 0 ||
        strspn(bits + 2, "0123456789abcdef") < length - 2)
        return 0;
    return length == 18 ? 64 : length == 10 ? 32 : length == 6 ? 16 : 0;
}

bool golden_decimal(const char *bits, size_t length, enum dtype dtype, char decimal[VALUE_TEXT])
{
    const int width = width_of(bits, length);
    const uint64_t wide = strtoull(bits, NULL, 16);
    const uint32_t single = (uint32_t)wide;
    const uint16_t half = (uint16_t)wide;
    if (width == 0 || (width == 16 && !dtype_is_half(dtype)))
        return false;
    value_decimal(width == 64   ? value_load(DTYPE_F64, &wide)
                  : width == 32 ? value_load(DTYPE_F32, &single)
                                : value_load(dtype, &half),
                  decimal);
    return true;
}

bool golden_bits(const char *decimal, enum dtype dtype, char bits[VALUE_TEXT])
{
    char again[VALUE_TEXT];
    struct value v = {dtype, number_from_text(decimal, NULL, dtype)};
    value_decimal(v, again);
    value_bits(v, bits);
    return strcmp(decimal, again) == 0;
}

/* The significand's stored bits of a type that is width bits wide. */
static int significand(int width, enum dtype dtype)
{
    return width == 64 ? 52 : width == 32 ? 23 : dtype == DTYPE_BF16 ? 7 : 10;
}

static enum golden_distance compare_one(const char *a, size_t a_length, const char *b,
                                        size_t b_length, enum dtype dtype, uint64_t *ulps)
{
    *ulps = 0;
    if (a_length == b_length && memcmp(a, b, a_length) == 0)
        return GOLDEN_SAME;
    int width = width_of(a, a_length);
    if (width == 0 || width != width_of(b, b_length))
        return GOLDEN_FAR;
    uint64_t sign = UINT64_C(1) << (width - 1), u = strtoull(a, NULL, 16),
             v = strtoull(b, NULL, 16);
    uint64_t infinity = sign - (UINT64_C(1) << significand(width, dtype));
    uint64_t u_size = u & (sign - 1), v_size = v & (sign - 1);
    if (u_size > infinity && v_size > infinity)
        return GOLDEN_SAME;
    if (u_size >= infinity || v_size >= infinity)
        return GOLDEN_FAR;
    if (u_size == 0 && v_size == 0)
        return GOLDEN_SIGN;
    /* numbers of one sign are in the order of their bits, and zero lies between the signs */
    if ((u & sign) != (v & sign))
        *ulps = u_size + v_size;
    else
        *ulps = u_size > v_size ? u_size - v_size : v_size - u_size;
    return GOLDEN_ULPS;
}

enum golden_distance golden_compare(const char *a, const char *b, enum dtype dtype, uint64_t *ulps)
{
    enum golden_distance worst = GOLDEN_SAME;
    uint64_t most = 0;
    for (bool more = true; more;) {
        size_t a_length = strcspn(a, ","), b_length = strcspn(b, ",");
        enum golden_distance d = compare_one(a, a_length, b, b_length, dtype, ulps);
        worst = d > worst ? d : worst;
        most = *ulps > most ? *ulps : most;
        more = a[a_length] && b[b_length];
        if (!more && (a[a_length] || b[b_length]))
            worst = GOLDEN_FAR;
        a += a_length + more;
        b += b_length + more;
    }
    *ulps = worst == GOLDEN_ULPS ? most : 0;
    return worst;
}
