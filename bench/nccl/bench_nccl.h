/* bench_nccl.h - the benchmark over several GPUs, which is part of the tests' program: both hold
 * all of the library's kernels. */
#ifndef BENCH_NCCL_H
#define BENCH_NCCL_H

/* argv[0] is "bench". Exit statuses; `file` is that of run_processes(). */
int bench_nccl(int argc, char **argv);
int bench_rank(int rank, int ranks, const char *file, char **arguments);

#endif
