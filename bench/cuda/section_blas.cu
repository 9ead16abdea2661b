/* dot, nrm2 and asum of 1 GiB a vector, beside cuBLAS. */
#include "sections.h"

#include "peer_cublas.h"

namespace
{
struct Blas {
    const char *title, *peer;
    samesum_op op;
    samesum_type type;
    double must; /* 0: none */
};

void add_peer(Contest &contest, const Bench &bench, const Blas &b, int n)
{
    const void *x = bench.data.x, *y = bench.data.y;
    void *result = bench.data.results;
    Launch launch;
    if (b.op == SAMESUM_NRM2)
        launch = [=](cudaStream_t) { cublas_dnrm2(n, x, result); };
    else if (b.op == SAMESUM_ASUM)
        launch = [=](cudaStream_t) { cublas_dasum(n, x, result); };
    else if (b.type == SAMESUM_F64)
        launch = [=](cudaStream_t) { cublas_ddot(n, x, y, result); };
    else
        launch = [=](cudaStream_t) { cublas_sdot(n, x, y, result); };
    contest.add(b.peer, launch);
}

void one_blas(const Bench &bench, const Blas &b, bool has_cublas)
{
    bool dot = b.op == SAMESUM_DOT;
    double bytes = double(GIB) * (dot ? 2 : 1);
    Contest contest(Before::Flush);
    print_head(b.title, b.peer);
    Job job;
    job.op = b.op;
    job.type = b.type;
    job.x = bench.data.x;
    job.y = dot ? bench.data.y : nullptr;
    job.shape[0] = GIB / samesum_element_size(b.type);
    job.results = bench.data.results;
    if (has_cublas)
        add_peer(contest, bench, b, int(job.shape[0]));
    else
        print_missing(b.peer, "no cuBLAS");
    for (samesum_level level : {SAMESUM_TREE, SAMESUM_COMPENSATED}) {
        job.level = level;
        add_job(contest, bench, level_name(level), job);
    }
    contest.run(bench.rounds, bench.stream);
    for (const char *name : {b.peer, level_name(SAMESUM_TREE), level_name(SAMESUM_COMPENSATED)}) {
        if (contest.has(name))
            print_row(contest, name, b.peer, bytes);
    }
    if (b.must > 0)
        goal(std::string(b.title) + " tree / " + b.peer, b.must, contest, level_name(SAMESUM_TREE),
             b.peer);
}
} // namespace

void section_blas(const Bench &bench)
{
    bool has_cublas = cublas_is_open();
    data_fill(bench.data.x, GIB, SAMESUM_F64);
    data_fill(bench.data.y, GIB, SAMESUM_F64);
    one_blas(bench, {"dot f64", "cublasDdot", SAMESUM_DOT, SAMESUM_F64, 0.98}, has_cublas);
    one_blas(bench, {"nrm2 f64", "cublasDnrm2", SAMESUM_NRM2, SAMESUM_F64, 1.2}, has_cublas);
    one_blas(bench, {"asum f64", "cublasDasum", SAMESUM_ASUM, SAMESUM_F64, 0}, has_cublas);
    data_fill(bench.data.x, GIB, SAMESUM_F32);
    data_fill(bench.data.y, GIB, SAMESUM_F32);
    one_blas(bench, {"dot f32", "cublasSdot", SAMESUM_DOT, SAMESUM_F32, 0}, has_cublas);
}
