/* golden_entry.h - one entry of a golden file: its fields as text, as docs/golden-format.md
 * describes them. */
#ifndef SAMESUM_CLI_GOLDEN_ENTRY_H
#define SAMESUM_CLI_GOLDEN_ENTRY_H

#include "input.h"
#include "ops.h"

#include <stdint.h>
#include <stdio.h>

/* In the order of the line. */
enum golden_field {
    GOLDEN_BITS,
    GOLDEN_DECIMAL,
    GOLDEN_OP,
    GOLDEN_LEVEL,
    GOLDEN_TYPE,
    GOLDEN_SHAPE,
    GOLDEN_N,
    GOLDEN_MIN,
    GOLDEN_MAX,
    GOLDEN_NONFINITE,
    GOLDEN_OPTIONS,
    GOLDEN_PATHS, /* relative to the golden file's folder, encoded */
    GOLDEN_FIELDS
};

/* Each field is a string of its own, without its label; NULL where it is not known yet. */
struct golden_entry {
    char *field[GOLDEN_FIELDS];
};

/* "bits", "decimal", ... */
const char *golden_field_name(enum golden_field field);
/* Copies text into a field. */
void golden_set(struct golden_entry *e, enum golden_field field, const char *text);
/* Frees the fields. */
void golden_clear(struct golden_entry *e);

/* The operation of that name that entries can be made of; NULL where there is none. */
const struct operation *golden_operation(const char *name);
/* The options (OPTION_BITs) that change a result and are recorded with it. */
uint64_t golden_options(void);

enum { GOLDEN_SHAPE_TEXT = 24 * MAX_DIMENSIONS };
/* "()", "(10,)" or "(2,3)": without blanks. */
void golden_shape(const struct shape *shape, char text[GOLDEN_SHAPE_TEXT]);

/* Reads a line (without its end) into *e. Where it is no entry that this program writes, returns
 * false and says why in problem (size bytes), with a remedy. */
bool golden_parse(struct golden_entry *e, const char *line, char *problem, size_t size);
/* The line of an entry, without its end; to be freed. */
char *golden_line(const struct golden_entry *e);

/* Text in which blanks, control characters, % and those of `also` are written as %20 and so on; to
 * be freed. */
char *golden_encode(const char *text, const char *also);
/* The opposite; NULL where text of that length is nothing that golden_encode() writes. */
char *golden_decode(const char *text, size_t length, const char *also);

/* Calls found() with each option of the field GOLDEN_OPTIONS and its value, decoded (NULL where it
 * takes none). Returns false where the field is malformed. */
bool golden_each_option(const char *options, void (*found)(void *to, int id, const char *value),
                        void *to);
/* Splits the field GOLDEN_PATHS into up to 2 decoded paths, to be freed. Returns their number, 0
 * where the field is malformed. */
int golden_paths(const char *paths, char *path[2]);

#endif
