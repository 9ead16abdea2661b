/* The functions of natural.h, for host and device. */
#ifndef SS_NATURAL_CODE_H
#define SS_NATURAL_CODE_H

#include "exact/natural.h"

#include <string.h>

__extension__ typedef unsigned __int128 u128;

SS_BOTH_INLINE void trim(ss_magnitude *m)
{
    while (m->length > 0 && m->digit[m->length - 1] == 0)
        m->length--;
}

/* Gives m some more digits of zeros at its low end. */
SS_BOTH_INLINE void extend(ss_magnitude *m, int digits)
{
    if (m->length == 0 || digits <= 0)
        return;
    for (int i = m->length - 1; i >= 0; i--)
        m->digit[i + digits] = m->digit[i];
    memset(m->digit, 0, (size_t)digits * sizeof *m->digit);
    m->length += digits;
    m->exponent -= 32 * digits;
}

SS_BOTH void ss_natural_times(ss_magnitude *m, uint64_t factor)
{
    u128 carry = 0;
    for (int i = 0; i < m->length; i++) {
        carry += (u128)factor * m->digit[i];
        m->digit[i] = (uint32_t)carry;
        carry >>= 32;
    }
    for (; carry != 0; carry >>= 32)
        m->digit[m->length++] = (uint32_t)carry;
    trim(m);
}

SS_BOTH void ss_natural_square(const ss_magnitude *m, ss_magnitude *square)
{
    int n = m->length;
    memset(square->digit, 0, 2 * (size_t)n * sizeof *square->digit);
    for (int i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < n; j++) {
            carry += (uint64_t)m->digit[i] * m->digit[j] + square->digit[i + j];
            square->digit[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        square->digit[i + n] = (uint32_t)carry;
    }
    square->negative = 0;
    square->length = 2 * n;
    square->exponent = 2 * m->exponent;
    trim(square);
}

SS_BOTH int ss_natural_minus(ss_magnitude *a, const ss_magnitude *b)
{
    if (b->length == 0)
        return 0;
    if (a->length == 0)
        a->exponent = b->exponent;
    extend(a, (a->exponent - b->exponent) / 32);
    int at =
        (b->exponent - a->exponent) / 32; /* of b's lowest digit in a; exponents are 32 k + const */
    for (; a->length < at + b->length; a->length++)
        a->digit[a->length] = 0;
    int64_t borrow = 0;
    for (int i = at; i < a->length; i++) {
        borrow += (int64_t)a->digit[i] - (i - at < b->length ? b->digit[i - at] : 0);
        a->digit[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    if (borrow < 0) { /* what stands there is 2^(32 length) too much */
        uint64_t plus = 1;
        for (int i = 0; i < a->length; i++) {
            plus += (uint32_t)~a->digit[i];
            a->digit[i] = (uint32_t)plus;
            plus >>= 32;
        }
    }
    trim(a);
    return borrow < 0;
}

SS_BOTH int ss_natural_over(ss_magnitude *m, uint64_t divisor)
{
    extend(m, 7 - m->length); /* 6 * 32 bits at least, less the 64 of the divisor */
    u128 rest = 0;
    for (int i = m->length - 1; i >= 0; i--) {
        rest = rest << 32 | m->digit[i];
        m->digit[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    trim(m);
    return rest != 0;
}

SS_BOTH int ss_natural_root(ss_magnitude *m)
{
    if (m->length == 0)
        return 0;
    extend(m, 5 - m->length);
    /* the highest 128 bits, with an even exponent */
    int top = m->length - 1;
    int bits = 32 * m->length - ss_leading_zeros(m->digit[top]);
    int cut = bits - 128; /* > 0 */
    cut += (m->exponent + cut) % 2 != 0;
    u128 square = 0;
    int left = 0;
    for (int i = top; i >= 0; i--) {
        int place = 32 * i - cut;
        if (place >= 0)
            square |= (u128)m->digit[i] << place;
        else if (place > -32) {
            square |= m->digit[i] >> -place;
            left |= (m->digit[i] & ((UINT32_C(1) << -place) - 1)) != 0;
        } else
            left |= m->digit[i] != 0;
    }
    uint64_t root = 0;
    for (int b = 63; b >= 0; b--) {
        uint64_t next = root | UINT64_C(1) << b;
        if ((u128)next * next <= square)
            root = next;
    }
    left |= (u128)root * root != square;
    m->exponent = (m->exponent + cut) / 2;
    m->digit[0] = (uint32_t)root;
    m->digit[1] = (uint32_t)(root >> 32);
    m->length = 2;
    trim(m);
    return left;
}

SS_BOTH_INLINE int bit_length(const ss_magnitude *m)
{
    return 32 * m->length - ss_leading_zeros(m->digit[m->length - 1]);
}

/* Whether the first `length` digits of a are at least those of b. */
SS_BOTH_INLINE int at_least(const uint32_t *a, const uint32_t *b, int length)
{
    for (int i = length - 1; i >= 0; i--)
        if (a[i] != b[i])
            return a[i] > b[i];
    return 1;
}

/* Bit by bit, as on paper: few results need it, and each of them 67 or 68 bits. */
SS_BOTH int ss_natural_divide(ss_magnitude *m, const ss_magnitude *by, ss_magnitude *room)
{
    enum { BITS = 68 };
    uint32_t *rest = room->digit; /* below 2 by: one digit more than by */
    uint32_t result[3] = {0, 0, 0};
    int length = by->length, steps = bit_length(by) + BITS - 1;
    memset(rest, 0, ((size_t)length + 1) * sizeof *rest);
    int top = bit_length(m);
    for (int k = 1; k <= steps; k++) { /* bit top - k of m, which continues with zeros */
        uint32_t in = k <= top ? m->digit[(top - k) / 32] >> (top - k) % 32 & 1 : 0;
        for (int i = length; i > 0; i--)
            rest[i] = rest[i] << 1 | rest[i - 1] >> 31;
        rest[0] = rest[0] << 1 | in;
        result[2] = result[2] << 1 | result[1] >> 31;
        result[1] = result[1] << 1 | result[0] >> 31;
        result[0] <<= 1;
        if (rest[length] != 0 || at_least(rest, by->digit, length)) {
            int64_t borrow = 0;
            for (int i = 0; i < length; i++) {
                borrow += (int64_t)rest[i] - by->digit[i];
                rest[i] = (uint32_t)borrow;
                borrow >>= 32;
            }
            rest[length] = 0;
            result[0] |= 1;
        }
    }
    int left = 0;
    for (int i = 0; i < length; i++)
        left |= rest[i] != 0;
    for (int bit = 0; bit < top - steps; bit++) /* what was not looked at */
        left |= (m->digit[bit / 32] >> bit % 32 & 1) != 0;
    m->exponent += top - steps - by->exponent;
    memcpy(m->digit, result, sizeof result);
    m->length = 3;
    trim(m);
    return left;
}

#endif
