#include "operands.h"

#include "message.h"
#include "ops.h"
#include "options.h"

#include <string.h>

/* ---- shapes -----------------------------------------------------------------------------------
 */

/* The other file has the shape of x, as far as it is known: texts and pipes are counted while they
 * are read, and are one-dimensional. */
static void check_shape(const struct input *x, const struct input *other, const char *rule)
{
    bool known = x->count_known && other->count_known;
    bool may_differ = (x->count_known && x->shape.dimensions != 1) ||
                      (other->count_known && other->shape.dimensions != 1);
    if (known ? shape_equal(&x->shape, &other->shape) : !may_differ)
        return;
    char a[256] = "(n,)", b[256] = "(n,)";
    if (x->count_known)
        shape_text(&x->shape, a, sizeof a);
    if (other->count_known)
        shape_text(&other->shape, b, sizeof b);
    die_bad("%s has the shape %s and %s the shape %s: %s", x->name, a, other->name, b, rule);
}

/* The weights have the data's shape, or are one for each index of the axis. */
static void check_weights(struct operands *o)
{
    const struct input *x = &o->in[ROLE_X], *w = &o->in[ROLE_WEIGHTS];
    o->spread = w->count_known && o->axis >= 0 && w->shape.dimensions == 1 &&
                w->n == x->shape.extent[o->axis];
    if (!o->spread)
        check_shape(x, w,
                    o->axis >= 0 ? "weights have the shape of the data or the axis's length"
                                 : "weights have the shape of the data");
}

static void set_axis(struct operands *o)
{
    const struct input *x = &o->in[ROLE_X];
    int64_t axis = o->request->axis, dimensions = x->shape.dimensions;
    if (axis < -dimensions || axis >= dimensions) {
        char shape[256];
        shape_text(&x->shape, shape, sizeof shape);
        die_bad("%s has the shape %s: there is no axis %lld", x->name, shape, (long long)axis);
    }
    o->axis = (int)(axis < 0 ? axis + dimensions : axis);
}

/* Looks at everything that depends on shapes, as soon as they are known. */
static void settle(struct operands *o)
{
    const struct input *x = &o->in[ROLE_X];
    if (x->count_known && o->request->given & OPTION_BIT(OPTION_AXIS))
        set_axis(o);
    if (o->used[ROLE_Y])
        check_shape(x, &o->in[ROLE_Y], "dot needs two files of one shape");
    if (o->used[ROLE_MASK])
        check_shape(x, &o->in[ROLE_MASK], "a mask has the shape of the data");
    if (o->used[ROLE_WEIGHTS] && x->count_known && o->in[ROLE_WEIGHTS].count_known)
        check_weights(o);
    if (!x->count_known)
        return;
    o->shape_known = true;
    o->shape = x->shape;
    o->n = x->n;
    const int64_t stride = o->request->stride;
    if (stride != 1) {
        uint64_t step = (uint64_t)(stride < 0 ? -stride : stride);
        o->n = x->n ? (x->n - 1) / step + 1 : 0;
        o->shape = shape_of(o->n);
    }
}

/* ---- the files --------------------------------------------------------------------------------
 */

static void open_one(struct operands *o, enum role role, const char *name)
{
    struct file_options options = o->request->file;
    if (role == ROLE_MASK)
        options = (struct file_options){.format = FORMAT_NPY, .column = -1, .mask = true};
    for (int k = 0; k < ROLES; k++) {
        if (!o->used[k])
            continue;
        if (strcmp(name, "-") == 0 && strcmp(o->in[k].name, "-") == 0)
            die_usage("standard input can be read only once: give %s two files",
                      o->request->op->name);
        if (bytes_is_pipe(&o->in[k].bytes, name))
            die_bad("%s and %s are the same pipe, which can be read only once", o->in[k].name,
                    name);
    }
    input_open(&o->in[role], name, &options);
    o->used[role] = true;
}

static void check_type(const struct operands *o, enum role role, const char *rule)
{
    const struct input *x = &o->in[ROLE_X], *other = &o->in[role];
    if (o->used[role] && x->dtype != other->dtype)
        die_bad("%s holds %s and %s holds %s: %s", x->name, dtype_row(x->dtype)->name, other->name,
                dtype_row(other->dtype)->name, rule);
}

/* --skip-lines and --column are for texts. */
static void check_text_options(const struct operands *o)
{
    const uint64_t text_options = OPTION_BIT(OPTION_SKIP_LINES) | OPTION_BIT(OPTION_COLUMN);
    bool text = false;
    for (int k = 0; k < ROLES; k++)
        text = text || (o->used[k] && o->in[k].format == FORMAT_TEXT);
    if (!text && (o->request->given & text_options))
        die_usage("--skip-lines and --column belong to text, and %s is not text",
                  o->in[ROLE_X].name);
}

/* Results never replace what they were made from. */
static void check_out_file(const struct operands *o)
{
    const char *out = o->request->out_file;
    for (int k = 0; out && k < ROLES; k++)
        if (o->used[k] && bytes_is_file(&o->in[k].bytes, out))
            die_bad("-o %s would replace %s, which is read; nothing was written, give another name",
                    out, o->in[k].name);
}

void operands_open(struct operands *o, const struct request *r)
{
    *o = (struct operands){.request = r, .axis = -1};
    open_one(o, ROLE_X, r->files[0]);
    if (r->file_count > 1)
        open_one(o, ROLE_Y, r->files[1]);
    if (r->weights)
        open_one(o, ROLE_WEIGHTS, r->weights);
    if (r->mask)
        open_one(o, ROLE_MASK, r->mask);
    check_out_file(o);
    check_text_options(o);
    check_type(o, ROLE_Y, "dot needs two files of one type");
    check_type(o, ROLE_WEIGHTS, "weights have the type of the data");
    settle(o);
}

void operands_close(struct operands *o)
{
    for (int k = 0; k < ROLES; k++)
        if (o->used[k])
            input_close(&o->in[k]);
}

bool operands_in_c_order(const struct operands *o)
{
    bool all = true;
    for (int k = 0; k < ROLES; k++)
        all = all && (!o->used[k] || o->in[k].mapped);
    return all;
}

bool operands_in_place(const struct operands *o)
{
    bool all = true;
    for (int k = 0; k < ROLES; k++)
        all = all && (!o->used[k] || o->in[k].mapped || o->in[k].fortran);
    return all;
}

void operands_gather(struct operands *o, size_t chunk)
{
    /* --stride goes through the elements in C order, which a Fortran order has no stride for */
    const bool reorder = o->request->stride != 1;
    for (int k = 0; k < ROLES; k++)
        if (o->used[k] && !o->in[k].mapped && (reorder || !o->in[k].fortran))
            input_gather(&o->in[k], chunk);
    settle(o);
}
