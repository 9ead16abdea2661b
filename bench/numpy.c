/* numpy.c - NumPy, where a python3 has it, in a child process on an array of its own of equal size.
 * Its figures are no part of a pair and get no ratio. */
#include "peers.h"

#include <stdio.h>
#include "python.h"

#define SCRIPT "peer_numpy.py"

static const char *python; /* NULL: none has NumPy, or not looked for yet */

const char *bench_numpy_about(void)
{
    static char line[160];
    python = bench_python(SCRIPT, line, sizeof line);
    return python ? line : "NumPy: not found";
}

double bench_numpy_speed(const bench_call *call, int samples)
{
    static const char *const ops[] = {"sum", "asum", "sumsq", "dot"};
    static const char *const types[] = {"f64", "f32", "f32w"};
    char command[200], line[80];
    double speed = 0;
    if (!python)
        return 0;
    snprintf(command, sizeof command, "%s " BENCH_DIR "/" SCRIPT " %s %s %zu %d 2>/dev/null",
             python, ops[call->op], types[call->type], call->n, samples);
    bench_first_line(command, line, sizeof line);
    return sscanf(line, "%lf", &speed) == 1 ? speed : 0;
}
