/* mpi_suites.h - one function for each suite_*.c of this folder. Every rank of every communicator
 * runs each of them, with the same random numbers. */
#ifndef TESTS_MPI_SUITES_H
#define TESTS_MPI_SUITES_H

#include "suites.h"

Suite *suite_mpi_vectors(void);
Suite *suite_mpi_table(void);
Suite *suite_mpi_cases(void);
Suite *suite_mpi_communicators(void);
Suite *suite_mpi_arguments(void);
Suite *suite_mpi_states(void);
Suite *suite_mpi_requests(void);
Suite *suite_mpi_elementwise(void);

#endif
