#include "cuda.h"

#include "message.h"
#include "samesum_cuda.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "libsamesum_cuda.so"

static struct {
    bool tried, loaded;
    char why[3 * PATH_MAX]; /* empty: nothing is missing */
    char path[PATH_MAX + sizeof FILE_NAME + 8];
    char device[256];
    void *handle;
    __typeof__(samesum_cuda_reduce_host) *reduce_host;
    __typeof__(samesum_cuda_status) *status;
    __typeof__(samesum_cuda_device_name) *device_name;
    __typeof__(samesum_cuda_version) *version;
} cuda;

#define WHY(...) snprintf(cuda.why, sizeof cuda.why, __VA_ARGS__)

/* ---- finding it -------------------------------------------------------------------------------
 */

/* Loads a file that is there. */
static void load(const char *path)
{
    cuda.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *error = cuda.handle ? NULL : dlerror();
    if (error)
        WHY("%s cannot be loaded: %s", path, error);
}

/* The folder of the program's own file. */
static void own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    else
        strcpy(folder, ".");
}

/* Beside the program, as it is built; where `make install` puts libraries; where the system looks.
 */
static void find(void)
{
    static const char *const below[] = {"", "/../lib"};
    char folder[PATH_MAX];
    own_folder(folder);
    for (int i = 0; i < 2; i++) {
        snprintf(cuda.path, sizeof cuda.path, "%s%s/" FILE_NAME, folder, below[i]);
        if (access(cuda.path, F_OK) == 0) {
            load(cuda.path);
            return;
        }
    }
    strcpy(cuda.path, FILE_NAME);
    cuda.handle = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!cuda.handle)
        WHY("there is no " FILE_NAME " in %s, in %s/../lib or where the system looks for libraries",
            folder, folder);
}

static void find_named(const char *name)
{
    snprintf(cuda.path, sizeof cuda.path, "%s", name);
    if (access(name, F_OK) == 0)
        load(name);
    else
        WHY("there is no %s, which SAMESUM_CUDA_LIBRARY names", name);
}

/* ---- looking at it ----------------------------------------------------------------------------
 */

/* ISO C has no conversion from void * to a pointer to a function. */
static bool look_up(const char *name, void *function)
{
    void *found = dlsym(cuda.handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void look_up_all(void)
{
    if (!look_up("samesum_cuda_version", &cuda.version) ||
        !look_up("samesum_cuda_status", &cuda.status) ||
        !look_up("samesum_cuda_device_name", &cuda.device_name) ||
        !look_up("samesum_cuda_reduce_host", &cuda.reduce_host))
        WHY("%s is not the " FILE_NAME " of this version: %s", cuda.path, dlerror());
    else if (strcmp(cuda.version(), samesum_version()) != 0)
        WHY("%s is of version %s and this program of version %s", cuda.path, cuda.version(),
            samesum_version());
}

static void look_at_device(void)
{
    const char *why = "";
    if (cuda.status(&why) < 0)
        WHY("%s", why);
    else if (cuda.device_name(cuda.device, sizeof cuda.device) < 0)
        strcpy(cuda.device, "a device without a name");
}

const char *cuda_missing(void)
{
    if (!cuda.tried) {
        cuda.tried = true;
        const char *name = getenv("SAMESUM_CUDA_LIBRARY");
        if (name && *name)
            find_named(name);
        else
            find();
        if (!*cuda.why)
            look_up_all();
        cuda.loaded = !*cuda.why;
        if (cuda.loaded)
            look_at_device();
    }
    return *cuda.why ? cuda.why : NULL;
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
    return cuda.path;
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
