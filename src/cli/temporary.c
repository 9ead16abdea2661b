#include "temporary.h"

#include "message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int temporary_open(const char *name)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder)
        folder = "/tmp";
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/samesum-XXXXXX", folder);
    errno = ENAMETOOLONG;
    int fd = length < (int)sizeof path ? mkstemp(path) : -1;
    if (fd < 0)
        die_bad("%s: cannot make a temporary file in %s: %s", name, folder, strerror(errno));
    unlink(path);
    return fd;
}

void temporary_write(int fd, const char *name, const void *data, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t w = write(fd, (const char *)data + done, count - done);
        if (w < 0 && errno != EINTR)
            die_bad("%s: cannot write to a temporary file: %s", name, strerror(errno));
        done += w > 0 ? (size_t)w : 0;
    }
}
