/* value.h - a real number of a result's type, and its printed forms. */
#ifndef SAMESUM_CLI_VALUE_H
#define SAMESUM_CLI_VALUE_H

#include "dtype.h"

struct value {
    enum dtype type; /* f64, f32, f16 or bf16 */
    double number;   /* one of that type */
};

struct value value_f64(double v);
struct value value_f32(float v);
/* The number of that type in the bytes at from. */
struct value value_load(enum dtype type, const void *from);

enum { VALUE_TEXT = 40 };
/* The shortest decimal that reads back to the same number of the same type; of several, the
 * closest. */
void value_decimal(struct value v, char text[VALUE_TEXT]);
/* C's %a. */
void value_hex(struct value v, char text[VALUE_TEXT]);
/* "0x" and 4, 8 or 16 digits. */
void value_bits(struct value v, char text[VALUE_TEXT]);

#endif
