/* vectors.h - the golden vectors (tests/vectors/golden.txt) inside the program. */
#ifndef SAMESUM_CLI_VECTORS_H
#define SAMESUM_CLI_VECTORS_H

extern const char vectors_begin[];
extern const char vectors_end[]; /* behind the last byte */

#endif
