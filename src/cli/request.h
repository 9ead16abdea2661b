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
    size_t chunk;  /* elements; 0: as suits the file */
    bool fail_on_nonfinite;
    enum output output;
    uint64_t size_mib;                      /* of bench's buffer */
    const char *out_file;                   /* NULL: none */
    const struct operation *golden_ops[16]; /* each once */
    int golden_op_count;
    uint64_t tolerance; /* of golden check, in ulps */
    bool update;        /* golden check records what differs anew */
};

#endif
