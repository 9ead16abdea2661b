/* One call under way: a rank's side of it (exchange/rank.h), and the messages that are on their
 * way. */
#ifndef SS_REQUEST_H
#define SS_REQUEST_H

#include "mpi/link.h"

struct ss_vector;

struct samesum_mpi_request {
    ss_link *link;
    struct samesum_mpi_request *next; /* under way on the same communicator */
    int tag;
    enum { SS_ASKING, SS_PROBING, SS_COMPLETING, SS_LEAVING, SS_COMPLETE } stage;
    ss_rank rank;
    ss_room *room;            /* its fields and its memory; NULL: none */
    struct ss_vector *vector; /* what follows once all ranks agree, or NULL */
    ss_action action;
    size_t coming; /* bytes of the message that is received */
    MPI_Request send, receive;
    samesum_status status; /* once it is complete */
    uint64_t begin;        /* likewise: where this rank's elements of the first field begin */
};

/* Puts a request under way whose fields were checked with this status; it takes both over, and they
 * are freed when it is complete. */
void ss_request_start(samesum_mpi_request *q, ss_link *link, int root, int sweep, ss_room *room,
                      size_t fields, samesum_status status, struct ss_vector *vector);

/* Moves all requests of the link on. Returns whether one of them moved. */
int ss_link_move(ss_link *link);

/* Until this request is complete; returns its status. */
samesum_status ss_request_wait(samesum_mpi_request *q);

#endif
