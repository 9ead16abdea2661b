/* python.c - finds a Python that has a package, and reads what a script prints. */
#include "python.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

void bench_first_line(const char *command, char *line, int size)
{
    line[0] = 0;
    fflush(stdout); /* a child of popen() would print it again */
    FILE *child = popen(command, "r");
    if (!child)
        return;
    if (!fgets(line, size, child))
        line[0] = 0;
    if (pclose(child) != 0)
        line[0] = 0;
    line[strcspn(line, "\n")] = 0;
}

const char *bench_python(const char *script, char *line, int size)
{
    /* The shell fills in the variable. */
    static const char *const pythons[] = {"\"${BENCH_PYTHON:-python3}\"", "python3",
                                          "/usr/bin/python3"};
    char command[200];
    for (size_t i = 0; i < sizeof pythons / sizeof *pythons; i++) {
        snprintf(command, sizeof command, "%s " BENCH_DIR "/%s 2>/dev/null", pythons[i], script);
        bench_first_line(command, line, size);
        if (line[0])
            return pythons[i];
    }
    return NULL;
}
