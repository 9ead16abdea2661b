#include "suites.h"
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *running = "";

/* Without fork mode a crash ends the runner: it at least says where. */
static void crashed(int signal_number)
{
    static const char text[] = "\nCRASHED in suite ";
    ssize_t written = write(STDOUT_FILENO, text, sizeof text - 1);
    written = write(STDOUT_FILENO, running, strlen(running));
    written = write(STDOUT_FILENO, "\n", 1);
    (void)written;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

Suite *new_suite(const char *name, TCase **tests)
{
    Suite *suite = suite_create(name);
    *tests = tcase_create(name);
    tcase_set_timeout(*tests, 0);
    suite_add_tcase(suite, *tests);
    return suite;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void report_crashes(void)
{
    signal(SIGSEGV, crashed);
    signal(SIGBUS, crashed);
    signal(SIGFPE, crashed);
    signal(SIGILL, crashed);
}

void run_suite(const char *name, Suite *suite, int *passed, int *failed)
{
    long before = compared();
    double start = seconds();
    running = name;
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* forked children cannot use OpenMP */
    srunner_run_all(runner, CK_SILENT);
    int tests = srunner_ntests_run(runner), bad = srunner_ntests_failed(runner);
    if (bad > 0) {
        srunner_print(runner, CK_NORMAL);
    }
    printf("%-10s %3d tests, %d failed, %9ld results compared bit for bit, %.1f s\n", name, tests,
           bad, compared() - before, seconds() - start);
    fflush(stdout);
    *passed += tests - bad;
    *failed += bad;
    srunner_free(runner);
}

int end_of_run(int passed, int failed)
{
    if (failed == 0 && differed() > 0) {
        printf("a test passed although results differed\n");
        failed++;
    }
    printf("%d passed, %d failed (%ld skipped)\n", passed, failed, skips());
    return failed > 0;
}
