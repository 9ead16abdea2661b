#include "bytes.h"

#include "message.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void bytes_open(struct bytes *b, const char *name)
{
    *b = (struct bytes){.name = name};
    b->fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    struct stat s;
    if (b->fd < 0 || fstat(b->fd, &s) != 0)
        die_bad("%s: %s", name, strerror(errno));
    if (S_ISDIR(s.st_mode))
        die_bad("%s: is a directory, not a file", name);
    b->once = S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode);
    b->device = s.st_dev;
    b->inode = s.st_ino;
    /* Files that the kernel makes up (/proc) claim to be regular and empty: read those as streams.
     * Standard input may have been read in part by the program before us. */
    off_t at = S_ISREG(s.st_mode) && s.st_size > 0 ? lseek(b->fd, 0, SEEK_CUR) : -1;
    if (at >= 0) {
        b->regular = true;
        b->left = at < s.st_size ? (uint64_t)(s.st_size - at) : 0;
    }
}

bool bytes_is_pipe(const struct bytes *b, const char *name)
{
    struct stat s;
    bool found = (strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &s) : stat(name, &s)) == 0;
    return found && b->once && s.st_dev == b->device && s.st_ino == b->inode;
}

bool bytes_is_file(const struct bytes *b, const char *name)
{
    struct stat s;
    return stat(name, &s) == 0 && s.st_dev == b->device && s.st_ino == b->inode;
}

void bytes_close(struct bytes *b)
{
    if (b->map)
        munmap(b->map, b->map_size);
    if (b->fd > STDIN_FILENO)
        close(b->fd);
    b->map = NULL;
    b->fd = -1;
}

size_t bytes_read(struct bytes *b, void *buffer, size_t count)
{
    size_t got = b->peeked_count < count ? b->peeked_count : count;
    memcpy(buffer, b->peeked, got);
    b->peeked_count -= got;
    memmove(b->peeked, b->peeked + got, b->peeked_count);
    while (got < count) {
        size_t want = count - got < (size_t)1 << 30 ? count - got : (size_t)1 << 30;
        ssize_t r = read(b->fd, (char *)buffer + got, want);
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0)
            die_bad("%s: %s", b->name, strerror(errno));
        if (r == 0)
            break;
        got += (size_t)r;
    }
    if (b->regular)
        b->left -= got < b->left ? got : b->left;
    return got;
}

size_t bytes_peek(struct bytes *b, void *buffer, size_t count)
{
    unsigned char seen[sizeof b->peeked];
    uint64_t left = b->left;
    size_t got = bytes_read(b, seen, count);
    memcpy(b->peeked, seen, got); /* count is at least what an earlier peek left there */
    b->peeked_count = got;
    b->left = left;
    memcpy(buffer, seen, got);
    return got;
}

const void *bytes_map(struct bytes *b)
{
    if (b->left == 0)
        return NULL;
    off_t at = lseek(b->fd, 0, SEEK_CUR) - (off_t)b->peeked_count;
    off_t slack = at % (off_t)sysconf(_SC_PAGESIZE);
    if (b->left > SIZE_MAX - (uint64_t)slack)
        die_bad("%s: too large for this machine", b->name);
    b->map_size = (size_t)b->left + (size_t)slack;
    b->map = mmap(NULL, b->map_size, PROT_READ, MAP_PRIVATE, b->fd, at - slack);
    if (b->map == MAP_FAILED) {
        b->map = NULL;
        die_bad("%s: cannot map the file: %s", b->name, strerror(errno));
    }
    return (const char *)b->map + slack;
}

void bytes_spool(struct bytes *b)
{
    int fd = temporary_open(b->name);
    uint64_t total = 0;
    static char buffer[1 << 16];
    for (size_t got; (got = bytes_read(b, buffer, sizeof buffer)) > 0; total += got)
        temporary_write(fd, b->name, buffer, got);
    bytes_become(b, fd, total);
}

void bytes_become(struct bytes *b, int fd, uint64_t total)
{
    if (lseek(fd, 0, SEEK_SET) != 0)
        die_bad("%s: cannot read back a temporary file: %s", b->name, strerror(errno));
    bytes_close(b);
    b->fd = fd;
    b->regular = true;
    b->left = total;
    b->peeked_count = 0;
}
