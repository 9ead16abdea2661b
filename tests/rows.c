#include "rows.h"
#include "../reference/ref.h"
#include "elements.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t result_bytes(const struct cell *cell)
{
    size_t half = cell->result == SAMESUM_RESULT_INPUT ? 2 : 4;
    static const size_t accumulator[] = {8, 4, 8, 0, 0, 4, 8};
    size_t one =
        cell->type == SAMESUM_F16 || cell->type == SAMESUM_BF16 ? half : accumulator[cell->type];
    if (cell->op == SAMESUM_ARGMIN || cell->op == SAMESUM_ARGMAX) {
        return 8;
    }
    bool two = cell->op == SAMESUM_MINMAX ||
               (is_complex(cell->type) && cell->op != SAMESUM_SUMSQ && cell->op != SAMESUM_NRM2);
    return two ? 2 * one : one;
}

/* ---- gathering ---- */

static size_t linear(const samesum_array *a, const size_t *index)
{
    size_t i = 0;
    for (int d = 0; d < a->dims; d++) {
        i = i * a->shape[d] + index[d];
    }
    return i;
}

static const char *at(const samesum_array *a, const void *x, const ptrdiff_t *strides, size_t bytes,
                      const size_t *index)
{
    if (strides == NULL) {
        return (const char *)x + linear(a, index) * bytes;
    }
    const char *address = x;
    for (int d = 0; d < a->dims; d++) {
        address += strides[d] * (ptrdiff_t)index[d];
    }
    return address;
}

static bool equals(samesum_type type, const char *x, double value)
{
    return element_part(type, x, 0) == rounded_to(type, value) &&
           (!is_complex(type) || element_part(type, x, 1) == 0);
}

static bool is_missing(const samesum_array *a, const char *x)
{
    return a->missing == SAMESUM_MISSING_VALUE ? equals(a->type, x, a->missing_value)
           : a->missing == SAMESUM_MISSING_NAN ? element_is_nan(a->type, x)
                                               : false;
}

static bool masked_out(const samesum_array *a, const size_t *index)
{
    const unsigned char *mask = a->mask;
    size_t i = linear(a, index);
    return a->mask_kind == SAMESUM_MASK_BYTES  ? *at(a, mask, a->mask_strides, 1, index) == 0
           : a->mask_kind == SAMESUM_MASK_BITS ? (mask[i / 8] >> i % 8 & 1) == 0
                                               : false;
}

static void *grown(void *block, size_t bytes)
{
    void *larger = realloc(block, bytes);
    ck_assert_ptr_nonnull(larger);
    return larger;
}

static void append(struct row *row, const samesum_array *a, const size_t *index)
{
    size_t bytes = element_bytes(a->type), i = row->n++;
    if (row->n > row->room) {
        row->room = 2 * row->room + 64;
        row->x = grown(row->x, row->room * bytes);
        row->y = a->y ? grown(row->y, row->room * bytes) : NULL;
        row->weights = a->weights ? grown(row->weights, row->room * bytes) : NULL;
        row->keep = grown(row->keep, row->room);
    }
    const char *x = at(a, a->x, a->strides, bytes, index);
    bool absent = masked_out(a, index) || is_missing(a, x);
    memcpy(row->x + i * bytes, x, bytes);
    if (a->y != NULL) {
        const char *y = at(a, a->y, a->y_strides, bytes, index);
        absent = absent || is_missing(a, y);
        memcpy(row->y + i * bytes, y, bytes);
    }
    if (a->weights != NULL) {
        memcpy(row->weights + i * bytes, at(a, a->weights, a->weights_strides, bytes, index),
               bytes);
    }
    row->keep[i] = !absent;
}

/* Appends all elements whose indices along the axes not in `reduced` are those of `index`. */
static void append_axes(struct row *row, const samesum_array *a, const bool *reduced, int d,
                        size_t *index)
{
    if (d == a->dims) {
        append(row, a, index);
    } else if (!reduced[d]) {
        append_axes(row, a, reduced, d + 1, index);
    } else {
        for (index[d] = 0; index[d] < a->shape[d]; index[d]++) {
            append_axes(row, a, reduced, d + 1, index);
        }
        index[d] = 0;
    }
}

struct row row_of(const samesum_array *a)
{
    struct row row = {.type = a->type};
    bool reduced[SAMESUM_MAX_DIMS];
    size_t index[SAMESUM_MAX_DIMS] = {0};
    memset(reduced, true, sizeof reduced);
    append_axes(&row, a, reduced, 0, index);
    return row;
}

void row_free(struct row *row)
{
    free(row->x);
    free(row->y);
    free(row->weights);
    free(row->keep);
    memset(row, 0, sizeof *row);
}

samesum_counts row_counts(const struct row *row)
{
    samesum_counts counts = {.first = {UINT64_MAX, UINT64_MAX}};
    size_t bytes = element_bytes(row->type);
    const char *operands[2] = {row->x, row->y ? row->y : row->weights};
    for (size_t i = 0; i < row->n; i++) {
        counts.present += row->keep[i];
        counts.masked += !row->keep[i];
        for (int k = 0; k < 2; k++) {
            if (row->keep[i] && operands[k] &&
                !element_is_finite(row->type, operands[k] + i * bytes)) {
                counts.first[k] = counts.nonfinite[k]++ == 0 ? i : counts.first[k];
            }
        }
    }
    return counts;
}

/* ---- the reference ---- */

samesum_status row_reference(const struct cell *cell, const struct row *row, void *result)
{
    struct ref_request request = {.op = (enum ref_op)cell->op,
                                  .type = (enum ref_type)cell->type,
                                  .level = (enum ref_level)cell->level,
                                  .ddof = cell->ddof,
                                  .ignore_nan = cell->nan == SAMESUM_NAN_IGNORE,
                                  .result_in_input = cell->result == SAMESUM_RESULT_INPUT,
                                  .conj = cell->conj,
                                  .weighted = cell->weighted};
    const char *second = cell->weighted ? row->weights : row->y;
    int status = ref_row(&request, row->x, second, row->keep, row->n, result);
    if (status < 0) {
        ck_abort_msg("the reference refuses %s %s", cell->op_name, cell->type_name);
    }
    return status == REF_EMPTY      ? SAMESUM_ERR_EMPTY
           : status == REF_NO_VALUE ? SAMESUM_NO_VALUE
                                    : SAMESUM_OK;
}

/* ---- expectations ---- */

struct answer answer_make(const struct cell *cell, size_t results)
{
    struct answer answer = {.results = results, .bytes = result_bytes(cell)};
    answer.values = malloc(results * answer.bytes + 1);
    answer.counts = malloc((results + 1) * sizeof *answer.counts);
    ck_assert(answer.values != NULL && answer.counts != NULL);
    return answer;
}

void answer_free(struct answer *answer)
{
    free(answer->values);
    free(answer->counts);
    memset(answer, 0, sizeof *answer);
}

/* Result r is that of the row. */
static void answer_row(struct answer *answer, size_t r, const struct cell *cell,
                       const struct row *row)
{
    char *to = answer->values + r * answer->bytes;
    samesum_status status = row_reference(cell, row, to);
    if (status != SAMESUM_OK && answer->status != SAMESUM_ERR_EMPTY) {
        answer->status = status;
    }
    answer->counts[r] = row_counts(row);
}

struct answer expect_array(const struct cell *cell, const samesum_array *a, const int *axes,
                           int axis_count)
{
    bool reduced[SAMESUM_MAX_DIMS] = {false};
    size_t index[SAMESUM_MAX_DIMS] = {0}, kept[SAMESUM_MAX_DIMS], results = 1;
    for (int i = 0; i < axis_count; i++) {
        reduced[axes[i] < 0 ? axes[i] + a->dims : axes[i]] = true;
    }
    for (int d = 0; d < a->dims; d++) {
        reduced[d] = reduced[d] || axis_count == 0;
        kept[d] = reduced[d] ? 1 : a->shape[d];
        results *= kept[d];
    }
    struct answer answer = answer_make(cell, results);
    struct row row = {.type = a->type};
    for (size_t r = 0; r < results; r++) {
        size_t rest = r;
        for (int d = a->dims - 1; d >= 0; d--) {
            index[d] = rest % kept[d];
            rest /= kept[d];
        }
        row.n = 0;
        append_axes(&row, a, reduced, 0, index);
        answer_row(&answer, r, cell, &row);
    }
    row_free(&row);
    return answer;
}

struct answer expect_segments(const struct cell *cell, const samesum_array *a,
                              const size_t *offsets, size_t segments)
{
    struct answer answer = answer_make(cell, segments);
    struct row row = {.type = a->type};
    for (size_t r = 0; r < segments; r++) {
        row.n = 0;
        for (size_t i = offsets[r]; i < offsets[r + 1]; i++) {
            append(&row, a, &i);
        }
        answer_row(&answer, r, cell, &row);
    }
    row_free(&row);
    return answer;
}

/* ---- comparison ---- */

static struct what what_of(const struct cell *cell, size_t n, samesum_backend backend, int threads,
                           const char *name)
{
    return (struct what){.op = cell->op,
                         .type = cell->type,
                         .level = cell->level,
                         .ddof = cell->ddof,
                         .backend = backend,
                         .threads = threads,
                         .n = n,
                         .data = name};
}

static uint64_t bits_at(const char *bytes, size_t n)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes, n < 8 ? n : 8);
    return bits;
}

long compare_values(const struct cell *cell, const char *got, const char *expected, size_t bytes,
                    size_t n, samesum_backend backend, int threads, const char *name)
{
    char text[200];
    snprintf(text, sizeof text, "%s%s%s %s", name, cell->weighted ? " weighted" : "",
             cell->conj ? " conj" : "", cell->type_name);
    struct what what = what_of(cell, n, backend, threads, text);
    for (size_t i = 0; i < bytes; i += 8) {
        same(&what, bits_at(got + i, bytes - i), bits_at(expected + i, bytes - i));
    }
    return (long)bytes * 8;
}

void compare_counts(const struct cell *cell, const samesum_counts *got,
                    const samesum_counts *expected, size_t n, const char *name)
{
    if (memcmp(got, expected, sizeof *got) == 0) {
        return;
    }
    char text[240];
    snprintf(text, sizeof text, "counts of %s", name);
    struct what what = what_of(cell, n, SAMESUM_BACKEND_AUTO, 0, text);
    same(&what, got->present, expected->present);
    same(&what, got->masked, expected->masked);
    for (int k = 0; k < 2; k++) {
        same(&what, got->nonfinite[k], expected->nonfinite[k]);
        same(&what, got->first[k], expected->first[k]);
    }
}

enum { GUARD_BYTE = 0x5a };

bool always_with_counts;

struct written written_make(const struct answer *expected)
{
    struct written to = {.with_counts = always_with_counts || random_below(2) != 0,
                         .with_ran = random_below(4) != 0};
    to.results_bytes = expected->results * expected->bytes + WRITTEN_GUARD;
    to.counts_bytes = (expected->results + 1) * sizeof *to.counts;
    to.results = malloc(to.results_bytes);
    to.counts = malloc(to.counts_bytes);
    ck_assert(to.results != NULL && to.counts != NULL);
    memset(to.results, GUARD_BYTE, to.results_bytes);
    memset(to.counts, GUARD_BYTE, to.counts_bytes);
    return to;
}

long written_judge(struct written *to, samesum_status status, const struct answer *expected,
                   const struct cell *cell, samesum_backend backend, int threads, const char *name)
{
    long bits = 0;
    size_t last = expected->results * expected->bytes;
    struct what what = what_of(cell, expected->results, backend, threads, name);
    if (status != expected->status) {
        same(&what, UINT64_C(0xbad0000000000000) | (uint32_t)status,
             UINT64_C(0xbad0000000000000) | (uint32_t)expected->status);
    }
    if (to->with_ran && backend != SAMESUM_BACKEND_AUTO && to->ran.backend != backend) {
        same(&what, UINT64_C(0xbadbacce00000000) | (uint32_t)to->ran.backend, 0);
    }
    for (size_t r = 0; r < expected->results; r++) {
        size_t from = r * expected->bytes,
               n = expected->counts[r].present + expected->counts[r].masked;
        bits += compare_values(cell, to->results + from, expected->values + from, expected->bytes,
                               n, backend, threads, name);
        if (to->with_counts) {
            compare_counts(cell, &to->counts[r], &expected->counts[r], n, name);
        }
    }
    for (size_t i = 0; i < WRITTEN_GUARD; i++) {
        if (to->results[last + i] != GUARD_BYTE) {
            what.data = "a byte behind the results";
            same(&what, (unsigned char)to->results[last + i], GUARD_BYTE);
        }
    }
    const char *behind = (const char *)&to->counts[expected->results];
    if (*behind != GUARD_BYTE) {
        what.data = "a count behind the counts";
        same(&what, (unsigned char)*behind, GUARD_BYTE);
    }
    free(to->results);
    free(to->counts);
    return bits;
}

long compare_array(const struct answer *expected, const struct cell *cell,
                   const samesum_array *array, const int *axes, int axis_count,
                   samesum_backend backend, int threads, const char *name)
{
    samesum_want want = cell_want(cell, backend, threads);
    struct written to = written_make(expected);
    samesum_status status =
        samesum_reduce_array(array, axes, axis_count, &want, to.results,
                             to.with_counts ? to.counts : NULL, to.with_ran ? &to.ran : NULL);
    return written_judge(&to, status, expected, cell, backend, threads, name);
}

long compare_segments(const struct answer *expected, const struct cell *cell,
                      const samesum_array *array, const size_t *offsets, size_t segments,
                      samesum_backend backend, int threads, const char *name)
{
    samesum_want want = cell_want(cell, backend, threads);
    struct written to = written_make(expected);
    samesum_status status =
        samesum_reduce_segments(array, offsets, segments, &want, to.results,
                                to.with_counts ? to.counts : NULL, to.with_ran ? &to.ran : NULL);
    return written_judge(&to, status, expected, cell, backend, threads, name);
}
