/* result.h - one result of an operation, and how --output prints it. */
#ifndef SAMESUM_CLI_RESULT_H
#define SAMESUM_CLI_RESULT_H

#include "nonfinite.h"
#include "request.h"

struct result {
    const char *op;
    const char *level; /* NULL: the operation has none */
    const char *dtype; /* of the elements */
    uint64_t n;        /* elements present */
    uint64_t masked;
    enum dtype type;            /* of the result */
    const void *bytes;          /* the result */
    struct nonfinite nonfinite; /* of all files together */
};

/* Prints one line, or one JSON object without a line end. */
void result_print(const struct result *r, enum output output);

#endif
