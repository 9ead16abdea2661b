/* result.h - one result of an operation, and how --output prints it. */
#ifndef SAMESUM_CLI_RESULT_H
#define SAMESUM_CLI_RESULT_H

#include "nonfinite.h"
#include "request.h"
#include "value.h"

struct result {
    const char *op;
    const char *level;
    const char *dtype; /* of the elements */
    uint64_t n;        /* elements present */
    uint64_t masked;
    struct value value;
    struct nonfinite nonfinite; /* of all files together */
};

void result_print(const struct result *r, enum output output);

#endif
