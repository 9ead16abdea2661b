/* fuse.cu - a step of the heat equation that returns the energy of the new field: one kernel reads
 * and writes the field once, and its sum has the same bits for every grid and block, and those of
 * the CPU. */
#include <samesum_device.cuh>

#include "example.cuh"

/* One explicit step of u_t = u_xx on a ring. samesum's operations keep nvcc from contracting it, so
 * that the CPU computes the same field; a sum's bits hold whatever the terms are made of. */
struct step {
    const double *u;
    double *next;
    uint64_t n;
    __device__ samesum::node<double> operator()(uint64_t i) const
    {
        const double left = u[i == 0 ? n - 1 : i - 1], right = u[i == n - 1 ? 0 : i + 1];
        const double bend = samesum::sub(samesum::add(left, right), samesum::mul(2.0, u[i]));
        const double v = samesum::add(u[i], samesum::mul(0.25, bend));
        next[i] = v;
        return samesum::two_product(v, v);
    }
};

template <samesum_level LEVEL>
__global__ void __launch_bounds__(512)
    heat(const double *u, double *next, uint64_t n, void *workspace, double *energy)
{
    __shared__ samesum::sum_storage<double, LEVEL> storage;
    samesum::grid_sum(storage, n, step{u, next, n}, workspace, energy);
}

static std::vector<double> step_on_host(const std::vector<double> &u)
{
    const size_t n = u.size();
    std::vector<double> next(n);
    for (size_t i = 0; i < n; i++) {
        const double left = u[i == 0 ? n - 1 : i - 1], right = u[i == n - 1 ? 0 : i + 1];
        const double bend = left + right - 2.0 * u[i];
        next[i] = u[i] + 0.25 * bend;
    }
    return next;
}

/* The CPU's energy. Below level compensated the terms are rounded squares; there, each carries its
 * error, and samesum_sumsq_f64() makes them. */
static double energy_on_host(const std::vector<double> &v, samesum_level level)
{
    std::vector<double> terms(v.size());
    for (size_t i = 0; i < v.size(); i++)
        terms[i] = v[i] * v[i];
    double energy;
    if (level == SAMESUM_COMPENSATED)
        check(samesum_sumsq_f64(v.data(), v.size(), level, &energy), "samesum_sumsq_f64");
    else
        check(samesum_sum_f64(terms.data(), terms.size(), level, &energy), "samesum_sum_f64");
    return energy;
}

static int differences, compared;

template <samesum_level LEVEL>
static void try_launches(const std::vector<double> &u, const std::vector<double> &want)
{
    static const struct {
        unsigned blocks, threads;
    } launches[] = {{1, 256}, {7, 32}, {132, 96}, {132, 256}, {264, 512}, {1000, 128}, {3, 512}};
    const double want_energy = energy_on_host(want, LEVEL);
    const device_array<double> field(u);
    const device_array<unsigned char> workspace(samesum::grid_sum_bytes<double, LEVEL>(u.size()));
    for (auto launch : launches) {
        const device_array<double> next(u.size()), energy(1);
        /* Twice in one workspace: the first launch leaves it ready for the second. */
        for (int repeat = 0; repeat < 2; repeat++)
            heat<LEVEL><<<launch.blocks, launch.threads>>>(field.data, next.data, u.size(),
                                                           workspace.data, energy.data);
        check(cudaGetLastError(), "heat");
        const double got = energy.copy()[0];
        const bool same_energy = bits_of(got) == bits_of(want_energy);
        const bool same_field =
            memcmp(next.copy().data(), want.data(), u.size() * sizeof(double)) == 0;
        compared += 2;
        differences += !same_energy + !same_field;
        printf("%-12s %6u %7u  %.17g  %016" PRIx64 "  %s\n", level_names[LEVEL], launch.blocks,
               launch.threads, got, bits_of(got), same_energy && same_field ? "same" : "DIFFERENT");
    }
}

int main(void)
{
    need_device();
    for (size_t n : {size_t(1000), size_t(3000017)}) {
        const std::vector<double> u = make_data(n), next = step_on_host(u);
        printf("%zu points\nlevel        blocks threads  energy               bits\n", n);
        try_launches<SAMESUM_TREE>(u, next);
        try_launches<SAMESUM_KAHAN>(u, next);
        try_launches<SAMESUM_COMPENSATED>(u, next);
    }
    return report(differences, compared);
}
