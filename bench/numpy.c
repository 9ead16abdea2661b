/* numpy.c - NumPy, where python3 has it, in a child process on an array of its own of equal size.
 * Its figures are no part of a pair and get no ratio. */
#include "peers.h"

#include <stdio.h>
#include <string.h>

#ifndef BENCH_DIR
#define BENCH_DIR "bench"
#endif
#define SCRIPT BENCH_DIR "/peer_numpy.py"

/* The first of these that has NumPy; NULL: none, or not looked for yet. */
static const char *const pythons[] = {"python3", "/usr/bin/python3"};
static const char *python = NULL;

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
    char command[200];
    fflush(stdout); /* a child of popen() would print it again */
    for (size_t i = 0; i < sizeof pythons / sizeof *pythons && !python; i++) {
        snprintf(command, sizeof command, "%s " SCRIPT " 2>/dev/null", pythons[i]);
        first_line(command, line, sizeof line);
        if (line[0])
            python = pythons[i];
    }
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
    snprintf(command, sizeof command, "%s " SCRIPT " %s %s %zu %d 2>/dev/null", python,
             ops[call->op], types[call->type], call->n, samples);
    fflush(stdout);
    first_line(command, line, sizeof line);
    return sscanf(line, "%lf", &speed) == 1 ? speed : 0;
}
