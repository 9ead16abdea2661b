/* The tables of the benchmark, each with its goals. */
#ifndef BENCH_CUDA_SECTIONS_H
#define BENCH_CUDA_SECTIONS_H

#include <string>
#include "data.h"
#include "harness.h"
#include "job.h"
#include "report.h"

struct Bench {
    Data data;
    cudaStream_t stream;
    int rounds;
    int read; /* the fastest variant of the read */
};

/* Runs all variants of the read on 1 GiB and chooses; prints them where print is set. */
void choose_read(Bench &bench, bool print);

void section_read(const Bench &bench);
void section_sums(const Bench &bench);
void section_blas(const Bench &bench);
void section_small(const Bench &bench);
void section_rows(const Bench &bench);
void section_columns(const Bench &bench);
void section_halves(const Bench &bench);
void section_others(const Bench &bench);

/* Contestants. */
extern const char *const READ, *const CUB, *const CUB_ORDERED;
const char *level_name(samesum_level level); /* "comp" is compensated */
void add_read(Contest &contest, const Bench &bench, size_t bytes);
void add_job(Contest &contest, const Bench &bench, const std::string &name, const Job &job);

#endif
