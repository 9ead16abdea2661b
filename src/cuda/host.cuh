/* Data in host memory on their way to the device: pinned and device memory, streams, and what
 * several files of host*.cu share. */
#ifndef SS_CUDA_HOST_CUH
#define SS_CUDA_HOST_CUH

#include <cuda_runtime_api.h>

#include "cuda/host_chunks.h"
#include "samesum_cuda.h"

/* The status of a call of the CUDA runtime. */
samesum_status ss_cuda_said(cudaError_t error);

/* Memory of the device, or pinned memory of the host; freed at the end of its scope. */
class ss_memory
{
  public:
    enum kind { DEVICE, PINNED };
    explicit ss_memory(kind k) : kind_(k)
    {
    }
    ss_memory(const ss_memory &) = delete;
    ss_memory &operator=(const ss_memory &) = delete;
    ~ss_memory()
    {
        release();
    }
    /* At least so many bytes, of any content. */
    samesum_status need(size_t bytes);
    char *at() const
    {
        return at_;
    }
    size_t bytes() const
    {
        return bytes_;
    }

  private:
    void release();
    kind kind_;
    char *at_ = nullptr;
    size_t bytes_ = 0;
};

/* What is copied, and reduced, side by side with the others: a stream of its own, with pinned
 * memory that the host packs into while the other lanes' copies are under way. */
struct ss_lane {
    cudaStream_t stream = nullptr;
    ss_memory staging{ss_memory::PINNED};
    ~ss_lane();
    /* Waits for what was staged before, and has room for so many bytes. */
    samesum_status start(size_t staging_bytes);
    samesum_status wait();
};

enum { SS_HOST_LANES = 3 };

/* One call of samesum_cuda_reduce_host(). */
struct ss_host_call {
    const samesum_want *want;
    const int *axes;
    int axis_count;
    unsigned char kept[SAMESUM_MAX_DIMS]; /* the axes that are not reduced */
    int states;                           /* a row can be reduced chunk by chunk */
    int threads;                          /* that pack */
    size_t chunk;        /* elements of a chunk, at most; 0: as many as SS_HOST_CHUNK_BYTES hold */
    size_t budget;       /* bytes of device memory that may be used */
    size_t result_bytes; /* of one result */
    ss_lane lane[SS_HOST_LANES];
};

/* One result, of an array of any size, through the states of its chunks. counts: NULL, or one. */
samesum_status ss_host_stream(ss_host_call *call, const ss_host_array *h, void *result,
                              samesum_counts *counts);
/* All results of an array that the device has room for, else SAMESUM_ERR_NOMEM. */
samesum_status ss_host_whole(ss_host_call *call, const ss_host_array *h, size_t rows, void *results,
                             samesum_counts *counts);

/* Staged at a time. */
static const size_t SS_HOST_CHUNK_BYTES = (size_t)64 << 20;

static inline size_t ss_host_rounded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

#endif
