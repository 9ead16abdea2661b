/* child.c - what needs a process of its own; the suites run it. Exit status 0 where all is right,
 * else 1 with a message.
 *
 *     child backend NUMBER           the default backend is this one, or as little available as it
 *                                    is; 0: any backend; -1: SAMESUM_BACKEND names none
 *     child fork-after-samesum       calls in a child that is forked after calls of the parent
 *     child fork-after-openmp        the same after a parallel region of the parent's own alone
 *     child load-after-fork LIBRARY  the same, with the library loaded in the child
 *     child load LIBRARY             loading the library leaves the floating-point environment
 *     child load-cuda LIBRARY        the same of libsamesum_cuda; its calls on data in host memory
 *                                    neither heed nor change it, whether or not there is a device
 */
#include "fpenv.h"
#include "samesum_cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { N = 1000000, TIMEOUT = 20, CALLS = 3 };

static double data[N];

static void make_data(void)
{
    for (int i = 0; i < N; i++) {
        data[i] = (i % 2 ? -1.0 : 1.0) / (double)(i + 1);
    }
}

static int complain(const char *what)
{
    printf("child: %s\n", what);
    return 1;
}

/* ---- the default backend ---- */

static int check_backend(int backend)
{
    int status = samesum_backend_status((samesum_backend)backend);
    double result = 42;
    samesum_ran ran = {SAMESUM_BACKEND_AUTO, 0};
    samesum_data d = {.x = data, .n = 10, .type = SAMESUM_F64};
    samesum_want want = {.op = SAMESUM_SUM};
    samesum_state *state = NULL;
    int got[4] = {samesum_backend_status(SAMESUM_BACKEND_AUTO),
                  samesum_sum_f64(data, 10, SAMESUM_TREE, &result),
                  samesum_reduce(&d, &want, &result, &ran),
                  samesum_state_create(&state, &want, SAMESUM_F64, 0)};
    samesum_state_destroy(state);
    for (int i = 0; i < 4; i++) {
        if (got[i] != status) {
            printf("child: call %d answers %d, not %d\n", i, got[i], status);
            return 1;
        }
    }
    if (status != 0) {
        return result == 42 && state == NULL && ran.threads == 0 ? 0
                                                                 : complain("output was touched");
    }
    if (backend != 0 && (int)ran.backend != backend) {
        return complain("another backend did the work");
    }
    return ran.backend != SAMESUM_BACKEND_AUTO ? 0 : complain("no backend is named");
}

/* ---- forks ---- */

typedef samesum_status reduce_function(const samesum_data *, const samesum_want *, void *,
                                       samesum_ran *);

/* All levels with a few thread counts. results: CALLS * 3 of them. Returns the most threads. */
static int reduce_all(reduce_function *reduce, double *results)
{
    static const int threads[CALLS] = {4, 0, 1};
    int most = 0;
    for (int i = 0; i < CALLS * 3; i++) {
        samesum_ran ran = {SAMESUM_BACKEND_AUTO, 0};
        samesum_data d = {.x = data, .n = N, .type = SAMESUM_F64};
        samesum_want want = {.level = (samesum_level)(i % 3), .threads = threads[i / 3]};
        results[i] = 0;
        if (reduce(&d, &want, &results[i], &ran) != SAMESUM_OK) {
            return -1;
        }
        most = ran.threads > most ? ran.threads : most;
    }
    return most;
}

/* In the child: the same bits as the parent's, on one thread, in time; so in its own child. */
static int in_child(reduce_function *reduce, const double *expected, int generations)
{
    double results[CALLS * 3];
    alarm(TIMEOUT);
    if (reduce_all(reduce, results) != 1) {
        return complain("a forked child works on several threads, or a call fails");
    }
    if (memcmp(results, expected, sizeof results) != 0) {
        return complain("a forked child gets other bits");
    }
    if (generations == 0) {
        return 0;
    }
    pid_t pid = fork();
    if (pid == 0) {
        _exit(in_child(reduce, expected, generations - 1));
    }
    int status = 1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1;
}

static int wait_for(pid_t pid)
{
    int status = 1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        return complain("no child");
    }
    if (WIFSIGNALED(status)) {
        return complain(WTERMSIG(status) == SIGALRM ? "a forked child hangs"
                                                    : "a forked child is killed");
    }
    return WEXITSTATUS(status);
}

/* Makes OpenMP start its threads. */
static void own_region(void)
{
#ifdef _OPENMP
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += omp_get_thread_num();
    data[0] += sum < 0;
#endif
}

static int check_fork(int used_before)
{
    double expected[CALLS * 3], after[CALLS * 3];
    if (used_before) {
        if (reduce_all(samesum_reduce, expected) < 1) {
            return complain("a call fails");
        }
    } else { /* what is expected comes from another process: this one shall not use the library */
        int ends[2];
        if (pipe(ends) != 0) {
            return complain("no pipe");
        }
        pid_t pid = fork();
        if (pid == 0) {
            int failed = reduce_all(samesum_reduce, expected) < 1;
            _exit(failed || write(ends[1], expected, sizeof expected) != sizeof expected);
        }
        if (wait_for(pid) != 0 || read(ends[0], expected, sizeof expected) != sizeof expected) {
            return complain("no results from another process");
        }
    }
    own_region();
    pid_t pid = fork();
    if (pid == 0) {
        _exit(in_child(samesum_reduce, expected, 1));
    }
    if (wait_for(pid) != 0) {
        return 1;
    }
    int threads = reduce_all(samesum_reduce, after); /* the parent is none the worse */
    if (threads < (samesum_has_openmp() ? 2 : 1)) {
        return complain("the parent no longer works on several threads");
    }
    return memcmp(after, expected, sizeof after) == 0 ? 0 : complain("the parent's bits changed");
}

static reduce_function *load(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        printf("child: %s\n", dlerror());
        return NULL;
    }
    reduce_function *reduce = NULL;
    void *symbol = dlsym(handle, "samesum_reduce");
    memcpy(&reduce, &symbol, sizeof reduce);
    return reduce;
}

static int check_load_after_fork(const char *library)
{
    double expected[CALLS * 3];
    if (reduce_all(samesum_reduce, expected) < 1) {
        return complain("a call fails");
    }
    own_region();
    pid_t pid = fork();
    if (pid == 0) {
        reduce_function *reduce = load(library);
        _exit(reduce == NULL || in_child(reduce, expected, 0) != 0);
    }
    return wait_for(pid);
}

/* ---- loading ---- */

static int check_load(const char *library)
{
    struct fpenv before = fpenv_get();
    reduce_function *reduce = load(library);
    struct fpenv after = fpenv_get();
    if (reduce == NULL || memcmp(&before, &after, sizeof before) != 0) {
        return complain("loading the library changes the floating-point environment");
    }
    double result = 0;
    samesum_data d = {.x = data, .n = N, .type = SAMESUM_F64};
    samesum_want want = {.threads = 2};
    if (reduce(&d, &want, &result, NULL) != SAMESUM_OK || result == 0) {
        return complain("a call of the loaded library fails");
    }
    after = fpenv_get();
    return memcmp(&before, &after, sizeof before) == 0
               ? 0
               : complain("a call of the loaded library changes the environment");
}

typedef samesum_status reduce_host_function(const samesum_array *, const int *, int,
                                            const samesum_want *, void *, samesum_counts *);

/* 1000 * 5e-324, by callers that flush subnormals, take them for zeros, or round elsewhere. */
static int sum_subnormals(reduce_host_function *reduce)
{
    enum { TINY = 1000 };
    static double x[TINY];
    const uint64_t tiny = 1;
    const size_t n = TINY;
    const samesum_array array = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &n};
    for (int i = 0; i < TINY; i++) {
        memcpy(&x[i], &tiny, sizeof tiny);
    }
    for (int i = 0; i < FPENV_ODD; i++) {
        uint64_t result = 0;
        samesum_want want = {.level = (samesum_level)(i % 4)};
        struct fpenv own = fpenv_get();
        fpenv_set(fpenv_quiet(i));
        struct fpenv before = fpenv_get();
        samesum_status status = reduce(&array, NULL, 0, &want, &result, NULL);
        struct fpenv after = fpenv_get();
        fpenv_set(own);
        if (!fpenv_same_modes(before, after)) {
            return complain("a call changes the floating-point environment");
        }
        if (status != SAMESUM_ERR_UNAVAILABLE && (status != SAMESUM_OK || result != TINY)) {
            return complain("a sum of subnormals in an odd environment is wrong");
        }
    }
    return 0;
}

static int check_load_cuda(const char *library)
{
    struct fpenv before = fpenv_get();
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    struct fpenv after = fpenv_get();
    reduce_host_function *reduce = NULL;
    void *symbol = handle ? dlsym(handle, "samesum_cuda_reduce_host") : NULL;
    memcpy(&reduce, &symbol, sizeof reduce);
    if (reduce == NULL) {
        printf("child: %s\n", dlerror());
        return 1;
    }
    if (memcmp(&before, &after, sizeof before) != 0) {
        return complain("loading the library changes the floating-point environment");
    }
    return sum_subnormals(reduce);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    make_data();
    if (strcmp(mode, "backend") == 0 && argc == 3) {
        return check_backend(atoi(argv[2]));
    }
    if (strcmp(mode, "fork-after-samesum") == 0) {
        return check_fork(1);
    }
    if (strcmp(mode, "fork-after-openmp") == 0) {
        return check_fork(0);
    }
    if (strcmp(mode, "load-after-fork") == 0 && argc == 3) {
        return check_load_after_fork(argv[2]);
    }
    if (strcmp(mode, "load") == 0 && argc == 3) {
        return check_load(argv[2]);
    }
    if (strcmp(mode, "load-cuda") == 0 && argc == 3) {
        return check_load_cuda(argv[2]);
    }
    return complain("unknown mode");
}
