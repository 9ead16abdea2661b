/* launches.c - the linker puts these functions before the CUDA runtime's (--wrap in cuda.mk), so
 * that kernels are known when they are registered and when they are launched. */
#include "launches.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2048, NAME = 64 };

static struct kernel {
    const void *function;
    const char *symbol;
    char name[NAME]; /* of the template, without its arguments */
    bool launched;
} kernels[MOST];
static int count;

/* Asked for its attributes alone: src/cuda/status.cu. */
static const char probe[] = "nothing";

static void note(const void *function)
{
    for (int i = 0; i < count; i++) {
        kernels[i].launched = kernels[i].launched || kernels[i].function == function;
    }
}

/* ---- what is called in place of the runtime's ---- */

void __real___cudaRegisterFunction(void **handle, const char *function, char *device,
                                   const char *symbol, int threads, void *thread, void *block,
                                   void *block_dim, void *grid_dim, int *warp);
void __wrap___cudaRegisterFunction(void **handle, const char *function, char *device,
                                   const char *symbol, int threads, void *thread, void *block,
                                   void *block_dim, void *grid_dim, int *warp);
void __wrap___cudaRegisterFunction(void **handle, const char *function, char *device,
                                   const char *symbol, int threads, void *thread, void *block,
                                   void *block_dim, void *grid_dim, int *warp)
{
    if (count < MOST) {
        kernels[count++] = (struct kernel){.function = function, .symbol = symbol};
    }
    __real___cudaRegisterFunction(handle, function, device, symbol, threads, thread, block,
                                  block_dim, grid_dim, warp);
}

cudaError_t __real_cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream)
{
    note(function);
    return __real_cudaLaunchKernel(function, grid, block, arguments, shared, stream);
}

/* What <<<>>> becomes with newer toolkits asks for the kernel just before it is first launched. */
__attribute__((weak)) cudaError_t __real___cudaGetKernel(void **kernel, const void *function);
cudaError_t __wrap___cudaGetKernel(void **kernel, const void *function);
cudaError_t __wrap___cudaGetKernel(void **kernel, const void *function)
{
    note(function);
    return __real___cudaGetKernel(kernel, function);
}

/* ---- the report ---- */

extern char *__cxa_demangle(const char *mangled, char *buf, size_t *length, int *status);

/* "void name<arguments>(parameters)" and the like, or the symbol; to be freed. */
static char *demangled(const struct kernel *k)
{
    int status = -1;
    char *text = __cxa_demangle(k->symbol, NULL, NULL, &status);
    return status == 0 ? text : strdup(k->symbol);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct kernel *)a)->name, ((const struct kernel *)b)->name);
}

/* The kernels with their names, in their order. */
static void name_all(void)
{
    for (int i = 0; i < count; i++) {
        char *text = demangled(&kernels[i]);
        const char *name = strncmp(text, "void ", 5) == 0 ? text + 5 : text;
        snprintf(kernels[i].name, NAME, "%.*s", (int)strcspn(name, "<("), name);
        free(text);
    }
    qsort(kernels, (size_t)count, sizeof *kernels, by_name);
}

int launches_missing(void)
{
    int missing = 0;
    name_all();
    for (int i = 0; i < count; i++) {
        if (!kernels[i].launched && strcmp(kernels[i].name, probe) != 0) {
            char *text = demangled(&kernels[i]);
            printf("never launched: %s\n", text);
            free(text);
            missing++;
        }
    }
    return missing;
}

void launches_print(void)
{
    int all = 0, launched = 0;
    char text[1500] = "";
    name_all();
    for (int i = 0, next; i < count; i = next) {
        int here = 0;
        for (next = i; next < count && by_name(&kernels[next], &kernels[i]) == 0; next++) {
            here += kernels[next].launched;
        }
        if (strcmp(kernels[i].name, probe) != 0) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, ", %s %d/%d", kernels[i].name, here,
                     next - i);
            all += next - i;
            launched += here;
        }
    }
    printf("kernels launched: %d of %d%s\n", launched, all, text);
}
