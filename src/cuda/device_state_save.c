#include "cuda/device_state.h"

#include <string.h>
#include "samesum_cuda.h"
#include "state.h"

samesum_status ss_cuda_state_settle(const samesum_want *want, samesum_type type, uint64_t begin,
                                    samesum_want *settled)
{
    samesum_state *s;
    samesum_status st = samesum_state_create(&s, want, type, begin);
    if (st == SAMESUM_OK) {
        *settled = s->want;
        samesum_state_destroy(s);
    }
    return st;
}

unsigned ss_cuda_state_numbers(samesum_op op, samesum_type type)
{
    return ss_numbers_of_element(op, type);
}

/* An image may have been damaged on its way: whether what says how much is read of it is right. */
static int sum_is_sound(const ss_exact *acc)
{
    return acc->low >= 0 && acc->high <= SS_EXACT_DIGITS;
}

static int is_sound(const samesum_state *s, const ss_cuda_state *from)
{
    const uint64_t numbers = ss_numbers_of_element(s->want.op, s->type);
    int sound = from->again == ss_cuda_range_again(from->begin, from->end) &&
                from->end <= UINT64_MAX / numbers && from->present <= from->end - from->begin;
    switch (ss_state_holds(s)) {
    case SS_HOLDS_SUMS:
        for (int i = 0; i < s->sums.sums; i++)
            sound = sound && sum_is_sound(&from->acc[i]);
        break;
    case SS_HOLDS_TREES:
    case SS_HOLDS_EXTREMES:
        break;
    }
    return sound;
}

/* Sums of magnitudes that are zero: +0.0 on the CPU, -0.0 on the device where all elements are
 * absent, which no result tells apart. Of lanes [from, to). By bits, since to a caller who takes
 * subnormals for zeros these are equal. */
static void settle_zeros(const ss_arith *arith, ss_lanes *lanes, int from, int to)
{
    static const double zero = -0.0;
    static const float zero_f = -0.0f;
    for (int i = from; i < to; i++) {
        if (arith->wide && !memcmp(&lanes->f64.s[i], &zero, sizeof zero))
            lanes->f64.s[i] = 0;
        if (!arith->wide && !memcmp(&lanes->f32.s[i], &zero_f, sizeof zero_f))
            lanes->f32.s[i] = 0;
    }
}

static void settle_tree(ss_tree *t)
{
    settle_zeros(&t->arith, &t->head, (int)(t->begin % SS_LANES), SS_LANES);
    settle_zeros(&t->arith, &t->tail,
                 t->begin / SS_LANES == t->end / SS_LANES ? (int)(t->begin % SS_LANES) : 0,
                 (int)(t->end % SS_LANES));
    for (int i = 0; i < t->rows.count; i++)
        settle_zeros(&t->arith, &t->rows.node[i], 0, SS_LANES);
}

/* Fills a tree, which is empty, with the maximal nodes of [begin, end): which these are is known.
 */
static void fill_tree(ss_tree *t, uint64_t end, const ss_lanes *node)
{
    ss_range *rows = &t->rows;
    t->end = end;
    t->head = node[2 * SS_CUDA_STATE_LEVELS];
    t->tail = node[2 * SS_CUDA_STATE_LEVELS + 1];
    for (const uint64_t end_row = end / SS_LANES; rows->end < end_row; rows->count++) {
        const int level = ss_aligned_level(rows->end, end_row);
        const int at_right = !(rows->end >> level & 1);
        rows->level[rows->count] = (signed char)level;
        rows->node[rows->count] = node[2 * level + at_right];
        rows->end += UINT64_C(1) << level;
    }
}

/* Fills s, which is empty, with what the device made. */
static void fill(samesum_state *s, const ss_cuda_state *from)
{
    s->end = from->end;
    s->present = from->present;
    switch (ss_state_holds(s)) {
    case SS_HOLDS_SUMS:
        for (int i = 0; i < s->sums.sums; i++)
            s->sums.acc[i] = from->acc[i];
        break;
    case SS_HOLDS_EXTREMES:
        s->found = from->found;
        break;
    case SS_HOLDS_TREES:
        for (int i = 0; i < ss_state_trees(s); i++) {
            fill_tree(&s->tree[i], from->end * ss_numbers_of_element(s->want.op, s->type),
                      from->node[i]);
            if (s->want.op == SAMESUM_ASUM)
                settle_tree(&s->tree[i]);
        }
        break;
    }
}

samesum_status samesum_cuda_state_save(const void *image, size_t image_bytes, void *buf,
                                       size_t capacity, size_t *written)
{
    if (!image || !buf || !written)
        return SAMESUM_ERR_NULL;
    ss_cuda_state from;
    samesum_state *s;
    if (image_bytes < sizeof from)
        return SAMESUM_ERR_SIZE;
    memcpy(&from, image, sizeof from);
    if (from.magic != SS_CUDA_STATE_MAGIC || from.begin > from.end)
        return SAMESUM_ERR_CORRUPT;
    samesum_status st = samesum_state_create(&s, &from.want, from.type, from.begin);
    if (st != SAMESUM_OK)
        return st == SAMESUM_ERR_NOMEM ? st : SAMESUM_ERR_CORRUPT;
    if (is_sound(s, &from)) {
        fill(s, &from);
        st = samesum_state_save(s, buf, capacity, written);
    } else {
        st = SAMESUM_ERR_CORRUPT;
    }
    samesum_state_destroy(s);
    return st;
}
