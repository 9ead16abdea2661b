/* About the library, and the calls for programs that load it when they run. */
#include "mpi/link.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static samesum_status gather(void *items, MPI_Datatype item, int count, int *counts, int ranks)
{
    int *places = counts + ranks;
    if (MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS)
        return SAMESUM_ERR_MPI;
    places[0] = 0;
    for (int r = 1; r < ranks; r++)
        places[r] = places[r - 1] + counts[r - 1];
    return MPI_Allgatherv(MPI_IN_PLACE, 0, item, items, counts, places, item, MPI_COMM_WORLD) ==
                   MPI_SUCCESS
               ? SAMESUM_OK
               : SAMESUM_ERR_MPI;
}

samesum_status samesum_mpi_world_gather(void *items, size_t bytes, size_t count)
{
    MPI_Datatype item;
    int ranks, rank;
    if (MPI_Comm_size(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS)
        return SAMESUM_ERR_MPI;
    int *counts = malloc(2 * (size_t)ranks * sizeof *counts);
    const int poor = samesum_mpi_world_agree(!counts, &rank);
    samesum_status st = poor ? poor > 0 ? SAMESUM_ERR_NOMEM : SAMESUM_ERR_MPI : SAMESUM_OK;
    if (st == SAMESUM_OK && (MPI_Type_contiguous((int)bytes, MPI_BYTE, &item) != MPI_SUCCESS ||
                             MPI_Type_commit(&item) != MPI_SUCCESS))
        st = SAMESUM_ERR_MPI;
    if (st == SAMESUM_OK) {
        st = gather(items, item, (int)count, counts, ranks);
        MPI_Type_free(&item);
    }
    free(counts);
    return st;
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
