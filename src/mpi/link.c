#include "mpi/link.h"

#include <pthread.h>
#include <stdlib.h>

static int keyval = MPI_KEYVAL_INVALID;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static void empty(ss_room *room)
{
    ss_store_free(&room->store);
    free(room->field);
}

ss_room *ss_link_room(ss_link *link)
{
    ss_room *room = link->room.in_use ? calloc(1, sizeof *room) : &link->room;
    if (room)
        room->in_use = 1;
    return room;
}

int ss_room_for_fields(ss_room *room, size_t fields)
{
    if (fields <= room->fields)
        return 1;
    free(room->field);
    room->field = calloc(fields, sizeof *room->field);
    room->fields = room->field ? fields : 0;
    return room->field != NULL;
}

void ss_link_leave_room(ss_link *link, ss_room *room)
{
    enum { MANY = 1000 };
    room->in_use = 0;
    if (room == &link->room && room->fields <= MANY)
        return;
    empty(room);
    if (room == &link->room)
        *room = (ss_room){.fields = 0};
    else
        free(room);
}

/* The communicator is freed, and its copy goes with it. */
static int forget(MPI_Comm comm, int key, void *link, void *unused)
{
    ss_link *l = link;
    (void)comm;
    (void)key;
    (void)unused;
    int error = MPI_Comm_free(&l->comm);
    empty(&l->room);
    free(l);
    return error;
}

static int have_keyval(void)
{
    pthread_mutex_lock(&making);
    int error = keyval == MPI_KEYVAL_INVALID
                    ? MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL)
                    : MPI_SUCCESS;
    pthread_mutex_unlock(&making);
    return error == MPI_SUCCESS;
}

/* All ranks come here together, with memory or without. */
static samesum_status make(MPI_Comm comm, ss_link **link)
{
    ss_link *l = malloc(sizeof *l);
    MPI_Comm copy;
    int poor = !l, any_poor = 1;
    if (MPI_Allreduce(&poor, &any_poor, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS || any_poor) {
        free(l);
        return any_poor ? SAMESUM_ERR_NOMEM : SAMESUM_ERR_MPI;
    }
    if (MPI_Comm_dup(comm, &copy) != MPI_SUCCESS) {
        free(l);
        return SAMESUM_ERR_MPI;
    }
    *l = (ss_link){.comm = copy};
    if (MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        MPI_Comm_rank(copy, &l->rank) != MPI_SUCCESS ||
        MPI_Comm_size(copy, &l->ranks) != MPI_SUCCESS ||
        MPI_Comm_set_attr(comm, keyval, l) != MPI_SUCCESS) {
        forget(comm, keyval, l, NULL);
        return SAMESUM_ERR_MPI;
    }
    *link = l;
    return SAMESUM_OK;
}

samesum_status ss_link_of(MPI_Comm comm, ss_link **link)
{
    int found, inter;
    if (comm == MPI_COMM_NULL)
        return SAMESUM_ERR_NULL;
    if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter || !have_keyval() ||
        MPI_Comm_get_attr(comm, keyval, link, &found) != MPI_SUCCESS)
        return SAMESUM_ERR_MPI;
    return found ? SAMESUM_OK : make(comm, link);
}
