#include "shares.h"

#include "cuda/share.h"
#include "elements.h"
#include "grids.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { DIMS = SAMESUM_MAX_DIMS, GUARD = 64, MANY = 16 };

struct part {
    size_t shape[DIMS];
    samesum_array array;
    uint64_t begin;
    samesum_cuda_out out;
    ss_share *share;
    void *workspace;
};

static bool is_reduced(const samesum_array *a, const int *axes, int axis_count, int axis)
{
    bool reduced = axis_count == 0;
    for (int i = 0; i < axis_count; i++) {
        reduced = reduced || (axes[i] < 0 ? axes[i] + a->dims : axes[i]) == axis;
    }
    return reduced;
}

/* Elements of an index along the axis, in C order; of the axes that are reduced alone. */
static size_t inner(const samesum_array *a, const int *axes, int axis_count, int axis, bool all)
{
    size_t n = 1;
    for (int d = axis + 1; d < a->dims; d++) {
        n *= all || is_reduced(a, axes, axis_count, d) ? a->shape[d] : 1;
    }
    return n;
}

/* The mask of bits of indices [from, from + n) along the axis. */
static void *part_of_bits(const samesum_array *host, int axis, size_t from, size_t n)
{
    size_t within = inner(host, NULL, 0, axis, true), outer = 1, at = 0;
    const unsigned char *bits = host->mask;
    for (int d = 0; d < axis; d++) {
        outer *= host->shape[d];
    }
    unsigned char *packed = calloc(outer * n * within / 8 + 1, 1);
    ck_assert_ptr_nonnull(packed);
    for (size_t o = 0; o < outer; o++) {
        for (size_t i = 0; i < n * within; i++, at++) {
            size_t whole = (o * host->shape[axis] + from) * within + i;
            packed[at / 8] |= (unsigned char)((bits[whole / 8] >> whole % 8 & 1) << at % 8);
        }
    }
    void *device = scratch_copy(packed, outer * n * within / 8 + 1);
    free(packed);
    return device;
}

static const void *moved(const samesum_array *a, const void *first, const ptrdiff_t *strides,
                         size_t bytes, int axis, size_t from)
{
    ptrdiff_t step = strides ? strides[axis] : (ptrdiff_t)(inner(a, NULL, 0, axis, true) * bytes);
    return first ? (const char *)first + (ptrdiff_t)from * step : NULL;
}

/* Where a copy without gaps of a part goes on: strides of the whole, where it gave none. */
static void plain_strides(const samesum_array *a, size_t bytes, ptrdiff_t *strides)
{
    for (int d = 0; d < a->dims; d++) {
        strides[d] = (ptrdiff_t)(inner(a, NULL, 0, d, true) * bytes);
    }
}

/* Makes strides explicit, so that parts can be taken. */
static void with_strides(samesum_array *a, ptrdiff_t strides[4][DIMS])
{
    const ptrdiff_t **of[] = {&a->strides, &a->y_strides, &a->weights_strides, &a->mask_strides};
    for (int i = 0; i < 4; i++) {
        if (*of[i] == NULL && !(i == 3 && a->mask_kind == SAMESUM_MASK_BITS)) {
            plain_strides(a, i == 3 ? 1 : element_bytes(a->type), strides[i]);
            *of[i] = strides[i];
        }
    }
}

static void take(struct part *p, const samesum_array *host, const samesum_array *device, int axis,
                 size_t from, size_t to)
{
    size_t bytes = element_bytes(host->type);
    p->array = *device;
    memcpy(p->shape, host->shape, (size_t)host->dims * sizeof *p->shape);
    p->shape[axis] = to - from;
    p->array.shape = p->shape;
    p->array.x = moved(device, device->x, device->strides, bytes, axis, from);
    p->array.y = moved(device, device->y, device->y_strides, bytes, axis, from);
    p->array.weights = moved(device, device->weights, device->weights_strides, bytes, axis, from);
    if (host->mask != NULL && host->mask_kind == SAMESUM_MASK_BITS) {
        p->array.mask = part_of_bits(host, axis, from, to - from);
    } else if (host->mask != NULL && host->mask_kind == SAMESUM_MASK_BYTES) {
        p->array.mask = moved(device, device->mask, device->mask_strides, 1, axis, from);
    }
}

/* The next border behind `at`: anywhere, close, or close to a row of the tree. */
static size_t next_border(size_t at, size_t n, int left)
{
    size_t room = n - at, some = room / (size_t)left * 2 + 1;
    size_t step = random_below(4) == 0 ? random_below(20) : random_below(some);
    size_t to = at + step;
    to = random_below(3) == 0 ? (to + 15) / 16 * 16 : to;
    return to < n ? to : n;
}

static void each_round(struct part *parts, int ranks, int pass, uint64_t round, char *messages,
                       size_t stride)
{
    for (int r = 0; r < ranks; r++) {
        CUDA(ss_share_own(parts[r].share, pass, round, messages + (size_t)r * stride,
                          parts[r].workspace, NULL));
    }
    for (int r = 0; r < ranks; r++) {
        const bool alone = parts[r].workspace != parts[0].workspace;
        if (r < 3 || r == ranks - 1 || alone) { /* of many, the others do the same */
            CUDA(ss_share_merge(parts[r].share, pass, round, messages, stride, parts[r].workspace,
                                NULL));
        }
    }
}

static void run(struct part *parts, int ranks)
{
    size_t most = 0;
    const ss_share *first = parts[0].share;
    for (int pass = 0; pass < ss_share_passes(first); pass++) {
        size_t bytes = ss_share_message_bytes(first, pass);
        ck_assert_uint_eq(bytes % 16, 0);
        most = bytes > most ? bytes : most;
    }
    size_t stride = most + 16 * random_below(3);
    char *messages = scratch(stride * (size_t)ranks);
    CUDA(cudaMemset(messages, 0x5a, stride * (size_t)ranks));
    for (int pass = 0; pass < ss_share_passes(first); pass++) {
        for (uint64_t round = 0; round < ss_share_rounds(first); round++) {
            each_round(parts, ranks, pass, round, messages, stride);
        }
    }
    CUDA(cudaDeviceSynchronize());
}

/* workspace: NULL, or one for all: on one stream they may share it, since passes leave the same in
 * it for all ranks. */
static void make(struct part *p, void *workspace, const struct cell *cell, const int *axes,
                 int axis_count, uint64_t total, int ranks, uint64_t *mixed)
{
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0);
    const ss_share_asked asked = {&p->array, axes, axis_count, &want, &p->out};
    ss_share_size size;
    samesum_status status = ss_share_measure(&asked, &size);
    ck_assert_msg(status == SAMESUM_OK, "measure: %s", samesum_strerror(status));
    status = ss_share_create(&p->share, &asked, p->begin, total, ranks);
    ck_assert_msg(status == SAMESUM_OK, "create: %s", samesum_strerror(status));
    *mixed = *mixed == 0 ? size.mixed : *mixed;
    ck_assert_uint_eq(size.mixed, *mixed);
    p->workspace = workspace;
    if (workspace == NULL) { /* the parts of many ranks are small */
        size_t bytes = ss_share_workspace_bytes(p->share);
        bytes += ranks > MANY ? (size_t)1 << 24 : 0;
        p->workspace = scratch(bytes);
        CUDA(cudaMemset(p->workspace, 0x5a, bytes));
    }
}

static void judge(const struct part *p, const struct answer *expected, const struct cell *cell,
                  size_t n, const char *name)
{
    size_t bytes = expected->results * expected->bytes;
    char *got = malloc(bytes + GUARD);
    samesum_counts *counts = malloc((expected->results + 1) * sizeof *counts);
    ck_assert(got != NULL && counts != NULL);
    device_get(got, p->out.results, bytes + GUARD);
    for (int i = 0; i < GUARD; i++) {
        ck_assert_int_eq(got[bytes + (size_t)i], 0x5a);
    }
    for (size_t i = 0; i < expected->results; i++) {
        size_t at = i * expected->bytes;
        count_bits(compare_values(cell, got + at, expected->values + at, expected->bytes, n,
                                  SAMESUM_BACKEND_CUDA, 0, name));
    }
    if (p->out.counts != NULL) {
        device_get(counts, p->out.counts, expected->results * sizeof *counts);
        for (size_t i = 0; i < expected->results; i++) {
            compare_counts(cell, &counts[i], &expected->counts[i], n, name);
        }
    }
    free(got);
    free(counts);
}

void shares_as_cpu(const struct cell *cell, const samesum_array *host, const int *axes,
                   int axis_count, int ranks, const char *name)
{
    struct answer expected = cpu_answer(cell, host, axes, axis_count);
    struct part *parts = calloc((size_t)ranks, sizeof *parts);
    ptrdiff_t strides[4][DIMS];
    int axis = 0;
    bool with_counts = always_with_counts || random_below(3) == 0;
    uint64_t mixed = 0;
    ck_assert_ptr_nonnull(parts);
    while (!is_reduced(host, axes, axis_count, axis)) {
        axis++;
    }
    samesum_array device = array_on_device(host);
    with_strides(&device, strides);
    size_t reduced = inner(host, axes, axis_count, axis, false), n = host->shape[axis], from = 0;
    for (int r = 0; r < ranks; r++) {
        struct part *p = &parts[r];
        size_t to = r == ranks - 1 ? n : next_border(from, n, ranks - r);
        size_t results = expected.results * expected.bytes + GUARD;
        take(p, host, &device, axis, from, to);
        p->begin = from * reduced;
        if (r == 0 || r == ranks - 1 || random_below(4) != 0) {
            p->out.results = scratch(results);
            CUDA(cudaMemset(p->out.results, 0x5a, results));
        }
        if (with_counts) {
            p->out.counts = scratch((expected.results + 1) * sizeof *p->out.counts);
        }
        make(p, r > 0 && ranks > MANY ? parts[0].workspace : NULL, cell, axes, axis_count,
             n * reduced, ranks, &mixed);
        from = to;
    }
    run(parts, ranks);
    for (int r = 0; r < ranks; r++) {
        if (parts[r].out.results != NULL && (r < 3 || r == ranks - 1)) {
            judge(&parts[r], &expected, cell, n * reduced, name);
        }
        ss_share_destroy(parts[r].share);
    }
    scratch_end();
    free(parts);
    answer_free(&expected);
}

/* ---- states ---- */

void *states_of(const samesum_array *device, const samesum_want *want, uint64_t begin, size_t bytes,
                size_t stride)
{
    char *states = scratch(STATES * stride);
    size_t at = 0, element = element_bytes(device->type);
    CUDA(cudaMemset(states, 0x5a, STATES * stride));
    for (int i = 0; i < STATES; i++) {
        size_t left = device->shape[0] - at, workspace_bytes = 0;
        size_t n = i == STATES - 1 ? left : random_below(2) ? left / 4 : random_below(left + 1);
        samesum_array part = *device;
        part.shape = &n;
        part.x = (const char *)device->x + at * element;
        part.y = device->y ? (const char *)device->y + at * element : NULL;
        void *to = states + (size_t)i * stride;
        ck_assert_int_eq(samesum_cuda_state_reduce(&part, begin + at, want, to, NULL, NULL,
                                                   &workspace_bytes, NULL),
                         SAMESUM_OK);
        ck_assert_int_eq(samesum_cuda_state_reduce(&part, begin + at, want, to, NULL,
                                                   scratch(workspace_bytes), &workspace_bytes,
                                                   NULL),
                         SAMESUM_OK);
        at += n;
    }
    ck_assert_uint_ge(stride, bytes);
    return states;
}

void finish_states(const samesum_want *want, samesum_type type, const void *states, size_t stride,
                   char *result, size_t bytes)
{
    size_t workspace_bytes = 0;
    samesum_cuda_out out = {.results = scratch(64)};
    ck_assert_int_eq(samesum_cuda_state_finish(states, STATES, stride, want, type, &out, NULL,
                                               &workspace_bytes, NULL),
                     SAMESUM_OK);
    ck_assert_int_eq(samesum_cuda_state_finish(states, STATES, stride, want, type, &out,
                                               scratch(workspace_bytes), &workspace_bytes, NULL),
                     SAMESUM_OK);
    device_get(result, out.results, bytes);
}

void states_as_cpu(const struct cell *cell, size_t n)
{
    struct grid grid;
    samesum_state *whole = NULL;
    /* also up to the last index that there is */
    const uint64_t last = UINT64_MAX / (cell->type >= SAMESUM_C64 ? 2 : 1) - n - random_below(20);
    uint64_t begin = random_below(5) == 0 ? last : random_below(2) ? random_below(100000) : 0;
    size_t bytes = 0;
    char got[16] = {0}, expected[16] = {0};
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, 1);
    grid_make(&grid, cell->type, 1, &n);
    grid_operands(&grid, cell, LAYOUT_PLAIN, (enum style)random_below(STYLES));
    ck_assert_int_eq(samesum_state_create(&whole, &want, cell->type, begin), SAMESUM_OK);
    ck_assert_int_eq(samesum_state_update_array(whole, &grid.array, NULL), SAMESUM_OK);
    samesum_state_finish(whole, expected);
    ck_assert_int_eq(samesum_cuda_state_bytes(&want, cell->type, &bytes), SAMESUM_OK);
    samesum_array device = array_on_device(&grid.array);
    size_t stride = (bytes + 15) / 16 * 16 + 16 * random_below(3);
    void *states = states_of(&device, &want, begin, bytes, stride);
    finish_states(&want, cell->type, states, stride, got, result_bytes(cell));
    count_bits(compare_values(cell, got, expected, result_bytes(cell), n, SAMESUM_BACKEND_CUDA, 0,
                              "states finished on the device"));
    scratch_end();
    samesum_state_destroy(whole);
    grid_free(&grid);
}
