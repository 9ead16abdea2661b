/* Arithmetic on whole rows of 16 lane nodes, outside of the kernels: combining them and stage 2. */
#ifndef SS_LANES_H
#define SS_LANES_H

#include "fixedtree/kernels.h"

/* What the nodes of one reduction are. */
typedef struct ss_arith {
    int wide; /* 1: the accumulator is binary64, 0: binary32 */
    samesum_level level;
} ss_arith;

/* left becomes the 16 nodes of this level of the tree made from left and right (SPEC.md 4.1
 * to 4.3). */
void ss_lanes_combine(const ss_arith *arith, int level, ss_lanes *left, const ss_lanes *right);

/* Lanes [from, to) become the neutral -0.0. */
void ss_lanes_clear(const ss_arith *arith, ss_lanes *row, int from, int to);

/* Lanes [from, to) of row are taken from src. */
void ss_lanes_copy(const ss_arith *arith, ss_lanes *row, const ss_lanes *src, int from, int to);

/* Stage 2 and the finish: the result of 16 lane roots, none of them absent, a number of the
 * accumulator's type (SPEC.md 4.1, 4.2). */
double ss_lanes_finish(const ss_arith *arith, const ss_lanes *roots);

/* Whether no s is infinite or a NaN. */
int ss_lanes_are_finite(const ss_arith *arith, const ss_lanes *lanes);

#endif
