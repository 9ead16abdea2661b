/* xsum.c - the package xsum, where a python3 has it, in a child process on a copy of the data. */
#include "exact_data.h"

#include <stdio.h>
#include "python.h"

#define SCRIPT "peer_xsum.py"

static const char *python; /* NULL: none has xsum, or not looked for yet */

const char *bench_xsum_about(bool *found)
{
    static char line[160];
    python = bench_python(SCRIPT, line, sizeof line);
    *found = python != NULL;
    return python ? line : "xsum: not found (BENCH_PYTHON names a Python that has xsum and numpy)";
}

bool bench_xsum_run(const double *x, size_t n, int samples, bench_xsum *out)
{
    char command[200], line[200];
    FILE *copy = tmpfile();
    if (!copy)
        return false;
    bool ok = python && fwrite(x, sizeof *x, n, copy) == n && fflush(copy) == 0;
    rewind(copy);
    if (ok) {
        snprintf(command, sizeof command, "%s " BENCH_DIR "/" SCRIPT " %d </dev/fd/%d 2>/dev/null",
                 python, samples, fileno(copy));
        bench_first_line(command, line, sizeof line);
        ok = sscanf(line, "%lf %la %lf %la", &out->small_speed, &out->small, &out->large_speed,
                    &out->large) == 4;
    }
    fclose(copy);
    return ok;
}
