/* NCCL, as this process has it: loaded when it is first needed, and never built against. */
#ifndef SS_NCCL_LIBRARY_H
#define SS_NCCL_LIBRARY_H

#include <nccl.h>

#include "samesum_nccl.h"

#if NCCL_VERSION_CODE < NCCL_VERSION(2, 14, 0)
#define ncclInProgress ((ncclResult_t)7) /* as newer ones say, which may be loaded */
#endif

/* Its calls that are used. */
#define SS_NCCL_CALLS(call)                                                                        \
    call(GetVersion) call(CommCount) call(CommUserRank) call(CommCuDevice) call(CommGetAsyncError) \
        call(AllGather) call(Send) call(Recv) call(GroupStart) call(GroupEnd)

typedef struct ss_nccl {
#define SS_NCCL_MEMBER(name) __typeof__(&nccl##name) name;
    SS_NCCL_CALLS(SS_NCCL_MEMBER)
#undef SS_NCCL_MEMBER
    int version;
    char file[4096];
} ss_nccl;

/* NULL where there is none, or too old a one; *why, where it is not NULL, then says so. */
const ss_nccl *ss_nccl_library(const char **why);

#endif
