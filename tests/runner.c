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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    report_crashes();
    printf("backends under test:");
    for (int i = 0; i < backend_count(); i++) {
        printf(" %s", samesum_backend_name(backend_at(i)));
    }
    printf("\n");
    tell_missing_backends();
    int passed = 0, failed = 0;
    for (int i = 0; i < SUITES; i++) {
        if (wanted[i]) {
            run_suite(suites[i].name, suites[i].make(), &passed, &failed);
        }
    }
    printf("%ld results compared bit for bit (%ld correctly rounded ones by MPFR), %ld differed\n",
           compared(), truths_by_mpfr(), differed());
    return end_of_run(passed, failed);
}
