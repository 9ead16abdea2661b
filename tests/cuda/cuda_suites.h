/* cuda_suites.h - one function for each suite_*.c of this folder, and what the runner was told. */
#ifndef TESTS_CUDA_SUITES_H
#define TESTS_CUDA_SUITES_H

#include "suites.h"

Suite *suite_cuda_vectors(void);
Suite *suite_cuda_table(void);
Suite *suite_cuda_lengths(void);
Suite *suite_cuda_alignment(void);
Suite *suite_cuda_repetition(void);
Suite *suite_cuda_tuning(void);
Suite *suite_cuda_streams(void);
Suite *suite_cuda_graphs(void);
Suite *suite_cuda_huge(void);
Suite *suite_cuda_special(void);
Suite *suite_cuda_states(void);
Suite *suite_cuda_shares(void);
Suite *suite_cuda_arguments(void);
Suite *suite_cuda_broadcast(void);
Suite *suite_cuda_host(void);
Suite *suite_cuda_kernels(void);

extern const char *golden_path; /* of golden.txt */
extern const char *out_folder;  /* where the table is written */

#endif
