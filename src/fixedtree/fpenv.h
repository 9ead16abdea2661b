/* The floating-point environment that the arithmetic needs: round to nearest, subnormals kept,
 * nothing trapping (SPEC.md, section 5). Entered before and left after all arithmetic, in every
 * thread; the caller's control bits and sticky flags come back as they were. Arithmetic must lie in
 * functions of other files than these calls, so that no compiler moves it past them. */
#ifndef SS_FPENV_H
#define SS_FPENV_H

#if defined(__x86_64__)
#include <xmmintrin.h>

typedef unsigned ss_fpenv;
enum { SS_MXCSR_FLAGS = 0x003f, SS_MXCSR_DEFAULT = 0x1f80 };

static inline ss_fpenv ss_fpenv_enter(void)
{
    unsigned caller = _mm_getcsr();
    if ((caller & ~(unsigned)SS_MXCSR_FLAGS) != SS_MXCSR_DEFAULT)
        _mm_setcsr(SS_MXCSR_DEFAULT);
    return caller;
}
static inline void ss_fpenv_leave(ss_fpenv caller)
{
    if (_mm_getcsr() != caller)
        _mm_setcsr(caller);
}

#elif defined(__aarch64__)
#include <stdint.h>

typedef struct ss_fpenv {
    uint64_t fpcr, fpsr;
} ss_fpenv;

static inline ss_fpenv ss_fpenv_enter(void)
{
    ss_fpenv caller;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(caller.fpcr), "=r"(caller.fpsr));
    if (caller.fpcr != 0)
        __asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(0)) : "memory");
    return caller;
}
static inline void ss_fpenv_leave(ss_fpenv caller)
{
    if (caller.fpcr != 0)
        __asm__ volatile("msr fpcr, %0" : : "r"(caller.fpcr) : "memory");
    __asm__ volatile("msr fpsr, %0" : : "r"(caller.fpsr) : "memory");
}

#else
#include <fenv.h>

typedef fenv_t ss_fpenv;

static inline ss_fpenv ss_fpenv_enter(void)
{
    fenv_t caller;
    fegetenv(&caller);
    fesetenv(FE_DFL_ENV);
    return caller;
}
static inline void ss_fpenv_leave(ss_fpenv caller)
{
    fesetenv(&caller);
}
#endif

#endif
