/* ranks.h - the processes that mpirun started together (--mpi), through libsamesum_mpi, which is
 * loaded at run time. They run the same program on the same files; rank 0 prints, and what goes
 * wrong on any of them ends all, with one message. Without --mpi there is one process, and these
 * calls do nothing. */
#ifndef SAMESUM_CLI_RANKS_H
#define SAMESUM_CLI_RANKS_H

#include "samesum.h"

#include <stdbool.h>

/* First of all: joins the others where --mpi is among the arguments. From then on what is written
 * to stdout goes nowhere but on rank 0, and stderr is held back until ranks_end(). */
void ranks_start(int argc, char **argv);
/* Ends the program with the remedy where --mpi cannot be had. */
void ranks_need(void);
/* Whether several processes share the work; and whether this one writes what comes of it. */
bool ranks_share(void);
bool ranks_write(void);
/* Ends the program on all ranks where one of them has ended by now. To be called before their first
 * reduction, once everything is known that may be wrong on one of them. */
void ranks_meet(void);
/* This rank's part of so many things, in rank order. */
void ranks_part(size_t extent, size_t *begin, size_t *count);
/* Reduces arrays, of which each rank has a part, along one axis (-1: all). Every rank gets the
 * results. */
samesum_status ranks_reduce(const samesum_array *part, int axis, const samesum_want *want,
                            void *results, samesum_counts *counts);
/* Of items that each rank has its part of, at their places: every rank gets all. `per` of them are
 * one of the things that ranks_part() shares out. */
samesum_status ranks_gather(void *items, size_t bytes, size_t extent, size_t per);
/* The status that all ranks have then: this one's, or an error of another's. */
samesum_status ranks_status(samesum_status status);
/* Last of all: the exit status of all ranks, from this one's. */
int ranks_end(int status);

/* For `samesum info`: what is missing, or NULL; else the MPI library in its own words, and the
 * file. */
const char *ranks_missing(void);
const char *ranks_library(void);
const char *ranks_file(void);

#endif
