/* vectors.c - embeds the golden vectors. The build says where they are:
 * -DSAMESUM_VECTORS="\"tests/vectors/golden.txt\"". */
#include "vectors.h"

#ifndef SAMESUM_VECTORS
#error "SAMESUM_VECTORS must be the path of golden.txt, as a string"
#endif

__asm__(".section .rodata\n"
        ".global vectors_begin\n"
        ".hidden vectors_begin\n"
        "vectors_begin:\n"
        ".incbin \"" SAMESUM_VECTORS "\"\n"
        ".global vectors_end\n"
        ".hidden vectors_end\n"
        "vectors_end:\n"
        ".byte 0\n"
        ".previous\n");
