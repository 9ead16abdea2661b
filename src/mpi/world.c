/* About the library, and the calls for programs that load it when they run. */
#include "mpi/link.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int started_here;

const char *samesum_mpi_version(void)
{
    return SAMESUM_VERSION;
}

void samesum_mpi_library(char *text, size_t bytes)
{
    char all[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(all, &length);
    all[strcspn(all, ",\n")] = '\0';
    for (char *tab = all; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    snprintf(text, bytes, "%s", all);
}

samesum_status samesum_mpi_world_start(int *rank, int *ranks)
{
    int already, given;
    if (MPI_Initialized(&already) != MPI_SUCCESS ||
        (!already && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS))
        return SAMESUM_ERR_MPI;
    started_here = !already;
    return MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
                   MPI_Comm_size(MPI_COMM_WORLD, ranks) == MPI_SUCCESS
               ? SAMESUM_OK
               : SAMESUM_ERR_MPI;
}

samesum_status samesum_mpi_world_reduce(const samesum_mpi_field *fields, size_t count)
{
    return samesum_mpi_reduce(fields, count, SAMESUM_MPI_ALL, MPI_COMM_WORLD);
}

int samesum_mpi_world_agree(int status, int *rank)
{
    int64_t own = INT64_MAX, first;
    int me;
    if (MPI_Comm_rank(MPI_COMM_WORLD, &me) != MPI_SUCCESS)
        return SAMESUM_ERR_MPI;
    if (status)
        own = (int64_t)me << 8 | (status & 127);
    if (MPI_Allreduce(&own, &first, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD) != MPI_SUCCESS)
        return SAMESUM_ERR_MPI;
    if (first == INT64_MAX)
        return 0;
    *rank = (int)(first >> 8);
    return (int)(first & 127);
}

void samesum_mpi_world_end(void)
{
    if (started_here)
        MPI_Finalize();
}
