#define _GNU_SOURCE
#include "fixedtree/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "fixedtree/fpenv.h"

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

/* Appends count segments on the calling thread, in the largest aligned nodes that the kernel makes.
 * Kahan's kernels are those of tree and end at the segment (SPEC.md 4.3). */
static void append_alone(const ss_plan *plan, const char *x, const char *y, size_t count,
                         ss_range *range)
{
    int most = plan->arith.level == SAMESUM_KAHAN ? SS_SEGMENT_LEVEL : SS_NODE_LEVEL_MAX;
    uint64_t end = range->end + count * SS_SEGMENT_ROWS;
    while (range->end < end) {
        int level = ss_aligned_level(range->end, end);
        if (level > most)
            level = most;
        ss_lanes node;
        plan->kernel->node(level, x, y, &node);
        ss_range_push(&plan->arith, range, level, &node);
        size_t bytes = ((size_t)SS_LANES << level) * plan->elem_bytes;
        x += bytes;
        if (y)
            y += bytes;
    }
}

#ifdef _OPENMP
/* How many threads are worth having for so many segments. */
static int useful_threads(int asked, size_t count)
{
    enum { SEGMENTS_EACH = 16 };
    if (count <= SS_ALONE / SS_SEGMENT || atomic_load_explicit(&forked, memory_order_relaxed))
        return 1;
    size_t most = asked > 0 ? count : count / SEGMENTS_EACH;
    int threads = asked > 0 ? asked : ss_default_threads();
    return (size_t)threads < most ? threads : (int)most;
}
#endif

int ss_segments_append(const ss_plan *plan, const char *x, const char *y, size_t count,
                       ss_range *range)
{
#ifdef _OPENMP
    int threads = useful_threads(plan->threads, count);
    ss_range *part = threads > 1 ? malloc((size_t)threads * sizeof *part) : NULL;
    if (part) {
        size_t bytes = SS_SEGMENT * plan->elem_bytes;
        uint64_t first_row = range->end;
        int team = 1;
#pragma omp parallel num_threads(threads)
        {
            ss_fpenv caller = ss_fpenv_enter();
            size_t members = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
            size_t from = count / members * me + (me < count % members ? me : count % members);
            size_t to = from + count / members + (me < count % members);
            ss_range_init(&part[me], first_row + from * SS_SEGMENT_ROWS);
            append_alone(plan, x + from * bytes, y ? y + from * bytes : NULL, to - from, &part[me]);
            if (me == 0)
                team = (int)members;
            ss_fpenv_leave(caller);
        }
        for (int i = 0; i < team; i++)
            ss_range_append(&plan->arith, range, &part[i]);
        free(part);
        return team;
    }
#endif
    append_alone(plan, x, y, count, range);
    return 1;
}
