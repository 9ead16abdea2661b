/* request.h - what the command line asks for. options.c fills it in; everything else reads it. */
#ifndef SAMESUM_CLI_REQUEST_H
#define SAMESUM_CLI_REQUEST_H

#include "dtype.h"
#include "samesum.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum format { FORMAT_BY_NAME, FORMAT_NPY, FORMAT_RAW, FORMAT_TEXT };
enum output { OUTPUT_TEXT, OUTPUT_BITS, OUTPUT_HEX, OUTPUT_JSON };

/* How to read files: the part of a request that input.c needs. */
struct file_options {
    enum format format;
    enum dtype dtype;    /* DTYPE_NONE: by the file */
    uint64_t skip_lines; /* of a text */
    int64_t column;      /* of a text, from 0; -1: lines have one field */
    bool mask;           /* an .npy file of bool or uint8, and nothing else */
};

struct operation;

struct request {
    const struct operation *op;
    char **files;
    int file_count;
    uint64_t given;       /* OPTION_BIT of each option on the command line */
    const char *text[64]; /* the value of each of them, by its id; NULL where it takes none */
    struct file_options file;
    samesum_level level;
    samesum_backend backend;
    bool wide;
    unsigned ddof; /* of var and std */
    int threads;   /* 0: the default */
    bool mpi;      /* the ranks that mpirun started share the work */
    size_t chunk;  /* elements; 0: as suits the file */
    bool fail_on_nonfinite;
    samesum_result_type result_type;
    samesum_nan nan; /* of min, max, argmin, argmax */
    bool conj;       /* of dot */
    int64_t axis;    /* where OPTION_AXIS is given; negative: from the last one */
    int64_t stride;  /* 1: all elements */
    const char *mask, *weights, *missing; /* as given; NULL: none */
    const char *out_file;                 /* NULL: print; of golden record, the golden file */
    enum output output;
    uint64_t size_mib;                      /* of bench's buffer */
    const struct operation *golden_ops[16]; /* each once */
    int golden_op_count;
    uint64_t tolerance; /* of golden check, in ulps */
    bool update;        /* golden check records what differs anew */
};

#endif
