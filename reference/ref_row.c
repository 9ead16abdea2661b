/* ref_row.c - one row of any type: halves and complex parts become rows of binary32 or binary64,
 * which ref.c and ref_derived.c reduce. */
#include "ref_elements.h"
#include "ref_job.h"

#include <stdlib.h>

static void set(enum ref_type of, void *array, uint64_t i, double value)
{
    if (of == REF_F64) {
        ((double *)array)[i] = value;
    } else {
        ((float *)array)[i] = (float)value; /* exact */
    }
}

/* ---- a row ---- */

/* Numbers in memory of their own, which free_row() frees. */
struct row {
    void *x, *y;
    unsigned char *keep;
    uint64_t n;
};

static bool new_row(struct row *row, enum ref_type of, uint64_t n)
{
    size_t size = of == REF_F64 ? sizeof(double) : sizeof(float);
    row->n = n;
    row->x = malloc((size_t)(n + 1) * size);
    row->y = malloc((size_t)(n + 1) * size);
    row->keep = malloc((size_t)(n + 1));
    return row->x != NULL && row->y != NULL && row->keep != NULL;
}

static void free_row(struct row *row)
{
    free(row->x);
    free(row->y);
    free(row->keep);
}

/* ---- sums and what is derived from them ---- */

/* Reduces a row; as ref_statistic(). */
static int reduce(const struct ref_request *q, const struct row *row, double *r)
{
    struct ref_job job = {q->op,
                          ref_row_type(q->type),
                          ref_result_type(q),
                          q->level,
                          REF_LANES,
                          q->ddof,
                          row->x,
                          row->y,
                          row->keep,
                          0,
                          row->n};
    if (q->weighted) {
        return ref_weighted(&job, r);
    }
    if (q->op > REF_DOT) {
        return ref_statistic(&job, r);
    }
    *r = ref_sum(&job);
    return 0;
}

/* Real data: the row as it is. */
static int reduce_real(const struct ref_request *q, const void *x, const void *y, struct row *row,
                       void *result)
{
    enum ref_type of = ref_row_type(q->type);
    for (uint64_t i = 0; i < row->n; i++) {
        set(of, row->x, i, ref_number(q->type, x, i));
        if (y != NULL) {
            set(of, row->y, i, ref_number(q->type, y, i));
        }
    }
    double r;
    int status = reduce(q, row, &r);
    if (status >= 0) {
        ref_write_part(q, r, result, 0);
    }
    return status;
}

/* The factors of leaf i of part `part` (0: real, 1: imaginary) of a complex dot, SPEC.md 6.8 step
 * 3; the leaf of xi*yi is negated, and conjugation negates xi. */
static void dot_factors(const struct ref_request *q, const void *x, const void *y, int part,
                        uint64_t i, double *a, double *b)
{
    uint64_t k = i / 2;
    bool imaginary_x = i % 2 != 0, imaginary_y = imaginary_x != (part != 0);
    bool negated = imaginary_x && (part == 0) != q->conj;
    *a = ref_number(q->type, x, 2 * k + imaginary_x);
    *a = negated ? -*a : *a;
    *b = ref_number(q->type, y, 2 * k + imaginary_y);
}

/* Complex data: sumsq and nrm2 of 2n reals; dot of two times 2n leaves; sum and mean of two times
 * n parts. row has room for 2n numbers. */
static int reduce_complex(const struct ref_request *q, const void *x, const void *y,
                          const unsigned char *keep, uint64_t n, struct row *row, void *result)
{
    enum ref_type of = ref_row_type(q->type);
    bool by_parts = q->op == REF_SUM || q->op == REF_MEAN;
    int parts = by_parts || q->op == REF_DOT ? 2 : 1, status = 0;
    row->n = by_parts ? n : 2 * n;
    for (int part = 0; part < parts && status >= 0; part++) {
        for (uint64_t i = 0; i < row->n; i++) {
            double a = ref_number(q->type, x, by_parts ? 2 * i + (uint64_t)part : i), b = 0.0;
            if (q->op == REF_DOT) {
                dot_factors(q, x, y, part, i, &a, &b);
            }
            set(of, row->x, i, a);
            set(of, row->y, i, b);
            row->keep[i] = keep == NULL || keep[by_parts ? i : i / 2] != 0;
        }
        double r;
        status = reduce(q, row, &r);
        if (status >= 0) {
            ref_write_part(q, r, result, part);
        }
    }
    return status;
}

/* ---- the call ---- */

static bool is_refused(const struct ref_request *q)
{
    bool index = q->op == REF_ARGMIN || q->op == REF_ARGMAX;
    bool real_only = q->op == REF_ASUM || q->op >= REF_VAR;
    bool sums = q->op == REF_SUM || q->op == REF_MEAN;
    return (q->type == REF_F32_WIDE && q->result_in_input && !index) ||
           (ref_is_complex(q->type) && (real_only || q->weighted)) || (q->weighted && !sums) ||
           (q->conj && (q->op != REF_DOT || !ref_is_complex(q->type)));
}

int ref_row(const struct ref_request *q, const void *x, const void *y_or_weights,
            const unsigned char *keep, uint64_t n, void *result)
{
    bool two = q->op == REF_DOT || q->weighted;
    bool known = (unsigned)q->op <= REF_MINMAX && (unsigned)q->type <= REF_C128 &&
                 (unsigned)q->level <= REF_EXACT;
    bool data = n <= UINT64_C(1) << 61 &&
                (n == 0 || (x != NULL && (!two || y_or_weights != NULL))) && result != NULL;
    if (!known || !data || is_refused(q)) {
        return -1;
    }
    if (q->op >= REF_MIN) {
        return ref_extreme(q, x, keep, n, result);
    }
    struct row row;
    bool parts = ref_is_complex(q->type);
    int status = -1;
    if (new_row(&row, ref_row_type(q->type), parts ? 2 * n : n)) {
        for (uint64_t i = 0; i < n; i++) {
            row.keep[i] = keep == NULL || keep[i] != 0;
        }
        const void *y = two ? y_or_weights : NULL;
        status = parts ? reduce_complex(q, x, y, keep, n, &row, result)
                       : reduce_real(q, x, y, &row, result);
    }
    free_row(&row);
    return status;
}
