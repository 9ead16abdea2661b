/* operands.h - the files of one reduction, and how their elements go together. */
#ifndef SAMESUM_CLI_OPERANDS_H
#define SAMESUM_CLI_OPERANDS_H

#include "input.h"

/* y is the second file of dot. */
enum role { ROLE_X, ROLE_Y, ROLE_WEIGHTS, ROLE_MASK, ROLES };

struct operands {
    const struct request *request;
    bool used[ROLES];
    struct input in[ROLES];
    bool spread; /* the weights are as many as --axis has indices, and go with each row */

    /* What is reduced, after --stride; known once operands_gather() has been called, and before
     * that unless the elements have to be counted by reading them. */
    bool shape_known;
    struct shape shape;
    uint64_t n;
    int axis; /* from 0; -1: all of them */
};

/* Opens the files and checks that they go together in type and, as far as it is known, in shape.
 * Where they do not, the program ends. */
void operands_open(struct operands *o, const struct request *r);
void operands_close(struct operands *o);

/* Whether the elements of every file lie in memory or in a mapped file; in C order, or in any. */
bool operands_in_c_order(const struct operands *o);
bool operands_in_place(const struct operands *o);
/* Makes them do so; what has to be read for that is read chunk elements at a time. */
void operands_gather(struct operands *o, size_t chunk);

#endif
