/* The calls of samesum_mpi.h. */
#include "mpi/request.h"

#include <stdlib.h>
#include <string.h>
#include "mpi/vector.h"

/* What a call brings: checked fields, or a vector. */
typedef struct bring {
    ss_room *room;
    size_t fields;
    int root, sweep;
    ss_vector *vector;
    samesum_status status;
} bring;

static int gets_results(const ss_link *link, int root)
{
    return root == SAMESUM_MPI_ALL || root == link->rank;
}

/* Room for fields; where there is none, the rank still takes part. */
static int have_room(ss_link *link, bring *b, const void *fields)
{
    enum { MOST = 1 << 24 };
    if (b->fields > MOST) {
        b->fields = 0;
        b->status = SAMESUM_ERR_SIZE;
        return 0;
    }
    b->room = ss_link_room(link);
    if (!b->room || !ss_room_for_fields(b->room, b->fields))
        b->status = SAMESUM_ERR_NOMEM;
    else if (!fields && b->fields > 0)
        b->status = SAMESUM_ERR_NULL;
    return b->status == SAMESUM_OK;
}

static bring bring_arrays(ss_link *link, const samesum_mpi_field *fields, size_t count, int root)
{
    bring b = {.fields = count, .root = root, .sweep = 1};
    if (!have_room(link, &b, fields))
        return b;
    for (size_t i = 0; i < count && b.status == SAMESUM_OK; i++) {
        const samesum_mpi_field *f = &fields[i];
        b.status = ss_field_of_array(&b.room->field[i], &f->part, f->axes, f->axis_count, &f->want,
                                     gets_results(link, root), f->results, f->counts);
    }
    return b;
}

static bring bring_states(ss_link *link, const samesum_state *const *states, size_t count,
                          void *const *results, int root)
{
    bring b = {.fields = count, .root = root};
    const int gets = gets_results(link, root);
    if (!have_room(link, &b, states))
        return b;
    for (size_t i = 0; i < count && b.status == SAMESUM_OK; i++)
        b.status = ss_field_of_state(&b.room->field[i], states[i], gets && results,
                                     results ? results[i] : NULL);
    if (gets && count > 0 && !results)
        b.status = SAMESUM_ERR_NULL;
    return b;
}

/* Few elements of many ranks are states of one element each: the messages are fewer than all to
 * all. */
static bring bring_vector(ss_link *link, const void *x, size_t n, samesum_type type,
                          const samesum_want *want, void *results)
{
    if (n <= (size_t)link->ranks && want && want->op != SAMESUM_DOT) {
        static const int axis = 0;
        const size_t shape[2] = {1, n};
        const samesum_mpi_field f = {
            .part = {.x = x, .type = type, .dims = 2, .shape = shape},
            .axes = &axis,
            .axis_count = 1,
            .want = *want,
            .results = results,
        };
        return bring_arrays(link, &f, 1, SAMESUM_MPI_ALL);
    }
    bring b = {.root = SAMESUM_MPI_ALL, .sweep = 1};
    if (have_room(link, &b, NULL))
        b.status = ss_vector_make(&b.vector, link, x, n, type, want, results);
    return b;
}

static void begin(samesum_mpi_request *q, ss_link *link, const bring *b)
{
    ss_request_start(q, link, b->root, b->sweep, b->room, b->fields, b->status, b->vector);
}

static samesum_status do_now(ss_link *link, const bring *b)
{
    samesum_mpi_request q;
    begin(&q, link, b);
    return ss_request_wait(&q);
}

/* Where there is no memory for a request, this rank tells the others so, and waits for that. */
static samesum_status do_later(ss_link *link, bring *b, samesum_mpi_request **request)
{
    samesum_mpi_request *q = malloc(sizeof *q);
    if (!q) {
        b->status = SAMESUM_ERR_NOMEM;
        return do_now(link, b);
    }
    begin(q, link, b);
    ss_link_move(link);
    *request = q;
    return SAMESUM_OK;
}

samesum_status samesum_mpi_reduce(const samesum_mpi_field *fields, size_t count, int root,
                                  MPI_Comm comm)
{
    ss_link *link;
    samesum_status st = ss_link_of(comm, &link);
    if (st != SAMESUM_OK)
        return st;
    const bring b = bring_arrays(link, fields, count, root);
    return do_now(link, &b);
}

samesum_status samesum_mpi_reduce_states(const samesum_state *const *states, size_t count,
                                         void *const *results, int root, MPI_Comm comm)
{
    ss_link *link;
    samesum_status st = ss_link_of(comm, &link);
    if (st != SAMESUM_OK)
        return st;
    const bring b = bring_states(link, states, count, results, root);
    return do_now(link, &b);
}

samesum_status samesum_mpi_allreduce_vector(const void *x, size_t n, samesum_type type,
                                            const samesum_want *want, void *results, MPI_Comm comm)
{
    ss_link *link;
    samesum_status st = ss_link_of(comm, &link);
    if (st != SAMESUM_OK)
        return st;
    const bring b = bring_vector(link, x, n, type, want, results);
    return do_now(link, &b);
}

samesum_status samesum_mpi_start(const samesum_mpi_field *fields, size_t count, int root,
                                 MPI_Comm comm, samesum_mpi_request **request)
{
    ss_link *link;
    samesum_status st = request ? ss_link_of(comm, &link) : SAMESUM_ERR_NULL;
    if (st != SAMESUM_OK)
        return st;
    bring b = bring_arrays(link, fields, count, root);
    return do_later(link, &b, request);
}

samesum_status samesum_mpi_start_states(const samesum_state *const *states, size_t count,
                                        void *const *results, int root, MPI_Comm comm,
                                        samesum_mpi_request **request)
{
    ss_link *link;
    samesum_status st = request ? ss_link_of(comm, &link) : SAMESUM_ERR_NULL;
    if (st != SAMESUM_OK)
        return st;
    bring b = bring_states(link, states, count, results, root);
    return do_later(link, &b, request);
}

samesum_status samesum_mpi_start_vector(const void *x, size_t n, samesum_type type,
                                        const samesum_want *want, void *results, MPI_Comm comm,
                                        samesum_mpi_request **request)
{
    ss_link *link;
    samesum_status st = request ? ss_link_of(comm, &link) : SAMESUM_ERR_NULL;
    if (st != SAMESUM_OK)
        return st;
    bring b = bring_vector(link, x, n, type, want, results);
    return do_later(link, &b, request);
}

samesum_status samesum_mpi_wait(samesum_mpi_request **request)
{
    if (!request || !*request)
        return SAMESUM_ERR_NULL;
    const samesum_status st = ss_request_wait(*request);
    free(*request);
    *request = NULL;
    return st;
}

samesum_status samesum_mpi_test(samesum_mpi_request **request, int *done)
{
    if (!request || !*request || !done)
        return SAMESUM_ERR_NULL;
    ss_link_move((*request)->link);
    *done = (*request)->stage == SS_COMPLETE;
    return *done ? samesum_mpi_wait(request) : SAMESUM_OK;
}

samesum_status samesum_mpi_offset(uint64_t n, uint64_t *begin_index, MPI_Comm comm)
{
    ss_link *link;
    samesum_status st = ss_link_of(comm, &link);
    if (st != SAMESUM_OK)
        return st;
    /* an array of which no result is wanted */
    bring b = {.fields = 1, .root = SAMESUM_MPI_ALL, .sweep = 1};
    if (have_room(link, &b, &n))
        b.room->field[0] = (ss_field){.rows = {.n = n}};
    if (!begin_index)
        b.status = SAMESUM_ERR_NULL;
    samesum_mpi_request q;
    begin(&q, link, &b);
    st = ss_request_wait(&q);
    if (st == SAMESUM_OK)
        *begin_index = q.begin;
    return st;
}

static samesum_status one_call(samesum_op op, samesum_type type, const void *x, const void *y,
                               size_t n, samesum_level level, void *result, MPI_Comm comm)
{
    const samesum_mpi_field f = {.part = {.x = x, .y = y, .type = type, .dims = 1, .shape = &n},
                                 .want = {.op = op, .level = level},
                                 .results = result};
    return samesum_mpi_reduce(&f, 1, SAMESUM_MPI_ALL, comm);
}

#define ONE_CALL(name, OP, suffix, TYPE, number)                                                   \
    samesum_status samesum_mpi_##name##_##suffix(const number *x, size_t n, samesum_level level,   \
                                                 number *result, MPI_Comm comm)                    \
    {                                                                                              \
        return one_call(OP, TYPE, x, NULL, n, level, result, comm);                                \
    }
#define CALLS(suffix, TYPE, number)                                                                \
    ONE_CALL(sum, SAMESUM_SUM, suffix, TYPE, number)                                               \
    ONE_CALL(mean, SAMESUM_MEAN, suffix, TYPE, number)                                             \
    ONE_CALL(nrm2, SAMESUM_NRM2, suffix, TYPE, number)                                             \
    samesum_status samesum_mpi_dot_##suffix(const number *x, const number *y, size_t n,            \
                                            samesum_level level, number *result, MPI_Comm comm)    \
    {                                                                                              \
        return one_call(SAMESUM_DOT, TYPE, x, y, n, level, result, comm);                          \
    }
CALLS(f64, SAMESUM_F64, double)
CALLS(f32, SAMESUM_F32, float)
