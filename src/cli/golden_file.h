/* golden_file.h - a golden file: a header line, then entries, comments and empty lines. */
#ifndef SAMESUM_CLI_GOLDEN_FILE_H
#define SAMESUM_CLI_GOLDEN_FILE_H

#include "golden_entry.h"

#include <sys/types.h>

struct golden_line {
    char *text; /* without its end */
    bool is_entry;
    struct golden_entry entry;
    char *problem; /* why a line that should be an entry is none; else NULL */
};

struct golden_file {
    const char *name; /* as on the command line */
    char *path;       /* the file itself, behind symbolic links */
    char *folder;     /* which it lies in; its paths start from there */
    mode_t mode;
    struct golden_line *lines; /* line i + 1 of the file */
    size_t count, entries, problems;
};

/* Reads a golden file. Lines that are no entries are kept with what is wrong with them; what is no
 * golden file of this format and arithmetic at all ends the program with EXIT_BAD. */
void golden_read(struct golden_file *g, const char *name);
/* Prepares an empty golden file, to be written as name. Ends the program with EXIT_BAD where a file
 * of that name is there, or its folder is not. */
void golden_new(struct golden_file *g, const char *name);
/* Frees it, with its entries. */
void golden_close(struct golden_file *g);
/* Adds an entry, which is not copied, as the last line. */
void golden_add(struct golden_file *g, const struct golden_entry *entry);
/* Says which lines say the same thing as an earlier one, in their problem. */
void golden_find_duplicates(struct golden_file *g);
/* Writes all lines to the file, whole or not at all. Ends the program with EXIT_BAD where that
 * fails; the file is then as it was. */
void golden_write(const struct golden_file *g);

/* The way from the golden file's folder to a file, to be freed. Ends the program with EXIT_BAD
 * where the file's folder cannot be found. */
char *golden_relative(const struct golden_file *g, const char *name);

#endif
