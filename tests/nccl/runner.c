/* runner.c - the tests of the NCCL library, on the GPUs of this machine.
 *
 *     samesum_nccl_test gpus                           how many there are; 0 with the reason
 *     samesum_nccl_test processes N [OPTION | SUITE]...     N processes with a GPU each
 *     samesum_nccl_test members N [OPTION | SUITE]...       one process with N GPUs
 *     samesum_nccl_test bench ...                      bench/nccl/bench_nccl.c
 *
 * Options: --quick (small enough for compute-sanitizer), --short, --below-exact, --seed N, --limit
 * SECONDS (a watchdog). Without a suite: all. Exit status 0 if everything passed, 1 if something
 * failed or the time was up, 2 for a usage error. */
#include "bench/nccl/bench_nccl.h"
#include "cuda/device.h"
#include "grids.h"
#include "nccl_suites.h"
#include "over.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
    {"cases", suite_nccl_cases},   {"arguments", suite_nccl_arguments},
    {"states", suite_nccl_states}, {"vectors", suite_nccl_vectors},
    {"graphs", suite_nccl_graphs}, {"fields", suite_nccl_fields},
    {"table", suite_nccl_table},   {"communicators", suite_nccl_communicators},
};
enum { SUITES = sizeof suites / sizeof *suites };

static bool wanted[SUITES];
static int limit = 300;

/* Returns false for a usage error. */
static bool read_arguments(char **argument)
{
    bool named = false;
    for (; *argument; argument++) {
        int i = 0;
        while (i < SUITES && strcmp(*argument, suites[i].name) != 0)
            i++;
        if (i < SUITES)
            wanted[i] = named = true;
        else if (strcmp(*argument, "--quick") == 0)
            depth = DEPTH_QUICK;
        else if (strcmp(*argument, "--short") == 0)
            depth = DEPTH_SHORT;
        else if (strcmp(*argument, "--below-exact") == 0)
            last_level = SAMESUM_COMPENSATED;
        else if (strcmp(*argument, "--seed") == 0 && argument[1])
            random_seed(strtoull(*++argument, NULL, 0));
        else if (strcmp(*argument, "--limit") == 0 && argument[1])
            limit = atoi(*++argument);
        else
            return false;
    }
    for (int i = 0; !named && i < SUITES; i++)
        wanted[i] = true;
    return true;
}

static int run_suites(void)
{
    int passed = 0, failed = 0;
    char library[256] = "";
    report_crashes();
    grids_aligned = true;
    samesum_nccl_library(library, sizeof library);
    printf("%s; %d of %d ranks in this process\n", library, world.seats, world.ranks);
    for (int i = 0; i < SUITES; i++)
        if (wanted[i])
            run_suite(suites[i].name, suites[i].make(), &passed, &failed);
    printf("total: %ld bits compared on the devices, %ld results compared, %ld differ\n",
           device_bits(), compared(), differed());
    const int bad = end_of_run(passed, failed);
    if (!bad)
        world_end(&world);
    return bad;
}

static int usage(const char *program)
{
    fprintf(stderr,
            "usage: %s gpus | (processes | members) N [--quick] [--seed N] [--limit SECONDS] "
            "[SUITE]...\nsuites:",
            program);
    for (int i = 0; i < SUITES; i++)
        fprintf(stderr, " %s", suites[i].name);
    fprintf(stderr, "\n");
    return 2;
}

int main(int argc, char **argv)
{
    const char *why = "there is one";
    const int n = argc > 2 ? atoi(argv[2]) : 0;
    if (argc == 2 && strcmp(argv[1], "gpus") == 0) {
        const int gpus = world_gpus(&why);
        printf("%d\n%s\n", gpus, gpus > 0 ? "" : why);
        return 0;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was found is kept where the time is up */
    if (argc > 1 && strcmp(argv[1], "bench") == 0)
        return bench_nccl(argc - 1, argv + 1);
    if (argc > 5 && strcmp(argv[1], "rank") == 0 && strcmp(argv[5], "bench") == 0)
        return bench_rank(n, atoi(argv[3]), argv[4], argv + 6);
    if (argc > 4 && strcmp(argv[1], "rank") == 0 && read_arguments(argv + 5)) {
        watch(limit + 5); /* where the one that started it is gone */
        world_of_rank(&world, n, atoi(argv[3]), argv[4]);
        return run_suites();
    }
    if (argc < 3 || n < 1 || n > MOST_SEATS || !read_arguments(argv + 3))
        return usage(argv[0]);
    if (strcmp(argv[1], "processes") == 0)
        return run_processes(n, limit, argv + 3);
    if (strcmp(argv[1], "members") != 0)
        return usage(argv[0]);
    watch(limit);
    world_of_members(&world, n);
    return run_suites();
}
