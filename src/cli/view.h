/* view.h - the files of a reduction, or a part of them, as an array that the library takes. */
#ifndef SAMESUM_CLI_VIEW_H
#define SAMESUM_CLI_VIEW_H

#include "operands.h"

struct view {
    samesum_array array; /* points into this view: to be made by the functions below, not copied */
    int axis;            /* the one to reduce; -1: all of them */
    int kept;            /* the first axis that is not reduced; -1: there is none */
    size_t shape[SAMESUM_MAX_DIMS];
    ptrdiff_t strides[ROLES][SAMESUM_MAX_DIMS];
    const char *at[ROLES]; /* the first elements; NULL: none */
};

/* All elements of gathered files. */
void view_whole(struct view *v, const struct operands *o, samesum_type type);
/* All elements as an array of one axis. at[] and the shape of what is not in C order are left open:
 * view_part() gets elements from buffer there. */
void view_line(struct view *v, const struct operands *o, samesum_type type);
/* The indices [begin, begin + count) of an axis of v. buffer: NULL, or where the elements of a file
 * that is not in C order were read to. */
void view_part(struct view *part, const struct view *v, int axis, uint64_t begin, uint64_t count,
               const void *const buffer[ROLES]);

#endif
