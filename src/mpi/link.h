/* A communicator's copy, on which this library's messages travel, and what is under way there. */
#ifndef SS_LINK_H
#define SS_LINK_H

#include "samesum_mpi.h"

typedef struct ss_link {
    MPI_Comm comm;
    int rank, ranks;
    unsigned turn; /* requests started so far, in the same order on all ranks */
    struct samesum_mpi_request *active; /* those under way */
} ss_link;

/* Finds the copy, or makes it: then all ranks have to be in the call. Errors: SAMESUM_ERR_NULL,
 * _MPI, _NOMEM. */
samesum_status ss_link_of(MPI_Comm comm, ss_link **link);

#endif
