#include "grids.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *layout_name(enum layout layout)
{
    static const char *const names[LAYOUTS] = {"plain", "C",    "Fortran", "gaps",  "padded",
                                               "odd",   "back", "repeat",  "random"};
    return names[layout];
}

void grid_make(struct grid *grid, samesum_type type, int dims, const size_t *shape)
{
    memset(grid, 0, sizeof *grid);
    grid->elements = 1;
    for (int d = 0; d < dims; d++) {
        grid->shape[d] = shape[d];
        grid->elements *= shape[d];
    }
    grid->array.type = type;
    grid->array.dims = dims;
    grid->array.shape = grid->shape;
}

bool next_index(int dims, const size_t *shape, size_t *index)
{
    for (int d = dims - 1; d >= 0; d--) {
        if (++index[d] < shape[d]) {
            return true;
        }
        index[d] = 0;
    }
    return false;
}

bool grids_aligned;

/* Before the steps along an axis, in multiples of unit where it is odd; fastest: of the axis whose
 * elements lie closest together. */
static size_t gap_of(enum layout layout, size_t bytes, size_t unit, bool fastest)
{
    switch (layout) {
    case LAYOUT_GAPS:
        return bytes * (1 + random_below(2));
    case LAYOUT_PADDED:
        return fastest ? 0 : bytes * random_below(40);
    case LAYOUT_ODD:
        return (1 + 2 * random_below(4)) * unit;
    case LAYOUT_RANDOM:
        return random_below(2) ? bytes * random_below(2) : random_below(5) * unit;
    default:
        return 0;
    }
}

/* Chooses strides; sets how many bytes the operand spans and where in them its first element is. */
static void lay_out(const struct grid *grid, enum layout layout, size_t bytes, size_t unit,
                    ptrdiff_t *strides, size_t *span, size_t *origin)
{
    int dims = grid->array.dims, order[GRID_DIMS];
    for (int d = 0; d < dims; d++) { /* order[0] is the fastest axis */
        order[d] = layout == LAYOUT_FORTRAN ? d : dims - 1 - d;
    }
    for (int d = dims - 1; d > 0 && layout == LAYOUT_RANDOM; d--) {
        int other = (int)random_below((size_t)d + 1), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    size_t step = bytes, back = 0, last = 0;
    for (int i = 0; i < dims; i++) {
        int d = order[i];
        step += gap_of(layout, bytes, unit, i == 0);
        bool zero = (layout == LAYOUT_REPEAT && (i == 0 || random_below(2))) ||
                    (layout == LAYOUT_RANDOM && random_below(6) == 0);
        bool negative = layout == LAYOUT_BACK || (layout == LAYOUT_RANDOM && random_below(3) == 0);
        strides[d] = zero ? 0 : negative ? -(ptrdiff_t)step : (ptrdiff_t)step;
        if (!zero && grid->shape[d] > 0) {
            last += step * (grid->shape[d] - 1);
            back += negative ? step * (grid->shape[d] - 1) : 0;
            step *= grid->shape[d];
        }
    }
    *span = grid->elements == 0 ? 0 : last + bytes;
    *origin = grid->elements == 0 ? 0 : back;
}

/* Where element `index` lies from the first one. */
static ptrdiff_t offset_of(int dims, const ptrdiff_t *strides, const size_t *index)
{
    ptrdiff_t offset = 0;
    for (int d = 0; d < dims; d++) {
        offset += strides[d] * (ptrdiff_t)index[d];
    }
    return offset;
}

/* Lays out an operand of elements of that size and copies the elements at `from` to it. */
static void place(struct grid *grid, enum operand operand, enum layout layout, size_t bytes,
                  const char *from)
{
    size_t span, origin, index[GRID_DIMS] = {0};
    int dims = grid->array.dims;
    ptrdiff_t *strides = grid->strides[operand];
    size_t unit = grids_aligned && operand != OPERAND_MASK ? part_bytes(grid->array.type) : 1;
    lay_out(grid, layout, bytes, unit, strides, &span, &origin);
    char *block = malloc(span == 0 ? 1 : span);
    ck_assert_ptr_nonnull(block);
    memset(block, 0xff, span == 0 ? 1 : span);
    for (size_t i = 0; i < grid->elements; i++) {
        memcpy(block + origin + offset_of(dims, strides, index), from + i * bytes, bytes);
        next_index(dims, grid->shape, index);
    }
    free(grid->blocks[operand]);
    grid->blocks[operand] = block;
    const void *first = grid->elements == 0 && random_below(2) ? NULL : block + origin;
    const ptrdiff_t *given = layout == LAYOUT_PLAIN ? NULL : strides;
    samesum_array *a = &grid->array;
    switch (operand) {
    case OPERAND_X:
        a->x = first, a->strides = given;
        break;
    case OPERAND_Y:
        a->y = first, a->y_strides = given;
        break;
    case OPERAND_WEIGHTS:
        a->weights = block + origin, a->weights_strides = given;
        break;
    default:
        a->mask = first, a->mask_strides = given;
        break;
    }
}

void grid_fill(struct grid *grid, enum operand operand, enum layout layout, enum style style)
{
    samesum_type type = grid->array.type;
    size_t bytes = element_bytes(type);
    char *values = malloc(grid->elements * bytes + 1);
    ck_assert_ptr_nonnull(values);
    fill_elements(type, style, grid->elements, values);
    place(grid, operand, layout, bytes, values);
    free(values);
}

void grid_operands(struct grid *grid, const struct cell *cell, enum layout layout, enum style style)
{
    grid_fill(grid, OPERAND_X, layout, style);
    enum layout other = layout == LAYOUT_PLAIN    ? LAYOUT_PLAIN
                        : layout == LAYOUT_RANDOM ? LAYOUT_RANDOM
                                                  : (enum layout)random_below(LAYOUTS);
    enum style second = style == STYLE_SPECIAL || style == STYLE_HUGE ? STYLE_FEW : style;
    if (cell_pairs(cell)) {
        grid_fill(grid, OPERAND_Y, other, random_below(3) ? second : STYLE_SPECIAL);
    }
    if (cell->weighted) {
        static const enum style of[] = {STYLE_NEAR, STYLE_OFFSET, STYLE_FEW, STYLE_SPECIAL};
        grid_fill(grid, OPERAND_WEIGHTS, other, of[random_below(4)]);
    }
}

void grid_mask(struct grid *grid, samesum_mask_kind kind, enum layout layout, size_t kept)
{
    size_t n = grid->elements;
    unsigned char *keep = calloc(n + 1, 1), *bits = malloc(n / 8 + 1);
    ck_assert(keep != NULL && bits != NULL);
    memset(bits, (int)random_below(256), n / 8 + 1); /* also behind the last element */
    for (size_t i = 0; i < n; i++) {
        bool kept_here = random_below(16) < kept;
        keep[i] = kept_here ? (unsigned char)(1 + random_below(255)) : 0; /* any byte but 0 keeps */
        bits[i / 8] =
            (unsigned char)((bits[i / 8] & ~(1u << i % 8)) | (unsigned)kept_here << i % 8);
    }
    grid->array.mask_kind = kind;
    if (kind == SAMESUM_MASK_BYTES) {
        place(grid, OPERAND_MASK, layout, 1, (const char *)keep);
        free(bits);
    } else {
        free(grid->blocks[OPERAND_MASK]);
        grid->blocks[OPERAND_MASK] = bits;
        grid->array.mask = bits;
    }
    free(keep);
}

/* Stores the missing value into some elements of one operand. */
static void lose(struct grid *grid, enum operand operand, double value, size_t hit)
{
    const char *at = operand == OPERAND_X ? grid->array.x : grid->array.y;
    size_t index[GRID_DIMS] = {0};
    samesum_type type = grid->array.type;
    for (size_t i = 0; at != NULL && i < grid->elements; i++) {
        if (random_below(16) < hit) {
            char *block = grid->blocks[operand];
            char *to =
                block + (at - block) + offset_of(grid->array.dims, grid->strides[operand], index);
            store_part(type, to, 0, value);
            if (is_complex(type)) {
                store_part(type, to, 1, random_below(4) ? 0.0 : random_below(2) ? -0.0 : 1.0);
            }
        }
        next_index(grid->array.dims, grid->shape, index);
    }
}

void grid_missing(struct grid *grid, samesum_missing missing, double value, size_t hit)
{
    grid->array.missing = missing;
    grid->array.missing_value = value;
    lose(grid, OPERAND_X, value, hit);
    lose(grid, OPERAND_Y, value, hit / 3);
}

void grid_free(struct grid *grid)
{
    for (int i = 0; i < OPERANDS; i++) {
        free(grid->blocks[i]);
    }
    memset(grid, 0, sizeof *grid);
}

/* ---- random ones ---- */

struct cell random_cell(bool with_states)
{
    struct cell cell;
    do {
        cell = cell_at((int)random_below(CELLS));
    } while (cell_refusal(&cell, NULL) != SAMESUM_OK || (with_states && !cell_has_states(&cell)));
    cell.ddof = (unsigned)random_below(3);
    cell.nan = (samesum_nan)random_below(2);
    return cell;
}

int random_shape(size_t *shape, size_t most)
{
    static const size_t extents[] = {1, 1, 2, 3, 4, 5, 7, 16, 17, 33, 64, 100, 257, 600, 4097};
    int dims = (int)random_below(6);
    size_t elements = 1;
    for (int d = 0; d < dims; d++) {
        size_t extent = extents[random_below(15)];
        extent = extent * elements > most ? 1 + random_below(2) : extent;
        shape[d] = extent * elements > most ? 1 : extent;
        elements *= shape[d];
    }
    if (dims > 0 && random_below(12) == 0) {
        shape[random_below((size_t)dims)] = 0;
    }
    return dims;
}

int random_axes(int dims, int *axes)
{
    int count = 0;
    for (int d = 0; d < dims; d++) {
        if (random_below(2)) {
            int at = (int)random_below((size_t)count + 1);
            axes[count++] = axes[at];
            axes[at] = random_below(2) ? d : d - dims;
        }
    }
    return count;
}

void random_absence(struct grid *grid)
{
    static const size_t kept[] = {0, 1, 8, 14, 16};
    static const double values[] = {1.0, 0.0, -0.0, -2.0, 0.1, -1e34, HUGE_VAL, 65519.0};
    switch (random_below(4)) {
    case 0:
        grid_mask(grid, SAMESUM_MASK_BYTES, (enum layout)random_below(LAYOUTS),
                  kept[random_below(5)]);
        break;
    case 1:
        grid_mask(grid, SAMESUM_MASK_BITS, LAYOUT_PLAIN, kept[random_below(5)]);
        break;
    default:
        break;
    }
    switch (random_below(4)) {
    case 0:
        grid_missing(grid, SAMESUM_MISSING_VALUE, values[random_below(8)], random_below(17));
        break;
    case 1:
        grid_missing(grid, SAMESUM_MISSING_NAN, (double)NAN, random_below(17));
        break;
    case 2: /* equals nothing */
        grid_missing(grid, SAMESUM_MISSING_VALUE, (double)NAN, random_below(2));
        break;
    default:
        break;
    }
}
