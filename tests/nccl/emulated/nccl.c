/* nccl.c - NCCL for several devices of one process that the CPU plays (tests/emulate): what a group
 * of calls asks for is done, by copying, when the group ends. Every second group is as those of
 * nonblocking communicators: in progress, until it was asked about. It is loaded as libnccl.so.2
 * is. */
#include <nccl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ncclComm {
    int rank, ranks, device;
    struct ncclComm **all; /* by rank */
};

/* One call of a group. */
enum kind { GATHER, SEND, RECV, SPLIT };
static struct asked {
    enum kind kind;
    struct ncclComm *comm;
    const char *from;
    char *to;
    size_t bytes;
    int peer, colour;
    struct ncclComm **made;
    int done;
} asked[1 << 16];
static int count, depth;
static int groups,
    unasked; /* that ended; times that a group is still in progress when asked about */

static bool is_slow(void)
{
    return groups % 2;
}

static size_t size_of(ncclDataType_t type)
{
    return type == ncclInt8 ? 1 : 8;
}

static ncclResult_t ask(struct asked a)
{
    if (count == sizeof asked / sizeof *asked || depth == 0)
        return ncclInternalError;
    asked[count++] = a;
    return a.kind != SPLIT && is_slow() && a.comm->rank % 2 == 0 ? ncclInProgress : ncclSuccess;
}

static struct ncclComm **make(int ranks)
{
    struct ncclComm **all = malloc((size_t)ranks * sizeof *all);
    for (int r = 0; r < ranks; r++) {
        all[r] = malloc(sizeof **all);
        *all[r] = (struct ncclComm){.rank = r, .ranks = ranks, .device = r, .all = all};
    }
    return all;
}

/* The call of this kind that a rank of the communicator made first, of those that are left. */
static struct asked *first(enum kind kind, const struct ncclComm *comm, int peer)
{
    for (int i = 0; i < count; i++)
        if (!asked[i].done && asked[i].kind == kind && asked[i].comm == comm &&
            (peer < 0 || asked[i].peer == peer))
            return &asked[i];
    return NULL;
}

/* All read before any writes. */
static ncclResult_t gather(const struct ncclComm *comm)
{
    char *all = NULL;
    struct asked *of[64];
    for (int r = 0; r < comm->ranks; r++) {
        of[r] = first(GATHER, comm->all[r], -1);
        if (!of[r] || of[r]->bytes != of[0]->bytes)
            return ncclInvalidUsage;
        all = all ? all : malloc((size_t)comm->ranks * of[0]->bytes + 1);
        memcpy(all + (size_t)r * of[0]->bytes, of[r]->from, of[0]->bytes);
    }
    for (int r = 0; r < comm->ranks; r++) {
        memcpy(of[r]->to, all, (size_t)comm->ranks * of[r]->bytes);
        of[r]->done = 1;
    }
    free(all);
    return ncclSuccess;
}

static ncclResult_t receive(struct asked *a)
{
    struct asked *sent = first(SEND, a->comm->all[a->peer], a->comm->rank);
    if (!sent || sent->bytes != a->bytes)
        return ncclInvalidUsage;
    memcpy(a->to, sent->from, a->bytes);
    sent->done = a->done = 1;
    return ncclSuccess;
}

static ncclResult_t split(const struct ncclComm *comm)
{
    struct asked *of[64];
    int ranks = 0;
    for (int r = 0; r < comm->ranks; r++) {
        struct asked *a = first(SPLIT, comm->all[r], -1);
        int at = ranks;
        if (!a)
            return ncclInvalidUsage;
        a->done = 1;
        *a->made = NULL;
        if (a->colour == NCCL_SPLIT_NOCOLOR)
            continue;
        for (; at > 0 && of[at - 1]->peer > a->peer; at--)
            of[at] = of[at - 1];
        of[at] = a;
        ranks++;
    }
    struct ncclComm **all = make(ranks + 1);
    for (int r = 0; r < ranks; r++) {
        all[r]->ranks = ranks;
        all[r]->device = of[r]->comm->device;
        *of[r]->made = all[r];
    }
    return ncclSuccess;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT ncclResult_t ncclGetVersion(int *version)
{
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}
EXPORT const char *ncclGetErrorString(ncclResult_t result)
{
    return result == ncclSuccess ? "no error" : "the group of calls does not fit together";
}
EXPORT ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    memset(id, 0, sizeof *id);
    return ncclSuccess;
}
EXPORT ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank)
{
    (void)comm;
    (void)ranks;
    (void)id;
    (void)rank;
    return ncclInvalidUsage; /* one process alone */
}
EXPORT ncclResult_t ncclCommInitAll(ncclComm_t *comm, int ranks, const int *devices)
{
    struct ncclComm **all = make(ranks);
    (void)devices;
    memcpy(comm, all, (size_t)ranks * sizeof *comm);
    return ncclSuccess;
}
EXPORT ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    (void)comm;
    return ncclSuccess;
}
EXPORT ncclResult_t ncclCommCount(const ncclComm_t comm, int *ranks)
{
    *ranks = comm->ranks;
    return ncclSuccess;
}
EXPORT ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank)
{
    *rank = comm->rank;
    return ncclSuccess;
}
EXPORT ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device)
{
    *device = comm->device;
    return ncclSuccess;
}
EXPORT ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error)
{
    (void)comm;
    *error = unasked > 0 ? ncclInProgress : ncclSuccess;
    unasked -= unasked > 0;
    return ncclSuccess;
}
EXPORT ncclResult_t ncclCommSplit(ncclComm_t comm, int colour, int key, ncclComm_t *made,
                                  ncclConfig_t *config)
{
    (void)config;
    return ask(
        (struct asked){.kind = SPLIT, .comm = comm, .colour = colour, .peer = key, .made = made});
}
EXPORT ncclResult_t ncclAllGather(const void *from, void *to, size_t n, ncclDataType_t type,
                                  ncclComm_t comm, cudaStream_t stream)
{
    (void)stream;
    return ask((struct asked){
        .kind = GATHER, .comm = comm, .from = from, .to = to, .bytes = n * size_of(type)});
}
EXPORT ncclResult_t ncclAllReduce(const void *from, void *to, size_t n, ncclDataType_t type,
                                  ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    (void)from;
    (void)to;
    (void)n;
    (void)type;
    (void)op;
    (void)comm;
    (void)stream;
    return ncclInvalidUsage;
}
EXPORT ncclResult_t ncclSend(const void *from, size_t n, ncclDataType_t type, int peer,
                             ncclComm_t comm, cudaStream_t stream)
{
    (void)stream;
    return ask((struct asked){
        .kind = SEND, .comm = comm, .from = from, .peer = peer, .bytes = n * size_of(type)});
}
EXPORT ncclResult_t ncclRecv(void *to, size_t n, ncclDataType_t type, int peer, ncclComm_t comm,
                             cudaStream_t stream)
{
    (void)stream;
    return ask((struct asked){
        .kind = RECV, .comm = comm, .to = to, .peer = peer, .bytes = n * size_of(type)});
}
EXPORT ncclResult_t ncclGroupStart(void)
{
    depth++;
    return ncclSuccess;
}
EXPORT ncclResult_t ncclGroupEnd(void)
{
    ncclResult_t result = ncclSuccess;
    if (--depth > 0)
        return ncclSuccess;
    for (int i = 0; i < count && result == ncclSuccess; i++)
        if (!asked[i].done && asked[i].kind != SEND)
            result = asked[i].kind == GATHER ? gather(asked[i].comm)
                     : asked[i].kind == RECV ? receive(&asked[i])
                                             : split(asked[i].comm);
    for (int i = 0; i < count && result == ncclSuccess; i++)
        result = asked[i].done ? ncclSuccess : ncclInvalidUsage;
    const bool slow = result == ncclSuccess && count > 0 && asked[0].kind != SPLIT && is_slow();
    unasked = slow ? 3 : 0;
    groups += count > 0 && asked[0].kind != SPLIT;
    count = 0;
    return slow ? ncclInProgress : result;
}
