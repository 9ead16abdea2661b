#include "world.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct nccl_calls nccl;

void cuda_do(cudaError_t error, const char *call, const char *file, int line)
{
    if (error != cudaSuccess) {
        printf("%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
        exit(1);
    }
}

void nccl_do(ncclResult_t result, const char *call, const char *file, int line)
{
    if (result != ncclSuccess) {
        printf("%s:%d: %s: %s\n", file, line, call, nccl.GetErrorString(result));
        exit(1);
    }
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- NCCL ---- */

static int load(const char **why)
{
    const char *file = getenv("SAMESUM_NCCL_LIBRARY");
    void *library = dlopen(file && *file ? file : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        *why = dlerror();
        return 0;
    }
    const struct {
        const char *name;
        void *call;
    } calls[] = {{"ncclGetErrorString", &nccl.GetErrorString},
                 {"ncclGetUniqueId", &nccl.GetUniqueId},
                 {"ncclCommInitRank", &nccl.CommInitRank},
                 {"ncclCommInitAll", &nccl.CommInitAll},
                 {"ncclCommSplit", &nccl.CommSplit},
                 {"ncclCommDestroy", &nccl.CommDestroy},
                 {"ncclAllReduce", &nccl.AllReduce},
                 {"ncclGroupStart", &nccl.GroupStart},
                 {"ncclGroupEnd", &nccl.GroupEnd}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        *(void **)calls[i].call = dlsym(library, calls[i].name);
        if (!*(void **)calls[i].call) {
            *why = calls[i].name;
            return 0;
        }
    }
    return 1;
}

int world_gpus(const char **why)
{
    int count = 0;
    if (!load(why))
        return 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess)
        *why = cudaGetErrorString(error);
    return error == cudaSuccess ? count : 0;
}

/* ---- communicators ---- */

void use_seat(const struct seat *seat)
{
    CUDA_DO(cudaSetDevice(seat->device));
}

static void sit(struct seat *seat, int rank, int device)
{
    *seat = (struct seat){.rank = rank, .device = device};
    use_seat(seat);
    CUDA_DO(cudaStreamCreateWithFlags(&seat->stream, cudaStreamNonBlocking));
}

static void need_nccl(void)
{
    const char *why = "";
    if (world_gpus(&why) == 0) {
        printf("no GPU, or no NCCL: %s\n", why);
        exit(1);
    }
}

void world_of_members(struct world *w, int ranks)
{
    ncclComm_t comm[MOST_SEATS];
    need_nccl();
    *w = (struct world){.ranks = ranks, .seats = ranks};
    NCCL_DO(nccl.CommInitAll(comm, ranks, NULL));
    for (int i = 0; i < ranks; i++) {
        sit(&w->seat[i], i, i);
        w->seat[i].comm = comm[i];
    }
}

/* The id appears whole, by a rename. */
static void share_id(ncclUniqueId *id, int rank, const char *path)
{
    char draft[4096];
    FILE *file = NULL;
    snprintf(draft, sizeof draft, "%s.draft", path);
    if (rank == 0) {
        NCCL_DO(nccl.GetUniqueId(id));
        file = fopen(draft, "wb");
        if (!file || fwrite(id, sizeof *id, 1, file) != 1 || fclose(file) != 0 ||
            rename(draft, path) != 0) {
            printf("%s cannot be written\n", path);
            exit(1);
        }
        return;
    }
    while (!(file = fopen(path, "rb")))
        usleep(2000);
    if (fread(id, sizeof *id, 1, file) != 1)
        exit(1);
    fclose(file);
}

void world_of_rank(struct world *w, int rank, int ranks, const char *path)
{
    ncclUniqueId id;
    need_nccl();
    *w = (struct world){.ranks = ranks, .seats = 1};
    sit(&w->seat[0], rank, rank);
    share_id(&id, rank, path);
    NCCL_DO(nccl.CommInitRank(&w->seat[0].comm, ranks, id, rank));
}

void world_split(struct world *to, const struct world *from, const int *key)
{
    ncclComm_t comm[MOST_SEATS];
    *to = (struct world){.ranks = 0};
    for (int r = 0; r < from->ranks; r++)
        to->ranks += key[r] >= 0;
    NCCL_DO(nccl.GroupStart());
    for (int s = 0; s < from->seats; s++) {
        const int own = key[from->seat[s].rank];
        NCCL_DO(nccl.CommSplit(from->seat[s].comm, own < 0 ? NCCL_SPLIT_NOCOLOR : 0, own, &comm[s],
                               NULL));
    }
    NCCL_DO(nccl.GroupEnd());
    for (int s = 0; s < from->seats; s++) {
        const int me = from->seat[s].rank;
        int before = 0;
        if (key[me] < 0)
            continue;
        for (int r = 0; r < from->ranks; r++)
            before += key[r] >= 0 && (key[r] < key[me] || (key[r] == key[me] && r < me));
        sit(&to->seat[to->seats], before, from->seat[s].device);
        to->seat[to->seats++].comm = comm[s];
    }
}

void world_end(struct world *w)
{
    for (int s = 0; s < w->seats; s++) {
        use_seat(&w->seat[s]);
        CUDA_DO(cudaDeviceSynchronize());
    }
    for (int s = 0; s < w->seats; s++) {
        NCCL_DO(nccl.CommDestroy(w->seat[s].comm));
        CUDA_DO(cudaStreamDestroy(w->seat[s].stream));
    }
}

/* ---- processes ---- */

static FILE *output[MOST_SEATS];

static pid_t start(int rank, int ranks, const char *file, char **arguments)
{
    char text[2][16], *argv[64] = {"samesum", "rank", text[0], text[1], (char *)(size_t)file};
    int argc = 5;
    snprintf(text[0], sizeof text[0], "%d", rank);
    snprintf(text[1], sizeof text[1], "%d", ranks);
    while (*arguments && argc < 63)
        argv[argc++] = *arguments++;
    output[rank] = rank > 0 ? tmpfile() : NULL;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (output[rank])
            dup2(fileno(output[rank]), STDOUT_FILENO);
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    return pid;
}

static void show(int rank)
{
    char text[4096];
    size_t n;
    printf("---- rank %d:\n", rank);
    if (!output[rank])
        return;
    rewind(output[rank]);
    while ((n = fread(text, 1, sizeof text, output[rank])) > 0)
        fwrite(text, 1, n, stdout);
}

int run_processes(int ranks, int seconds, char **arguments)
{
    char file[] = "/tmp/samesum_nccl_XXXXXX";
    pid_t pid[MOST_SEATS];
    double until = now() + seconds;
    int running = 0, bad = 0, ended[MOST_SEATS] = {0};
    if (!mkdtemp(file))
        return 1;
    char id[sizeof file + 16];
    snprintf(id, sizeof id - 8, "%s/id", file);
    for (int r = 0; r < ranks; r++) {
        pid[r] = start(r, ranks, id, arguments);
        running += pid[r] > 0;
    }
    while (running > 0 && now() < until) {
        int status;
        pid_t who = waitpid(-1, &status, WNOHANG);
        if (who <= 0) {
            usleep(5000);
            continue;
        }
        running--;
        for (int r = 0; r < ranks; r++)
            if (pid[r] == who) {
                ended[r] = 1;
                if (status != 0 && bad++ == 0 && until > now() + 10)
                    until = now() + 10; /* the others may wait for it for ever */
                if (status != 0)
                    show(r);
            }
    }
    for (int r = 0; r < ranks; r++)
        if (!ended[r]) {
            bad++;
            kill(pid[r], SIGKILL);
            waitpid(pid[r], NULL, 0);
            show(r);
            printf("TIMED OUT: rank %d was still running\n", r);
        }
    unlink(id);
    strcat(id, ".shared"); /* the benchmark's */
    unlink(id);
    rmdir(file);
    return bad > 0;
}

static void time_is_up(int number)
{
    static const char text[] = "\nTIMED OUT\n";
    (void)number;
    if (write(STDOUT_FILENO, text, sizeof text - 1) < 0)
        _exit(4);
    _exit(3);
}

void watch(int seconds)
{
    signal(SIGALRM, time_is_up);
    alarm((unsigned)seconds);
}
