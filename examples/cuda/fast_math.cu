/* fast_math.cu - compiled with -use_fast_math, which flushes binary32 subnormals to zero and
 * contracts: sums through samesum_device.cuh keep the CPU's bits, a loop in the same file does not.
 * (On binary64 the flag flushes nothing; the loop's bits are those of another order.) */
#include <samesum_device.cuh>

#include "example.cuh"

template <class T> struct elements {
    const T *x;
    __device__ T operator()(uint64_t i) const
    {
        return x[i];
    }
};

template <class T, samesum_level LEVEL>
__global__ void sum_by_block(const T *x, uint64_t n, T *result)
{
    __shared__ samesum::sum_storage<T, LEVEL> storage;
    const T sum = samesum::block_sum(storage, n, elements<T>{x});
    if (threadIdx.x == 0)
        *result = sum;
}

template <class T, samesum_level LEVEL>
__global__ void sum_by_grid(const T *x, uint64_t n, void *workspace, T *result)
{
    __shared__ samesum::sum_storage<T, LEVEL> storage;
    samesum::grid_sum(storage, n, elements<T>{x}, workspace, result);
}

template <class T> __global__ void sum_by_loop(const T *x, uint64_t n, T *result)
{
    T sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += x[i];
    *result = sum;
}

static samesum_status sum_on_host(const double *x, size_t n, samesum_level level, double *result)
{
    return samesum_sum_f64(x, n, level, result);
}
static samesum_status sum_on_host(const float *x, size_t n, samesum_level level, float *result)
{
    return samesum_sum_f32(x, n, level, result);
}

/* n numbers of which all, or every third, are subnormal. */
static void fill(std::vector<double> &x, bool all)
{
    const std::vector<double> random = make_data(x.size());
    for (size_t i = 0; i < x.size(); i++)
        x[i] = random[i] * (all || i % 3 == 0 ? 0x1p-1030 : 0x1p-1020);
}
static void fill(std::vector<float> &x, bool all)
{
    const std::vector<double> random = make_data(x.size());
    for (size_t i = 0; i < x.size(); i++)
        x[i] = (float)(random[i] * (all || i % 3 == 0 ? 0x1p-134 : 0x1p-124));
}

static int differences, compared;

template <class T>
static void print_row(const char *type, const char *data, size_t n, const char *level,
                      const char *how, T value, const char *verdict)
{
    printf("%-8s %-6s %7zu  %-11s  %-6s %0*" PRIx64 "  %s\n", type, data, n, level, how,
           2 * (int)sizeof(T), (uint64_t)bits_of(value), verdict);
}

template <class T, samesum_level LEVEL>
static void try_level(const char *type, const char *data, const std::vector<T> &x)
{
    const size_t n = x.size();
    const device_array<T> on_device(x), result(2);
    const device_array<unsigned char> workspace(samesum::grid_sum_bytes<T, LEVEL>(n));
    sum_by_block<T, LEVEL><<<1, 256>>>(on_device.data, n, result.data);
    sum_by_grid<T, LEVEL><<<50, 128>>>(on_device.data, n, workspace.data, result.data + 1);
    check(cudaGetLastError(), "sums");
    T want;
    check(sum_on_host(x.data(), n, LEVEL, &want), "samesum_sum");
    for (int i = 0; i < 2; i++) {
        const T got = result.copy()[i];
        const bool same = bits_of(got) == bits_of(want);
        compared++;
        differences += !same;
        print_row(type, data, n, level_names[LEVEL], i ? "grid" : "block", got,
                  same ? "same" : "DIFFERENT");
    }
}

template <class T> static void try_type(const char *type)
{
    for (bool all : {true, false}) {
        for (size_t n : {size_t(5), size_t(4097), size_t(300001)}) {
            const char *data = all ? "all" : "third";
            std::vector<T> x(n);
            fill(x, all);
            try_level<T, SAMESUM_TREE>(type, data, x);
            try_level<T, SAMESUM_KAHAN>(type, data, x);
            try_level<T, SAMESUM_COMPENSATED>(type, data, x);
            const device_array<T> on_device(x), result(1);
            sum_by_loop<<<1, 1>>>(on_device.data, n, result.data);
            check(cudaGetLastError(), "sum_by_loop");
            print_row(type, data, n, "-", "loop", result.copy()[0], "(not samesum)");
        }
    }
}

int main(void)
{
    need_device();
    printf("type     subnormal    n  level        how    bits\n");
    try_type<float>("binary32");
    try_type<double>("binary64");
    return report(differences, compared);
}
