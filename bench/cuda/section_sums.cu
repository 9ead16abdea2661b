/* Sums of 1 and 4 GiB, and of 100,000,000 binary32 numbers, beside CUB. */
#include "sections.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "peer_cub.h"

namespace
{
struct Sum {
    samesum_type type;
    size_t n;
    const char *title, *place; /* place: in the names of goals */
    bool gib;                  /* has the goals of 1 and 4 GiB */
};

double number_at(const void *device, bool wide)
{
    double d = 0;
    float f = 0;
    CUDA(cudaMemcpy(wide ? static_cast<void *>(&d) : &f, device, wide ? sizeof d : sizeof f,
                    cudaMemcpyDeviceToHost));
    return wide ? d : f;
}

/* A peer that adds up less than all would win; one that is far off is said to be. CUB's order is
 * another one, so a few units in the last places may differ. */
void check_peer(const Bench &bench, const char *name, samesum_type type, size_t n)
{
    Job job;
    job.type = type == SAMESUM_F64 ? SAMESUM_F64 : SAMESUM_F32;
    job.level = SAMESUM_COMPENSATED;
    job.x = bench.data.x;
    job.shape[0] = n;
    job.results = static_cast<char *>(bench.data.results) + 256;
    job_prepare(job, bench.stream);
    job_launch(job, bench.stream);
    CUDA(cudaStreamSynchronize(bench.stream));
    bool wide = job.type == SAMESUM_F64;
    double peer = number_at(bench.data.results, wide), own = number_at(job.results, wide);
    if (std::fabs(peer - own) <= (wide ? 1e-11 : 1e-4) * std::fabs(own))
        return;
    std::printf("  (the sum by %s is %.9g, samesum's %.9g)\n", name, peer, own);
}

void add_cub(Contest &contest, const Bench &bench, const Sum &s)
{
    const void *x = bench.data.x;
    void *result = bench.data.results;
    samesum_type type = s.type;
    int n = int(s.n);
    cub_sum(type, x, n, result, bench.stream);
    check_peer(bench, CUB, type, s.n);
    contest.add(CUB, [=](cudaStream_t stream) { cub_sum(type, x, n, result, stream); });
}

void add_cub_ordered(Contest &contest, const Bench &bench, const Sum &s)
{
    const void *x = bench.data.x;
    void *result = bench.data.results;
    samesum_type type = s.type;
    int n = int(s.n);
    if (!cub_ordered_open())
        return print_missing(CUB_ORDERED, cub_ordered_text());
    cudaError_t error = cub_ordered_sum(type, x, n, result, bench.stream);
    if (error != cudaSuccess)
        return print_missing(CUB_ORDERED, cudaGetErrorString(error));
    check_peer(bench, CUB_ORDERED, type, s.n);
    contest.add(CUB_ORDERED,
                [=](cudaStream_t stream) { CUDA(cub_ordered_sum(type, x, n, result, stream)); });
}

void sum_goals(const Contest &contest, const Sum &s)
{
    std::string place = std::string(" ") + s.place;
    if (!s.gib) {
        goal("tree" + place + " / CUB", 0.95, contest, level_name(SAMESUM_TREE), CUB);
        return;
    }
    goal("tree" + place + " / CUB", 0.98, contest, level_name(SAMESUM_TREE), CUB);
    goal("comp" + place + " / CUB", 0.95, contest, level_name(SAMESUM_COMPENSATED), CUB);
    goal("exact" + place + " / CUB (aim 0.80)", 0.60, contest, level_name(SAMESUM_EXACT), CUB);
    goal("exact" + place + " / gpu_to_gpu", 1.0, contest, level_name(SAMESUM_EXACT), CUB_ORDERED);
}

void one_sum(const Bench &bench, const Sum &s)
{
    size_t bytes = s.n * samesum_element_size(s.type);
    Contest contest(Before::Flush);
    std::vector<std::string> names = {READ, CUB, CUB_ORDERED};
    print_head(s.title, CUB);
    add_read(contest, bench, bytes);
    add_cub(contest, bench, s);
    add_cub_ordered(contest, bench, s);
    Job job;
    job.type = s.type;
    job.x = bench.data.x;
    job.shape[0] = s.n;
    job.results = bench.data.results;
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        job.level = samesum_level(level);
        add_job(contest, bench, level_name(job.level), job);
        names.push_back(level_name(job.level));
    }
    contest.run(bench.rounds, bench.stream);
    for (const std::string &name : names) {
        if (contest.has(name))
            print_row(contest, name, CUB, double(bytes));
    }
    if (s.type != SAMESUM_F32_WIDE)
        sum_goals(contest, s);
}
} // namespace

void section_sums(const Bench &bench)
{
    data_fill(bench.data.x, 4 * GIB, SAMESUM_F64);
    one_sum(bench, {SAMESUM_F64, GIB / 8, "sum f64, 1 GiB", "f64 1 GiB", true});
    one_sum(bench, {SAMESUM_F64, 4 * GIB / 8, "sum f64, 4 GiB", "f64 4 GiB", true});
    data_fill(bench.data.x, 4 * GIB, SAMESUM_F32);
    one_sum(bench, {SAMESUM_F32, GIB / 4, "sum f32, 1 GiB", "f32 1 GiB", true});
    one_sum(bench, {SAMESUM_F32, 4 * GIB / 4, "sum f32, 4 GiB", "f32 4 GiB", true});
    one_sum(bench, {SAMESUM_F32, 100000000, "sum f32, 100,000,000", "f32 1e8", false});
    one_sum(bench, {SAMESUM_F32_WIDE, GIB / 4, "sum f32_wide, 1 GiB", "f32_wide 1 GiB", true});
}
