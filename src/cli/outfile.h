/* outfile.h - a file that appears whole or not at all. Errors end the program with EXIT_BAD and
 * leave what was there before as it was. */
#ifndef SAMESUM_CLI_OUTFILE_H
#define SAMESUM_CLI_OUTFILE_H

#include <stddef.h>

struct outfile {
    const char *name; /* as on the command line */
    int fd;
    char target[4096];    /* what a link points to */
    char temporary[4096]; /* beside the target; empty: no regular file, written to directly */
};

void outfile_open(struct outfile *f, const char *name);
void outfile_write(struct outfile *f, const void *data, size_t count);
/* Now it takes the place of what was there. */
void outfile_close(struct outfile *f);

#endif
