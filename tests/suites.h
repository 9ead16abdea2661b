/* suites.h - one function for each suite_*.c. */
#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H

#include <check.h>

Suite *suite_reference(void);
Suite *suite_vectors(void);
Suite *suite_threads(void);
Suite *suite_states(void);
Suite *suite_serial(void);
Suite *suite_special(void);
Suite *suite_alignment(void);
Suite *suite_fpenv(void);
Suite *suite_arguments(void);
Suite *suite_allocation(void);
Suite *suite_accuracy(void);
Suite *suite_exact(void);
Suite *suite_statistics(void);
Suite *suite_table(void);
Suite *suite_shapes(void);
Suite *suite_calls(void);
Suite *suite_chunks(void);
Suite *suite_indices(void);
Suite *suite_cases(void);
Suite *suite_custom(void);
Suite *suite_host(void);
Suite *suite_program(void);

/* A suite with one case without a time limit. Add tests with tcase_add_test(*tests, name). */
Suite *new_suite(const char *name, TCase **tests);
/* Runs a suite in this process, prints a line of what came of it, and adds to the counts. */
void run_suite(const char *name, Suite *suite, int *passed, int *failed);
/* Prints the last line of a run, which CI reads; returns the exit status. A result that differed
 * fails the run, even where the test that saw it passed. */
int end_of_run(int passed, int failed);
/* From now on a crash says in which suite it was. */
void report_crashes(void);

#endif
