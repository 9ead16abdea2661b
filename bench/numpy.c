/* numpy.c - NumPy, where a python3 has it, in a child process on an array of its own of equal size.
 * Sums along an axis are asked for one by one, so that they alternate with others; the figures of
 * the other calls are no part of a pair and get no ratio. */
#include "peers.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "python.h"

#define SCRIPT "peer_numpy.py"

static const char *python; /* NULL: none has NumPy, or not looked for yet */

const char *bench_numpy_about(void)
{
    static char line[160];
    if (!python)
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

static FILE *child;              /* prints a line after each sum */
static int orders[2] = {-1, -1}; /* a line written to [1] asks for one */

/* An open pipe at both ends: where the child dies, writing to it is no SIGPIPE. */
bool bench_numpy_start(const char *shape, int axis)
{
    char command[200];
    if (!python || pipe(orders) != 0)
        return false;
    /* or the child would wait for its own end */
    fcntl(orders[1], F_SETFD, FD_CLOEXEC);
    snprintf(command, sizeof command,
             "%s " BENCH_DIR "/" SCRIPT " axis %s %d </dev/fd/%d 2>/dev/null", python, shape, axis,
             orders[0]);
    fflush(stdout);
    child = popen(command, "r");
    double nothing;
    if (child && bench_numpy_axis(NULL, &nothing) == SAMESUM_OK)
        return true;
    bench_numpy_stop();
    return false;
}

samesum_status bench_numpy_axis(const bench_call *call, double *result)
{
    char line[80];
    (void)call;
    *result = 0;
    /* a pipe that nobody empties would block in the end */
    bool done = !feof(child) && write(orders[1], "\n", 1) == 1 && fgets(line, sizeof line, child);
    return done ? SAMESUM_OK : SAMESUM_ERR_NOMEM;
}

void bench_numpy_stop(void)
{
    close(orders[1]);
    close(orders[0]);
    if (child)
        pclose(child);
    child = NULL;
}
