/* What a rank brings along: arrays, or states, taken apart into series. One series gives one
 * result. */
#ifndef SS_FIELD_H
#define SS_FIELD_H

#include "array.h"
#include "state.h"

typedef struct ss_field {
    samesum_want want;
    samesum_type type;
    const samesum_state *state; /* one series, which is this; or NULL: those of an array */
    ss_rows rows;
    ss_job job;     /* of the series whose other indices are 0 */
    uint64_t begin; /* the index of this rank's first element in every series */
    size_t series;
    char *results; /* NULL where this rank gets none */
    size_t bytes;  /* of one result */
    samesum_counts *counts;
} ss_field;

/* Both fill in a field that stays where it is. Errors as samesum_reduce_array() and
 * samesum_state_finish(). want_results: this rank gets them, so there has to be room. */
samesum_status ss_field_of_array(ss_field *field, const samesum_array *array, const int *axes,
                                 int axis_count, const samesum_want *want, int want_results,
                                 void *results, samesum_counts *counts);
samesum_status ss_field_of_state(ss_field *field, const samesum_state *state, int want_results,
                                 void *result);

/* Elements of this rank in every series. */
static inline uint64_t ss_field_elements(const ss_field *field)
{
    return field->state ? 0 : field->rows.n;
}

/* A number that differs where fields do that cannot be reduced together; `mixed` so far. */
uint64_t ss_field_mix(uint64_t mixed, const ss_field *field);

/* Makes an empty state for what the next pass over a series of this field sums. */
samesum_status ss_field_state(const ss_field *field, const ss_passes *passes, uint64_t begin,
                              samesum_state **state);
/* Appends the elements of series i to it. counts: NULL, or receives what they were. */
void ss_field_append(const ss_field *field, size_t i, const ss_passes *passes, samesum_state *state,
                     samesum_counts *counts);

/* What the elements of all ranks came to in one pass. */
typedef struct ss_outcome {
    double value[SS_TERMS];
    uint64_t index; /* of argmin and argmax */
    uint64_t present;
    int64_t status;
} ss_outcome;
void ss_field_outcome(const ss_field *field, const ss_passes *passes, const samesum_state *state,
                      ss_outcome *outcome);
/* Goes on to the next pass, or to the result. */
void ss_field_advance(const ss_field *field, const ss_outcome *outcome, ss_passes *passes);
/* Writes the result of series i, where this rank gets it. */
void ss_field_write(const ss_field *field, size_t i, const ss_outcome *outcome,
                    const ss_passes *passes);

#endif
