/* Who computes which part. Threads, their number and their schedule never decide which nodes exist.
 */
#ifndef SS_THREADS_H
#define SS_THREADS_H

#include <stddef.h>

/* Elements up to which the calling thread works alone. */
enum { SS_ALONE = 1 << 17 };

/* How many threads are worth having for so many parts of SS_SEGMENT elements; asked as in
 * samesum_want. */
int ss_useful_threads(int asked, size_t parts);

/* Calls work(context, member, from, to) for members 0..team-1, team <= threads, whose [from, to)
 * follow one another and make up [0, parts). Each runs in a thread, and a floating-point
 * environment, of its own; the caller has entered its own. Returns team. */
typedef void ss_work(void *context, int member, size_t from, size_t to);
int ss_parallel(int threads, size_t parts, ss_work *work, void *context);

/* The number of threads that a call with threads = 0 may use here and now. */
int ss_default_threads(void);

/* 1 where this was compiled with OpenMP. */
int ss_has_openmp(void);

#endif
