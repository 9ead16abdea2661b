/* xor_read.h - reading memory and nothing else: the floor that no sum of the same memory passes. */
#ifndef SAMESUM_CLI_XOR_READ_H
#define SAMESUM_CLI_XOR_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* XOR of all 8-byte words of the memory at p; bytes is a multiple of 64, p one of 64 too.
 * threads: how many, where built with OpenMP; prefetch: with software prefetch. */
uint64_t xor_read(const void *p, size_t bytes, int threads, bool prefetch);

#endif
