/* bytes.h - a file or standard input as a run of bytes: read in order, or mapped where it is a
 * regular file. Errors end the program with EXIT_BAD. */
#ifndef SAMESUM_CLI_BYTES_H
#define SAMESUM_CLI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct bytes {
    const char *name; /* as on the command line, for messages */
    int fd;
    bool regular;  /* its size is known and it can be mapped */
    uint64_t left; /* bytes not read yet; regular files only */
    bool once;     /* a pipe or socket: what is read is gone */
    dev_t device;  /* which file it is */
    ino_t inode;
    unsigned char peeked[8]; /* bytes that bytes_peek took from a stream */
    size_t peeked_count;
    void *map;
    size_t map_size;
};

/* Opens name; "-" is standard input. */
void bytes_open(struct bytes *b, const char *name);
/* Whether name is the pipe that b reads, which nobody else can read then. Asked before name is
 * opened, since opening a pipe waits for somebody to write. */
bool bytes_is_pipe(const struct bytes *b, const char *name);
/* Whether name is the very file that b reads, by this or another name or link. */
bool bytes_is_file(const struct bytes *b, const char *name);
void bytes_close(struct bytes *b);
/* Reads count bytes; fewer only at the end. */
size_t bytes_read(struct bytes *b, void *buffer, size_t count);
/* Copies up to count (at most 8) bytes that the next read will give. */
size_t bytes_peek(struct bytes *b, void *buffer, size_t count);
/* Maps all that was not read yet; b is regular. NULL where nothing is left. A file that another
 * program truncates while it is mapped ends this one by SIGBUS, with nothing printed. */
const void *bytes_map(struct bytes *b);
/* Copies what is left of a stream into an unlinked temporary file and goes on with that. */
void bytes_spool(struct bytes *b);
/* Goes on with the temporary file fd, which holds total bytes, in place of what was open. */
void bytes_become(struct bytes *b, int fd, uint64_t total);

#endif
