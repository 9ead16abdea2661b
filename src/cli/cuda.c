#include "cuda.h"

#include "message.h"
#include "samesum_cuda.h"
#include "shared.h"

#include <stdio.h>
#include <string.h>

static struct {
    bool tried, loaded;
    struct shared shared;
    char device[256];
    __typeof__(samesum_cuda_reduce_host) *reduce_host;
    __typeof__(samesum_cuda_status) *status;
    __typeof__(samesum_cuda_device_name) *device_name;
    __typeof__(samesum_cuda_version) *version;
} cuda = {.shared = {.file_name = "libsamesum_cuda.so", .variable = "SAMESUM_CUDA_LIBRARY"}};

/* Beside the program, as it is built; where `make install` puts libraries. */
static const char *const folders[] = {"", "/../lib"};

static void look_up_all(void)
{
    struct shared *s = &cuda.shared;
    if (shared_find(s, "samesum_cuda_version", &cuda.version) &&
        shared_find(s, "samesum_cuda_status", &cuda.status) &&
        shared_find(s, "samesum_cuda_device_name", &cuda.device_name) &&
        shared_find(s, "samesum_cuda_reduce_host", &cuda.reduce_host))
        shared_check_version(s, cuda.version());
}

static void look_at_device(void)
{
    const char *why = "";
    if (cuda.status(&why) < 0)
        snprintf(cuda.shared.why, sizeof cuda.shared.why, "%s", why);
    else if (cuda.device_name(cuda.device, sizeof cuda.device) < 0)
        strcpy(cuda.device, "a device without a name");
}

const char *cuda_missing(void)
{
    const char *why = cuda.shared.why;
    if (!cuda.tried) {
        cuda.tried = true;
        shared_load(&cuda.shared, folders, 2);
        if (!*why)
            look_up_all();
        cuda.loaded = !*why;
        if (cuda.loaded)
            look_at_device();
    }
    return *why ? why : NULL;
}

void cuda_need(void)
{
    const char *why = cuda_missing();
    if (why && !cuda.loaded)
        die_bad("backend cuda: %s; make cuda builds it where NVIDIA's CUDA toolkit is; without "
                "--backend cuda the CPU gives the same bits",
                why);
    if (why)
        die_bad("backend cuda: %s; without --backend cuda the CPU gives the same bits", why);
}

const char *cuda_library(void)
{
    return cuda.shared.path;
}

const char *cuda_device(void)
{
    return cuda.device;
}

samesum_status cuda_reduce(const samesum_array *array, const int *axes, int axis_count,
                           const samesum_want *want, void *results, samesum_counts *counts)
{
    return cuda.reduce_host(array, axes, axis_count, want, results, counts);
}
