/* Contests: every contestant once a round, timed by events, compared pair by pair. */
#ifndef BENCH_CUDA_HARNESS_H
#define BENCH_CUDA_HARNESS_H

#include <cstddef>
#include <functional>
#include <string>
#include <vector>
#include <cuda_runtime.h>

/* Ends the program with a message where the CUDA runtime refuses something. */
#define CUDA(call) cuda_check((call), #call)
void cuda_check(cudaError_t error, const char *call);

struct Spread {
    double median, min, max;
};
Spread spread_of(std::vector<double> values);

/* What the device does before the first event of a sample. */
enum class Before {
    Idle,  /* nothing: the sample holds what the host needs to launch, too */
    Spin,  /* wait, so that all launches are queued before the first begins */
    Flush, /* read other memory, so that the L2 cache holds nothing of the data; launches queue up
            */
};

/* Makes the memory that Before::Flush reads, and keeps the device busy until its clocks are up. */
void harness_create();

using Launch = std::function<void(cudaStream_t)>;

class Contest
{
  public:
    explicit Contest(Before before) : before_(before)
    {
    }
    /* A sample is one call of launch, which may hold several calls of what is measured. */
    void add(const std::string &name, Launch launch);
    void run(int rounds, cudaStream_t stream);
    bool has(const std::string &name) const;
    /* Of a sample, in seconds. */
    double seconds(const std::string &name) const;
    /* Speed of one over that of another, round by round; both are there. */
    Spread ratio(const std::string &name, const std::string &base) const;

  private:
    struct Contestant {
        std::string name;
        Launch launch;
        std::vector<double> seconds;
    };
    const Contestant *find(const std::string &name) const;

    Before before_;
    std::vector<Contestant> contestants_;
};

#endif
