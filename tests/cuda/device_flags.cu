/* What device_flags.sh compiles and reads: every sum of samesum_device.cuh, its products in a part
 * of their own (PRODUCTS), and plain arithmetic (PLAIN), in which the script has to find what it
 * looks for. */
#include <samesum_device.cuh>

#if defined(PLAIN)

template <class T> __global__ void plain(const T *x, const T *y, T *result)
{
    *result = x[0] * y[0] + x[1];
}
template __global__ void plain(const float *, const float *, float *);
template __global__ void plain(const double *, const double *, double *);

#elif defined(PRODUCTS)

template <class T> __global__ void products(const T *x, T *result)
{
    using namespace samesum;
    const node<T> sum = two_sum(x[0], x[1]), product = two_product(x[2], x[3]);
    result[0] = add(mul(x[0], x[1]), x[2]);
    result[1] = sub(mul(x[0], x[1]), x[2]);
    result[2] = div(sum.s, product.s);
    result[3] = samesum::sqrt(samesum::abs(neg(sum.e)));
    result[4] = samesum::fma(x[0], x[1], product.e);
}
template __global__ void products(const float *, float *);
template __global__ void products(const double *, double *);

#else

template <class T> struct elements {
    const T *x;
    __device__ T operator()(uint64_t i) const
    {
        return x[i];
    }
};
template <class T, samesum_level LEVEL>
__global__ void sums(const T *x, uint64_t n, void *workspace, T *result)
{
    __shared__ samesum::sum_storage<T, LEVEL> storage;
    const T sum = samesum::block_sum(storage, n, elements<T>{x});
    if (threadIdx.x == 0)
        result[blockIdx.x + 1] = sum;
    samesum::grid_sum(storage, n, elements<T>{x}, workspace, result);
}
#define LEVELS(T)                                                                                  \
    template __global__ void sums<T, SAMESUM_TREE>(const T *, uint64_t, void *, T *);              \
    template __global__ void sums<T, SAMESUM_KAHAN>(const T *, uint64_t, void *, T *);             \
    template __global__ void sums<T, SAMESUM_COMPENSATED>(const T *, uint64_t, void *, T *);
LEVELS(float)
LEVELS(double)

#endif
