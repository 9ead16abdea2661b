/* main.c - the program samesum: reads the command line and hands over to the operation. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "message.h"
#include "ops.h"
#include "options.h"
#include "ranks.h"

/* A mapped file that another program shortens ends in SIGBUS where its pages are gone. */
static void file_shrank(int signal)
{
    static const char text[] =
        "samesum: a file became shorter while it was read; nothing was computed: keep it "
        "unchanged and try again\n";
    (void)signal;
    ssize_t unused = write(STDERR_FILENO, text, sizeof text - 1);
    (void)unused;
    _exit(EXIT_BAD);
}

/* Descriptors 0 to 2 that the caller closed are taken up, so that no file is opened as one of them;
 * they cannot be read from or written to, which then is reported. */
static void occupy_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) == -1)
            return;
}

int main(int argc, char **argv)
{
    /* setlocale() is never called: numbers are read and printed in the C locale everywhere. */
    occupy_standard_streams();
    signal(SIGBUS, file_shrank);
    signal(SIGXFSZ, SIG_IGN); /* the write fails instead, and says so */
    ranks_start(argc, argv);
    static struct request request; /* what it points to stays in use until the end */
    options_read(&request, argc, argv);
    int status = request.op->run(&request);
    finish_stdout();
    return ranks_end(status);
}
