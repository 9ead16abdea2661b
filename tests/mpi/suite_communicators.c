/* suite_communicators.c - communicators that are not the world: split, reordered, duplicated, of
 * one rank, freed and made again. The library has to follow the ranks of the communicator it is
 * given. */
#include "mpi_suites.h"
#include "parts.h"
#include "support.h"

#include <math.h>

enum { N = 3000 };

/* The whole of this communicator depends on `salt`, so that neighbours' messages would be seen. */
static void reduce_here(MPI_Comm there, int salt)
{
    const MPI_Comm before = comm;
    double x[N], expected, result = 0;
    use_communicator(there);
    for (int i = 0; i < N; i++)
        x[i] = sin(i + 0.1 * salt);
    const size_t p = (size_t)ranks, r = (size_t)rank;
    const size_t begin = N * r * r / (p * p), n = N * (r + 1) * (r + 1) / (p * p) - begin;
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        samesum_sum_f64(x, N, (samesum_level)level, &expected);
        ck_assert_int_eq(samesum_mpi_sum_f64(x + begin, n, (samesum_level)level, &result, comm),
                         SAMESUM_OK);
        struct what what = {.type = SAMESUM_F64, .level = (samesum_level)level, .n = N};
        same(&what, bits_of_double(result), bits_of_double(expected));
    }
    use_communicator(before);
}

START_TEST(split_in_two)
{
    MPI_Comm half;
    MPI_Comm_split(comm, rank % 2, rank, &half);
    reduce_here(half, rank % 2);
    reduce_here(comm, 7); /* and the whole in between */
    reduce_here(half, rank % 2 + 2);
    MPI_Comm_free(&half);
}
END_TEST

START_TEST(backwards)
{
    MPI_Comm other;
    MPI_Comm_split(comm, 0, -rank, &other);
    reduce_here(other, 1);
    MPI_Comm_free(&other);
}
END_TEST

START_TEST(shuffled)
{
    int key[MOST_RANKS];
    MPI_Comm other;
    for (int i = 0; i < MOST_RANKS; i++)
        key[i] = (int)random_below(1000);
    MPI_Comm_split(comm, 0, key[rank], &other);
    reduce_here(other, 2);
    MPI_Comm_free(&other);
}
END_TEST

/* Some ranks are in no communicator. */
START_TEST(without_some)
{
    MPI_Comm some;
    MPI_Comm_split(comm, rank % 3 == 1 ? MPI_UNDEFINED : 0, rank, &some);
    if (some != MPI_COMM_NULL) {
        reduce_here(some, 3);
        MPI_Comm_free(&some);
    } else {
        double result;
        ck_assert_int_eq(samesum_mpi_sum_f64(NULL, 0, SAMESUM_TREE, &result, some),
                         SAMESUM_ERR_NULL);
    }
}
END_TEST

START_TEST(alone)
{
    reduce_here(MPI_COMM_SELF, rank);
}
END_TEST

START_TEST(made_and_freed)
{
    for (int i = 0; i < 20; i++) {
        MPI_Comm copy;
        MPI_Comm_dup(comm, &copy);
        reduce_here(copy, i);
        MPI_Comm_free(&copy);
    }
}
END_TEST

/* The caller's messages and the library's do not meet. */
START_TEST(beside_other_messages)
{
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int tag = 0; tag < 8; tag++) {
        int sent = 100 * rank + tag, came = -1;
        MPI_Request request;
        MPI_Irecv(&came, 1, MPI_INT, from, tag, comm, &request);
        reduce_here(comm, tag);
        MPI_Send(&sent, 1, MPI_INT, to, tag, comm);
        reduce_here(comm, tag + 1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        ck_assert_int_eq(came, 100 * from + tag);
    }
}
END_TEST

START_TEST(between_two_groups)
{
    MPI_Comm half, between;
    double result;
    if (ranks < 2)
        return;
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 5, &between);
    ck_assert_int_eq(samesum_mpi_sum_f64(NULL, 0, SAMESUM_TREE, &result, between), SAMESUM_ERR_MPI);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}
END_TEST

START_TEST(results_were_same)
{
    all_were_same();
}
END_TEST

Suite *suite_mpi_communicators(void)
{
    TCase *tests;
    Suite *suite = new_suite("communicators", &tests);
    tcase_add_test(tests, split_in_two);
    tcase_add_test(tests, backwards);
    tcase_add_test(tests, shuffled);
    tcase_add_test(tests, without_some);
    tcase_add_test(tests, alone);
    tcase_add_test(tests, made_and_freed);
    tcase_add_test(tests, beside_other_messages);
    tcase_add_test(tests, between_two_groups);
    tcase_add_test(tests, results_were_same);
    return suite;
}
