/* fpenv.h - the floating-point environment as the machine holds it, read and written without a
 * detour through the C library. */
#ifndef TESTS_FPENV_H
#define TESTS_FPENV_H

#include <stdint.h>

struct fpenv {
    uint32_t control; /* MXCSR, flags included; or FPCR */
    uint32_t flags;   /* FPSR */
    uint16_t x87_control, x87_status;
};

/* fpenv_odd(i): environments that a caller may have, 0 <= i < FPENV_ODD. Rounding modes, FTZ, DAZ,
 * unmasked exceptions and preset flags in turn. fpenv_quiet(i): the same without unmasked
 * exceptions, for calls that go on into code of others. fpenv_same_modes(): whether two are equal
 * but for the flags. */
#if defined(__x86_64__)
#include <xmmintrin.h>

enum { FPENV_FTZ = 0x8000, FPENV_DAZ = 0x0040, FPENV_FLAGS = 0x003f, FPENV_MASKS = 0x1f80 };
enum { FPENV_ODD = 4 * 2 * 2 * 3 * 2 };

static inline struct fpenv fpenv_get(void)
{
    struct fpenv env = {_mm_getcsr(), 0, 0, 0};
    __asm__ volatile("fnstcw %0" : "=m"(env.x87_control));
    __asm__ volatile("fnstsw %0" : "=m"(env.x87_status));
    return env;
}

static inline void fpenv_set(struct fpenv env)
{
    _mm_setcsr(env.control);
    __asm__ volatile("fldcw %0" : : "m"(env.x87_control));
}

static inline struct fpenv fpenv_odd(int i)
{
    static const uint32_t masks[3] = {FPENV_MASKS, 0, 0x0f80}; /* none, all, precision unmasked */
    struct fpenv env = fpenv_get();
    env.control = (uint32_t)(i % 4) << 13;
    env.x87_control = (uint16_t)((env.x87_control & 0xf3ff) | i % 4 << 10);
    env.control |= i / 4 % 2 ? FPENV_FTZ : 0;
    env.control |= i / 8 % 2 ? FPENV_DAZ : 0;
    env.control |= masks[i / 16 % 3];
    env.control |= i / 48 ? FPENV_FLAGS : 0;
    return env;
}

static inline struct fpenv fpenv_quiet(int i)
{
    struct fpenv env = fpenv_odd(i);
    env.control |= FPENV_MASKS;
    return env;
}

static inline int fpenv_same_modes(struct fpenv a, struct fpenv b)
{
    return ((a.control ^ b.control) & ~(uint32_t)FPENV_FLAGS) == 0 &&
           a.x87_control == b.x87_control;
}

#elif defined(__aarch64__)

/* Rounding modes, FZ, flags; trap enables are read-only zeros on most machines. */
enum { FPENV_ODD = 4 * 2 * 2 };

static inline struct fpenv fpenv_get(void)
{
    uint64_t control, flags;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(flags));
    return (struct fpenv){(uint32_t)control, (uint32_t)flags, 0, 0};
}

static inline void fpenv_set(struct fpenv env)
{
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1"
                     :
                     : "r"((uint64_t)env.control), "r"((uint64_t)env.flags)
                     : "memory");
}

static inline struct fpenv fpenv_odd(int i)
{
    struct fpenv env = fpenv_get();
    env.control = (uint32_t)(i % 4) << 22 | (i / 4 % 2 ? 1u << 24 : 0);
    env.flags = i / 8 ? 0x9f : 0;
    return env;
}

static inline struct fpenv fpenv_quiet(int i)
{
    return fpenv_odd(i);
}

static inline int fpenv_same_modes(struct fpenv a, struct fpenv b)
{
    return a.control == b.control;
}

#else
#error "fpenv.h knows x86-64 and aarch64"
#endif

#endif
