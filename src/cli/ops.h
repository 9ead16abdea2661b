/* ops.h - the table of operations: which options each takes, and the function that does it. */
#ifndef SAMESUM_CLI_OPS_H
#define SAMESUM_CLI_OPS_H

#include "request.h"

struct operation {
    const char *name;
    const char *files; /* as help shows them; NULL: no files */
    const char *what;  /* one line for help */
    int min_files, max_files;
    uint64_t options;                    /* OPTION_BITs that it uses */
    samesum_op op;                       /* of a reduction */
    int (*run)(const struct request *r); /* NULL: not supported yet; returns the exit status */
};

extern const struct operation operations[];
extern const int operation_count;

/* NULL where there is none of this name. */
const struct operation *operation_find(const char *name);

/* The functions of the table. */
int run_reduction(const struct request *r);
int run_audit(const struct request *r);
int run_selftest(const struct request *r);
int run_info(const struct request *r);
int run_golden(const struct request *r);
int run_bench(const struct request *r);

#endif
