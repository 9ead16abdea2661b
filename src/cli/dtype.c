#include "dtype.h"

#include <string.h>
#include <strings.h>

static const struct dtype_row rows[] = {
    {"f64", DTYPE_F64, 8, DTYPE_F64, SAMESUM_F64, "f8", ".f64"},
    {"f32", DTYPE_F32, 4, DTYPE_F32, SAMESUM_F32, "f4", ".f32"},
    {"f16", DTYPE_F16, 2, DTYPE_F16, SAMESUM_F16, "f2", ".f16"},
    {"bf16", DTYPE_BF16, 2, DTYPE_BF16, SAMESUM_BF16, "V2", ".bf16"},
    {"c64", DTYPE_C64, 8, DTYPE_F32, SAMESUM_C64, "c8", NULL},
    {"c128", DTYPE_C128, 16, DTYPE_F64, SAMESUM_C128, "c16", NULL},
    /* what follows is not reduced */
    {"mask", DTYPE_MASK, 1, DTYPE_MASK, SAMESUM_F64, "u1", NULL},
    {"u64", DTYPE_INDEX, 8, DTYPE_INDEX, SAMESUM_F64, "u8", NULL},
};
enum { ROWS = sizeof rows / sizeof *rows, REDUCED_ROWS = 6 };

const struct dtype_row *dtype_row(enum dtype d)
{
    for (int i = 0; i < ROWS; i++)
        if (rows[i].dtype == d)
            return &rows[i];
    return NULL;
}

enum dtype dtype_from_name(const char *name)
{
    for (int i = 0; i < REDUCED_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].dtype;
    return DTYPE_NONE;
}

enum dtype dtype_from_suffix(const char *suffix)
{
    for (int i = 0; i < REDUCED_ROWS; i++)
        if (rows[i].raw_suffix && strcasecmp(rows[i].raw_suffix, suffix) == 0)
            return rows[i].dtype;
    return DTYPE_NONE;
}

enum dtype dtype_from_npy(const char *code)
{
    for (int i = 0; i < REDUCED_ROWS; i++)
        if (strcmp(rows[i].npy, code) == 0)
            return rows[i].dtype;
    return DTYPE_NONE;
}

bool dtype_is_complex(enum dtype d)
{
    return d == DTYPE_C64 || d == DTYPE_C128;
}

bool dtype_is_half(enum dtype d)
{
    return d == DTYPE_F16 || d == DTYPE_BF16;
}
