/* npy_write.h - results as an .npy file. */
#ifndef SAMESUM_CLI_NPY_WRITE_H
#define SAMESUM_CLI_NPY_WRITE_H

#include "input.h"

/* Writes the elements at data, in C order, in format version 1. The file appears whole or not at
 * all: it is written beside the old one, if any, and then takes its place. */
void npy_write(const char *name, enum dtype dtype, const struct shape *shape, const void *data,
               size_t count);

#endif
