/* info.c - `samesum info`: what this program is and what it can use here. */
#include "cuda.h"
#include "library.h"
#include "message.h"
#include "ops.h"
#include "ranks.h"

#include <stdio.h>

static const char *compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

int run_info(const struct request *r)
{
    const bool cuda_chosen = r->backend == SAMESUM_BACKEND_CUDA; /* by the environment */
    const char *no_cuda = cuda_missing();
    samesum_want want = {.op = SAMESUM_SUM};
    samesum_data nothing = {.type = SAMESUM_F64};
    samesum_ran ran;
    double zero;
    library_check(samesum_reduce(&nothing, &want, &zero, &ran), &want);

    printf("samesum         %s\n", samesum_version());
    printf("arithmetic      version %d\n", samesum_arithmetic_version());
    printf("compiler        %s\n", compiler());
    if (samesum_has_openmp())
        printf("threads         OpenMP, %d by default\n", samesum_default_threads());
    else
        puts("threads         1: built without OpenMP");
    fputs("backends       ", stdout);
    for (int b = SAMESUM_BACKEND_SCALAR; b <= SAMESUM_BACKEND_NEON; b++)
        if (samesum_backend_status((samesum_backend)b) >= 0)
            printf(" %s%s", samesum_backend_name((samesum_backend)b),
                   (samesum_backend)b == ran.backend && !cuda_chosen ? " (chosen)" : "");
    if (!no_cuda)
        printf(" cuda%s", cuda_chosen ? " (chosen)" : "");
    if (no_cuda)
        printf("\ncuda            no: %s", no_cuda);
    else
        printf("\ncuda            %s, through %s", cuda_device(), cuda_library());
    fputs("\nlevels         ", stdout);
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++)
        printf(" %s", level_name((samesum_level)level));
    fputs("\ntypes          ", stdout);
    for (int d = DTYPE_F64; d <= DTYPE_C128; d++)
        printf(" %s", dtype_row((enum dtype)d)->name);
    fputs("\noperations     ", stdout);
    for (int i = 0; i < operation_count; i++)
        if (operations[i].run == run_reduction)
            printf(" %s", operations[i].name);
    if (ranks_missing())
        printf("\nmpi             no: %s\n", ranks_missing());
    else
        printf("\nmpi             %s, through %s\n", ranks_library(), ranks_file());
    return EXIT_DONE;
}
