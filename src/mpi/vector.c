#include "mpi/vector.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 22 }; /* elements that are exchanged at once */

struct ss_vector {
    const char *x;
    size_t n;
    samesum_type type;
    samesum_want want;
    char *results;
    size_t element, result; /* bytes */
    size_t at, length;      /* the chunk at hand */
    enum { BEGINNING, SCATTERING, GATHERING, DONE } stage;
    int *count, *first;           /* of the chunk: each rank's block */
    int *own_count, *own_first;   /* of each rank's elements for this one's block */
    char *theirs, *own;           /* those elements; and what they come to */
    MPI_Datatype of_x, of_result; /* MPI_DATATYPE_NULL: not yet */
    MPI_Request request;
};

static samesum_status check(const void *x, size_t n, samesum_type type, const samesum_want *want,
                            const void *results)
{
    if (!want || (n > 0 && (!x || !results)))
        return SAMESUM_ERR_NULL;
    if (want->op == SAMESUM_DOT)
        return SAMESUM_ERR_OP;
    /* all else is checked as for an array of no row */
    const size_t shape[2] = {1, 0};
    const samesum_array none = {.type = type, .dims = 2, .shape = shape};
    const int axis = 0;
    return samesum_reduce_array(&none, &axis, 1, want, NULL, NULL, NULL);
}

samesum_status ss_vector_make(ss_vector **vector, const ss_link *link, const void *x, size_t n,
                              samesum_type type, const samesum_want *want, void *results)
{
    *vector = NULL;
    samesum_status st = check(x, n, type, want, results);
    if (st < 0)
        return st;
    const size_t ranks = (size_t)link->ranks, chunk = n < CHUNK ? n : CHUNK;
    ss_vector *v = malloc(sizeof *v);
    if (!v)
        return SAMESUM_ERR_NOMEM;
    *v = (ss_vector){.x = x,
                     .n = n,
                     .type = type,
                     .want = *want,
                     .results = results,
                     .element = samesum_element_size(type),
                     .result = samesum_result_bytes(want, type),
                     .of_x = MPI_DATATYPE_NULL,
                     .of_result = MPI_DATATYPE_NULL,
                     .request = MPI_REQUEST_NULL};
    v->count = malloc(4 * ranks * sizeof *v->count);
    v->theirs = malloc((chunk + ranks) * v->element);
    v->own = malloc((chunk / ranks + 1) * v->result);
    if (!v->count || !v->theirs || !v->own) {
        ss_vector_free(v);
        return SAMESUM_ERR_NOMEM;
    }
    v->first = v->count + ranks;
    v->own_count = v->first + ranks;
    v->own_first = v->own_count + ranks;
    *vector = v;
    return SAMESUM_OK;
}

void ss_vector_free(ss_vector *v)
{
    if (!v)
        return;
    if (v->of_x != MPI_DATATYPE_NULL)
        MPI_Type_free(&v->of_x);
    if (v->of_result != MPI_DATATYPE_NULL)
        MPI_Type_free(&v->of_result);
    free(v->count);
    free(v->theirs);
    free(v->own);
    free(v);
}

uint64_t ss_vector_mix(const ss_vector *v)
{
    const samesum_want *w = &v->want;
    const uint64_t parts[] = {v->n,    (uint64_t)w->op,  (uint64_t)w->level,  (uint64_t)v->type,
                              w->ddof, (uint64_t)w->nan, (uint64_t)w->result, (uint64_t)w->conj};
    uint64_t mixed = 1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        mixed = (mixed ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15) + (mixed >> 31);
    return mixed;
}

static int have_types(ss_vector *v)
{
    if (v->of_x != MPI_DATATYPE_NULL)
        return MPI_SUCCESS;
    int error = MPI_Type_contiguous((int)v->element, MPI_BYTE, &v->of_x);
    if (error == MPI_SUCCESS)
        error = MPI_Type_contiguous((int)v->result, MPI_BYTE, &v->of_result);
    if (error == MPI_SUCCESS)
        error = MPI_Type_commit(&v->of_x);
    return error == MPI_SUCCESS ? MPI_Type_commit(&v->of_result) : error;
}

/* Blocks of the chunk that differ by one element at most. */
static int scatter(ss_vector *v, const ss_link *link)
{
    const size_t ranks = (size_t)link->ranks;
    v->length = v->n - v->at < CHUNK ? v->n - v->at : CHUNK;
    for (size_t r = 0; r < ranks; r++) {
        v->first[r] = (int)(v->length * r / ranks);
        v->count[r] = (int)(v->length * (r + 1) / ranks) - v->first[r];
    }
    for (size_t r = 0; r < ranks; r++) {
        v->own_count[r] = v->count[link->rank];
        v->own_first[r] = (int)r * v->count[link->rank];
    }
    int error = have_types(v);
    return error != MPI_SUCCESS
               ? error
               : MPI_Ialltoallv(v->x + v->at * v->element, v->count, v->first, v->of_x, v->theirs,
                                v->own_count, v->own_first, v->of_x, link->comm, &v->request);
}

/* Row r of what came is rank r's part of this rank's block. */
static int gather(ss_vector *v, const ss_link *link, samesum_status *status)
{
    const size_t shape[2] = {(size_t)link->ranks, (size_t)v->count[link->rank]};
    const samesum_array all = {.x = v->theirs, .type = v->type, .dims = 2, .shape = shape};
    const int axis = 0;
    samesum_status st = samesum_reduce_array(&all, &axis, 1, &v->want, v->own, NULL, NULL);
    if (st != SAMESUM_OK)
        *status = st;
    return MPI_Iallgatherv(v->own, v->count[link->rank], v->of_result,
                           v->results + v->at * v->result, v->count, v->first, v->of_result,
                           link->comm, &v->request);
}

int ss_vector_step(ss_vector *v, const ss_link *link, samesum_status *status, int *error)
{
    int moved = 1;
    switch (v->stage) {
    case BEGINNING:
        if (v->at == v->n) {
            v->stage = DONE;
        } else {
            *error = scatter(v, link);
            v->stage = SCATTERING;
        }
        break;
    case SCATTERING:
        *error = MPI_Test(&v->request, &moved, MPI_STATUS_IGNORE);
        if (*error != MPI_SUCCESS || !moved)
            break;
        *error = gather(v, link, status);
        v->stage = GATHERING;
        break;
    case GATHERING:
        *error = MPI_Test(&v->request, &moved, MPI_STATUS_IGNORE);
        if (*error != MPI_SUCCESS || !moved)
            break;
        v->at += v->length;
        v->stage = BEGINNING;
        break;
    case DONE:
        break;
    }
    return moved;
}

int ss_vector_is_done(const ss_vector *v)
{
    return v->stage == DONE;
}
