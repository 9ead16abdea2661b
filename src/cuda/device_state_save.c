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
        for (int i = 0; i < ss_state_trees(s); i++)
            s->tree[i] = from->tree[i];
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
    if (from.magic != SS_CUDA_STATE_MAGIC || from.begin > from.end ||
        samesum_state_create(&s, &from.want, from.type, from.begin) != SAMESUM_OK)
        return SAMESUM_ERR_CORRUPT;
    fill(s, &from);
    samesum_status st = samesum_state_save(s, buf, capacity, written);
    samesum_state_destroy(s);
    return st;
}
