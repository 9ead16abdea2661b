/* world.h - the GPUs of this machine as an NCCL communicator: one process for each, or one process
 * with all. No MPI: rank 0 writes NCCL's id to a file. Used by the tests and the benchmark. */
#ifndef TESTS_NCCL_WORLD_H
#define TESTS_NCCL_WORLD_H

#include <cuda_runtime_api.h>
#include <nccl.h>

enum { MOST_SEATS = 16 };

/* A GPU of this process in a communicator. */
struct seat {
    ncclComm_t comm;
    int rank, device;
    cudaStream_t stream;
};
struct world {
    int ranks, seats; /* of the communicator; of this process */
    struct seat seat[MOST_SEATS];
};

/* NCCL's calls, loaded when the program runs. */
extern struct nccl_calls {
    __typeof__(&ncclGetErrorString) GetErrorString;
    __typeof__(&ncclGetUniqueId) GetUniqueId;
    __typeof__(&ncclCommInitRank) CommInitRank;
    __typeof__(&ncclCommInitAll) CommInitAll;
    __typeof__(&ncclCommSplit) CommSplit;
    __typeof__(&ncclCommDestroy) CommDestroy;
    __typeof__(&ncclAllReduce) AllReduce;
    __typeof__(&ncclGroupStart) GroupStart;
    __typeof__(&ncclGroupEnd) GroupEnd;
} nccl;

/* End the program where CUDA or NCCL refuses: no rank can go on alone. */
#define CUDA_DO(call) cuda_do((call), #call, __FILE__, __LINE__)
#define NCCL_DO(call) nccl_do((call), #call, __FILE__, __LINE__)
void cuda_do(cudaError_t error, const char *call, const char *file, int line);
void nccl_do(ncclResult_t result, const char *call, const char *file, int line);

/* How many GPUs there are, and NCCL; 0: none, and *why says so. */
int world_gpus(const char **why);
/* One process with `ranks` GPUs; or the process of one rank, which meets the others by a file that
 * is not there before. */
void world_of_members(struct world *world, int ranks);
void world_of_rank(struct world *world, int rank, int ranks, const char *file);
/* Some of the same GPUs in another order: those whose keys, by rank, are not negative, in the order
 * of their keys. All ranks call it. */
void world_split(struct world *to, const struct world *from, const int *key);
void world_end(struct world *world);
/* Makes the seat's device the current one. */
void use_seat(const struct seat *seat);

/* Starts this program `ranks` times, with the arguments: rank R RANKS FILE and those given; waits,
 * and ends all where one fails or the time is up. What ranks other than 0 print is shown where
 * they fail. Returns 0 if all went well. To be called before anything of CUDA. */
int run_processes(int ranks, int seconds, char **arguments);
/* Ends this process when the time is up. */
void watch(int seconds);

double now(void); /* seconds; one clock for all processes */

#endif
