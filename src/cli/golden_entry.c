#include "golden_entry.h"

#include "golden_number.h"
#include "message.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

/* Labels stand before numbers that nobody could tell apart otherwise. */
static const struct {
    const char *name, *label;
} fields[GOLDEN_FIELDS] = {
    [GOLDEN_BITS] = {"bits", ""},
    [GOLDEN_DECIMAL] = {"decimal", ""},
    [GOLDEN_OP] = {"op", ""},
    [GOLDEN_LEVEL] = {"level", ""},
    [GOLDEN_TYPE] = {"type", ""},
    [GOLDEN_SHAPE] = {"shape", ""},
    [GOLDEN_N] = {"n", "n="},
    [GOLDEN_MIN] = {"min", "min="},
    [GOLDEN_MAX] = {"max", "max="},
    [GOLDEN_NONFINITE] = {"nonfinite", "nonfinite="},
    [GOLDEN_OPTIONS] = {"options", "options="},
    [GOLDEN_PATHS] = {"path", ""},
};

const char *golden_field_name(enum golden_field field)
{
    return fields[field].name;
}

static char *copy(const char *text, size_t length)
{
    char *c = need_memory(length + 1);
    memcpy(c, text, length);
    c[length] = '\0';
    return c;
}

void golden_set(struct golden_entry *e, enum golden_field field, const char *text)
{
    free(e->field[field]);
    e->field[field] = copy(text, strlen(text));
}

void golden_clear(struct golden_entry *e)
{
    for (int f = 0; f < GOLDEN_FIELDS; f++)
        free(e->field[f]);
    *e = (struct golden_entry){{NULL}};
}

const struct operation *golden_operation(const char *name)
{
    /* every reduction has a level on the command line, and no other operation of one or two files
     */
    const struct operation *op = operation_find(name);
    bool reduces = op && (op->options & OPTION_BIT(OPTION_ACCURACY)) && op->max_files <= 2;
    return reduces && op->run ? op : NULL;
}

uint64_t golden_options(void)
{
    return OPTION_BIT(OPTION_WIDE) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_DTYPE) |
           OPTION_BIT(OPTION_SKIP_LINES) | OPTION_BIT(OPTION_COLUMN) |
           OPTION_BIT(OPTION_RESULT_TYPE) | OPTION_BIT(OPTION_STRIDE) | OPTION_BIT(OPTION_MASK) |
           OPTION_BIT(OPTION_MISSING) | OPTION_BIT(OPTION_WEIGHTS) | OPTION_BIT(OPTION_CONJ) |
           OPTION_BIT(OPTION_DDOF) | OPTION_BIT(OPTION_NAN);
}

/* ---- escapes ----------------------------------------------------------------------------------
 */

static bool is_plain(unsigned char c, const char *also)
{
    return c > ' ' && c != 0x7f && c != '%' && !strchr(also, c);
}

char *golden_encode(const char *text, const char *also)
{
    char *encoded = need_memory(3 * strlen(text) + 1), *to = encoded;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (is_plain(*c, also))
            *to++ = (char)*c;
        else
            to += sprintf(to, "%%%02X", *c);
    }
    *to = '\0';
    return encoded;
}

char *golden_decode(const char *text, size_t length, const char *also)
{
    char *decoded = need_memory(length + 1), *to = decoded;
    for (size_t i = 0; i < length; i++) {
        unsigned code;
        if (text[i] == '%' && i + 2 < length && sscanf(text + i + 1, "%2x", &code) == 1) {
            *to++ = (char)code;
            i += 2;
        } else {
            *to++ = text[i];
        }
    }
    *to = '\0';
    /* one way of writing each text, so that equal entries have equal lines */
    char *again = golden_encode(decoded, also);
    bool same = length > 0 && strlen(again) == length && memcmp(again, text, length) == 0;
    free(again);
    if (same)
        return decoded;
    free(decoded);
    return NULL;
}

/* ---- options and paths ------------------------------------------------------------------------
 */

static int option_of(const char *name)
{
    for (int id = 0; id < OPTION_COUNT; id++)
        if ((golden_options() & OPTION_BIT(id)) && strcmp(option_name(id), name) == 0)
            return id;
    return -1;
}

bool golden_each_option(const char *options, void (*found)(void *to, int id, const char *value),
                        void *to)
{
    uint64_t seen = 0;
    if (strcmp(options, "-") == 0)
        return true;
    for (const char *at = options;;) {
        size_t length = strcspn(at, ","), name_length = strcspn(at, ",=");
        char *name = copy(at, name_length), *value = NULL;
        int id = option_of(name);
        free(name);
        bool has_value = at[name_length] == '=';
        if (id < 0 || has_value != option_takes_value(id) || (seen & OPTION_BIT(id)))
            return false;
        seen |= OPTION_BIT(id);
        if (has_value) {
            value = golden_decode(at + name_length + 1, length - name_length - 1, ",=");
            if (!value)
                return false;
        }
        if (found)
            found(to, id, value);
        free(value);
        if (!at[length])
            return true;
        at += length + 1;
    }
}

int golden_paths(const char *paths, char *path[2])
{
    int count = 0;
    for (const char *at = paths; count < 2;) {
        size_t length = strcspn(at, " ");
        path[count] = golden_decode(at, length, "");
        if (path[count] && strcmp(path[count], "-") != 0) {
            count++;
            if (!at[length])
                return count;
        } else {
            free(path[count]);
            break;
        }
        at += length + 1;
    }
    while (count > 0)
        free(path[--count]);
    return 0;
}

/* ---- what each field may hold -----------------------------------------------------------------
 */

static bool is_count(const char *text)
{
    char *end, again[32];
    unsigned long long v = strtoull(text, &end, 10);
    snprintf(again, sizeof again, "%llu", v);
    return strcmp(text, again) == 0;
}

void golden_shape(const struct shape *shape, char text[GOLDEN_SHAPE_TEXT])
{
    char *to = text;
    shape_text(shape, text, GOLDEN_SHAPE_TEXT);
    for (const char *from = text; *from; from++)
        if (*from != ' ')
            *to++ = *from;
    *to = '\0';
}

static bool is_shape(const char *text)
{
    struct shape shape = {0};
    const char *at = text + (*text == '(');
    while (*at >= '0' && *at <= '9' && shape.dimensions < MAX_DIMENSIONS) {
        char *end;
        shape.extent[shape.dimensions++] = strtoull(at, &end, 10);
        at = end + (*end == ',');
    }
    char again[GOLDEN_SHAPE_TEXT];
    golden_shape(&shape, again);
    return strcmp(text, again) == 0;
}

static bool is_level(const char *text)
{
    static const char *const levels[] = {"-", "tree", "kahan", "compensated", "exact"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strcmp(text, levels[i]) == 0)
            return true;
    return false;
}

/* Whether bits and decimal are one number, or one of two for each part of a complex result. */
static bool are_one_result(const char *bits, const char *decimal, enum dtype dtype)
{
    if (strcmp(bits, "-") == 0) /* an index */
        return is_count(decimal);
    for (int part = 0; part < 2; part++) {
        size_t length = strcspn(bits, ","), decimal_length = strcspn(decimal, ",");
        char expected[VALUE_TEXT];
        if (!golden_decimal(bits, length, dtype, expected) || strlen(expected) != decimal_length ||
            memcmp(expected, decimal, decimal_length) != 0)
            return false;
        bits += length;
        decimal += decimal_length;
        if (!*bits && !*decimal)
            return true;
        if (!*bits++ || !*decimal++)
            return false;
    }
    return false;
}

struct option_check {
    const struct operation *op;
    bool good;
};

static void check_option(void *to, int id, const char *value)
{
    struct option_check *check = to;
    (void)value;
    check->good = check->good && (check->op->options & OPTION_BIT(id));
}

/* What is wrong with an entry; NULL where nothing is. */
static const char *wrong(const struct golden_entry *e)
{
    char *const *f = e->field;
    const struct operation *op = golden_operation(f[GOLDEN_OP]);
    enum dtype dtype = dtype_from_name(f[GOLDEN_TYPE]);
    if (!op)
        return "its operation is unknown";
    if (!is_level(f[GOLDEN_LEVEL]))
        return "its level is unknown";
    if (dtype == DTYPE_NONE)
        return "its type is unknown";
    if (!are_one_result(f[GOLDEN_BITS], f[GOLDEN_DECIMAL], dtype))
        return "its bits and its decimal are not one number";
    if (!is_shape(f[GOLDEN_SHAPE]))
        return "its shape is none";
    if (!is_count(f[GOLDEN_N]) || !is_count(f[GOLDEN_NONFINITE]))
        return "a count is no whole number";
    char bits[VALUE_TEXT];
    bool no_extremes = strcmp(f[GOLDEN_MIN], "-") == 0 && strcmp(f[GOLDEN_MAX], "-") == 0;
    if (no_extremes != dtype_is_complex(dtype))
        return "its min and max do not go with its type: complex data have none";
    if (!no_extremes &&
        !(golden_bits(f[GOLDEN_MIN], dtype, bits) && golden_bits(f[GOLDEN_MAX], dtype, bits)))
        return "its min or max is not the shortest decimal of a number of its type";
    struct option_check check = {op, true};
    if (!golden_each_option(f[GOLDEN_OPTIONS], check_option, &check) || !check.good)
        return "an option is unknown, comes twice, is no option of its operation or lacks its "
               "value";
    char *path[2];
    int count = golden_paths(f[GOLDEN_PATHS], path);
    for (int i = 0; i < count; i++)
        free(path[i]);
    if (count == 0)
        return "a blank or other odd character in its path is not written as %20 and so on";
    if (count < op->min_files || count > op->max_files)
        return "it has too few or too many paths for its operation";
    return NULL;
}

/* ---- lines ------------------------------------------------------------------------------------
 */

bool golden_parse(struct golden_entry *e, const char *line, char *problem, size_t size)
{
    static const char remedy[] = "restore it, or remove it and record it anew";
    const char *at = line;
    *e = (struct golden_entry){{NULL}};
    for (int f = 0; f < GOLDEN_FIELDS; f++) {
        const char *label = fields[f].label;
        size_t label_length = strlen(label);
        size_t length = f == GOLDEN_PATHS ? strlen(at) : strcspn(at, " ");
        if (length <= label_length || memcmp(at, label, label_length) != 0 ||
            (f != GOLDEN_PATHS && !at[length])) {
            snprintf(problem, size, "no entry: field %d should be %s%s; %s", f + 1, fields[f].name,
                     *label ? ", after its label" : "", remedy);
            golden_clear(e);
            return false;
        }
        e->field[f] = copy(at + label_length, length - label_length);
        at += length + (f != GOLDEN_PATHS);
    }
    const char *reason = wrong(e);
    if (reason) {
        snprintf(problem, size, "no entry: %s; %s", reason, remedy);
        golden_clear(e);
    }
    return !reason;
}

char *golden_line(const struct golden_entry *e)
{
    size_t size = 1;
    for (int f = 0; f < GOLDEN_FIELDS; f++)
        size += strlen(fields[f].label) + strlen(e->field[f]) + 1;
    char *line = need_memory(size), *to = line;
    for (int f = 0; f < GOLDEN_FIELDS; f++)
        to += sprintf(to, "%s%s%s", f ? " " : "", fields[f].label, e->field[f]);
    return line;
}
