/* bench_cuda - speed of samesum on a CUDA device beside a pure read, CUB, cuBLAS and torch. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include "peer_cub.h"
#include "peer_cublas.h"
#include "sections.h"
#include "torch_file.h"

namespace
{
constexpr int DEFAULT_ROUNDS = 15;

const struct {
    const char *name;
    void (*run)(const Bench &bench);
} sections[] = {
    {"read", section_read},     {"sums", section_sums},       {"blas", section_blas},
    {"rows", section_rows},     {"columns", section_columns}, {"halves", section_halves},
    {"others", section_others}, {"small", section_small},
};

struct Options {
    std::string only; /* "": all */
    int rounds = DEFAULT_ROUNDS;
    const char *torch = nullptr, *cublas = nullptr;
};

[[noreturn]] void usage(FILE *to, int status)
{
    std::fprintf(to, "usage: bench_cuda [--only SECTION[,SECTION]] [--rounds N] [--torch FILE] "
                     "[--cublas FILE]\nsections:");
    for (const auto &s : sections)
        std::fprintf(to, " %s", s.name);
    std::fprintf(to,
                 "\n--torch: what torch_rows.py printed; --cublas: libcublas.so of any place\n");
    std::exit(status);
}

bool is_section(const std::string &name)
{
    for (const auto &s : sections) {
        if (name == s.name)
            return true;
    }
    return false;
}

bool wanted(const Options &options, const std::string &name)
{
    return options.only.empty() ||
           ("," + options.only + ",").find("," + name + ",") != std::string::npos;
}

void check_only(const std::string &only)
{
    std::istringstream names(only);
    std::string name;
    while (std::getline(names, name, ',')) {
        if (!is_section(name))
            usage(stderr, 2);
    }
}

Options parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--help") == 0)
            usage(stdout, 0);
        if (i + 1 == argc)
            usage(stderr, 2);
        std::string option = argv[i], value = argv[++i];
        if (option == "--only")
            options.only = value;
        else if (option == "--rounds")
            options.rounds = std::atoi(value.c_str());
        else if (option == "--torch")
            options.torch = argv[i];
        else if (option == "--cublas")
            options.cublas = argv[i];
        else
            usage(stderr, 2);
    }
    check_only(options.only);
    if (options.rounds < 1)
        usage(stderr, 2);
    return options;
}

void print_machine(const Bench &bench, int argc, char **argv)
{
    cudaDeviceProp device;
    int driver = 0, runtime = 0;
    CUDA(cudaGetDeviceProperties(&device, 0));
    CUDA(cudaDriverGetVersion(&driver));
    CUDA(cudaRuntimeGetVersion(&runtime));
    std::printf("command:");
    for (int i = 0; i < argc; i++)
        std::printf(" %s", argv[i]);
    std::printf("\n%s, %d SMs, L2 %d MiB; CUDA %d.%d of the driver, runtime %d.%d\n", device.name,
                device.multiProcessorCount, device.l2CacheSize >> 20, driver / 1000,
                driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    std::printf("samesum %s; CUB %s; CUB for gpu_to_gpu %s; cuBLAS %s; torch %s\n",
                samesum_version(), cub_version().c_str(), cub_ordered_text().c_str(),
                cublas_text().c_str(), torch_version().empty() ? "-" : torch_version().c_str());
    std::printf(
        "medians of %d rounds, each contestant once a round: us, GB/s, speed to that of the "
        "one named (median,\n[least greatest] of the rounds); comp: compensated\n",
        bench.rounds);
}
} // namespace

int main(int argc, char **argv)
{
    Options options = parse(argc, argv);
    const char *why = nullptr;
    if (samesum_cuda_status(&why) != SAMESUM_OK) {
        std::fprintf(stderr, "bench_cuda: %s\n", why ? why : "no device");
        return 1;
    }
    if (options.torch && !torch_open(options.torch)) {
        std::fprintf(stderr, "bench_cuda: %s: not what torch_rows.py prints\n", options.torch);
        return 1;
    }
    Bench bench = {};
    bench.rounds = options.rounds;
    CUDA(cudaStreamCreateWithFlags(&bench.stream, cudaStreamNonBlocking));
    harness_create();
    bench.data = data_create();
    data_fill(bench.data.x, X_BYTES, SAMESUM_F64);
    cub_create();
    cub_ordered_open();
    cublas_open(options.cublas, bench.stream);
    print_machine(bench, argc, argv);
    choose_read(bench, wanted(options, "read"));
    for (const auto &s : sections) {
        if (wanted(options, s.name))
            s.run(bench);
    }
    return print_goals() ? 0 : 1;
}
