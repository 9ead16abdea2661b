/* latency.c - what a reduction over ranks costs beside MPI_Allreduce of as many doubles: the time
 * of a call, and the messages behind it.
 *
 *     mpirun -n 4 latency [--quick]
 *
 * Contestants are called in turn, in blocks of calls; a figure is the median over the blocks, with
 * the smallest and largest. Messages and bytes are those that this library sends, counted where it
 * hands them to MPI. The bits of every rank and block are compared with the first ones. */
#include "samesum_mpi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH = 1000, MOST_FIELDS = 100, MOST_BLOCKS = 31 };

static int rank, ranks;
static double x[MOST_FIELDS][EACH];
static samesum_state *state[MOST_FIELDS];
static samesum_level level;
static size_t fields;

/* ---- messages -------------------------------------------------------------------------------- */

static long long messages, bytes, longest;

/* The library's sends come by here (MPI's profiling interface). */
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int size;
    MPI_Type_size(type, &size);
    messages++;
    bytes += (long long)count * size;
    longest = (long long)count * size > longest ? (long long)count * size : longest;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

/* ---- contestants ----------------------------------------------------------------------------- */

static void must(samesum_status status)
{
    if (status != SAMESUM_OK) {
        fprintf(stderr, "latency: %s\n", samesum_strerror(status));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static double local[MOST_FIELDS];

/* The time of MPI alone: what each rank's elements came to is there already. */
static void allreduce(double *results)
{
    MPI_Allreduce(local, results, (int)fields, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_states(double *results)
{
    void *room[MOST_FIELDS];
    for (size_t f = 0; f < fields; f++)
        room[f] = &results[f];
    must(samesum_mpi_reduce_states((const samesum_state *const *)state, fields, room,
                                   SAMESUM_MPI_ALL, MPI_COMM_WORLD));
}

/* With this rank's sums: EACH elements a field. */
static void reduce_arrays(double *results)
{
    static const size_t n = EACH;
    samesum_mpi_field field[MOST_FIELDS];
    for (size_t f = 0; f < fields; f++)
        field[f] =
            (samesum_mpi_field){.part = {.x = x[f], .type = SAMESUM_F64, .dims = 1, .shape = &n},
                                .want = {.op = SAMESUM_SUM, .level = level, .threads = 1},
                                .results = &results[f]};
    must(samesum_mpi_reduce(field, fields, SAMESUM_MPI_ALL, MPI_COMM_WORLD));
}

/* The other way: MPI's own reduction, with an operation of one's own on serialised states, which
 * does not commute, in buffers as long as the longest may be. */
enum { BUFFER = 4096 };

static void merge(void *from, void *into, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        samesum_state *left, *right;
        unsigned char *a = (unsigned char *)from + (size_t)i * BUFFER;
        unsigned char *b = (unsigned char *)into + (size_t)i * BUFFER;
        size_t left_bytes, right_bytes;
        memcpy(&left_bytes, a, sizeof left_bytes);
        memcpy(&right_bytes, b, sizeof right_bytes);
        must(samesum_state_load(&left, a + sizeof left_bytes, left_bytes));
        must(samesum_state_load(&right, b + sizeof right_bytes, right_bytes));
        must(samesum_state_merge(left, right));
        must(samesum_state_save(left, b + sizeof left_bytes, BUFFER - sizeof left_bytes,
                                &left_bytes));
        memcpy(b, &left_bytes, sizeof left_bytes);
        samesum_state_destroy(left);
        samesum_state_destroy(right);
    }
}

static MPI_Op merging;
static MPI_Datatype packed;

static void allreduce_states(double *results)
{
    static unsigned char own[MOST_FIELDS * BUFFER], all[MOST_FIELDS * BUFFER];
    for (size_t f = 0; f < fields; f++) {
        size_t length;
        must(samesum_state_save(state[f], own + f * BUFFER + sizeof length, BUFFER - sizeof length,
                                &length));
        memcpy(own + f * BUFFER, &length, sizeof length);
    }
    MPI_Allreduce(own, all, (int)fields, packed, merging, MPI_COMM_WORLD);
    for (size_t f = 0; f < fields; f++) {
        samesum_state *s;
        size_t length;
        memcpy(&length, all + f * BUFFER, sizeof length);
        must(samesum_state_load(&s, all + f * BUFFER + sizeof length, length));
        must(samesum_state_finish(s, &results[f]));
        samesum_state_destroy(s);
    }
}

static const struct contestant {
    const char *name;
    void (*call)(double *results);
} contestants[] = {{"MPI_Allreduce, doubles", allreduce},
                   {"samesum_mpi_reduce_states", reduce_states},
                   {"samesum_mpi_reduce", reduce_arrays},
                   {"MPI_Allreduce, states", allreduce_states}};
enum { CONTESTANTS = sizeof contestants / sizeof *contestants };

/* ---- measuring ------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double l = *(const double *)a, r = *(const double *)b;
    return (l > r) - (l < r);
}

/* Microseconds of a call: as long as the rank that takes longest. */
static double block(const struct contestant *c, int calls, double *results)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), took;
    for (int i = 0; i < calls; i++)
        c->call(results);
    double own = 1e6 * (MPI_Wtime() - start) / calls;
    MPI_Allreduce(&own, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return took;
}

/* As many calls as take about so long, where one takes that many microseconds. */
static int calls_for(double microseconds)
{
    enum { BLOCK = 20000, LEAST = 3, MOST = 200 };
    const double calls = BLOCK / (microseconds > 1 ? microseconds : 1);
    return calls < LEAST ? LEAST : calls > MOST ? MOST : (int)calls;
}

static bool compare(const char *level_name, int blocks)
{
    int calls[CONTESTANTS];
    static double time[CONTESTANTS][MOST_BLOCKS], first[CONTESTANTS][MOST_FIELDS];
    long long sent[CONTESTANTS][3];
    bool same = true;
    for (int b = -1; b < blocks; b++) /* the first one is not counted */
        for (int c = 0; c < CONTESTANTS; c++) {
            double results[MOST_FIELDS];
            messages = bytes = longest = 0;
            double took = block(&contestants[c], b < 0 ? 3 : calls[c], results);
            if (b < 0) {
                memcpy(first[c], results, sizeof results);
                calls[c] = calls_for(took);
                continue;
            }
            time[c][b] = took;
            long long own[3] = {messages / calls[c], bytes / calls[c], longest};
            MPI_Reduce(&own[0], &sent[c][0], 2, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
            MPI_Reduce(&own[2], &sent[c][2], 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
            same = same && memcmp(first[c], results, fields * sizeof *results) == 0 &&
                   (c == 0 || memcmp(first[1], results, fields * sizeof *results) == 0);
        }
    for (int c = 0; c < CONTESTANTS && rank == 0; c++) {
        qsort(time[c], (size_t)blocks, sizeof *time[c], ascending);
        printf("| %d | %zu | %s | %s | %.2f (%.2f to %.2f) | ", ranks, fields,
               c == 0 ? "" : level_name, contestants[c].name, time[c][blocks / 2], time[c][0],
               time[c][blocks - 1]);
        if (c == 1 || c == 2)
            printf("%lld | %lld | %lld |\n", sent[c][0], sent[c][1], sent[c][2]);
        else
            printf("| | |\n");
    }
    return same;
}

static void make_states(void)
{
    for (size_t f = 0; f < fields; f++) {
        const samesum_want want = {.op = SAMESUM_SUM, .level = level, .threads = 1};
        must(samesum_state_create(&state[f], &want, SAMESUM_F64, (uint64_t)rank * EACH));
        must(samesum_state_update(state[f], x[f], NULL, EACH));
        must(samesum_state_finish(state[f], &local[f]));
    }
}

int main(int argc, char **argv)
{
    static const samesum_level levels[] = {SAMESUM_TREE, SAMESUM_COMPENSATED, SAMESUM_EXACT};
    static const char *const names[] = {"tree", "compensated", "exact"};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    for (int f = 0; f < MOST_FIELDS; f++)
        for (int i = 0; i < EACH; i++)
            x[f][i] = ((rank + i) % 2 ? -1 : 1) / (1.0 + (i * 37 + f + rank * EACH) % 1009);
    MPI_Type_contiguous(BUFFER, MPI_BYTE, &packed);
    MPI_Type_commit(&packed);
    MPI_Op_create(merge, 0, &merging);
    if (rank == 0)
        printf(
            "| ranks | fields | level | call | us, median (min to max) | messages | bytes of all | "
            "longest |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    bool same = true;
    for (int many = 0; many < 2; many++)
        for (int l = 0; l < 3; l++) {
            fields = many ? MOST_FIELDS : 1;
            level = levels[l];
            make_states();
            same = compare(names[l], quick ? 3 : 15) && same;
            for (size_t f = 0; f < fields; f++)
                samesum_state_destroy(state[f]);
        }
    if (!same)
        fprintf(stderr, "latency: rank %d: bits differ\n", rank);
    MPI_Op_free(&merging);
    MPI_Type_free(&packed);
    MPI_Finalize();
    return !same;
}
