/* grids.h - arrays of any shape and layout, filled with random elements. Each operand lies in a
 * block of exactly the bytes that it spans, so that valgrind and the sanitizers see a byte too far;
 * the gaps between elements hold NaNs. */
#ifndef TESTS_GRIDS_H
#define TESTS_GRIDS_H

#include "cells.h"
#include "elements.h"

enum { GRID_DIMS = SAMESUM_MAX_DIMS };

enum layout {
    LAYOUT_PLAIN,   /* no strides given */
    LAYOUT_C,       /* the same, with strides */
    LAYOUT_FORTRAN, /* the first axis fastest */
    LAYOUT_GAPS,    /* C order, gaps of whole elements between the elements */
    LAYOUT_PADDED,  /* C order, gaps between the rows alone */
    LAYOUT_ODD,     /* C order, gaps of odd numbers of bytes */
    LAYOUT_BACK,    /* C order, all strides negative */
    LAYOUT_REPEAT,  /* C order, strides of zero along some axes */
    LAYOUT_RANDOM,  /* axes in any order, each with a gap, a sign or a zero of its own */
    LAYOUTS
};
const char *layout_name(enum layout layout);

/* Gaps are whole numbers even for LAYOUT_ODD and LAYOUT_RANDOM: for devices, which read each number
 * at a multiple of its size. */
extern bool grids_aligned;

enum operand { OPERAND_X, OPERAND_Y, OPERAND_WEIGHTS, OPERAND_MASK, OPERANDS };

struct grid {
    samesum_array array;
    size_t shape[GRID_DIMS], elements;
    ptrdiff_t strides[OPERANDS][GRID_DIMS];
    void *blocks[OPERANDS];
};

/* A grid of that shape without operands; copies of it must not be used. */
void grid_make(struct grid *grid, samesum_type type, int dims, const size_t *shape);
/* Makes one operand: x, y or weights. */
void grid_fill(struct grid *grid, enum operand operand, enum layout layout, enum style style);
/* A mask that keeps about `kept` of 16 elements. LAYOUT_PLAIN for bits. */
void grid_mask(struct grid *grid, samesum_mask_kind kind, enum layout layout, size_t kept);
/* Declares a missing value, and stores it into about `hit` of 16 elements of x (and of y). */
void grid_missing(struct grid *grid, samesum_missing missing, double value, size_t hit);
void grid_free(struct grid *grid);

/* Operands as the cell needs them: x, y for dot, weights where it is weighted. */
void grid_operands(struct grid *grid, const struct cell *cell, enum layout layout,
                   enum style style);

/* A cell that is computed, with random options; with_states: one of those that have states. */
struct cell random_cell(bool with_states);
/* Up to `most` elements; extents of 0 now and then, extents of 1 often. Returns the dimensions. */
int random_shape(size_t *shape, size_t most);
/* Some axes, in any order, counted from either end; sometimes none, which means all. Returns how
 * many. */
int random_axes(int dims, int *axes);
/* Now and then a mask or a missing value, or both. */
void random_absence(struct grid *grid);

/* Runs through all index vectors in C order: starts with zeros; false at the end. */
bool next_index(int dims, const size_t *shape, size_t *index);

#endif
