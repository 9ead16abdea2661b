/* npy.c - NumPy's .npy files: format versions 1 to 3.
 *
 * The file: the magic "\x93NUMPY", two bytes of version, the length of the header (2 bytes in
 * version 1, else 4, little-endian), the header (a Python dictionary literal with the keys descr,
 * fortran_order and shape) and the elements. */
#include "input.h"
#include "message.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HEADER = 1 << 24, MAX_DESCR = 32 };

struct header {
    char descr[MAX_DESCR]; /* such as "<f8" */
    bool fortran;
    struct shape shape;
    bool has_descr, has_fortran, has_shape;
};

/* ---- the dictionary ---------------------------------------------------------------------------
 */

struct cursor {
    const char *at, *end;
    const char *name; /* of the file */
};

static _Noreturn void die_corrupt(const char *name, const char *what)
{
    die_bad("%s: not a valid .npy file: %s", name, what);
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && memchr(" \t\r\n", *c->at, 4))
        c->at++;
}

/* Takes the character where it comes next. */
static bool take(struct cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static void need(struct cursor *c, char wanted)
{
    if (!take(c, wanted))
        die_bad("%s: not a valid .npy file: '%c' is missing in the header", c->name, wanted);
}

static bool take_word(struct cursor *c, const char *word)
{
    skip_blanks(c);
    size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* A quoted string of fewer than size characters. */
static void take_string(struct cursor *c, char *text, size_t size)
{
    char quote = take(c, '\'') ? '\'' : '"';
    if (quote == '"')
        need(c, '"');
    size_t length = 0;
    while (c->at < c->end && *c->at != quote) {
        if (length + 1 == size || !isprint((unsigned char)*c->at) || *c->at == '\\')
            die_corrupt(c->name, "a string in the header is too long or has odd characters");
        text[length++] = *c->at++;
    }
    text[length] = '\0';
    need(c, quote);
}

static void take_shape(struct cursor *c, struct shape *shape)
{
    shape->dimensions = 0;
    need(c, '(');
    while (!take(c, ')')) {
        skip_blanks(c);
        uint64_t v = 0;
        const char *start = c->at;
        for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
            uint64_t digit = (uint64_t)(*c->at - '0');
            if (v > (INT64_MAX - digit) / 10)
                die_corrupt(c->name, "a number in the shape is too large");
            v = v * 10 + digit;
        }
        if (c->at == start)
            die_corrupt(c->name, "the shape holds something that is no number");
        take(c, 'L'); /* as Python 2 wrote long integers */
        if (shape->dimensions == MAX_DIMENSIONS)
            die_corrupt(c->name, "too many dimensions");
        shape->extent[shape->dimensions++] = v;
        if (!take(c, ',')) {
            if (shape->dimensions == 1)
                die_corrupt(c->name, "the shape is no tuple");
            need(c, ')');
            break;
        }
    }
}

static void parse(struct header *h, struct cursor *c)
{
    need(c, '{');
    while (!take(c, '}')) {
        char key[MAX_DESCR];
        take_string(c, key, sizeof key);
        need(c, ':');
        if (strcmp(key, "descr") == 0 && !h->has_descr) {
            h->has_descr = true;
            if (take(c, '['))
                die_bad("%s: records of several fields are not supported; save one field with "
                        "numpy, for example np.save('field.npy', a['name'])",
                        c->name);
            take_string(c, h->descr, sizeof h->descr);
        } else if (strcmp(key, "fortran_order") == 0 && !h->has_fortran) {
            h->has_fortran = true;
            h->fortran = take_word(c, "True");
            if (!h->fortran && !take_word(c, "False"))
                die_corrupt(c->name, "fortran_order is neither True nor False");
        } else if (strcmp(key, "shape") == 0 && !h->has_shape) {
            h->has_shape = true;
            take_shape(c, &h->shape);
        } else {
            die_bad("%s: not a valid .npy file: the key '%s' in the header is unknown or comes "
                    "twice",
                    c->name, key);
        }
        if (!take(c, ',')) {
            need(c, '}');
            break;
        }
    }
    skip_blanks(c);
    if (c->at != c->end)
        die_corrupt(c->name, "something follows the dictionary in the header");
    if (!h->has_descr || !h->has_fortran || !h->has_shape)
        die_corrupt(c->name, "descr, fortran_order or shape is missing in the header");
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static void read_header(struct input *in, struct header *h, bool mask)
{
    unsigned char start[12];
    size_t got = bytes_read(&in->bytes, start, 8);
    if (got == 0)
        die_corrupt(in->name, "it is empty");
    if (memcmp(start, "\x93NUMPY", got < 6 ? got : 6) != 0)
        die_corrupt(in->name, mask ? "it does not begin with \\x93NUMPY, and a mask is an .npy file"
                                   : "it does not begin with \\x93NUMPY; say with --format what it "
                                     "is");
    if (got < 8)
        die_corrupt(in->name, "it ends within the header");
    if (start[6] < 1 || start[6] > 3 || start[7] != 0)
        die_bad("%s: .npy format version %d.%d is unknown; 1.0, 2.0 and 3.0 are supported",
                in->name, start[6], start[7]);
    size_t width = start[6] == 1 ? 2 : 4;
    if (bytes_read(&in->bytes, start + 8, width) < width)
        die_corrupt(in->name, "it ends within the header");
    size_t length = 0;
    for (size_t i = 0; i < width; i++)
        length |= (size_t)start[8 + i] << (8 * i);
    if (length > MAX_HEADER)
        die_corrupt(in->name, "the header's length is not plausible");
    char *text = need_memory(length);
    if (bytes_read(&in->bytes, text, length) < length)
        die_corrupt(in->name, "it ends within the header");
    struct cursor c = {text, text + length, in->name};
    parse(h, &c);
    free(text);
}

/* Types that are not reduced, by how their codes begin: what they are in words (numpy's f16 is no
 * f16 of ours) and what makes numbers of them that are. */
#define CONVERT(how, load, type)                                                                   \
    how " with numpy: np.save('converted.npy', np.load(" load ").astype('" type "'))"
static const struct other_type {
    const char *code, *what, *remedy;
} other_types[] = {
    {"i", "integers", CONVERT("convert them", "...", "f8")},
    {"u", "integers", CONVERT("convert them", "...", "f8")},
    {"b", "booleans", CONVERT("convert them", "...", "f8")},
    {"f16", "16-byte long double", CONVERT("round it to f64", "...", "f8")},
    {"f12", "12-byte long double", CONVERT("round it to f64", "...", "f8")},
    {"c32", "pairs of 16-byte long double", CONVERT("round them to c128", "...", "c16")},
    {"c24", "pairs of 12-byte long double", CONVERT("round them to c128", "...", "c16")},
    {"S", "text", CONVERT("where it spells numbers, convert it", "...", "f8")},
    {"U", "text", CONVERT("where it spells numbers, convert it", "...", "f8")},
    {"O", "Python objects",
     CONVERT("where they are numbers, convert them", "..., allow_pickle=True", "f8")},
};
enum { OTHER_TYPES = sizeof other_types / sizeof *other_types };

/* NULL: a type that has no words here. */
static const struct other_type *other_type_of(const char *code)
{
    for (int i = 0; i < OTHER_TYPES; i++)
        if (strncmp(code, other_types[i].code, strlen(other_types[i].code)) == 0)
            return &other_types[i];
    return NULL;
}

static _Noreturn void die_type(const char *name, const char *descr, const char *code)
{
    const struct other_type *t = other_type_of(code);
    if (t)
        die_bad("%s: holds %s; %s", name, t->what, t->remedy);
    die_bad("%s: the type %s is not supported; convert it with numpy to f8 or f4 (astype)", name,
            descr);
}

/* The type of a code, or DTYPE_NONE. order: the byte order before it. */
static enum dtype type_of(const char *name, const char *code, char order,
                          const struct file_options *options)
{
    if (options->mask)
        return strcmp(code, "b1") == 0 || strcmp(code, "u1") == 0 ? DTYPE_MASK : DTYPE_NONE;
    enum dtype dtype = dtype_from_npy(code);
    if (dtype == DTYPE_BF16 && options->dtype == DTYPE_NONE)
        die_bad("%s: holds 2-byte elements of unknown kind (type V2); --dtype bf16 says that they "
                "are bf16",
                name);
    if (order == '|' && dtype != DTYPE_BF16)
        return DTYPE_NONE;
    if (dtype != DTYPE_NONE && options->dtype != DTYPE_NONE && options->dtype != dtype)
        die_bad("%s: --dtype %s contradicts the header, which says %s", name,
                dtype_row(options->dtype)->name,
                dtype == DTYPE_BF16 ? "V2, elements of 2 bytes that can only be bf16"
                                    : dtype_row(dtype)->name);
    return dtype;
}

/* The type and whether the elements are in the other byte order. */
static bool set_type(struct input *in, const char *descr, const struct file_options *options)
{
    const char *code = descr;
    char order = *code && strchr("<>=|", *code) ? *code++ : '=';
    in->dtype = type_of(in->name, code, order, options);
    if (in->dtype == DTYPE_NONE && options->mask) {
        const struct other_type *t = other_type_of(code);
        die_bad("%s: holds %s, and a mask is of bool or uint8: np.save('mask.npy', np.load(...) != "
                "0)",
                in->name, t ? t->what : descr);
    }
    if (in->dtype == DTYPE_NONE)
        die_type(in->name, descr, code);
    in->size = dtype_row(in->dtype)->size;
    const char other = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<';
    return order == other && in->size > 1;
}

void npy_open(struct input *in, const struct file_options *options)
{
    struct header h = {.has_descr = false};
    read_header(in, &h, options->mask);
    bool swap = set_type(in, h.descr, options);
    bool empty = false;
    for (int d = 0; d < h.shape.dimensions; d++)
        empty = empty || h.shape.extent[d] == 0;
    in->n = empty ? 0 : 1;
    for (int d = 0; d < h.shape.dimensions && !empty; d++) {
        if (h.shape.extent[d] > PTRDIFF_MAX / in->size / in->n)
            die_corrupt(in->name, "the shape is too large for this machine");
        in->n *= h.shape.extent[d];
    }
    in->count_known = true;
    in->shape = h.shape;
    array_open(in, swap, h.fortran);
}
