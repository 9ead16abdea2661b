#include "message.h"

#include "ranks.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void leave(int status)
{
    exit(ranks_end(status));
}

static void complain(const char *format, va_list arguments)
{
    fputs("samesum: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void die_bad(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    leave(EXIT_BAD);
}

void die_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    leave(EXIT_USAGE);
}

void finish_stdout(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        die_bad("cannot write to standard output: %s", errno ? strerror(errno) : "write error");
}

void *need_memory(size_t bytes)
{
    return need_more_memory(NULL, bytes);
}

void *need_more_memory(void *old, size_t bytes)
{
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p)
        die_bad("out of memory (%zu bytes wanted)", bytes);
    return p;
}
