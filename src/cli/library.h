/* library.h - calls of the library whose failure ends the program. */
#ifndef SAMESUM_CLI_LIBRARY_H
#define SAMESUM_CLI_LIBRARY_H

#include "samesum.h"

#include <stdbool.h>

/* Ends the program where status is an error, with a message that names what was asked for. */
void library_check(samesum_status status, const struct samesum_want *want);
/* Whether the library can do this level now. */
bool library_has_level(samesum_level level);
/* "tree", ... */
const char *level_name(samesum_level level);

#endif
