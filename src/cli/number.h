/* number.h - numbers of the real types: from text, and in their own bytes. A number is handed
 * around as a double, which holds those of every type exactly. */
#ifndef SAMESUM_CLI_NUMBER_H
#define SAMESUM_CLI_NUMBER_H

#include "dtype.h"

/* Rounds a decimal (or hexadecimal number, nan, inf) at text to the nearest number of the type, in
 * one step: by way of a wider type some would be rounded twice. *end receives where it ends, or
 * text where there is none; it may be NULL. Leading white space is skipped, as by strtod(). */
double number_from_text(const char *text, char **end, enum dtype type);
/* The number of that type in the bytes at from; and the bytes of a number of that type. */
double number_load(enum dtype type, const void *from);
void number_store(enum dtype type, double number, void *to);

#endif
