/* support.h - what every suite uses: bit comparison that counts and reports, the list of what is to
 * be tested, test data, the reference and child processes. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include "samesum.h"
#include "vectors/recipes.h"

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much is run: `short` is for valgrind, `quick` for the builds beside the main one. */
enum depth { DEPTH_SHORT, DEPTH_QUICK, DEPTH_FULL };
extern enum depth depth;
/* The value for the depth at hand. */
size_t by_depth(size_t shortest, size_t quick, size_t full);

/* ---- what is computed ---- */

/* One computation. n, threads and data are what a report names. */
struct what {
    samesum_op op;
    samesum_type type;
    samesum_level level;
    unsigned ddof;
    samesum_backend backend;
    int threads;
    uint64_t begin;
    size_t n;
    const char *data;
};

/* kind(i) runs through all operations, types and levels that the library computes: 0 <= i < KINDS
 * gives sum, asum, sumsq and dot, KINDS <= i < ALL_KINDS what derives from them (var and std with
 * ddof 0 and 1). Level by level, and each operation in turn. Backend auto, one thread. */
enum { OPS = 4, TYPES = 3, LEVELS = 4, KINDS = OPS * TYPES * LEVELS };
enum { DERIVED = 6, ALL_KINDS = KINDS + DERIVED * TYPES * LEVELS };
struct what kind(int i);
/* 1 at full depth; else the step of a loop over some kinds that meets every operation, type and
 * level. */
int kind_step(void);
/* Whether there are states for it: nrm2, var and std have them at level exact alone. */
bool has_states(const struct what *what);
/* SAMESUM_NO_VALUE where n elements are too few for it, else SAMESUM_OK. */
samesum_status status_of(const struct what *what);

/* Backends under test: those of this machine, or the one that SAMESUM_BACKEND names. */
int backend_count(void);
samesum_backend backend_at(int i);

/* ---- comparison by bits ---- */

/* Counts a comparison of two results and reports the first ones that differ. May be called from
 * any thread, in any floating-point environment. */
void same(const struct what *what, uint64_t got, uint64_t expected);
/* Counts comparisons that were made elsewhere, and how many of them differed. */
void same_many(const struct what *what, long compared, long wrong);
/* Fails the test if any comparison since the last call of this function differed. Each test that
 * compares ends with it. */
#define all_were_same() ck_assert_msg(differences() == 0, "results differ")
long differences(void);
/* Comparisons, and those that differed, since the program began. */
long compared(void);
long differed(void);

/* ---- the two sides ---- */

/* Both give the bits of the result, 32 or 64 of them; x[0] is element what->begin. */
uint64_t reference(const struct what *what, const void *x, const void *y);
/* samesum_reduce(), whose status must be status_of(what). ran: NULL, or who did the work. */
uint64_t library(const struct what *what, const void *x, const void *y, samesum_ran *ran);
/* The same with a new state that begins at what->begin and is fed in chunks; 0: random ones. */
uint64_t streamed(const struct what *what, const void *x, const void *y, size_t chunk);
/* A new state for `what`, empty; and what it gives now, with the status that its range asks for. */
samesum_state *new_state(const struct what *what, uint64_t begin);
uint64_t finished(const samesum_state *state, samesum_type type);
/* Feeds elements; the status must be SAMESUM_OK. */
void feed(samesum_state *state, const struct what *what, const void *x, const void *y, size_t n);

/* The bits of a result in memory. */
uint64_t bits_of(samesum_type type, const void *result);
uint64_t bits_of_double(double value);
uint64_t bits_of_float(float value);
/* value, rounded to what `type` results in, as bits. */
uint64_t result_bits(samesum_type type, double value);
uint64_t nan_bits(samesum_type type);

/* ---- data ---- */

/* Elements 0 to n - 1 of the recipe (seed 1) as the type's elements. They stay until the end. */
const void *data_x(enum recipe recipe, samesum_type type, size_t n);
const void *data_y(enum recipe recipe, samesum_type type, size_t n);
/* The address of element i. */
const void *element(samesum_type type, const void *array, size_t i);
/* Sets element i, rounded to the type of the elements. */
void set_element(samesum_type type, void *array, size_t i, double value);

/* Random numbers, the same in each run: any 64 bits; an integer of [0, below). */
uint64_t random_bits(void);
size_t random_below(size_t below);
/* Starts another sequence; without it the seed is 1. */
void random_seed(uint64_t seed);

/* ---- the rest ---- */

/* Tells loudly that something was not tested, and counts it. */
void skipped(const char *suite, const char *why);
long skips(void);

/* Runs a shell command and returns its exit status; 128 + the signal that ended it. */
int run_command(const char *command);
/* Runs the program tests/child.c with that mode and argument ("" for none). environment: NULL, or
 * assignments put before it. */
int run_child(const char *environment, const char *mode, const char *argument);

/* Where everything was built. */
#ifndef TEST_BUILD
#define TEST_BUILD "build"
#endif

#endif
