/* example.cuh - what the examples share: device memory, errors, and what to say where there is no
 * device. */
#ifndef EXAMPLE_CUH
#define EXAMPLE_CUH

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
#include <samesum.h>

enum { EXAMPLE_SKIPPED = 77 };

static inline void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}
static inline void check(samesum_status status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", what, samesum_strerror(status));
        exit(1);
    }
}

/* Ends the program where there is nothing to run it on. */
static inline void need_device(void)
{
    int devices = 0;
    cudaError_t status = cudaGetDeviceCount(&devices);
    if (status == cudaSuccess && devices > 0)
        return;
    const char *why = status == cudaSuccess ? "none found" : cudaGetErrorString(status);
    printf("skipped: no CUDA device (%s)\n", why);
    fprintf(stderr, "SKIPPED: no CUDA device (%s): nothing was compared\n", why);
    exit(EXAMPLE_SKIPPED);
}

/* Device memory of so many numbers, all bits 0. */
template <class T> struct device_array {
    T *data = NULL;
    size_t n;
    explicit device_array(size_t n) : n(n)
    {
        check(cudaMalloc(&data, n * sizeof(T)), "cudaMalloc");
        check(cudaMemset(data, 0, n * sizeof(T)), "cudaMemset");
    }
    explicit device_array(const std::vector<T> &from) : device_array(from.size())
    {
        check(cudaMemcpy(data, from.data(), n * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    ~device_array()
    {
        cudaFree(data);
    }
    /* Waits for the device. */
    std::vector<T> copy() const
    {
        std::vector<T> to(n);
        check(cudaMemcpy(to.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return to;
    }
};

static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Values of [-1, 1) by a linear congruential generator (Knuth's MMIX). */
static inline std::vector<double> make_data(size_t n)
{
    std::vector<double> x(n);
    uint64_t state = 1;
    for (double &value : x) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = (double)(state >> 11) * 0x1p-52 - 1;
    }
    return x;
}

static const char *const level_names[] = {"tree", "kahan", "compensated"};

/* The program's exit status. */
static inline int report(int differences, int compared)
{
    if (differences)
        printf("%d of %d results differ.\n", differences, compared);
    else
        printf("The bits of %d results are those of the CPU.\n", compared);
    return differences != 0;
}

#endif
