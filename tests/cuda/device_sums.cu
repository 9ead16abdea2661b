/* device_sums.cu - samesum_device.cuh on a device against the CPU library, bit for bit: every n
 * from 0 to 5000 and around the borders of rounds and chunks, by blocks and grids of many sizes;
 * ordinary and special values; one's own nodes; one workspace used many times, and several at once.
 *
 * Exit status: 0, 1 where a result differs, 77 where there is no device. */
#include <samesum_device.cuh>

#include <math.h>
#include "example.cuh"

static uint64_t compared, differences;

template <class T>
static void compare(const char *what, const T &got, const T &want, uint64_t n, unsigned blocks,
                    unsigned threads)
{
    compared++;
    if (memcmp(&got, &want, sizeof got) == 0)
        return;
    if (differences++ < 20)
        printf("DIFFERENT %s n=%" PRIu64 " %u blocks of %u\n", what, n, blocks, threads);
}

/* Every n up to 5000, and those around the borders of rounds (2^9 to 2^12 rows) and chunks (2^8
 * rows, and 2^9 from 2^19 rows on). */
static std::vector<uint64_t> all_lengths(void)
{
    std::vector<uint64_t> lengths;
    for (uint64_t n = 0; n <= 5000; n++)
        lengths.push_back(n);
    for (uint64_t border = 8192; border <= 1 << 20; border *= 2)
        for (uint64_t n : {border - 17, border - 1, border, border + 1, border + 4097})
            lengths.push_back(n);
    for (uint64_t n : {uint64_t(3000001), (uint64_t(1) << 23) - 1, (uint64_t(1) << 23) + 1})
        lengths.push_back(n);
    return lengths;
}

/* Pairs that cancel, subnormal numbers, a wide range of exponents; or infinities, NaNs and zeros of
 * both signs. */
template <class T> static std::vector<T> make_numbers(size_t n, bool special)
{
    const std::vector<double> random = make_data(n);
    const double least = sizeof(T) == 8 ? 0x1p-1040 : 0x1p-140;
    const double specials[] = {INFINITY, -INFINITY, NAN,
                               -0.0,     0.0,       sizeof(T) == 8 ? 1.7e308 : 3e38};
    std::vector<T> x(n);
    for (size_t i = 0; i < n; i++) {
        x[i] = (T)(i % 97 == 5 ? -(double)x[i - 1] : ldexp(random[i], (int)(i * 7 % 61)));
        if (i % 13 == 9)
            x[i] = (T)(random[i] * least);
        if (special && i % 1531 == 1000)
            x[i] = (T)specials[(i * 31 + i / 1531) % 6];
        if (special && i < 40)
            x[i] = (T)-0.0;
    }
    return x;
}

template <class T> struct elements {
    const T *x;
    __device__ T operator()(uint64_t i) const
    {
        return x[i];
    }
};
template <class T> struct squares {
    const T *x;
    __device__ samesum::node<T> operator()(uint64_t i) const
    {
        return samesum::two_product(x[i], x[i]);
    }
};

/* Block b: sum and sum of squares of the first lengths[b] elements, as its first and last thread
 * have them. */
template <class T> struct block_results {
    T sum, squares, last_sum;
};
template <class T, samesum_level LEVEL>
__global__ void __launch_bounds__(256)
    sums_by_block(const T *x, const uint64_t *lengths, block_results<T> *results)
{
    __shared__ samesum::sum_storage<T, LEVEL, 256> storage;
    const T sum = samesum::block_sum(storage, lengths[blockIdx.x], elements<T>{x});
    const T square = samesum::block_sum(storage, lengths[blockIdx.x], squares<T>{x});
    if (threadIdx.x == 0) {
        results[blockIdx.x].sum = sum;
        results[blockIdx.x].squares = square;
    }
    if (threadIdx.x == blockDim.x - 1)
        results[blockIdx.x].last_sum = sum;
}

template <class T, samesum_level LEVEL>
__global__ void __launch_bounds__(256)
    sum_by_grid(const T *x, uint64_t n, void *workspace, T *result)
{
    __shared__ samesum::sum_storage<T, LEVEL, 256> storage;
    samesum::grid_sum(storage, n, elements<T>{x}, workspace, result);
}

static void sums_on_host(const double *x, size_t n, samesum_level level, double *sum,
                         double *squares)
{
    check(samesum_sum_f64(x, n, level, sum), "samesum_sum_f64");
    check(samesum_sumsq_f64(x, n, level, squares), "samesum_sumsq_f64");
}
static void sums_on_host(const float *x, size_t n, samesum_level level, float *sum, float *squares)
{
    check(samesum_sum_f32(x, n, level, sum), "samesum_sum_f32");
    check(samesum_sumsq_f32(x, n, level, squares), "samesum_sumsq_f32");
}

static const unsigned thread_counts[] = {32, 64, 96, 128, 224, 256};

template <class T, samesum_level LEVEL>
static void try_sums(const std::vector<T> &x, const std::vector<uint64_t> &lengths)
{
    const size_t count = lengths.size();
    const device_array<T> on_device(x), by_grid(count);
    const device_array<uint64_t> lengths_on_device(lengths);
    const device_array<unsigned char> workspace(samesum::grid_sum_bytes<T, LEVEL>(x.size()));
    std::vector<T> sum(count), squares(count);
    for (size_t i = 0; i < count; i++) {
        sums_on_host(x.data(), lengths[i], LEVEL, &sum[i], &squares[i]);
        sum_by_grid<T, LEVEL><<<(unsigned)(1 + i * 37 % 293), thread_counts[i % 6]>>>(
            on_device.data, lengths[i], workspace.data, by_grid.data + i);
    }
    check(cudaGetLastError(), "sum_by_grid");
    const std::vector<T> grid = by_grid.copy();
    for (size_t i = 0; i < count; i++)
        compare("grid_sum", grid[i], sum[i], lengths[i], (unsigned)(1 + i * 37 % 293),
                thread_counts[i % 6]);
    for (unsigned threads : thread_counts) {
        const device_array<block_results<T>> results(count);
        sums_by_block<T, LEVEL>
            <<<(unsigned)count, threads>>>(on_device.data, lengths_on_device.data, results.data);
        check(cudaGetLastError(), "sums_by_block");
        const std::vector<block_results<T>> got = results.copy();
        for (size_t i = 0; i < count; i++) {
            compare("block_sum", got[i].sum, sum[i], lengths[i], 1, threads);
            compare("block_sum, last thread", got[i].last_sum, sum[i], lengths[i], 1, threads);
            compare("block_sum of squares", got[i].squares, squares[i], lengths[i], 1, threads);
        }
    }
}

/* One workspace many times in a row, on each of four streams at once. */
static void try_repetition(const std::vector<double> &x)
{
    enum { STREAMS = 4, TIMES = 500 };
    const uint64_t n = 1000003;
    double want, squares;
    sums_on_host(x.data(), n, SAMESUM_COMPENSATED, &want, &squares);
    const size_t bytes = samesum::grid_sum_bytes<double, SAMESUM_COMPENSATED>(n);
    const device_array<double> on_device(x), results(STREAMS * TIMES);
    const device_array<unsigned char> workspaces(STREAMS * bytes);
    cudaStream_t streams[STREAMS];
    for (cudaStream_t &stream : streams)
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (int i = 0; i < STREAMS * TIMES; i++)
        sum_by_grid<double, SAMESUM_COMPENSATED>
            <<<60 + i % 200, thread_counts[i % 6], 0, streams[i % STREAMS]>>>(
                on_device.data, n, workspaces.data + i % STREAMS * bytes, results.data + i);
    check(cudaDeviceSynchronize(), "sum_by_grid");
    for (double got : results.copy())
        compare("grid_sum on streams", got, want, n, 0, 0);
    for (cudaStream_t stream : streams)
        cudaStreamDestroy(stream);
}

/* A node that every change of order, bracketing or presence shows in; every fifth element is
 * absent. */
struct hash {
    uint64_t value, leaves;
};
static __host__ __device__ bool hash_leaf(uint64_t i, hash &node)
{
    node.value = (i + 1) * 0x9e3779b97f4a7c15;
    node.leaves = 1;
    return i % 5 != 3;
}
static __host__ __device__ void hash_both(hash &left, const hash &right)
{
    const uint64_t mixed = left.value * 0xff51afd7ed558ccd + (right.value ^ right.value >> 29);
    left.value = mixed ^ mixed >> 32;
    left.leaves += right.leaves;
}
struct hash_leaf_functor {
    __device__ bool operator()(uint64_t i, hash &node) const
    {
        return hash_leaf(i, node);
    }
};
struct hash_both_functor {
    __device__ void operator()(hash &left, const hash &right) const
    {
        hash_both(left, right);
    }
};

__global__ void hash_by_block(const uint64_t *lengths, hash *results)
{
    __shared__ samesum::custom_storage<hash, 256> storage;
    hash node = {0, 0};
    samesum::block_custom(storage, lengths[blockIdx.x], hash_leaf_functor(), hash_both_functor(),
                          &node);
    if (threadIdx.x == 0)
        results[blockIdx.x] = node;
}
__global__ void hash_by_grid(uint64_t n, void *workspace, hash *result)
{
    __shared__ samesum::custom_storage<hash, 256> storage;
    samesum::grid_custom(storage, n, hash_leaf_functor(), hash_both_functor(), workspace, result,
                         NULL);
}

static hash hash_on_host(uint64_t n)
{
    samesum_custom custom = {};
    custom.node_bytes = sizeof(hash);
    custom.leaf = [](void *, uint64_t i, void *node) { return (int)hash_leaf(i, *(hash *)node); };
    custom.combine = [](void *, void *left, const void *right) {
        hash_both(*(hash *)left, *(const hash *)right);
    };
    hash result = {0, 0};
    check(samesum_reduce_custom(&custom, n, 0, &result, NULL), "samesum_reduce_custom");
    return result;
}

static void try_custom(const std::vector<uint64_t> &lengths)
{
    const size_t count = lengths.size();
    const device_array<uint64_t> lengths_on_device(lengths);
    const device_array<unsigned char> workspace(samesum::grid_custom_bytes<hash>(1 << 24));
    const device_array<hash> by_grid(count);
    std::vector<hash> want(count);
    for (size_t i = 0; i < count; i++) {
        want[i] = hash_on_host(lengths[i]);
        hash_by_grid<<<(unsigned)(1 + i * 37 % 293), thread_counts[i % 6]>>>(
            lengths[i], workspace.data, by_grid.data + i);
    }
    check(cudaGetLastError(), "hash_by_grid");
    const std::vector<hash> grid = by_grid.copy();
    for (size_t i = 0; i < count; i++)
        compare("grid_custom", grid[i], want[i], lengths[i], (unsigned)(1 + i * 37 % 293),
                thread_counts[i % 6]);
    for (unsigned threads : thread_counts) {
        const device_array<hash> results(count);
        hash_by_block<<<(unsigned)count, threads>>>(lengths_on_device.data, results.data);
        check(cudaGetLastError(), "hash_by_block");
        const std::vector<hash> got = results.copy();
        for (size_t i = 0; i < count; i++)
            compare("block_custom", got[i], want[i], lengths[i], 1, threads);
    }
}

template <class T> static void try_type(const char *name, const std::vector<uint64_t> &lengths)
{
    for (bool special : {false, true}) {
        const std::vector<T> x = make_numbers<T>(lengths.back(), special);
        try_sums<T, SAMESUM_TREE>(x, lengths);
        try_sums<T, SAMESUM_KAHAN>(x, lengths);
        try_sums<T, SAMESUM_COMPENSATED>(x, lengths);
        printf("%s, %s values: %" PRIu64 " results compared so far, %" PRIu64 " differ\n", name,
               special ? "special" : "ordinary", compared, differences);
    }
}

int main(void)
{
    need_device();
    const std::vector<uint64_t> lengths = all_lengths();
    try_type<double>("binary64", lengths);
    try_type<float>("binary32", lengths);
    try_custom(lengths);
    try_repetition(make_numbers<double>(1 << 20, false));
    printf("%" PRIu64 " results compared, %" PRIu64 " differ\n", compared, differences);
    return differences != 0;
}
