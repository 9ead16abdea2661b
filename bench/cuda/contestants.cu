#include "sections.h"

#include "peer_read.h"

const char *const READ = "read", *const CUB = "CUB", *const CUB_ORDERED = "gpu_to_gpu";

const char *level_name(samesum_level level)
{
    static const char *const names[] = {"tree", "kahan", "comp", "exact"};
    return names[level];
}

void add_read(Contest &contest, const Bench &bench, size_t bytes)
{
    int variant = bench.read;
    const void *x = bench.data.x;
    contest.add(READ, [=](cudaStream_t stream) { read_launch(variant, x, bytes, stream); });
}

void add_job(Contest &contest, const Bench &bench, const std::string &name, const Job &job)
{
    job_prepare(job, bench.stream);
    contest.add(name, [job](cudaStream_t stream) { job_launch(job, stream); });
}
