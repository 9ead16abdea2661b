/* custom.cu - count, mean and variance in one pass over nodes of one's own, as in
 * examples/custom.c: Chan, Golub and LeVeque's merge of (count, mean, M2), whose result depends on
 * the order. A block and a grid have the order, and so the bits, of samesum_reduce_custom() on the
 * CPU. */
#include <samesum_device.cuh>

#include "example.cuh"

struct moments {
    double count, mean, m2;
};

/* Values below `least` stand for missing ones: they are absent. */
struct leaf_of {
    const double *x;
    double least;
    __device__ bool operator()(uint64_t i, moments &node) const
    {
        node = moments{1, x[i], 0};
        return x[i] >= least;
    }
};

/* Operation by operation as merge_on_host(): nvcc would contract the plain formulas. */
struct merge {
    __device__ void operator()(moments &a, const moments &b) const
    {
        using samesum::add, samesum::mul;
        const double n = add(a.count, b.count), d = samesum::sub(b.mean, a.mean);
        const double part = samesum::div(b.count, n);
        a.mean = add(a.mean, mul(d, part));
        a.m2 = add(a.m2, add(b.m2, mul(mul(d, d), mul(a.count, part))));
        a.count = n;
    }
};

struct outcome {
    moments node;
    int present;
};

__global__ void moments_by_block(leaf_of leaf, uint64_t n, outcome *result)
{
    __shared__ samesum::custom_storage<moments, 256> storage;
    moments node;
    const bool present = samesum::block_custom(storage, n, leaf, merge(), &node);
    if (threadIdx.x == 0) {
        result->present = present;
        if (present)
            result->node = node;
    }
}

__global__ void moments_by_grid(leaf_of leaf, uint64_t n, void *workspace, outcome *result)
{
    __shared__ samesum::custom_storage<moments, 256> storage;
    samesum::grid_custom(storage, n, leaf, merge(), workspace, &result->node, &result->present);
}

static int leaf_on_host(void *context, uint64_t index, void *node)
{
    const leaf_of *leaf = (const leaf_of *)context;
    *(moments *)node = moments{1, leaf->x[index], 0};
    return leaf->x[index] >= leaf->least;
}

static void merge_on_host(void *, void *left, const void *right)
{
    moments *a = (moments *)left;
    const moments *b = (const moments *)right;
    const double n = a->count + b->count, d = b->mean - a->mean, part = b->count / n;
    a->mean += d * part;
    a->m2 += b->m2 + d * d * (a->count * part);
    a->count = n;
}

static outcome reduce_on_host(leaf_of leaf, uint64_t n)
{
    samesum_custom custom = {};
    custom.node_bytes = sizeof(moments);
    custom.leaf = leaf_on_host;
    custom.combine = merge_on_host;
    custom.context = &leaf;
    outcome want = {};
    samesum_status status = samesum_reduce_custom(&custom, n, 0, &want.node, NULL);
    check(status, "samesum_reduce_custom");
    want.present = status == SAMESUM_OK;
    return want;
}

static int differences, compared;

static void compare(uint64_t n, double least, unsigned blocks, unsigned threads, const outcome &got,
                    const outcome &want)
{
    const bool same =
        memcmp(&got.node, &want.node, sizeof got.node) == 0 && got.present == want.present;
    compared++;
    differences += !same;
    printf("%8" PRIu64 " %5g %6u %7u  %7.0f  %016" PRIx64 " %016" PRIx64 "  %s\n", n, least, blocks,
           threads, got.node.count, bits_of(got.node.mean), bits_of(got.node.m2),
           same ? "same" : "DIFFERENT");
}

static void try_data(const std::vector<double> &x, uint64_t n, double least)
{
    const device_array<double> on_device(x);
    const device_array<unsigned char> workspace(samesum::grid_custom_bytes<moments>(n));
    const outcome want = reduce_on_host(leaf_of{x.data(), least}, n);
    const leaf_of leaf = {on_device.data, least};
    for (unsigned threads : {32u, 96u, 256u}) {
        const device_array<outcome> result(1);
        moments_by_block<<<1, threads>>>(leaf, n, result.data);
        check(cudaGetLastError(), "moments_by_block");
        compare(n, least, 1, threads, result.copy()[0], want);
        for (unsigned blocks : {2u, 131u}) {
            const device_array<outcome> by_grid(1);
            moments_by_grid<<<blocks, threads>>>(leaf, n, workspace.data, by_grid.data);
            check(cudaGetLastError(), "moments_by_grid");
            compare(n, least, blocks, threads, by_grid.copy()[0], want);
        }
    }
}

int main(void)
{
    need_device();
    const std::vector<double> x = make_data(1000000);
    printf("       n least blocks threads    count  bits of mean     bits of M2\n");
    for (uint64_t n : {uint64_t(0), uint64_t(1), uint64_t(17), uint64_t(5000), uint64_t(1000000)})
        try_data(x, n, -0.5);
    try_data(x, 5000, 2); /* nothing is present */
    return report(differences, compared);
}
