/* golden_check.h - an entry next to the same entry computed anew. */
#ifndef SAMESUM_CLI_GOLDEN_CHECK_H
#define SAMESUM_CLI_GOLDEN_CHECK_H

#include "golden_file.h"
#include "golden_number.h"

enum golden_verdict {
    GOLDEN_MATCHES,
    GOLDEN_TOLERATED, /* differs, by no more than --tolerance */
    GOLDEN_DIFFERS,
    GOLDEN_UNREADABLE /* the line is no entry, or its file cannot be reduced */
};
enum { GOLDEN_VERDICTS = GOLDEN_UNREADABLE + 1 };

struct golden_check {
    size_t line; /* from 1 */
    enum golden_verdict verdict;
    /* what was recorded (the golden file's own), and what is computed; empty where unreadable */
    struct golden_entry old, now;
    char *reason;              /* why it is unreadable; else NULL */
    bool moved[GOLDEN_FIELDS]; /* which fields differ */
    /* of bits, min and max */
    enum golden_distance distance[GOLDEN_FIELDS];
    uint64_t ulps[GOLDEN_FIELDS];
};

struct golden_report {
    const struct golden_file *golden;
    struct golden_check *checks; /* one an entry, or line that should be one */
    size_t count, verdicts[GOLDEN_VERDICTS];
    uint64_t tolerance;
    bool update; /* what differs is recorded anew */
    bool passed; /* the exit status will be 0 */
};

/* Compares old and now of a check, and sets all else but line and reason. */
void golden_judge(struct golden_check *check, uint64_t tolerance);

/* Prints a report: a paragraph for all that does not match, and a summary in one line; that line
 * alone; or one JSON object on stdout. */
void golden_print_text(const struct golden_report *report, FILE *out);
void golden_print_summary(const struct golden_report *report, FILE *out);
void golden_print_json(const struct golden_report *report);

#endif
