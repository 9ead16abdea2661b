/* runner.c - the tests of the MPI library, as each rank runs them.
 *
 *     mpirun -n 4 samesum_mpi_test [short|quick|full [SUITE]...]
 *
 * Rank 0 prints; others print what failed there. Exit status 1 on every rank if anything failed on
 * any. */
#include "mpi_suites.h"
#include "parts.h"
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
    {"cases", suite_mpi_cases},         {"communicators", suite_mpi_communicators},
    {"arguments", suite_mpi_arguments}, {"states", suite_mpi_states},
    {"requests", suite_mpi_requests},   {"elementwise", suite_mpi_elementwise},
    {"vectors", suite_mpi_vectors},     {"table", suite_mpi_table},
};

/* The table takes long, where ranks share cores; it has no short part. */
static bool is_wanted(const char *name, int argc, char **argv)
{
    bool wanted = argc <= 2 && (depth > DEPTH_SHORT || strcmp(name, "table") != 0);
    for (int i = 2; i < argc; i++)
        wanted = wanted || strcmp(argv[i], name) == 0;
    return wanted;
}

/* What a rank other than 0 says is shown where it failed. */
static FILE *quiet(void)
{
    FILE *file = tmpfile();
    if (file)
        dup2(fileno(file), STDOUT_FILENO);
    return file;
}

static void show(FILE *file, int out)
{
    char text[4096];
    size_t n;
    fflush(stdout);
    rewind(file);
    dup2(out, STDOUT_FILENO);
    printf("rank %d:\n", rank);
    while ((n = fread(text, 1, sizeof text, file)) > 0)
        fwrite(text, 1, n, stdout);
}

int main(int argc, char **argv)
{
    static const char *const depths[] = {"short", "quick", "full"};
    MPI_Init(&argc, &argv);
    use_communicator(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        if (argc > 1 && strcmp(argv[1], depths[i]) == 0)
            depth = (enum depth)i;
    report_crashes();
    int out = dup(STDOUT_FILENO), passed = 0, failed = 0, worst;
    FILE *hidden = rank > 0 ? quiet() : NULL;
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (is_wanted(suites[i].name, argc, argv))
            run_suite(suites[i].name, suites[i].make(), &passed, &failed);
    int bad = end_of_run(passed, failed);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (hidden && bad)
        show(hidden, out);
    fflush(stdout);
    MPI_Finalize();
    return worst;
}
