/* aarch64_fpenv.c - the caller's floating-point environment on AArch64 (SPEC.md, section 5):
 * results have the same bits whatever FPCR says, in every thread, and FPCR and FPSR come back as
 * they were. Needs no Check, so that a statically linked program runs anywhere, also under qemu. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "samesum.h"

#if !defined(__aarch64__)
#error "for AArch64 alone"
#endif

static uint64_t read_fpcr(void)
{
    uint64_t v;
    __asm__ volatile("mrs %0, fpcr" : "=r"(v)::"memory");
    return v;
}
static uint64_t read_fpsr(void)
{
    uint64_t v;
    __asm__ volatile("mrs %0, fpsr" : "=r"(v)::"memory");
    return v;
}
static void write_both(uint64_t fpcr, uint64_t fpsr)
{
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(fpcr), "r"(fpsr) : "memory");
}

static const struct {
    const char *name;
    uint64_t fpcr;
} settings[] = {
    {"flush to zero", 1u << 24},
    {"towards +inf", 1u << 22},
    {"towards -inf", 2u << 22},
    {"towards zero", 3u << 22},
    {"default NaN", 1u << 25},
    {"flush to zero, towards zero", 1u << 24 | 3u << 22},
    {"traps (where the CPU has them)", 0x1f00},
};
static const uint64_t sticky[] = {0, 0x10 /* inexact */, 0x9f /* all */};

enum { N = 300000, SETTINGS = sizeof settings / sizeof *settings, STICKY = 3 };
static union {
    double f64[N];
    float f32[N];
} x, y;

/* Subnormals alone, or numbers of all sizes whose sums are inexact. */
static void fill(samesum_type type, bool subnormal)
{
    uint64_t state = 1;
    for (int i = 0; i < N; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t r = state >> 20;
        if (type == SAMESUM_F64) {
            uint64_t bits = subnormal
                                ? r & 0xffffff
                                : (UINT64_C(0x3c8) + r % 128) << 52 | (r << 8 & 0xfffffffffffff);
            memcpy(&x.f64[i], &bits, sizeof bits);
            y.f64[i] = subnormal ? 0x1p-3 : x.f64[i];
        } else {
            uint32_t bits =
                (uint32_t)(subnormal ? r & 0xffff : (100 + r % 32) << 23 | (r & 0x7fffff));
            memcpy(&x.f32[i], &bits, sizeof bits);
            y.f32[i] = subnormal ? 0x1p-3f : x.f32[i];
        }
    }
}

/* Whether this FPCR bites at all: three additions made here give other bits under it. */
static bool bites(uint64_t fpcr)
{
    const volatile double a[3] = {0x1p-1060, 0x1p53, -0x1p53}, b[3] = {0x1p-1060, 1.25, -1.25};
    volatile double plain[3], now[3];
    bool differs = false;
    for (int i = 0; i < 3; i++) {
        plain[i] = a[i] + b[i];
        write_both(fpcr, 0);
        now[i] = a[i] + b[i];
        write_both(0, 0);
        differs = differs || plain[i] != now[i];
    }
    return differs;
}

int main(void)
{
    static const int threads[] = {1, 4};
    static const samesum_backend backends[] = {SAMESUM_BACKEND_SCALAR, SAMESUM_BACKEND_NEON};
    int passed = 0, failed = 0;
    bool bitten[SETTINGS];
    for (int s = 0; s < SETTINGS; s++) {
        bitten[s] = bites(settings[s].fpcr);
        printf("%-32s %s\n", settings[s].name,
               bitten[s] ? "changes plain additions" : "changes no plain addition here");
    }
    if (!bitten[0] || !bitten[1] || !bitten[2] || !bitten[3]) {
        puts("FAIL FPCR has no effect: nothing can be tested");
        return EXIT_FAILURE;
    }
    for (int type = 0; type < 3; type++)
        for (int subnormal = 0; subnormal < 2; subnormal++) {
            fill((samesum_type)type, subnormal);
            for (int op = 0; op < 4; op++)
                for (int level = 0; level < 3; level++)
                    for (int how = 0; how < 4; how++) {
                        samesum_data data = {.x = &x, .y = &y, .n = N, .type = (samesum_type)type};
                        samesum_want want = {.op = (samesum_op)op,
                                             .level = (samesum_level)level,
                                             .threads = threads[how % 2],
                                             .backend = backends[how / 2]};
                        uint64_t expected = 0;
                        write_both(0, 0);
                        if (samesum_reduce(&data, &want, &expected, NULL) != SAMESUM_OK)
                            return EXIT_FAILURE;
                        for (int s = 0; s < SETTINGS * STICKY; s++) {
                            uint64_t result = 0;
                            write_both(settings[s / STICKY].fpcr, sticky[s % STICKY]);
                            uint64_t fpcr = read_fpcr(), fpsr = read_fpsr();
                            samesum_status st = samesum_reduce(&data, &want, &result, NULL);
                            uint64_t fpcr_after = read_fpcr(), fpsr_after = read_fpsr();
                            write_both(0, 0);
                            if (st == SAMESUM_OK && result == expected && fpcr == fpcr_after &&
                                fpsr == fpsr_after) {
                                passed++;
                                continue;
                            }
                            failed++;
                            printf("FAIL %s, type %d, op %d, level %d, %d threads, %s: "
                                   "0x%" PRIx64 ", not 0x%" PRIx64 "; FPCR 0x%" PRIx64
                                   " to 0x%" PRIx64 "; FPSR 0x%" PRIx64 " to 0x%" PRIx64 "\n",
                                   settings[s / STICKY].name, type, op, level, want.threads,
                                   samesum_backend_name(want.backend), result, expected, fpcr,
                                   fpcr_after, fpsr, fpsr_after);
                        }
                    }
        }
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
