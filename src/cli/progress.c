#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double started, shown; /* seconds; 0: not yet */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool progress_wanted(void)
{
    return isatty(STDERR_FILENO) == 1;
}

void progress_show(uint64_t done, uint64_t total)
{
    if (!progress_wanted())
        return;
    double t = now();
    if (started == 0)
        started = t;
    if (t < started + 1 || t < shown + 0.2)
        return;
    shown = t;
    if (total)
        fprintf(stderr, "\r%3.0f %% ", 100 * (double)done / (double)total);
    else
        fprintf(stderr, "\r%.1f million elements ", 1e-6 * (double)done);
    fflush(stderr);
}

void progress_say(const char *what)
{
    if (!progress_wanted())
        return;
    shown = now();
    fprintf(stderr, "\r%s ", what);
    fflush(stderr);
}

void progress_end(void)
{
    if (shown > 0)
        fputs("\r\033[K", stderr);
    started = shown = 0;
}
