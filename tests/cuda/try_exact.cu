/* try_exact.cu - level exact on the device against the CPU, bit for bit, and its speed.
 *
 *     try_exact [GiB...]       the comparison, then the speed at these sizes
 *
 * Exit status 0 if every bit was the same. After `make cuda`:
 *
 *     nvcc -std=c++17 -O2 --fmad=false -Iinclude -Isrc -arch=sm_90 -cudart static \
 *         -Xcompiler -fopenmp -o build/try_exact tests/cuda/try_exact.cu \
 *         build/src/cuda/exact*.o build/libsamesum.a */
#include "cuda/exact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define DO(call)                                                                                   \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char *const op_names[] = {"sum", "asum", "sumsq", "dot", "nrm2", "mean", "var", "std"};
static const samesum_op ops[] = {SAMESUM_SUM,  SAMESUM_ASUM, SAMESUM_SUMSQ, SAMESUM_DOT,
                                 SAMESUM_NRM2, SAMESUM_MEAN, SAMESUM_VAR,   SAMESUM_STD};
static const samesum_type types[] = {SAMESUM_F64, SAMESUM_F32, SAMESUM_F16, SAMESUM_BF16};
static const char *const type_names[] = {"f64", "f32", "f16", "bf16"};

/* splitmix64. */
static __host__ __device__ uint64_t mixed(uint64_t i)
{
    i += UINT64_C(0x9e3779b97f4a7c15);
    i = (i ^ i >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    i = (i ^ i >> 27) * UINT64_C(0x94d049bb133111eb);
    return i ^ i >> 31;
}

/* Element i's bits. spread: exponents around 1 that the data have, up to all of the type's; 0: in
 * [-1, 1). */
static __host__ __device__ double element(uint64_t i, int spread)
{
    uint64_t r = mixed(i);
    double u = (double)((int64_t)r >> 11) * 0x1p-52;
    return spread ? ldexp(u, (int)(mixed(r) % (2 * (unsigned)spread)) - spread) : u;
}

static ss_cuda_exact_job job_of(samesum_op op, int type, const char *x, const char *y, uint64_t n,
                                void *result)
{
    ss_cuda_exact_job job;
    memset((void *)&job, 0, sizeof job);
    ss_cuda_view &v = job.view[0];
    const ptrdiff_t bytes = ss_cuda_bytes(types[type]);
    ss_layout_flat(&v.row, n, bytes, bytes);
    ss_layout_flat(&v.rest, 1, 0, 0);
    v.n = n;
    v.rows = 1;
    v.place[SS_X] = x;
    v.place[SS_Y] = y;
    v.type = types[type];
    v.pair = op == SAMESUM_DOT;
    v.part = SS_PART_WHOLE;
    v.factor = -1;
    job.view[1] = v;
    const bool spread = op == SAMESUM_VAR || op == SAMESUM_STD;
    job.sums = spread ? 2 : 1;
    job.kind = spread ? SS_EXACT_SPREAD : SS_EXACT_ONE;
    job.term[0] = spread || op == SAMESUM_MEAN ? SAMESUM_SUM
                  : op == SAMESUM_NRM2         ? SAMESUM_SUMSQ
                                               : op;
    job.term[1] = SAMESUM_SUMSQ;
    job.op = op;
    job.sink.results = (char *)result;
    job.sink.copies = 1;
    job.sink.numbers = 1;
    job.sink.bytes = type == 0 ? 8 : 4;
    job.sink.format = type == 0 ? SS_CUDA_F64 : SS_CUDA_F32;
    return job;
}

static size_t compared, differed;

static void compare(const char *host, char *device, int type, uint64_t n, int off_x, int off_y,
                    void *workspace, size_t room, void *result, int spread)
{
    const int bytes = ss_cuda_bytes(types[type]);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        ss_cuda_exact_job job = job_of(ops[k], type, device + off_x * bytes,
                                       device + (n / 2 + off_y) * bytes, n, result);
        if (ss_cuda_exact_workspace(job) > room) {
            fprintf(stderr, "the workspace is larger than expected\n");
            exit(1);
        }
        unsigned char got[8] = {0}, want[8] = {0};
        DO(ss_cuda_exact_launch(job, workspace, NULL));
        DO(cudaMemcpy(got, result, (size_t)job.sink.bytes, cudaMemcpyDeviceToHost));
        samesum_data data;
        samesum_want what;
        memset(&data, 0, sizeof data);
        memset(&what, 0, sizeof what);
        data.x = host + off_x * bytes;
        data.y = ops[k] == SAMESUM_DOT ? host + (n / 2 + off_y) * bytes : NULL;
        data.n = n;
        data.type = types[type];
        what.op = ops[k];
        what.level = SAMESUM_EXACT;
        (void)samesum_reduce(&data, &what, want, NULL);
        compared++;
        if (memcmp(got, want, (size_t)job.sink.bytes) != 0 && ++differed <= 20)
            printf("DIFFERS: %s %s n %llu offsets %d %d spread %d\n", op_names[k], type_names[type],
                   (unsigned long long)n, off_x, off_y, spread);
    }
}

/* x and y are two overlapping stretches of one array. */
static void compare_all(void *workspace, size_t room, void *result)
{
    const uint64_t most = UINT64_C(1) << 22;
    const uint64_t sizes[] = {0,    1,    2,    31,    32,     33,      255,     512,
                              1023, 4096, 4099, 65536, 100000, 1000003, 1500000, most / 2};
    const int spreads[] = {0, 10, 60, 300, 1000};
    std::vector<char> host(most * 8 + 256);
    char *device;
    DO(cudaMalloc(&device, host.size()));
    for (int type = 0; type < 4; type++)
        for (int spread : spreads) {
            for (uint64_t i = 0; i < most + 16; i++) {
                double v = element(i, type == 2 ? spread % 15 : type > 0 ? spread % 127 : spread);
                float f = (float)v;
                unsigned bits;
                memcpy(&bits, &f, sizeof bits);
                unsigned short half = (unsigned short)(bits >> 16); /* some finite half or other */
                if (type == 0)
                    memcpy(&host[i * 8], &v, 8);
                else if (type == 1)
                    memcpy(&host[i * 4], &f, 4);
                else
                    memcpy(&host[i * 2], &half, 2);
            }
            DO(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice));
            for (uint64_t n : sizes)
                for (int off = 0; off < (n > 5000 ? 2 : 8); off++)
                    compare(host.data(), device, type, n, off, off * off % 8, workspace, room,
                            result, spread);
        }
    DO(cudaFree(device));
    printf("%zu results compared bit for bit, %zu differed\n", compared, differed);
}

/* spread: as in element(). */
template <class T> static __global__ void fill(T *x, uint64_t n, int spread)
{
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        x[i] = (T)element(i, spread);
}

static void time_one(samesum_op op, int type, char *x, uint64_t bytes, int spread, void *workspace,
                     void *result)
{
    enum { RUNS = 11 };
    uint64_t n = bytes / (uint64_t)ss_cuda_bytes(types[type]);
    if (type == 0)
        fill<<<2048, 256>>>((double *)x, n, spread);
    else
        fill<<<2048, 256>>>((float *)x, n, spread);
    if (op == SAMESUM_DOT)
        n /= 2;
    ss_cuda_exact_job job = job_of(op, type, x, x + bytes / 2, n, result);
    cudaEvent_t from, to;
    DO(cudaEventCreate(&from));
    DO(cudaEventCreate(&to));
    std::vector<float> ms;
    for (int run = 0; run < RUNS; run++) {
        float t;
        DO(cudaEventRecord(from));
        DO(ss_cuda_exact_launch(job, workspace, NULL));
        DO(cudaEventRecord(to));
        DO(cudaEventSynchronize(to));
        DO(cudaEventElapsedTime(&t, from, to));
        size_t at = ms.size();
        while (at > 0 && ms[at - 1] > t)
            at--;
        ms.insert(ms.begin() + (ptrdiff_t)at, t);
    }
    printf("%-5s %-4s %6.2f GiB spread %4d: %8.3f ms, %7.1f GB/s\n", op_names[op], type_names[type],
           (double)bytes / (1 << 30), spread, ms[RUNS / 2], (double)bytes / ms[RUNS / 2] * 1e-6);
    DO(cudaEventDestroy(from));
    DO(cudaEventDestroy(to));
}

int main(int argc, char **argv)
{
    const size_t room = 1 << 24;
    void *workspace, *result;
    DO(cudaMalloc(&workspace, room));
    DO(cudaMalloc(&result, 16));
    compare_all(workspace, room, result);
    const int spreads[] = {0, 10, 60, 300};
    for (int i = 1; i < argc; i++) {
        uint64_t bytes = (uint64_t)(atof(argv[i]) * (1 << 30)) / 512 * 512;
        char *x;
        DO(cudaMalloc(&x, bytes));
        for (int type = 0; type < 2; type++)
            for (samesum_op op : {SAMESUM_SUM, SAMESUM_SUMSQ, SAMESUM_DOT})
                for (int spread : spreads)
                    if (type == 0 || spread <= 60)
                        time_one(op, type, x, bytes, spread, workspace, result);
        DO(cudaFree(x));
    }
    return differed != 0;
}
