/* runner.c - the tests of the library on a CUDA device.
 *
 *     samesum_cuda_test [--suite NAME]... [--quick] [--seed N] [--vectors FILE] [--out FOLDER]
 *     samesum_cuda_test --list
 *
 * --list: the suites, and nothing else.
 * --quick: a part that is small enough for compute-sanitizer. --seed: of the random data; without
 * it the same data each time. --out: where table_cuda.txt is written. Exit status 0 if everything
 * passed or there is no device, 1 if something failed, 2 for a usage error. */
#include "cuda_suites.h"
#include "device.h"
#include "grids.h"
#include "launches.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    Suite *(*make)(void);
    bool quick; /* whether it has a quick part */
} suites[] = {
    {"vectors", suite_cuda_vectors, true},
    {"table", suite_cuda_table, true},
    {"lengths", suite_cuda_lengths, true},
    {"alignment", suite_cuda_alignment, true},
    {"repetition", suite_cuda_repetition, true},
    {"tuning", suite_cuda_tuning, true},
    {"streams", suite_cuda_streams, true},
    {"graphs", suite_cuda_graphs, true},
    {"huge", suite_cuda_huge, false},
    {"special", suite_cuda_special, true},
    {"states", suite_cuda_states, true},
    {"shares", suite_cuda_shares, true},
    {"arguments", suite_cuda_arguments, true},
    {"broadcast", suite_cuda_broadcast, true},
    {"host", suite_cuda_host, true},
    {"kernels", suite_cuda_kernels, true},
};
enum { SUITES = sizeof suites / sizeof *suites };

const char *golden_path = "tests/vectors/golden.txt";
const char *out_folder = ".";

static int find_suite(const char *name)
{
    int i = 0;
    while (i < SUITES && strcmp(name, suites[i].name) != 0) {
        i++;
    }
    return i;
}

/* Reads the arguments; returns false for a usage error. */
static bool read_arguments(int argc, char **argv, bool *wanted)
{
    bool named = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            depth = DEPTH_QUICK;
            continue;
        }
        if (value == NULL) {
            return false;
        }
        if (strcmp(argv[i], "--suite") == 0 && find_suite(value) < SUITES) {
            wanted[find_suite(value)] = named = true;
        } else if (strcmp(argv[i], "--seed") == 0) {
            random_seed(strtoull(value, NULL, 0));
        } else if (strcmp(argv[i], "--vectors") == 0) {
            golden_path = value;
        } else if (strcmp(argv[i], "--out") == 0) {
            out_folder = value;
        } else {
            return false;
        }
        i++;
    }
    for (int i = 0; !named && i < SUITES; i++) {
        wanted[i] = depth == DEPTH_FULL || suites[i].quick;
    }
    return true;
}

static void tell_device(void)
{
    char name[256] = "?";
    int driver = 0, runtime = 0, processors = 0;
    size_t free_bytes = 0, total = 0;
    samesum_cuda_device_name(name, sizeof name);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaMemGetInfo(&free_bytes, &total);
    printf("device: %s, %d multiprocessors, %zu MiB; CUDA driver %d.%d, runtime %d.%d\n", name,
           processors, total >> 20, driver / 1000, driver % 1000 / 10, runtime / 1000,
           runtime % 1000 / 10);
}

static void list_suites(FILE *to)
{
    for (int i = 0; i < SUITES; i++) {
        fprintf(to, "%s\n", suites[i].name);
    }
}

int main(int argc, char **argv)
{
    bool wanted[SUITES] = {false};
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_suites(stdout);
        return 0;
    }
    if (!read_arguments(argc, argv, wanted)) {
        fprintf(stderr,
                "usage: %s [--suite NAME]... [--quick] [--seed N] [--vectors FILE] "
                "[--out FOLDER]\n       %s --list\nsuites:\n",
                argv[0], argv[0]);
        list_suites(stderr);
        return 2;
    }
    const char *why = "";
    if (samesum_cuda_status(&why) != SAMESUM_OK) {
        printf("SKIPPED: no CUDA device: %s\n", why);
        return 0;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was found is kept where the time is up */
    report_crashes();
    tell_device();
    grids_aligned = true;
    int passed = 0, failed = 0;
    for (int i = 0; i < SUITES; i++) {
        if (wanted[i]) {
            run_suite(suites[i].name, suites[i].make(), &passed, &failed);
        }
    }
    launches_print();
    printf("total: %ld bits compared on the device, %ld results compared, %ld differ\n",
           device_bits(), compared(), differed());
    return end_of_run(passed, failed);
}
