#define _GNU_SOURCE
#include "fixedtree/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "fixedtree/fpenv.h"
#include "fixedtree/shape.h"

#ifdef _OPENMP
/* libgomp's thread pool does not survive fork(): a parallel region in the child waits for ever for
 * threads that only the parent has. Whether the process had used OpenMP before, through us or not,
 * cannot be told, so a forked child works on the calling thread. */
static atomic_bool forked;

static void in_child(void)
{
    atomic_store(&forked, true);
}

/* When a program loads this library in a child that it has forked, no handler has seen the fork. */
static bool forked_before_loading(void)
{
    enum { FLAGS_FIELD = 9, PF_FORKNOEXEC = 0x40 };
    FILE *f = fopen("/proc/self/stat", "re");
    if (!f)
        return false;
    char line[512];
    char *at = fgets(line, sizeof line, f) ? line : NULL;
    fclose(f);
    /* Field 2, the program's name, may hold anything, blanks and parentheses too. */
    for (char *p = at; p && *p; p++)
        if (*p == ')')
            at = p + 1;
    unsigned long flags = 0;
    return at && sscanf(at, " %*c %*d %*d %*d %*d %*d %lu", &flags) == 1 && (flags & PF_FORKNOEXEC);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
    if (forked_before_loading())
        atomic_store(&forked, true);
}
#endif

int ss_has_openmp(void)
{
#ifdef _OPENMP
    return 1;
#else
    return 0;
#endif
}

int ss_default_threads(void)
{
#ifdef _OPENMP
    if (!atomic_load_explicit(&forked, memory_order_relaxed) && !omp_in_parallel())
        return omp_get_max_threads();
#endif
    return 1;
}

int ss_useful_threads(int asked, size_t parts)
{
#ifdef _OPENMP
    enum { PARTS_EACH = 16, MOST = 1024 };
    if (parts <= SS_ALONE / SS_SEGMENT || atomic_load_explicit(&forked, memory_order_relaxed))
        return 1;
    size_t most = asked > 0 ? parts : parts / PARTS_EACH;
    int threads = asked > 0 ? asked : ss_default_threads();
    most = most < MOST ? most : MOST;
    return (size_t)threads < most ? threads : (int)most;
#else
    (void)asked;
    (void)parts;
    return 1;
#endif
}

int ss_parallel(int threads, size_t parts, ss_work *work, void *context)
{
#ifdef _OPENMP
    if (threads > 1) {
        int team = 1;
#pragma omp parallel num_threads(threads)
        {
            ss_fpenv caller = ss_fpenv_enter();
            size_t members = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
            size_t each = parts / members, more = parts % members;
            size_t from = each * me + (me < more ? me : more);
            work(context, (int)me, from, from + each + (me < more));
            if (me == 0)
                team = (int)members;
            ss_fpenv_leave(caller);
        }
        return team;
    }
#else
    (void)threads;
#endif
    work(context, 0, 0, parts);
    return 1;
}
