#include "mpi/request.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include "mpi/vector.h"

/* Requests under way on one communicator differ in their tags, of which MPI promises so many. */
enum { TAGS = 32768 };

void ss_request_start(samesum_mpi_request *q, ss_link *link, int root, int sweep, ss_room *room,
                      size_t fields, samesum_status status, struct ss_vector *vector)
{
    *q = (samesum_mpi_request){.link = link,
                               .next = link->active,
                               .tag = (int)(link->turn++ % TAGS),
                               .stage = SS_ASKING,
                               .room = room,
                               .vector = vector,
                               .send = MPI_REQUEST_NULL,
                               .receive = MPI_REQUEST_NULL};
    link->active = q;
    if (status >= 0 && (root < SAMESUM_MPI_ALL || root >= link->ranks))
        status = SAMESUM_ERR_RANGE;
    if (!room && status >= 0)
        status = SAMESUM_ERR_NOMEM;
    ss_rank_start(&q->rank, link->rank, link->ranks, root, sweep, room ? room->field : NULL, fields,
                  status, room ? &room->store.scratch : NULL, room ? &room->store : NULL);
    if (vector) /* to be the same everywhere, too */
        ss_rank_mix(&q->rank, ss_vector_mix(vector));
}

/* It is over, with this status. */
static void complete(samesum_mpi_request *q, samesum_status status)
{
    q->stage = SS_COMPLETE;
    q->status = status;
    samesum_mpi_request **at = &q->link->active;
    while (*at != q)
        at = &(*at)->next;
    *at = q->next;
    q->begin = q->rank.fields > 0 ? q->room->field[0].begin : 0;
    ss_rank_free(&q->rank, q->room ? &q->room->store : NULL);
    if (q->room)
        ss_link_leave_room(q->link, q->room);
    ss_vector_free(q->vector);
}

/* Begins what is to do next. */
static int ask(samesum_mpi_request *q)
{
    const ss_action *a = &q->action;
    const ss_act kind = ss_rank_next(&q->rank, &q->action);
    q->stage = kind & SS_ACT_RECEIVE ? SS_PROBING : SS_COMPLETING;
    if (kind & SS_ACT_SEND)
        return MPI_Isend(a->bytes, (int)a->length, MPI_BYTE, a->to, q->tag, q->link->comm,
                         &q->send);
    if (kind == SS_ACT_STOP) {
        q->stage = SS_LEAVING;
        q->status = ss_rank_status(&q->rank);
    }
    return MPI_SUCCESS;
}

/* Looks for the message, and begins to receive it. Returns whether it was there. */
static int probe(samesum_mpi_request *q, int *error)
{
    MPI_Message message;
    MPI_Status status;
    int there = 0, bytes;
    *error = MPI_Improbe(q->action.from, q->tag, q->link->comm, &there, &message, &status);
    if (*error != MPI_SUCCESS || !there)
        return 0;
    *error = MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (*error != MPI_SUCCESS)
        return 0;
    void *room = ss_rank_room(&q->rank, (size_t)bytes);
    q->coming = (size_t)bytes;
    *error = MPI_Imrecv(room ? room : q->rank.spare, room ? bytes : (int)sizeof q->rank.spare,
                        MPI_BYTE, &message, &q->receive);
    q->stage = SS_COMPLETING;
    return 1;
}

/* Whether the messages under way, one each way, have arrived. One that had too little room is no
 * error. */
static int are_complete(samesum_mpi_request *q, int *error)
{
    int sent, came;
    *error = MPI_Test(&q->send, &sent, MPI_STATUS_IGNORE);
    if (*error != MPI_SUCCESS)
        return 0;
    int cut = MPI_Test(&q->receive, &came, MPI_STATUS_IGNORE), class = cut;
    if (cut != MPI_SUCCESS) {
        MPI_Error_class(cut, &class);
        if (class != MPI_ERR_TRUNCATE)
            *error = cut;
        came = class == MPI_ERR_TRUNCATE;
    }
    return sent && came;
}

/* Collective calls are to be made in one order on all ranks: vectors take turns, as they were
 * started. */
static int is_my_turn(const samesum_mpi_request *q)
{
    for (const samesum_mpi_request *before = q->next; before; before = before->next)
        if (before->vector)
            return 0;
    return 1;
}

/* The messages of the reduction are done; a vector follows. */
static int leave(samesum_mpi_request *q, int *error)
{
    if (q->vector && q->status >= 0 && !ss_vector_is_done(q->vector))
        return is_my_turn(q) && ss_vector_step(q->vector, q->link, &q->status, error);
    complete(q, q->status);
    return 1;
}

/* One step; returns whether there was one to make. */
static int step(samesum_mpi_request *q)
{
    int error = MPI_SUCCESS, moved = 1;
    switch (q->stage) {
    case SS_ASKING:
        error = ask(q);
        break;
    case SS_PROBING:
        moved = probe(q, &error);
        break;
    case SS_COMPLETING:
        moved = are_complete(q, &error);
        if (!moved)
            break;
        if (q->action.kind & SS_ACT_RECEIVE)
            ss_rank_received(&q->rank, q->coming);
        q->stage = SS_ASKING;
        break;
    case SS_LEAVING:
        moved = leave(q, &error);
        break;
    case SS_COMPLETE:
        return 0;
    }
    if (error != MPI_SUCCESS) {
        complete(q, SAMESUM_ERR_MPI);
        return 1;
    }
    return moved;
}

int ss_link_move(ss_link *link)
{
    int moved = 0;
    for (samesum_mpi_request *q = link->active, *next; q; q = next) {
        next = q->next;
        while (step(q))
            moved = 1;
    }
    return moved;
}

samesum_status ss_request_wait(samesum_mpi_request *q)
{
    enum { PATIENCE = 1000 }; /* looks in vain, until others may have the core */
    int idle = 0;
    while (q->stage != SS_COMPLETE) {
        idle = ss_link_move(q->link) ? 0 : idle + 1;
        if (idle > PATIENCE)
            sched_yield();
    }
    return q->status;
}
