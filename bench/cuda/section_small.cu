/* Few elements: single calls, calls in a row, and a graph of them, beside CUB. */
#include "sections.h"

#include <cstdio>
#include <vector>
#include "peer_cub.h"

namespace
{
constexpr int CALLS = 20;
constexpr int MORE_ROUNDS = 4; // so short ones take many
const size_t sizes[] = {1000, 100000, 1000000, 4000000};
constexpr size_t GOAL_SIZE = 1000000;

enum class Way { Alone, Row, Graph };
const struct {
    Way way;
    const char *name;
    Before before;
    int calls;
} ways[] = {
    {Way::Alone, "one call", Before::Idle, 1},
    {Way::Row, "20 in a row", Before::Idle, CALLS},
    {Way::Graph, "graph of 20", Before::Spin, CALLS},
};

Launch repeated(const Launch &launch, int calls)
{
    return [=](cudaStream_t stream) {
        for (int i = 0; i < calls; i++)
            launch(stream);
    };
}

/* The graph stays until the program ends. */
Launch captured(const Launch &launch, int calls, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    repeated(launch, calls)(stream);
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    return [=](cudaStream_t on) { CUDA(cudaGraphLaunch(executable, on)); };
}

struct Named {
    std::string name;
    Launch launch;
};

std::vector<Named> contestants(const Bench &bench, size_t n)
{
    const void *x = bench.data.x;
    void *result = bench.data.results;
    std::vector<Named> all = {
        {CUB, [=](cudaStream_t stream) { cub_sum(SAMESUM_F64, x, int(n), result, stream); }}};
    for (samesum_level level : {SAMESUM_TREE, SAMESUM_COMPENSATED, SAMESUM_EXACT}) {
        Job job;
        job.level = level;
        job.x = x;
        job.shape[0] = n;
        job.results = result;
        job_prepare(job, bench.stream);
        all.push_back({level_name(level), [=](cudaStream_t s) { job_launch(job, s); }});
    }
    return all;
}

void one_size(const Bench &bench, size_t n)
{
    std::vector<Named> all = contestants(bench, n);
    for (const auto &way : ways) {
        Contest contest(way.before);
        for (const Named &c : all)
            contest.add(c.name, way.way == Way::Graph ? captured(c.launch, way.calls, bench.stream)
                                                      : repeated(c.launch, way.calls));
        contest.run(MORE_ROUNDS * bench.rounds, bench.stream);
        std::printf(" %7zu %-11s", n, way.name);
        for (const Named &c : all)
            print_part(contest, c.name, CUB, 1e6 * contest.seconds(c.name) / way.calls);
        std::printf("\n");
        if (n == GOAL_SIZE)
            goal(std::string("tree f64 1e6, ") + way.name + " / CUB", 1.0, contest,
                 level_name(SAMESUM_TREE), CUB);
    }
}
} // namespace

void section_small(const Bench &bench)
{
    data_fill(bench.data.x, GIB, SAMESUM_F64);
    std::printf("\nsum f64, few elements, %d rounds: us a call, to %s\n",
                MORE_ROUNDS * bench.rounds, CUB);
    for (size_t n : sizes)
        one_size(bench, n);
}
