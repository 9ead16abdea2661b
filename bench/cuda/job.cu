#include "job.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "harness.h"

namespace
{
/* Of the part that is checked: no multiple of anything that kernels are made of. */
constexpr size_t CHECKED_ELEMENTS = 1000003;

void *workspace;
size_t workspace_bytes;

samesum_want want_of(const Job &job)
{
    samesum_want want = {};
    want.op = job.op;
    want.level = job.level;
    return want;
}

int dims(const Job &job)
{
    return job.shape[1] ? 2 : 1;
}

samesum_array array_of(const Job &job)
{
    samesum_array array = {};
    array.x = job.x;
    array.y = job.y;
    array.type = job.type;
    array.dims = dims(job);
    array.shape = job.shape;
    array.mask = job.mask;
    array.mask_kind = job.mask ? SAMESUM_MASK_BYTES : SAMESUM_MASK_NONE;
    return array;
}

samesum_status call(const Job &job, void *memory, size_t *bytes, cudaStream_t stream)
{
    samesum_want want = want_of(job);
    samesum_cuda_out out = {};
    out.results = job.results;
    if (dims(job) == 1 && !job.mask) {
        samesum_data data = {job.x, job.y, job.shape[0], job.type};
        return samesum_cuda_reduce(&data, &want, &out, memory, bytes, stream);
    }
    samesum_array array = array_of(job);
    return samesum_cuda_reduce_array(&array, &job.axis, 1, &want, &out, memory, bytes, stream);
}

/* Asks for the workspace, makes it and runs the job. */
samesum_status run(const Job &job, cudaStream_t stream)
{
    size_t need = 0;
    samesum_status status = call(job, nullptr, &need, stream);
    if (status < 0)
        return status;
    if (need > workspace_bytes || !workspace) {
        CUDA(cudaFree(workspace));
        workspace_bytes = std::max(need, size_t{256});
        CUDA(cudaMalloc(&workspace, workspace_bytes));
    }
    status = call(job, workspace, &workspace_bytes, stream);
    CUDA(cudaStreamSynchronize(stream));
    return status;
}

size_t elements(const Job &job)
{
    return job.shape[0] * std::max(job.shape[1], size_t{1});
}

std::vector<char> to_host(const void *device, size_t bytes)
{
    std::vector<char> host(bytes);
    CUDA(cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost));
    return host;
}

/* What the CPU makes of the job. */
std::vector<char> on_host(const Job &job)
{
    size_t bytes = elements(job) * samesum_element_size(job.type), results = 0;
    Job host = job;
    std::vector<char> x = to_host(job.x, bytes), y, mask;
    host.x = x.data();
    if (job.y) {
        y = to_host(job.y, bytes);
        host.y = y.data();
    }
    if (job.mask) {
        mask = to_host(job.mask, elements(job));
        host.mask = mask.data();
    }
    samesum_array array = array_of(host);
    samesum_want want = want_of(job);
    samesum_status status = samesum_array_results(&array, &job.axis, 1, &results);
    std::vector<char> result(results * samesum_result_bytes(&want, job.type));
    if (status == SAMESUM_OK)
        status = samesum_reduce_array(&array, &job.axis, 1, &want, result.data(), nullptr, nullptr);
    if (status < 0) {
        std::fprintf(stderr, "bench_cuda: the CPU: %s\n", samesum_strerror(status));
        std::exit(1);
    }
    return result;
}

Job checked_part(Job job)
{
    size_t most = CHECKED_ELEMENTS / std::max(job.shape[1], size_t{1});
    job.shape[0] = std::min(job.shape[0], std::max(most, size_t{1}));
    return job;
}

void must(samesum_status status, const Job &job)
{
    if (status == SAMESUM_OK)
        return;
    std::fflush(stdout);
    std::fprintf(stderr, "bench_cuda: operation %d, level %d, type %d: %s\n", int(job.op),
                 int(job.level), int(job.type), samesum_strerror(status));
    std::exit(1);
}

void check(const Job &job, cudaStream_t stream)
{
    Job part = checked_part(job);
    samesum_status status = run(part, stream);
    std::vector<char> right = on_host(part);
    std::vector<char> result = to_host(part.results, right.size());
    if (status == SAMESUM_OK && result == right)
        return;
    std::fflush(stdout);
    std::fprintf(stderr,
                 "bench_cuda: wrong bits: operation %d, level %d, type %d, %zu x %zu elements, "
                 "axis %d, mask %s (%s)\n",
                 int(job.op), int(job.level), int(job.type), part.shape[0], part.shape[1], job.axis,
                 job.mask ? "yes" : "no", samesum_strerror(status));
    std::exit(1);
}
} // namespace

void job_prepare(const Job &job, cudaStream_t stream)
{
    must(run(job, stream), job);
    check(job, stream);
}

void job_launch(const Job &job, cudaStream_t stream)
{
    size_t bytes = workspace_bytes;
    must(call(job, workspace, &bytes, stream), job);
}
