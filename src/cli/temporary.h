/* temporary.h - an unlinked temporary file in TMPDIR (default /tmp), which vanishes with its
 * descriptor. Errors end the program with EXIT_BAD; name is the input's, for messages. */
#ifndef SAMESUM_CLI_TEMPORARY_H
#define SAMESUM_CLI_TEMPORARY_H

#include <stddef.h>

/* Makes one and returns its descriptor. */
int temporary_open(const char *name);
/* Appends count bytes. */
void temporary_write(int fd, const char *name, const void *data, size_t count);

#endif
