#include "peer_read.h"

#include "harness.h"

namespace
{
constexpr int THREADS = 256;

__device__ uint4 read_sink;

__device__ void add(uint4 &a, uint4 v)
{
    a.x ^= v.x;
    a.y ^= v.y;
    a.z ^= v.z;
    a.w ^= v.w;
}

/* A block takes tiles of UNROLL vectors a thread; the compiler decides how many of their loads are
 * under way at a time. */
template <int UNROLL>
__global__ void __launch_bounds__(THREADS) read_kernel(const uint4 *__restrict__ x, size_t vectors)
{
    constexpr size_t TILE = size_t{UNROLL} * THREADS;
    size_t tiles = vectors / TILE;
    uint4 a = {0, 0, 0, 0};
    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const uint4 *p = x + tile * TILE + threadIdx.x;
        uint4 v[UNROLL];
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            v[i] = p[size_t(i) * THREADS];
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            add(a, v[i]);
    }
    for (size_t i = tiles * TILE + size_t{blockIdx.x} * THREADS + threadIdx.x; i < vectors;
         i += size_t{gridDim.x} * THREADS)
        add(a, x[i]);
    // Never so, but the compiler cannot know.
    if (a.x == 0x9e3779b9 && a.y == 0x7f4a7c15 && a.z == 0xbf58476d && a.w == 0x94d049bb)
        read_sink = a;
}

/* blocks_per_sm 0: one tile a block. */
template <int UNROLL>
void launch(const void *x, size_t bytes, int blocks_per_sm, cudaStream_t stream)
{
    static int sms = 0;
    if (sms == 0)
        CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    size_t vectors = bytes / sizeof(uint4), tile = size_t{UNROLL} * THREADS;
    size_t grid = blocks_per_sm ? size_t(sms) * size_t(blocks_per_sm) : (vectors + tile - 1) / tile;
    read_kernel<UNROLL>
        <<<unsigned(grid), THREADS, 0, stream>>>(static_cast<const uint4 *>(x), vectors);
}

struct Variant {
    const char *name; // vectors a thread and tile; a block for each tile, or so many blocks a SM
    void (*launch)(const void *x, size_t bytes, int blocks_per_sm, cudaStream_t stream);
    int blocks_per_sm;
};
const Variant variants[] = {
    {" 4, tiles", launch<4>, 0},  {" 8, tiles", launch<8>, 0},  {"16, tiles", launch<16>, 0},
    {" 4, 8 a SM", launch<4>, 8}, {" 8, 4 a SM", launch<8>, 4}, {"16, 2 a SM", launch<16>, 2},
    {" 8, 8 a SM", launch<8>, 8},
};
} // namespace

int read_variants()
{
    return int(sizeof variants / sizeof *variants);
}

const char *read_name(int variant)
{
    return variants[variant].name;
}

void read_launch(int variant, const void *x, size_t bytes, cudaStream_t stream)
{
    const Variant &v = variants[variant];
    v.launch(x, bytes, v.blocks_per_sm, stream);
}
