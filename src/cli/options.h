/* options.h - the options, their values, and which operation uses which. */
#ifndef SAMESUM_CLI_OPTIONS_H
#define SAMESUM_CLI_OPTIONS_H

#include "request.h"

enum option_id {
    OPTION_ACCURACY,
    OPTION_WIDE,
    OPTION_THREADS,
    OPTION_BACKEND,
    OPTION_CHUNK,
    OPTION_FORMAT,
    OPTION_DTYPE,
    OPTION_SKIP_LINES,
    OPTION_COLUMN,
    OPTION_RESULT_TYPE,
    OPTION_FAIL_ON_NONFINITE,
    OPTION_OUTPUT,
    OPTION_SIZE,
    OPTION_AXIS,
    OPTION_STRIDE,
    OPTION_MASK,
    OPTION_MISSING,
    OPTION_WEIGHTS,
    OPTION_CONJ,
    OPTION_DDOF,
    OPTION_NAN,
    OPTION_OUT_FILE,
    OPTION_HTML,
    OPTION_MPI,
    OPTION_OP,
    OPTION_UPDATE,
    OPTION_TOLERANCE,
    OPTION_COUNT
};
#define OPTION_BIT(id) ((uint64_t)1 << (id))

/* "accuracy"; the "--" or "-" before it; whether it takes a value. */
const char *option_name(int id);
const char *option_dashes(int id);
bool option_takes_value(int id);

/* Reads the command line. Ends the program with EXIT_USAGE where it makes no sense, and with
 * EXIT_DONE after --help and --version. */
void options_read(struct request *r, int argc, char **argv);

#endif
