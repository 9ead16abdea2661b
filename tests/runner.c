/* runner.c - runs the suites of the library's tests.
 *
 *     build/tests/runner [full|quick|short] [SUITE...]
 *     build/tests/runner [full|quick|short] -SUITE...      all others
 *
 * Run it from the top folder of the source. With SAMESUM_BACKEND set only that backend is tested.
 * Exit status 0 if everything passed, 1 if something failed, 2 for a usage error. */
#include "suites.h"
#include "support.h"
#include "truth.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name;
    Suite *(*make)(void);
    enum depth least; /* the smallest depth that runs it */
} suites[] = {
    {"reference", suite_reference, DEPTH_SHORT},
    {"vectors", suite_vectors, DEPTH_SHORT},
    {"threads", suite_threads, DEPTH_QUICK},
    {"states", suite_states, DEPTH_SHORT},
    {"serial", suite_serial, DEPTH_SHORT},
    {"special", suite_special, DEPTH_SHORT},
    {"alignment", suite_alignment, DEPTH_SHORT},
    {"fpenv", suite_fpenv, DEPTH_SHORT},
    {"arguments", suite_arguments, DEPTH_SHORT},
    {"allocation", suite_allocation, DEPTH_SHORT},
    {"accuracy", suite_accuracy, DEPTH_QUICK},
    {"exact", suite_exact, DEPTH_SHORT},
    {"statistics", suite_statistics, DEPTH_SHORT},
    {"table", suite_table, DEPTH_SHORT},
    {"shapes", suite_shapes, DEPTH_SHORT},
    {"calls", suite_calls, DEPTH_SHORT},
    {"chunks", suite_chunks, DEPTH_SHORT},
    {"indices", suite_indices, DEPTH_FULL},
    {"cases", suite_cases, DEPTH_SHORT},
    {"custom", suite_custom, DEPTH_SHORT},
    {"host", suite_host, DEPTH_SHORT},
    {"program", suite_program, DEPTH_FULL},
};
enum { SUITES = sizeof suites / sizeof *suites };

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

/* Adds to the counts what the suite gave. */
static void run(int i, int *passed, int *failed)
{
    long before = compared();
    double start = seconds();
    running = suites[i].name;
    SRunner *runner = srunner_create(suites[i].make());
    srunner_set_fork_status(runner, CK_NOFORK); /* forked children cannot use OpenMP */
    srunner_run_all(runner, CK_SILENT);
    int tests = srunner_ntests_run(runner), bad = srunner_ntests_failed(runner);
    if (bad > 0) {
        srunner_print(runner, CK_NORMAL);
    }
    printf("%-10s %3d tests, %d failed, %9ld results compared bit for bit, %.1f s\n",
           suites[i].name, tests, bad, compared() - before, seconds() - start);
    fflush(stdout);
    *passed += tests - bad;
    *failed += bad;
    srunner_free(runner);
}

/* Backends that were built and that this machine, or an emulator such as valgrind, lacks. */
static void tell_missing_backends(void)
{
#if defined(__x86_64__)
    static const samesum_backend built[] = {SAMESUM_BACKEND_AVX2, SAMESUM_BACKEND_AVX512};
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        if (samesum_backend_status(built[i]) != SAMESUM_OK) {
            skipped(samesum_backend_name(built[i]), "this machine cannot run that backend");
        }
    }
#endif
}

static int find_suite(const char *name)
{
    for (int i = 0; i < SUITES; i++) {
        if (strcmp(name, suites[i].name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Reads the arguments; returns 0 for a usage error. */
static int read_arguments(int argc, char **argv, bool *wanted)
{
    bool named = false, left_out[SUITES] = {false};
    for (int i = 1; i < argc; i++) {
        int suite = find_suite(argv[i]), without = find_suite(argv[i] + (argv[i][0] == '-'));
        if (suite >= 0) {
            wanted[suite] = named = true;
        } else if (without >= 0) {
            left_out[without] = true;
        } else if (strcmp(argv[i], "full") == 0) {
            depth = DEPTH_FULL;
        } else if (strcmp(argv[i], "quick") == 0) {
            depth = DEPTH_QUICK;
        } else if (strcmp(argv[i], "short") == 0) {
            depth = DEPTH_SHORT;
        } else {
            return 0;
        }
    }
    for (int i = 0; !named && i < SUITES; i++) {
        wanted[i] = depth >= suites[i].least && !left_out[i];
    }
    return 1;
}

int main(int argc, char **argv)
{
    bool wanted[SUITES] = {false};
    if (!read_arguments(argc, argv, wanted)) {
        fprintf(stderr, "usage: runner [full|quick|short] [SUITE...]\nsuites:");
        for (int i = 0; i < SUITES; i++) {
            fprintf(stderr, " %s", suites[i].name);
        }
        fprintf(stderr, "\n");
        return 2;
    }
    if (backend_count() == 0) {
        fprintf(stderr, "runner: this machine has no backend '%s'\n", getenv("SAMESUM_BACKEND"));
        return 2;
    }
    signal(SIGSEGV, crashed);
    signal(SIGBUS, crashed);
    signal(SIGFPE, crashed);
    signal(SIGILL, crashed);
    printf("backends under test:");
    for (int i = 0; i < backend_count(); i++) {
        printf(" %s", samesum_backend_name(backend_at(i)));
    }
    printf("\n");
    tell_missing_backends();
    int passed = 0, failed = 0;
    for (int i = 0; i < SUITES; i++) {
        if (wanted[i]) {
            run(i, &passed, &failed);
        }
    }
    if (failed == 0 && differed() > 0) {
        printf("a test passed although results differed\n");
        failed++;
    }
    printf("%ld results compared bit for bit (%ld correctly rounded ones by MPFR), %ld differed\n",
           compared(), truths_by_mpfr(), differed());
    printf("%d passed, %d failed (%ld skipped)\n", passed, failed, skips());
    return failed > 0;
}
