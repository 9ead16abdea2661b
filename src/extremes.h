/* The smallest and the largest element of a view, and where they are (SPEC.md 6.5). */
#ifndef SS_EXTREMES_H
#define SS_EXTREMES_H

#include "view/view.h"

/* What was found in a range of elements. */
typedef struct ss_found {
    int some;          /* an element that is no NaN: min and max hold */
    int nan, any;      /* a NaN; any element at all */
    double min, max;   /* -0.0 is below +0.0 */
    uint64_t min_tile; /* first elements of the tiles in which each of these came up first */
    uint64_t max_tile, nan_tile;
} ss_found;

/* Nothing yet. */
void ss_found_start(ss_found *found);
/* Adds what was found in elements further on; `shift` is added to their indices. */
void ss_found_join(ss_found *found, const ss_found *next, uint64_t shift);

/* Adds what the view holds. Returns how many threads worked. */
int ss_extremes_find(const ss_backend *backend, const ss_view *view, ss_padding padding,
                     int threads, ss_found *found, ss_tally *tally);

/* min or max under the policy; NaN where there is none. */
double ss_extreme(const ss_found *found, int max, samesum_nan nan);

/* Makes the places of `found` the indices of the first elements themselves. */
void ss_found_locate(const ss_view *view, ss_found *found);
/* Of places that are indices, the one that argmin or argmax (max: 1) gives; UINT64_MAX where
 * nothing is present. */
uint64_t ss_found_place(const ss_found *found, int max, samesum_nan nan);

/* The index that argmin or argmax (max: 1) gives; UINT64_MAX where nothing is present. */
uint64_t ss_extreme_index(const ss_view *view, const ss_found *found, int max, samesum_nan nan);

#endif
