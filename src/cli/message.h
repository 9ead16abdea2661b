/* message.h - how the program ends when it cannot do what was asked.
 *
 * The program computes everything before it prints, so it may end at any point before that: with
 * nothing on stdout, a message on stderr and one of these statuses. */
#ifndef SAMESUM_CLI_MESSAGE_H
#define SAMESUM_CLI_MESSAGE_H

#include <stddef.h>

enum {
    EXIT_DONE = 0, /* also when the result is NaN */
    EXIT_BAD = 1,  /* bad input, a failed check, or something that this machine lacks */
    EXIT_USAGE = 2 /* the command line makes no sense, or is not supported yet */
};

/* Prints "samesum: MESSAGE" on stderr and ends the program with EXIT_BAD or EXIT_USAGE. */
_Noreturn void die_bad(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program, on all ranks (ranks.h), with this status. */
_Noreturn void leave(int status);

/* Flushes stdout; a write error (a full disk, a closed stdout) ends the program with EXIT_BAD. */
void finish_stdout(void);

/* malloc and realloc that end the program with EXIT_BAD where there is no memory. */
void *need_memory(size_t bytes);
void *need_more_memory(void *old, size_t bytes);

#endif
