/* numpy.c - NumPy, where python3 has it, in a child process on an array of its own of equal size.
 * Its figures are no part of a pair and get no ratio. */
#define _GNU_SOURCE
#include "peers.h"

#include <stdio.h>
#include <string.h>

#ifndef BENCH_DIR
#define BENCH_DIR "bench"
#endif
#define NUMPY "python3 " BENCH_DIR "/peer_numpy.py"

/* First line that the command prints; empty where it fails. */
static void first_line(const char *command, char *line, int size)
{
    line[0] = 0;
    FILE *child = popen(command, "r");
    if (!child)
        return;
    if (!fgets(line, size, child))
        line[0] = 0;
    if (pclose(child) != 0)
        line[0] = 0;
    line[strcspn(line, "\n")] = 0;
}

const char *bench_numpy_about(void)
{
    static char line[160];
    fflush(stdout);
    first_line(NUMPY " 2>/dev/null", line, sizeof line);
    return line[0] ? line : "NumPy: not found";
}

double bench_numpy_speed(const bench_call *call, int samples)
{
    static const char *const ops[] = {"sum", "asum", "sumsq", "dot"};
    static const char *const types[] = {"f64", "f32", "f32w"};
    char command[200], line[80];
    double speed = 0;
    snprintf(command, sizeof command, NUMPY " %s %s %zu %d 2>/dev/null", ops[call->op],
             types[call->type], call->n, samples);
    fflush(stdout);
    first_line(command, line, sizeof line);
    return sscanf(line, "%lf", &speed) == 1 ? speed : 0;
}
