/* nccl_suites.h - one function for each suite_*.c of this folder. */
#ifndef TESTS_NCCL_SUITES_H
#define TESTS_NCCL_SUITES_H

#include "suites.h"

Suite *suite_nccl_cases(void);
Suite *suite_nccl_table(void);
Suite *suite_nccl_fields(void);
Suite *suite_nccl_states(void);
Suite *suite_nccl_vectors(void);
Suite *suite_nccl_arguments(void);
Suite *suite_nccl_communicators(void);
Suite *suite_nccl_graphs(void);

#endif
