/* dtype.h - the element types that files hold and results have. */
#ifndef SAMESUM_CLI_DTYPE_H
#define SAMESUM_CLI_DTYPE_H

#include "samesum.h"

#include <stdbool.h>
#include <stddef.h>

enum dtype {
    DTYPE_NONE,
    DTYPE_F64,
    DTYPE_F32,
    DTYPE_F16,
    DTYPE_BF16,
    DTYPE_C64,
    DTYPE_C128,
    DTYPE_MASK, /* bytes that are zero or not: files given to --mask alone */
    DTYPE_INDEX /* results of argmin and argmax alone */
};

struct dtype_row {
    const char *name; /* as --dtype and JSON spell it */
    enum dtype dtype;
    size_t size;            /* bytes of one element */
    enum dtype part;        /* of a complex element's two parts; else the type itself */
    samesum_type type;      /* of what the library reduces */
    const char *npy;        /* .npy's type code without the byte order */
    const char *raw_suffix; /* of raw files that imply the type; NULL: none */
};

/* The row of a type; d is not DTYPE_NONE. */
const struct dtype_row *dtype_row(enum dtype d);
/* By --dtype's name, by a raw file's suffix, by .npy's code: of the types that the library reduces;
 * DTYPE_NONE where nothing matches. */
enum dtype dtype_from_name(const char *name);
enum dtype dtype_from_suffix(const char *suffix);
enum dtype dtype_from_npy(const char *code);
/* Whether elements have a real and an imaginary part. */
bool dtype_is_complex(enum dtype d);
/* Whether it is one of the two types of 16 bits. */
bool dtype_is_half(enum dtype d);

#endif
