/* golden_statistics.h - what a golden entry says of its data besides the result. */
#ifndef SAMESUM_CLI_GOLDEN_STATISTICS_H
#define SAMESUM_CLI_GOLDEN_STATISTICS_H

#include "golden_entry.h"
#include "value.h"

struct golden_statistics {
    char shape[GOLDEN_SHAPE_TEXT];
    /* Over all files of the request, NaNs left out; "nan" where nothing else is there, "-" for
     * types without an order. */
    char min[VALUE_TEXT], max[VALUE_TEXT];
};

/* Reads the files of a reduction for them. Errors end the program, as in input_open(). */
void golden_statistics(struct golden_statistics *s, const struct request *r);

#endif
