#include "parts.h"

#include "support.h"

#include <string.h>

MPI_Comm comm;
int rank, ranks;

void use_communicator(MPI_Comm other)
{
    comm = other;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
}

struct cuts cuts_of(size_t n)
{
    return cuts_among(n, ranks);
}

/* Who gets the results of the next call. */
static int any_root(void)
{
    return random_below(3) ? SAMESUM_MPI_ALL : (int)random_below((size_t)ranks);
}

/* A rank that gets no results has none to compare, but nothing may be written there. */
static long judge(struct written *to, int root, samesum_status status,
                  const struct answer *expected, const struct cell *cell, const char *name)
{
    to->with_ran = false;
    if (root == SAMESUM_MPI_ALL || root == rank)
        return written_judge(to, status, expected, cell, SAMESUM_BACKEND_AUTO, ranks, name);
    struct answer nothing = {.status = expected->status, .bytes = expected->bytes};
    written_judge(to, status, &nothing, cell, SAMESUM_BACKEND_AUTO, ranks, name);
    return 1;
}

long compare_parts(const struct answer *expected, const struct cell *cell,
                   const samesum_array *whole, int axis, const char *name)
{
    const int along = axis < 0 ? axis + whole->dims : axis, root = any_root();
    const struct cuts cuts = cuts_of(whole->shape[along]);
    struct part part;
    struct written to = written_make(expected);
    part_make(&part, whole, axis, cuts.at[rank], cuts.at[rank + 1] - cuts.at[rank]);
    const samesum_mpi_field field = {.part = part.array,
                                     .axes = &axis,
                                     .axis_count = 1,
                                     .want = cell_want(cell, SAMESUM_BACKEND_AUTO, 1),
                                     .results = to.results,
                                     .counts = to.with_counts ? to.counts : NULL};
    samesum_status status = samesum_mpi_reduce(&field, 1, root, comm);
    part_free(&part);
    return judge(&to, root, status, expected, cell, name);
}

long compare_rows(const struct answer *expected, const struct cell *cell,
                  const samesum_array *whole, const size_t *offsets, size_t segments,
                  const char *name)
{
    enum { MOST = 8 };
    const int root = any_root();
    struct part part[MOST];
    samesum_mpi_field field[MOST];
    struct written to = written_make(expected);
    for (size_t s = 0; s < segments; s++) {
        const struct cuts cuts = cuts_of(offsets[s + 1] - offsets[s]);
        const size_t begin = cuts.at[rank], count = cuts.at[rank + 1] - begin;
        part_make(&part[s], whole, 0, offsets[s] + begin, count);
        field[s] = (samesum_mpi_field){.part = part[s].array,
                                       .want = cell_want(cell, SAMESUM_BACKEND_AUTO, 1),
                                       .results = to.results + s * expected->bytes,
                                       .counts = to.with_counts ? &to.counts[s] : NULL};
    }
    samesum_status status = samesum_mpi_reduce(field, segments, root, comm);
    for (size_t s = 0; s < segments; s++)
        part_free(&part[s]);
    return judge(&to, root, status, expected, cell, name);
}
