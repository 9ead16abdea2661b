/* python.h - peers that are Python packages, each measured by a script in a process of its own. */
#ifndef BENCH_PYTHON_H
#define BENCH_PYTHON_H

/* Runs a shell command and stores the first line that it prints, without its end; empty where it
 * fails. */
void bench_first_line(const char *command, char *line, int size);
/* The first Python that runs the script (named relative to the benchmark's directory) without
 * arguments, as the shell is to be given it, and what that printed; NULL: none. */
const char *bench_python(const char *script, char *line, int size);

#ifndef BENCH_DIR
#define BENCH_DIR "bench"
#endif

#endif
