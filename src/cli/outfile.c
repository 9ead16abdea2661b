#include "outfile.h"

#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Noreturn void die_write(struct outfile *f, const char *what)
{
    int error = errno;
    if (f->temporary[0])
        unlink(f->temporary);
    die_bad("%s: cannot %s: %s", f->name, what, strerror(error));
}

void outfile_open(struct outfile *f, const char *name)
{
    *f = (struct outfile){.name = name};
    if (!realpath(name, f->target))
        snprintf(f->target, sizeof f->target, "%s", name);
    struct stat s;
    bool there = stat(f->target, &s) == 0;
    if (there && !S_ISREG(s.st_mode)) { /* a device or a pipe, which is not to be replaced */
        f->fd = open(f->target, O_WRONLY | O_CLOEXEC);
        if (f->fd < 0)
            die_write(f, "write");
        return;
    }
    int length = snprintf(f->temporary, sizeof f->temporary, "%s.XXXXXX", f->target);
    errno = ENAMETOOLONG;
    f->fd = length < (int)sizeof f->temporary ? mkostemp(f->temporary, O_CLOEXEC) : -1;
    if (f->fd < 0) {
        f->temporary[0] = '\0';
        die_write(f, "write");
    }
    /* mkostemp() lets the owner alone in */
    mode_t mask = umask(0);
    umask(mask);
    fchmod(f->fd, there ? s.st_mode & 0777 : 0666 & ~mask);
}

void outfile_write(struct outfile *f, const void *data, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t w = write(f->fd, (const char *)data + done, count - done);
        if (w < 0 && errno != EINTR)
            die_write(f, "write");
        done += w > 0 ? (size_t)w : 0;
    }
}

void outfile_close(struct outfile *f)
{
    if (close(f->fd) != 0)
        die_write(f, "write");
    if (f->temporary[0] && rename(f->temporary, f->target) != 0)
        die_write(f, "write");
}
