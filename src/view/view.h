/* Which numbers a reduction reads: the elements of one row of any layout, in logical order, as real
 * numbers of a kernel's type, a tile of them at a time; what is masked out or missing is replaced
 * by what changes no sum (SPEC.md, sections 1 and 3). */
#ifndef SS_VIEW_H
#define SS_VIEW_H

#include "fixedtree/kernels.h"
#include "view/layout.h"

/* What is done to the numbers on their way. */
typedef enum ss_map {
    SS_MAP_NONE,
    SS_MAP_DEVIATE, /* fl(x - parameter), in the accumulator's type */
    SS_MAP_SCALE    /* x * 2^-parameter, rounded once to it */
} ss_map;

/* Which numbers of complex elements are read. */
typedef enum ss_part {
    SS_PART_WHOLE = -1, /* real elements; or both parts of complex ones, as 2n numbers */
    SS_PART_REAL = 0,
    SS_PART_IMAGINARY = 1
} ss_part;

typedef struct ss_view {
    const ss_packers *packers;
    const ss_layout *layout;
    uint64_t n;           /* elements */
    const char *place[2]; /* the first element of x, and of y or the weights or NULL */
    samesum_type type;    /* of the elements; never F32_WIDE */
    samesum_type out;     /* of the numbers in a tile: a type that kernels know */
    unsigned char first;  /* SS_X, or SS_Y: what a tile's x is made of */
    unsigned char pair;   /* a tile has a y, made of place[SS_Y] */
    signed char part;     /* ss_part, of a tile's x */
    signed char factor;   /* a tile's y are the factors for this part of a complex dot; -1: no */
    unsigned char conj;
    ss_map map;
    double parameter;
    samesum_mask_kind mask_kind;
    const unsigned char *mask;
    uint64_t mask_bit; /* of a mask of bits: where the first element's is */
    samesum_missing missing;
    unsigned char missing_in[2]; /* whether it is looked for in x, and in y */
    double missing_value;        /* already of the elements' type */
} ss_view;

enum { SS_ELEMENT_TYPES = 7 };

/* Bytes of an element, and of a number in it. */
size_t ss_element_bytes(samesum_type type);
static inline int ss_is_complex(samesum_type type)
{
    return type == SAMESUM_C64 || type == SAMESUM_C128;
}
static inline samesum_type ss_real_type(samesum_type type)
{
    return type == SAMESUM_C64 ? SAMESUM_F32 : type == SAMESUM_C128 ? SAMESUM_F64 : type;
}
/* The numbers that a tile has for each element. */
static inline int ss_view_per(const ss_view *view)
{
    return ss_is_complex(view->type) && view->part == SS_PART_WHOLE ? 2 : 1;
}
/* Whether some elements may be absent. */
static inline int ss_view_is_masked(const ss_view *view)
{
    return view->mask_kind != SAMESUM_MASK_NONE || view->missing != SAMESUM_MISSING_NONE;
}

/* Whether kernels can read the numbers where they lie, at place[first] (and place[SS_Y]). */
int ss_view_is_direct(const ss_view *view);

/* Where the numbers lie if they are every second one in memory, and nothing else has to be done
 * with them; else NULL. */
const char *ss_view_every_second(const ss_view *view);

/* What absent elements become. */
typedef enum ss_padding {
    SS_PAD_NEUTRAL, /* -0.0, and +0.0 as its factor */
    SS_PAD_PRESENT  /* some other element of the tile that is present: for min and max */
} ss_padding;

typedef struct ss_tile {
    const void *x, *y; /* numbers of type view->out, side by side */
    size_t present;    /* elements */
    int masked;        /* keep has a meaning */
    unsigned char keep[SS_SEGMENT];
    unsigned char spare[SS_SEGMENT];
    /* rooms for SS_SEGMENT numbers */
    double raw[SS_SEGMENT], store[2][SS_SEGMENT];
} ss_tile;

/* Packs the tile of count elements from `first` on; count * ss_view_per() <= SS_SEGMENT. */
void ss_view_tile(const ss_view *view, uint64_t first, size_t count, ss_padding padding,
                  ss_tile *tile);

/* The same, but where kernels can read the numbers in place, x and y point there. */
void ss_view_read(const ss_view *view, uint64_t first, size_t count, ss_padding padding,
                  ss_tile *tile);

/* What a reduction saw. */
typedef struct ss_tally {
    int nonfinite_wanted;
    samesum_counts counts;
} ss_tally;
void ss_tally_start(ss_tally *tally, int nonfinite_wanted);
/* Adds what was seen in other elements. */
void ss_tally_join(ss_tally *tally, const ss_tally *other);
/* Looks for NaN and infinities among count elements, and adds them. For elements among which the
 * arithmetic met some. */
void ss_view_nonfinite(const ss_view *view, uint64_t first, uint64_t count, ss_tally *tally);

#endif
