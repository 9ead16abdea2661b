/* bench_nccl.c - what samesum costs over several GPUs of one host, beside one GPU and
 * ncclAllReduce.
 *
 *     samesum_nccl_test bench processes|members N [--gib G] [--rounds R]
 *
 * N GPUs, as many processes or one, with G GiB each (4). Every round measures one GPU's
 * samesum_cuda_reduce() and all GPUs' samesum_nccl_plan_run() one after the other; time goes from
 * the common start until the last GPU is done. Speed is bytes in that time. */
#include "bench_nccl.h"

#include "samesum_cuda.h"
#include "samesum_nccl.h"
#include "nccl/world.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct world world;
static double gib = 4;
static int rounds = 31;
enum { LIMIT = 240 }; /* seconds */

/* ---- all processes at once ---- */

static struct shared {
    atomic_int arrived, turn;
    double begin[MOST_SEATS], end[MOST_SEATS];
} alone, *shared = &alone;

/* The file is that of NCCL's id, which all have. */
static void share_memory(const char *path)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.shared", path);
    const int file = open(name, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *shared) != 0)
        exit(1);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED)
        exit(1);
    close(file);
}

static void meet(void)
{
    const int parties = world.ranks / world.seats, turn = atomic_load(&shared->turn);
    if (atomic_fetch_add(&shared->arrived, 1) == parties - 1) {
        atomic_store(&shared->arrived, 0);
        atomic_store(&shared->turn, turn + 1);
    }
    while (atomic_load(&shared->turn) == turn)
        ;
}

static void wait_for_all(void)
{
    for (int s = 0; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        CUDA_DO(cudaStreamSynchronize(world.seat[s].stream));
    }
}

/* Seconds from the first one's begin to the last one's end. work(context) enqueues what this
 * process does, and tells whether that is anything. */
static double measure(int (*work)(void *), void *context)
{
    wait_for_all();
    meet();
    const int me = world.seat[0].rank;
    shared->begin[me] = now();
    const int worked = work(context);
    wait_for_all();
    shared->end[me] = now();
    if (!worked)
        shared->begin[me] = 0;
    meet();
    double first = 0, last = 0;
    for (int r = 0; r < world.ranks; r += world.seats)
        if (shared->begin[r] > 0) {
            first = first == 0 || shared->begin[r] < first ? shared->begin[r] : first;
            last = shared->end[r] > last ? shared->end[r] : last;
        }
    meet();
    return last - first;
}

/* ---- what is measured ---- */

static struct job {
    samesum_want want;
    samesum_type type;
    size_t n; /* elements on each GPU */
    void *x[MOST_SEATS], *result[MOST_SEATS], *workspace[MOST_SEATS];
    size_t bytes[MOST_SEATS]; /* of the workspace */
    samesum_nccl_plan *plan;
    int turn, times;
} job;

static void must(samesum_status status, const char *what)
{
    if (status != SAMESUM_OK) {
        printf("%s: %s\n", what, samesum_strerror(status));
        exit(1);
    }
}

static void reduce_on_one(int s, void *workspace)
{
    const samesum_data data = {.x = job.x[s], .n = job.n, .type = job.type};
    const samesum_cuda_out out = {.results = job.result[s]};
    must(
        samesum_cuda_reduce(&data, &job.want, &out, workspace, &job.bytes[s], world.seat[s].stream),
        "samesum_cuda_reduce");
}

/* Each GPU in turn. */
static int one_gpu(void *unused)
{
    (void)unused;
    for (int s = 0; s < world.seats; s++)
        if (world.seat[s].rank == job.turn % world.ranks) {
            use_seat(&world.seat[s]);
            for (int t = 0; t < job.times; t++)
                reduce_on_one(s, job.workspace[s]);
            return 1;
        }
    return 0;
}

static int all_gpus(void *unused)
{
    (void)unused;
    for (int t = 0; t < job.times; t++)
        must(samesum_nccl_plan_run(job.plan), "samesum_nccl_plan_run");
    return 1;
}

static int all_reduce(void *unused)
{
    (void)unused;
    for (int t = 0; t < job.times; t++) {
        NCCL_DO(nccl.GroupStart());
        for (int s = 0; s < world.seats; s++)
            NCCL_DO(nccl.AllReduce(job.result[s], job.result[s], 1, ncclDouble, ncclSum,
                                   world.seat[s].comm, world.seat[s].stream));
        NCCL_DO(nccl.GroupEnd());
    }
    return 1;
}

static void job_make(samesum_type type, samesum_level level, size_t n)
{
    samesum_nccl_member member[MOST_SEATS];
    samesum_nccl_field field[MOST_SEATS];
    job.want = (samesum_want){.op = SAMESUM_SUM, .level = level};
    job.type = type;
    job.n = n;
    for (int s = 0; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        reduce_on_one(s, NULL);
        CUDA_DO(cudaMalloc(&job.workspace[s], job.bytes[s]));
        field[s] =
            (samesum_nccl_field){.part = {.x = job.x[s], .type = type, .dims = 1, .shape = &job.n},
                                 .want = job.want,
                                 .out = {.results = job.result[s]}};
        member[s] = (samesum_nccl_member){
            .comm = world.seat[s].comm, .stream = world.seat[s].stream, .fields = &field[s]};
    }
    must(samesum_nccl_plan_create(&job.plan, member, world.seats, 1), "samesum_nccl_plan_create");
}

static void job_end(void)
{
    samesum_nccl_plan_destroy(job.plan);
    for (int s = 0; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        CUDA_DO(cudaFree(job.workspace[s]));
    }
}

/* ---- statistics ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts; part 0.5 is the median. */
static double quantile(double *values, int count, double part)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[(int)(part * (count - 1) + 0.5)];
}

static int prints(void)
{
    return world.seat[0].rank == 0;
}

/* ---- sections ---- */

static void large(const char *name, samesum_type type, samesum_level level)
{
    double *one = malloc(3 * (size_t)rounds * sizeof *one), *all = one + rounds,
           *ratio = all + rounds;
    uint64_t bits = 0;
    const size_t size = samesum_element_size(type);
    job_make(type, level, (size_t)(gib * 0x1p30) / size);
    job.times = 1;
    for (int i = -3; i < rounds; i++) {
        job.turn = i + 3;
        const double single = measure(one_gpu, NULL), together = measure(all_gpus, NULL);
        if (i < 0)
            continue;
        one[i] = single;
        all[i] = together;
        ratio[i] = world.ranks * single / together;
    }
    use_seat(&world.seat[0]);
    CUDA_DO(cudaMemcpy(&bits, job.result[0], size, cudaMemcpyDeviceToHost));
    const double bytes = (double)job.n * (double)size;
    if (prints())
        printf("%-16s one GPU %8.1f us, %6.0f GB/s; %d GPUs %8.1f us, %6.0f GB/s: speed-up %.3f "
               "(%.3f to %.3f), %+.1f us; bits %0*llx\n",
               name, 1e6 * quantile(one, rounds, 0.5), 1e-9 * bytes / quantile(one, rounds, 0.5),
               world.ranks, 1e6 * quantile(all, rounds, 0.5),
               1e-9 * bytes * world.ranks / quantile(all, rounds, 0.5),
               quantile(ratio, rounds, 0.5), quantile(ratio, rounds, 0.1),
               quantile(ratio, rounds, 0.9),
               1e6 * (quantile(all, rounds, 0.5) - quantile(one, rounds, 0.5)), (int)size * 2,
               (unsigned long long)bits);
    job_end();
    free(one);
}

/* Few elements: what is added. One call at a time, waited for; and many in a row. */
static void small(size_t n)
{
    static int (*const work[3])(void *) = {all_reduce, one_gpu, all_gpus};
    enum { TIMES = 200 };
    static double time[3][TIMES];
    job_make(SAMESUM_F64, SAMESUM_COMPENSATED, n);
    for (int in_a_row = 1; in_a_row <= 50; in_a_row += 49) {
        const int count = in_a_row == 1 ? TIMES : 20;
        job.times = in_a_row;
        for (int i = -5; i < count; i++)
            for (int k = 0; k < 3; k++) {
                job.turn = i + 5;
                const double t = measure(work[k], NULL) / in_a_row;
                if (i >= 0)
                    time[k][i] = t;
            }
        double us[3];
        for (int k = 0; k < 3; k++)
            us[k] = 1e6 * quantile(time[k], count, 0.5);
        if (prints())
            printf("n = %-8zu a GPU, %2d in a row: ncclAllReduce of one double %6.1f us, "
                   "samesum_cuda_reduce on one GPU %6.1f us, samesum_nccl_plan_run %6.1f us: "
                   "%+.1f us over one GPU, %+.1f us over ncclAllReduce\n",
                   n, in_a_row, us[0], us[1], us[2], us[2] - us[1], us[2] - us[0]);
    }
    job_end();
}

/* Uniform numbers of [0, 1). */
static void fill(void *x, size_t bytes, samesum_type type, uint64_t seed)
{
    enum { COUNT = 1 << 22 };
    static char block[COUNT * sizeof(double)];
    const size_t size = samesum_element_size(type);
    for (size_t i = 0; i < COUNT; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (type == SAMESUM_F64)
            ((double *)block)[i] = (double)(seed >> 11) * 0x1p-53;
        else
            ((float *)block)[i] = (float)(seed >> 40) * 0x1p-24f;
    }
    for (size_t at = 0; at < bytes; at += COUNT * size) {
        const size_t now_bytes = bytes - at < COUNT * size ? bytes - at : COUNT * size;
        CUDA_DO(cudaMemcpy((char *)x + at, block, now_bytes, cudaMemcpyHostToDevice));
    }
}

static void fill_all(samesum_type type)
{
    for (int s = 0; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        fill(job.x[s], (size_t)(gib * 0x1p30), type, 1000 + (uint64_t)world.seat[s].rank);
        CUDA_DO(cudaDeviceSynchronize());
    }
}

static int run(void)
{
    char library[256] = "", device[256] = "";
    for (int s = 0; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        CUDA_DO(cudaMalloc(&job.x[s], (size_t)(gib * 0x1p30) + 256));
        CUDA_DO(cudaMalloc(&job.result[s], 256));
        CUDA_DO(cudaMemset(job.result[s], 0, 256));
    }
    samesum_nccl_library(library, sizeof library);
    samesum_cuda_device_name(device, sizeof device);
    if (prints())
        printf("%d x %s, %s; %g GiB a GPU, %d processes, %d rounds; medians (10%% to 90%%)\n",
               world.ranks, device, library, gib, world.ranks / world.seats, rounds);
    fill_all(SAMESUM_F64);
    large("f64 tree", SAMESUM_F64, SAMESUM_TREE);
    large("f64 compensated", SAMESUM_F64, SAMESUM_COMPENSATED);
    large("f64 exact", SAMESUM_F64, SAMESUM_EXACT);
    small(1);
    small(1000);
    small(100000);
    fill_all(SAMESUM_F32);
    large("f32 tree", SAMESUM_F32, SAMESUM_TREE);
    return 0;
}

static int read_arguments(char **argument)
{
    for (; *argument; argument += 2) {
        if (!argument[1])
            return 0;
        if (strcmp(*argument, "--gib") == 0)
            gib = atof(argument[1]);
        else if (strcmp(*argument, "--rounds") == 0)
            rounds = atoi(argument[1]);
        else
            return 0;
    }
    return gib > 0 && rounds > 0;
}

int bench_rank(int rank, int ranks, const char *file, char **arguments)
{
    if (!read_arguments(arguments))
        return 2;
    watch(LIMIT + 5);
    world_of_rank(&world, rank, ranks, file);
    share_memory(file);
    return run();
}

int bench_nccl(int argc, char **argv)
{
    const int n = argc > 2 ? atoi(argv[2]) : 0;
    if (n >= 1 && n <= MOST_SEATS && read_arguments(argv + 3)) {
        if (strcmp(argv[1], "processes") == 0) {
            argv[2] = argv[0];
            return run_processes(n, LIMIT, argv + 2);
        }
        if (strcmp(argv[1], "members") == 0) {
            watch(LIMIT);
            world_of_members(&world, n);
            return run();
        }
    }
    fprintf(stderr, "usage: samesum_nccl_test bench processes|members N [--gib G] [--rounds R]\n");
    return 2;
}
