/* value.h - a result and its printed forms. */
#ifndef SAMESUM_CLI_VALUE_H
#define SAMESUM_CLI_VALUE_H

#include "samesum.h"

#include <stdbool.h>

struct value {
    bool binary32; /* else binary64 */
    float f32;
    double f64; /* the same number also where binary32 */
};

struct value value_f64(double v);
struct value value_f32(float v);
/* What samesum_reduce() wrote for elements of this type. */
struct value value_of_result(samesum_type type, const void *result);

enum { VALUE_TEXT = 40 };
/* The shortest decimal that reads back to the same number of the same type; of several, the
 * closest. */
void value_decimal(struct value v, char text[VALUE_TEXT]);
/* C's %a. */
void value_hex(struct value v, char text[VALUE_TEXT]);
/* "0x" and 8 or 16 digits. */
void value_bits(struct value v, char text[VALUE_TEXT]);

#endif
