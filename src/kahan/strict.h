/* Included by every file that does arithmetic: refuses compilers and flags that would change bits.
 */
#ifndef SS_STRICT_H
#define SS_STRICT_H

#include <float.h>

#if defined(__FAST_MATH__) || defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "samesum defines every bit: compile it without -ffast-math, -Ofast and -ffinite-math-only"
#endif
#if FLT_EVAL_METHOD != 0
#error                                                                                             \
    "samesum needs binary32 and binary64 arithmetic without extra precision (on x86: SSE2, -mfpmath=sse)"
#endif

#endif
