/* text.c - numbers in a text: one record a line; fields between commas (.csv) or blanks. */
#include "input.h"
#include "message.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_LINE = 1 << 26 };

enum separator { COMMAS, BLANKS, COMMAS_OR_BLANKS };

struct text {
    enum separator separator;
    int64_t column; /* -1: the only one */
    uint64_t skip;
    uint64_t line; /* number of the current one, from 1 */
    /* in->lines: [start, end) is read, but not used yet; room + 1 bytes, the last for a NUL */
    size_t start, end, room;
    bool at_end;
};

/* ---- lines ------------------------------------------------------------------------------------
 */

/* The next line, its end excluded. false: no more lines. */
static bool next_line(struct input *in, char **line, size_t *length)
{
    struct text *t = in->reader;
    size_t searched = 0;
    for (;;) {
        char *from = in->lines + t->start;
        size_t have = t->end - t->start;
        char *newline = memchr(from + searched, '\n', have - searched);
        if (newline || (t->at_end && have > 0)) {
            *line = from;
            *length = newline ? (size_t)(newline - from) : have;
            t->start += *length + (newline ? 1 : 0);
            t->line++;
            if (*length > 0 && from[*length - 1] == '\r')
                --*length;
            return true;
        }
        if (t->at_end)
            return false;
        searched = have;
        memmove(in->lines, from, have);
        t->start = 0;
        t->end = have;
        if (have == t->room) {
            if (t->room >= MAX_LINE)
                die_bad("%s: line %llu is longer than %d bytes: this is no text with one record a "
                        "line",
                        in->name, (unsigned long long)t->line + 1, MAX_LINE);
            t->room *= 2;
            in->lines = need_more_memory(in->lines, t->room + 1);
        }
        size_t got = bytes_read(&in->bytes, in->lines + t->end, t->room - t->end);
        t->end += got;
        t->at_end = got == 0;
    }
}

/* ---- fields -----------------------------------------------------------------------------------
 */

struct field {
    char *start, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct field trimmed(char *start, char *end)
{
    while (start < end && is_blank(*start))
        start++;
    while (start < end && is_blank(end[-1]))
        end--;
    return (struct field){start, end};
}

/* Finds the field with this number. Returns how many fields were seen: wanted + 1 where it is
 * there, and wanted + 2 where others follow it. line is trimmed and not empty. */
static int64_t find_field(struct field line, bool commas, int64_t wanted, struct field *found)
{
    int64_t count = 0;
    char *at = line.start;
    for (;;) {
        char *end = at;
        if (commas) {
            char *comma = memchr(at, ',', (size_t)(line.end - at));
            end = comma ? comma : line.end;
        } else {
            while (end < line.end && !is_blank(*end))
                end++;
        }
        if (count++ == wanted)
            *found = trimmed(at, end);
        else if (count > wanted)
            return count;
        if (end == line.end)
            return count;
        at = end + 1;
        while (!commas && is_blank(*at))
            at++;
    }
}

/* What stood there, safe to print: at most 40 bytes, odd ones as \xHH. */
static const char *shown(struct field f)
{
    static char text[200];
    char *to = text;
    for (char *c = f.start; c < f.end; c++) {
        if (c - f.start == 40) {
            memcpy(to, "...", 3);
            to += 3;
            break;
        }
        unsigned char b = (unsigned char)*c;
        if (b >= 0x20 && b < 0x7f) {
            *to++ = *c;
        } else {
            static const char digits[] = "0123456789abcdef";
            *to++ = '\\';
            *to++ = 'x';
            *to++ = digits[b >> 4];
            *to++ = digits[b & 15];
        }
    }
    *to = '\0';
    return text;
}

/* false: it is no number. The byte behind the field is overwritten. */
static bool parse_number(struct field f, enum dtype type, void *value)
{
    char *p = f.start;
    if (p < f.end && (*p == '+' || *p == '-'))
        p++;
    /* strtod() would also take leading white space and "nan(...)" */
    if (p == f.end || !strchr("0123456789.iInN", *p) || memchr(p, '(', (size_t)(f.end - p)))
        return false;
    char *stop;
    *f.end = '\0';
    number_store(type, number_from_text(f.start, &stop, type), value);
    return stop == f.end;
}

static void take_record(struct input *in, struct field line, void *value)
{
    const struct text *t = in->reader;
    unsigned long long number = t->line;
    bool commas =
        t->separator == COMMAS || (t->separator == COMMAS_OR_BLANKS &&
                                   memchr(line.start, ',', (size_t)(line.end - line.start)));
    int64_t wanted = t->column < 0 ? 0 : t->column;
    struct field f = {NULL, NULL};
    int64_t count = find_field(line, commas, wanted, &f);
    if (count <= wanted)
        die_bad("%s: line %llu, column %lld: missing; the line has %lld field%s: '%s'", in->name,
                number, (long long)wanted, (long long)count, count == 1 ? "" : "s", shown(line));
    if (t->column < 0 && count > 1)
        die_bad("%s: line %llu, column 1: there are several fields, say which one with --column K "
                "(from 0): '%s'",
                in->name, number, shown(line));
    if (f.start == f.end)
        die_bad("%s: line %llu, column %lld: the field is empty: '%s'", in->name, number,
                (long long)wanted, shown(line));
    /* The byte behind the field may be the next line's first where there is no line end: the
     * buffer has one byte more for that. */
    char behind = *f.end;
    bool ok = parse_number(f, in->dtype, value);
    *f.end = behind;
    if (!ok)
        die_bad("%s: line %llu, column %lld: '%s' is not a number", in->name, number,
                (long long)wanted, shown(f));
}

static size_t read_text(struct input *in, void *buffer, size_t max)
{
    struct text *t = in->reader;
    size_t count = 0, length;
    char *line;
    while (count < max && next_line(in, &line, &length)) {
        struct field record = trimmed(line, line + length);
        if (t->line <= t->skip || record.start == record.end || *line == '#')
            continue;
        take_record(in, record, (char *)buffer + count * in->size);
        count++;
    }
    return count;
}

void text_open(struct input *in, const struct file_options *options)
{
    in->dtype = options->dtype == DTYPE_NONE ? DTYPE_F64 : options->dtype;
    if (dtype_is_complex(in->dtype))
        die_bad(
            "%s: a text holds real numbers, one a record, and --dtype says %s; complex data come "
            "as .npy, or raw with --format raw",
            in->name, dtype_row(in->dtype)->name);
    in->size = dtype_row(in->dtype)->size;
    in->read = read_text;

    const char *dot = strrchr(in->name, '.');
    struct text *t = need_memory(sizeof *t);
    *t = (struct text){.column = options->column, .skip = options->skip_lines, .room = 1 << 16};
    t->separator = !dot                           ? COMMAS_OR_BLANKS
                   : strcasecmp(dot, ".csv") == 0 ? COMMAS
                   : strcasecmp(dot, ".txt") == 0 || strcasecmp(dot, ".dat") == 0
                       ? BLANKS
                       : COMMAS_OR_BLANKS;
    in->lines = need_memory(t->room + 1);
    in->reader = t;
}
