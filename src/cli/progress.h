/* progress.h - a line on stderr that says how far long work has come; only on a terminal. */
#ifndef SAMESUM_CLI_PROGRESS_H
#define SAMESUM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether progress would be shown at all. */
bool progress_wanted(void);
/* Says that done of total elements are done (total 0: unknown). Shows nothing in the first second
 * and then at most five times a second. */
void progress_show(uint64_t done, uint64_t total);
/* Says what is being done, for work that cannot tell how far it has come. */
void progress_say(const char *what);
/* Takes the line away. */
void progress_end(void);

#endif
