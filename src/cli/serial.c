#include "serial.h"

#include <float.h>
#include <math.h>

#ifdef __FAST_MATH__
#error "the loops of serial.c mean nothing under -ffast-math"
#endif
#if FLT_EVAL_METHOD != 0
#error "the loops of serial.c need arithmetic in the type of the operands"
#endif

#define T double
#define NAME(what) what##_f64
#define ABS(x) fabs(x)
#include "serial_loops.h"
#undef T
#undef NAME
#undef ABS

#define T float
#define NAME(what) what##_f32
#define ABS(x) fabsf(x)
#include "serial_loops.h"
