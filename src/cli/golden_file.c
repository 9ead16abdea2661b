#include "golden_file.h"

#include "bytes.h"
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT_VERSION = 1, LONGEST_LINE = 1 << 16, LARGEST_FILE = 1 << 26, MOST_PROBLEMS = 1000 };

/* ---- names ------------------------------------------------------------------------------------
 */

static char *join(const char *folder, const char *separator, const char *name)
{
    size_t size = strlen(folder) + strlen(separator) + strlen(name) + 1;
    char *path = need_memory(size);
    snprintf(path, size, "%s%s%s", folder, separator, name);
    return path;
}

/* The folder that name lies in, without symbolic links, to be freed; *last is the rest of name. */
static char *folder_of(const char *name, const char **last)
{
    const char *slash = strrchr(name, '/');
    *last = slash ? slash + 1 : name;
    char *folder = join(slash ? name : ".", "", "");
    if (slash)
        folder[slash == name ? 1 : slash - name] = '\0';
    char *real = realpath(folder, NULL);
    if (!real)
        die_bad("%s: the folder %s: %s", name, folder, strerror(errno));
    free(folder);
    return real;
}

char *golden_relative(const struct golden_file *g, const char *name)
{
    const char *last;
    char *folder = folder_of(name, &last);
    /* what both folders have in common, up to a slash */
    size_t common = 0;
    const char *from = strcmp(g->folder, "/") == 0 ? "" : g->folder;
    const char *to = strcmp(folder, "/") == 0 ? "" : folder;
    for (size_t i = 0;; i++) {
        bool from_ends = !from[i] || from[i] == '/', to_ends = !to[i] || to[i] == '/';
        if (from_ends && to_ends)
            common = i;
        if (from[i] != to[i] || !from[i])
            break;
    }
    char *way = join("", "", "");
    for (const char *c = from + common; *c; c++)
        if (*c == '/') {
            char *longer = join("../", "", way);
            free(way);
            way = longer;
        }
    const char *down = to[common] ? to + common + 1 : "";
    char *start = join(way, down, *down ? "/" : "");
    char *whole = join(start, "", last);
    if (strcmp(whole, "-") == 0) { /* not standard input */
        free(whole);
        whole = join(".", "/", "-");
    }
    free(start);
    free(way);
    free(folder);
    return whole;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* All bytes of the file, with a zero behind them. */
static char *read_all(struct golden_file *g, size_t *size)
{
    struct bytes bytes;
    struct stat s;
    if (strcmp(g->name, "-") == 0)
        die_usage("golden: give the golden file by its name; paths in it start from its folder");
    if (stat(g->name, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode))
        die_bad("%s: is no regular file; keep golden files on disk", g->name); /* nor waited for */
    bytes_open(&bytes, g->name);
    if (fstat(bytes.fd, &s) != 0)
        die_bad("%s: %s", g->name, strerror(errno));
    g->mode = s.st_mode & 07777;
    if (s.st_size > LARGEST_FILE)
        die_bad("%s: is no golden file: it is too large for one", g->name);
    char *text = need_memory((size_t)s.st_size + 1);
    *size = bytes_read(&bytes, text, (size_t)s.st_size);
    text[*size] = '\0';
    bytes_close(&bytes);
    return text;
}

static void check_header(const struct golden_file *g, const char *line)
{
    static const char remedy[] = "record it anew with samesum golden record";
    char expected[80];
    int format, arithmetic, length = 0;
    if (sscanf(line, "samesum-golden format=%9d arithmetic=%9d%n", &format, &arithmetic, &length) !=
            2 ||
        (line[length] && strcmp(line + length, "\r") != 0))
        die_bad("%s: line 1: is no golden file: it does not begin with 'samesum-golden format=%d "
                "arithmetic=%d'; make one with samesum golden record",
                g->name, FORMAT_VERSION, samesum_arithmetic_version());
    if (format != FORMAT_VERSION)
        die_bad("%s: line 1: its format version is %d, and this program reads version %d; %s",
                g->name, format, FORMAT_VERSION, remedy);
    if (arithmetic != samesum_arithmetic_version())
        die_bad("%s: line 1: its arithmetic version is %d, and this program computes by version "
                "%d, which may give other bits; %s",
                g->name, arithmetic, samesum_arithmetic_version(), remedy);
    if (line[length])
        die_bad("%s: line 1: lines end with CRLF; convert the file (dos2unix), and keep git from "
                "changing it with '*.golden -text' in .gitattributes",
                g->name);
    snprintf(expected, sizeof expected, "samesum-golden format=%d arithmetic=%d", format,
             arithmetic);
    if (strcmp(line, expected) != 0)
        die_bad("%s: line 1: should read '%s'", g->name, expected);
}

static struct golden_line *new_line(struct golden_file *g)
{
    if ((g->count & (g->count - 1)) == 0) /* full: at each power of two */
        g->lines = need_more_memory(g->lines, (g->count ? 2 * g->count : 1) * sizeof *g->lines);
    struct golden_line *line = &g->lines[g->count++];
    *line = (struct golden_line){.text = NULL};
    return line;
}

/* Takes a line of length bytes; ended: a line end stands behind it. */
static void add_line(struct golden_file *g, const char *text, size_t length, bool ended)
{
    struct golden_line *line = new_line(g);
    char problem[400] = "";
    line->text = need_memory(length + 1);
    memcpy(line->text, text, length);
    line->text[length] = '\0';
    bool comment = text[0] == '#' && (length == 1 || text[1] == ' ');
    bool blank = length == 0;
    bool control = false;
    for (size_t i = 0; i < length; i++)
        control = control || ((unsigned char)text[i] < ' ' && text[i] != '\t') || text[i] == 0x7f;

    if (length > LONGEST_LINE)
        snprintf(problem, sizeof problem, "longer than %d bytes, which no entry is; remove it",
                 LONGEST_LINE);
    else if (length && text[length - 1] == '\r')
        snprintf(problem, sizeof problem, "ends with CRLF; convert the file (dos2unix)");
    else if (control)
        snprintf(problem, sizeof problem, "holds control characters; restore it, or remove it");
    else if (!ended)
        snprintf(
            problem, sizeof problem,
            "does not end: the file was cut; restore it, or end the line where it is complete");
    else if (!comment && !blank)
        line->is_entry = golden_parse(&line->entry, line->text, problem, sizeof problem);
    if (*problem)
        line->problem = join(problem, "", "");
    g->problems += *problem != '\0';
    if (g->problems > MOST_PROBLEMS)
        die_bad("%s: more than %d lines are no entries; this is no golden file, or a damaged one: "
                "restore it",
                g->name, MOST_PROBLEMS);
    g->entries += line->is_entry;
}

void golden_read(struct golden_file *g, const char *name)
{
    const char *last;
    size_t size;
    *g = (struct golden_file){.name = name};
    char *text = read_all(g, &size);
    g->path = realpath(name, NULL);
    if (!g->path)
        die_bad("%s: %s", name, strerror(errno));
    g->folder = folder_of(g->path, &last);
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - (text + at)) : size - at;
        if (at == 0) {
            char *header = join("", "", "");
            header = need_more_memory(header, length + 1);
            memcpy(header, text, length);
            header[length] = '\0';
            check_header(g, strlen(header) == length ? header : "");
            new_line(g)->text = header;
        } else {
            add_line(g, text + at, length, end != NULL);
        }
        at += length + 1;
    }
    free(text);
    if (size == 0)
        check_header(g, "");
    if (g->entries + g->problems == 0)
        die_bad("%s: holds no entry, so there is nothing to check; make one with samesum golden "
                "record",
                name);
    golden_find_duplicates(g);
}

void golden_close(struct golden_file *g)
{
    for (size_t i = 0; i < g->count; i++) {
        free(g->lines[i].text);
        free(g->lines[i].problem);
        golden_clear(&g->lines[i].entry);
    }
    free(g->lines);
    free(g->path);
    free(g->folder);
}

/* ---- duplicates -------------------------------------------------------------------------------
 */

static const struct golden_line *lines; /* qsort() hands no context on */

static int compare_entries(const void *a, const void *b)
{
    static const enum golden_field what[] = {GOLDEN_PATHS, GOLDEN_OP, GOLDEN_LEVEL, GOLDEN_OPTIONS};
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    for (size_t f = 0; f < sizeof what / sizeof *what; f++) {
        int order = strcmp(lines[i].entry.field[what[f]], lines[k].entry.field[what[f]]);
        if (order)
            return order;
    }
    return 0;
}

static int compare_then_number(const void *a, const void *b)
{
    int order = compare_entries(a, b);
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    return order ? order : i < k ? -1 : i > k;
}

void golden_find_duplicates(struct golden_file *g)
{
    size_t *order = need_memory(g->entries * sizeof *order), n = 0;
    for (size_t i = 0; i < g->count; i++)
        if (g->lines[i].is_entry)
            order[n++] = i;
    lines = g->lines;
    qsort(order, n, sizeof *order, compare_then_number);
    size_t first = 0;
    for (size_t i = 1; i < n; i++) {
        if (compare_entries(&order[first], &order[i]) != 0) {
            first = i;
            continue;
        }
        struct golden_line *line = &g->lines[order[i]];
        char problem[100];
        snprintf(problem, sizeof problem, "the same entry as in line %zu; remove one of them",
                 order[first] + 1);
        line->problem = join(problem, "", "");
        line->is_entry = false;
        g->entries--;
        g->problems++;
    }
    free(order);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

void golden_new(struct golden_file *g, const char *name)
{
    const char *last;
    struct stat s;
    *g = (struct golden_file){.name = name};
    if (lstat(name, &s) == 0)
        die_bad("%s: is there already; samesum golden check %s --update records its entries anew, "
                "and to record others give another name or remove it first",
                name, name);
    g->folder = folder_of(name, &last);
    if (!*last)
        die_bad("%s: is a folder; give the name of a file", name);
    g->path = join(g->folder, "/", last);
    mode_t mask = umask(0);
    umask(mask);
    g->mode = 0666 & ~mask;
    char header[80];
    snprintf(header, sizeof header, "samesum-golden format=%d arithmetic=%d", FORMAT_VERSION,
             samesum_arithmetic_version());
    new_line(g)->text = join(header, "", "");
}

void golden_add(struct golden_file *g, const struct golden_entry *entry)
{
    struct golden_line *line = new_line(g);
    line->is_entry = true;
    line->entry = *entry;
    line->text = golden_line(entry);
    g->entries++;
}

static bool write_lines(int fd, const struct golden_file *g)
{
    FILE *out = fdopen(fd, "w");
    if (!out)
        return false;
    for (size_t i = 0; i < g->count; i++)
        if (fprintf(out, "%s\n", g->lines[i].text) < 0)
            break;
    bool good = fflush(out) == 0 && !ferror(out) && fchmod(fd, g->mode) == 0 && fsync(fd) == 0;
    int reason = errno;
    if (fclose(out) != 0 && good)
        return false;
    errno = reason;
    return good;
}

/* The new name lasts only once the folder has reached the disk; some file systems cannot tell. */
static void sync_folder(const struct golden_file *g)
{
    int fd = open(g->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

void golden_write(const struct golden_file *g)
{
    char *temporary = join(g->path, ".", "XXXXXX");
    int fd = mkstemp(temporary);
    bool good = fd >= 0 && write_lines(fd, g) && rename(temporary, g->path) == 0;
    if (!good) {
        int reason = errno;
        if (fd >= 0)
            unlink(temporary);
        die_bad("%s: cannot write it: %s; nothing was changed", g->name, strerror(reason));
    }
    sync_folder(g);
    free(temporary);
}
