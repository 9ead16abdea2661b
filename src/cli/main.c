/* main.c - the program samesum: reads the command line and hands over to the operation. */
#include "message.h"
#include "ops.h"
#include "options.h"

int main(int argc, char **argv)
{
    /* setlocale() is never called: numbers are read and printed in the C locale everywhere. */
    static struct request request; /* what it points to stays in use until the end */
    options_read(&request, argc, argv);
    int status = request.op->run(&request);
    finish_stdout();
    return status;
}
