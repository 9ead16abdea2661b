/* shared.h - libraries that are loaded when they are asked for, so that the program itself needs
 * nothing of what they need. */
#ifndef SAMESUM_CLI_SHARED_H
#define SAMESUM_CLI_SHARED_H

#include <limits.h>
#include <stdbool.h>

struct shared {
    const char *file_name; /* libsamesum_cuda.so ... */
    const char *variable;  /* of the environment; names another file */
    bool everywhere; /* its symbols, and those of what it needs, are there for what they load */
    void *handle;
    char path[PATH_MAX + 64]; /* what was loaded */
    char why[4 * PATH_MAX];   /* what is missing; empty: nothing */
};

/* Looks for the file in folders given from the program's own, then where the system looks, and
 * loads it. */
void shared_load(struct shared *s, const char *const *folders, int count);
/* Stores the address of a function in *function; where there is none, says so in s->why. */
bool shared_find(struct shared *s, const char *name, void *function);
/* Says so in s->why where the library is of another version than the program. */
void shared_check_version(struct shared *s, const char *version);

#endif
