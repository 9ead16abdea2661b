#include "harness.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include "peer_read.h"

namespace
{
constexpr int WARM_ROUNDS = 2;
constexpr double START_SECONDS = 0.5;             // until the clocks are up
constexpr double CONTEST_SECONDS = 0.02;          // again, after the checks on the host
constexpr size_t FLUSH_BYTES = size_t{512} << 20; // many times any L2 cache
constexpr unsigned long long SPIN_NANOSECONDS = 100000;

void *flush_memory;
cudaEvent_t event_begin, event_end;

__global__ void spin(unsigned long long nanoseconds)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < nanoseconds);
}

void prepare(Before before, cudaStream_t stream)
{
    if (before == Before::Spin)
        spin<<<1, 1, 0, stream>>>(SPIN_NANOSECONDS);
    else if (before == Before::Flush)
        read_launch(0, flush_memory, FLUSH_BYTES, stream);
    CUDA(cudaGetLastError());
}

void keep_busy(double seconds, cudaStream_t stream)
{
    auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
        prepare(Before::Flush, stream);
        CUDA(cudaStreamSynchronize(stream));
    }
}

double sample(const Launch &launch, Before before, cudaStream_t stream)
{
    CUDA(cudaStreamSynchronize(stream));
    prepare(before, stream);
    CUDA(cudaEventRecord(event_begin, stream));
    launch(stream);
    CUDA(cudaEventRecord(event_end, stream));
    CUDA(cudaEventSynchronize(event_end));
    float milliseconds = 0;
    CUDA(cudaEventElapsedTime(&milliseconds, event_begin, event_end));
    return 1e-3 * milliseconds;
}
} // namespace

void cuda_check(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    std::fflush(stdout);
    std::fprintf(stderr, "bench_cuda: %s: %s\n", call, cudaGetErrorString(error));
    std::exit(1);
}

void harness_create()
{
    CUDA(cudaMalloc(&flush_memory, FLUSH_BYTES));
    CUDA(cudaMemset(flush_memory, 0, FLUSH_BYTES));
    CUDA(cudaEventCreate(&event_begin));
    CUDA(cudaEventCreate(&event_end));
    keep_busy(START_SECONDS, nullptr);
}

Spread spread_of(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    size_t half = v.size() / 2;
    double median = v.size() % 2 ? v[half] : 0.5 * (v[half - 1] + v[half]);
    return {median, v.front(), v.back()};
}

void Contest::add(const std::string &name, Launch launch)
{
    contestants_.push_back({name, std::move(launch), {}});
}

void Contest::run(int rounds, cudaStream_t stream)
{
    size_t count = contestants_.size();
    keep_busy(CONTEST_SECONDS, stream);
    for (int round = -WARM_ROUNDS; round < rounds; round++) {
        // Another one begins each round.
        for (size_t i = 0; i < count; i++) {
            Contestant &c = contestants_[(i + size_t(round + WARM_ROUNDS)) % count];
            double seconds = sample(c.launch, before_, stream);
            if (round >= 0)
                c.seconds.push_back(seconds);
        }
    }
}

const Contest::Contestant *Contest::find(const std::string &name) const
{
    for (const Contestant &c : contestants_) {
        if (c.name == name)
            return &c;
    }
    return nullptr;
}

bool Contest::has(const std::string &name) const
{
    return find(name) != nullptr;
}

double Contest::seconds(const std::string &name) const
{
    return spread_of(find(name)->seconds).median;
}

Spread Contest::ratio(const std::string &name, const std::string &base) const
{
    const std::vector<double> &own = find(name)->seconds, &other = find(base)->seconds;
    std::vector<double> ratios;
    for (size_t i = 0; i < own.size(); i++)
        ratios.push_back(other[i] / own[i]);
    return spread_of(ratios);
}
