#include "dispatch.h"

#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static const char *const names[] = {
    [SAMESUM_BACKEND_AUTO] = "auto", [SAMESUM_BACKEND_SCALAR] = "scalar",
    [SAMESUM_BACKEND_AVX2] = "avx2", [SAMESUM_BACKEND_AVX512] = "avx512",
    [SAMESUM_BACKEND_NEON] = "neon", [SAMESUM_BACKEND_CUDA] = "cuda",
};
enum { BACKENDS = sizeof names / sizeof *names };

#if defined(__x86_64__)
/* Asked of the processor, since not all compilers' __builtin_cpu_supports know it. It needs no
 * registers but those of AVX2. */
static int has_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}
#endif

/* The backend's kernels; NULL where this machine cannot run it. On x86 the compiler's CPU model is
 * asked, which also asks the operating system whether it saves the wide registers (XGETBV). */
static const ss_backend *find(samesum_backend id)
{
    switch (id) {
    case SAMESUM_BACKEND_SCALAR:
        return &ss_backend_scalar;
#if defined(__x86_64__)
    case SAMESUM_BACKEND_AVX2:
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c()
                   ? &ss_backend_avx2
                   : NULL;
    case SAMESUM_BACKEND_AVX512:
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx512f") ? &ss_backend_avx512 : NULL;
#elif defined(__aarch64__)
    case SAMESUM_BACKEND_NEON:
        return &ss_backend_neon;
#endif
    default:
        return NULL;
    }
}

/* What AUTO means here: a status and, with SAMESUM_OK, the backend. */
static samesum_status choose(const ss_backend **backend)
{
    static const samesum_backend widest_first[] = {SAMESUM_BACKEND_AVX512, SAMESUM_BACKEND_AVX2,
                                                   SAMESUM_BACKEND_NEON, SAMESUM_BACKEND_SCALAR};
    samesum_backend id = SAMESUM_BACKEND_AUTO;
    const char *forced = getenv("SAMESUM_BACKEND");
    if (forced && *forced && samesum_backend_from_name(forced, &id) != SAMESUM_OK)
        return SAMESUM_ERR_BACKEND;
    if (id != SAMESUM_BACKEND_AUTO) {
        *backend = find(id);
        return *backend ? SAMESUM_OK : SAMESUM_ERR_UNAVAILABLE;
    }
    for (size_t i = 0; i < sizeof widest_first / sizeof *widest_first; i++)
        if ((*backend = find(widest_first[i])))
            break;
    return SAMESUM_OK;
}

/* Every thread that makes the choice makes the same one, and it is the same ever after. */
_Atomic(const ss_backend *) ss_default_backend;

samesum_status ss_dispatch_find(samesum_backend asked, const ss_backend **backend)
{
    if (asked == SAMESUM_BACKEND_AUTO) {
        samesum_status st = choose(backend);
        if (st == SAMESUM_OK)
            atomic_store_explicit(&ss_default_backend, *backend, memory_order_release);
        return st;
    }
    if ((unsigned)asked >= BACKENDS)
        return SAMESUM_ERR_BACKEND;
    *backend = find(asked);
    return *backend ? SAMESUM_OK : SAMESUM_ERR_UNAVAILABLE;
}

samesum_status samesum_backend_status(samesum_backend backend)
{
    const ss_backend *unused;
    return ss_dispatch(backend, &unused);
}

const char *samesum_backend_name(samesum_backend backend)
{
    return (unsigned)backend < BACKENDS ? names[backend] : NULL;
}

samesum_status samesum_backend_from_name(const char *name, samesum_backend *backend)
{
    if (!name || !backend)
        return SAMESUM_ERR_NULL;
    for (int i = 0; i < BACKENDS; i++) {
        if (strcmp(name, names[i]) == 0) {
            *backend = (samesum_backend)i;
            return SAMESUM_OK;
        }
    }
    return SAMESUM_ERR_BACKEND;
}
