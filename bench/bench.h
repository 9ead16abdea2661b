/* bench.h - what the parts of the benchmark share. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "peers.h"

typedef enum bench_place {
    BENCH_SMALL, /* few elements, each call depending on the one before */
    BENCH_SHORT, /* 16, 64 and 1000 elements, independent calls */
    BENCH_L1,
    BENCH_L2,
    BENCH_L3,
    BENCH_BIG,
    BENCH_EXACT,    /* level exact, of several sizes */
    BENCH_SHAPES,   /* axes, rows, strides, masks, segments */
    BENCH_TYPES,    /* half precision and complex */
    BENCH_EXTREMES, /* min, max and where they are */
    BENCH_PLACES
} bench_place;

typedef struct bench_setup {
    int pairs;          /* timed pairs a row */
    int threads;        /* "all cores" */
    unsigned char *mem; /* the buffer, aligned to 2 MiB */
    size_t capacity;    /* its bytes */
} bench_setup;

/* Maps `bytes`, asks for huge pages, touches each page from the thread that reads it later. NULL
 * where that is more than half of the machine's memory, or cannot be had. */
unsigned char *bench_map(size_t bytes, int threads);
/* The i-th of a sequence of random words; any thread can ask for any. */
uint64_t bench_random(uint64_t i);
/* The same as numbers, uniform in [-1, 1). */
double bench_uniform(uint64_t i);
/* Fills the buffer with such numbers of the type (complex: of its parts); halves get normal numbers
 * of both signs, from 2^-4 to below 1. */
void bench_fill(unsigned char *mem, size_t bytes, samesum_type type, int threads);

/* One table: every peer that can do this, against the read of the same bytes. False where samesum
 * answered an error or a number that cannot be right. */
bool bench_cell(const bench_setup *setup, bench_place place, const bench_call *call);
/* Says how many of the tables' samples the system interrupted: figures with many are worth little.
 */
void bench_print_interruptions(void);
/* The table of dependent calls on few elements. */
bool bench_small(const bench_setup *setup);
bool bench_small_exact(const bench_setup *setup);
/* The tables of level exact: small bytes on one core, big bytes (0: none) on all. */
bool bench_exact(const bench_setup *setup, size_t small, size_t big);
/* Moves y of a dot product and gives up the elements that it then lacks: x[i] and y[i] lie
 * 64 KiB and a cache line further apart than before. False where there are too few elements. */
bool bench_shift(bench_call *dot);
/* The table of dot products with y half of `bytes` after x, and shifted. */
bool bench_apart(const bench_setup *setup, size_t bytes);
/* Tables of arrays of `bytes`, on all cores; each fills the buffer anew. */
bool bench_shapes(const bench_setup *setup, size_t bytes);
bool bench_types(const bench_setup *setup, size_t bytes);
bool bench_extremes(const bench_setup *setup, size_t bytes);

#endif
