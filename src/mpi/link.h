/* A communicator's copy, on which this library's messages travel, and what is under way there. */
#ifndef SS_LINK_H
#define SS_LINK_H

#include "exchange/rank.h"
#include "samesum_mpi.h"

/* Memory of a request, kept for the next one. */
typedef struct ss_room {
    ss_store store;
    ss_field *field;
    size_t fields;
    int in_use;
} ss_room;

typedef struct ss_link {
    MPI_Comm comm;
    int rank, ranks;
    unsigned turn; /* requests started so far, in the same order on all ranks */
    struct samesum_mpi_request *active; /* those under way */
    ss_room room;
} ss_link;

/* Room for a request: the link's, or where another request has that, new. NULL where there is no
 * memory. */
ss_room *ss_link_room(ss_link *link);
/* Makes it hold so many fields; 0 where there is no memory. */
int ss_room_for_fields(ss_room *room, size_t fields);
void ss_link_leave_room(ss_link *link, ss_room *room);

/* Finds the copy, or makes it: then all ranks have to be in the call. Errors: SAMESUM_ERR_NULL,
 * _MPI, _NOMEM. */
samesum_status ss_link_of(MPI_Comm comm, ss_link **link);

#endif
