#include "fixedtree/segments.h"

#include <stdlib.h>
#include "fixedtree/threads.h"

/* A segment of mapped elements. */
typedef union tile {
    double f64[SS_SEGMENT];
    float f32[SS_SEGMENT];
} tile;

static const char *past(const ss_plan *plan, const char *x, size_t segments)
{
    return x ? x + segments * SS_SEGMENT * plan->elem_bytes : NULL;
}

/* Appends count segments on the calling thread, in the largest aligned nodes that the kernel makes.
 * Kahan's kernels are those of tree and end at the segment (SPEC.md 4.3). */
static void append_alone(const ss_plan *plan, const char *x, const char *y, size_t count,
                         ss_range *range)
{
    int most =
        plan->map || plan->arith.level == SAMESUM_KAHAN ? SS_SEGMENT_LEVEL : SS_NODE_LEVEL_MAX;
    uint64_t end = range->end + count * SS_SEGMENT_ROWS;
    while (range->end < end) {
        int level = ss_aligned_level(range->end, end);
        if (level > most)
            level = most;
        ss_lanes node;
        if (plan->map) {
            tile t;
            plan->map->fill(plan->map, x, SS_SEGMENT, &t);
            plan->kernel->node(level, &t, NULL, &node);
        } else {
            plan->kernel->node(level, x, y, &node);
        }
        ss_range_push(&plan->arith, range, level, &node);
        size_t segments = (size_t)1 << (level - SS_SEGMENT_LEVEL);
        x = past(plan, x, segments);
        y = past(plan, y, segments);
    }
}

typedef struct team {
    const ss_plan *plan;
    const char *x, *y;
    uint64_t first_row;
    ss_range *part; /* one for each member */
} team;

static void append_part(void *context, int member, size_t from, size_t to)
{
    team *t = context;
    ss_range_init(&t->part[member], t->first_row + from * SS_SEGMENT_ROWS);
    append_alone(t->plan, past(t->plan, t->x, from), past(t->plan, t->y, from), to - from,
                 &t->part[member]);
}

int ss_segments_append(const ss_plan *plan, const char *x, const char *y, size_t count,
                       ss_range *range)
{
    int threads = ss_useful_threads(plan->threads, count);
    team t = {plan, x, y, range->end, NULL};
    if (threads > 1)
        t.part = malloc((size_t)threads * sizeof *t.part);
    if (!t.part) { /* one thread, or no memory for more */
        append_alone(plan, x, y, count, range);
        return 1;
    }
    threads = ss_parallel(threads, count, append_part, &t);
    for (int i = 0; i < threads; i++)
        ss_range_append(&plan->arith, range, &t.part[i]);
    free(t.part);
    return threads;
}

void ss_segment_partial(const ss_plan *plan, const char *x, const char *y, size_t n, ss_lanes *out)
{
    if (plan->map) {
        tile t;
        plan->map->fill(plan->map, x, n, &t);
        plan->kernel->partial(&t, NULL, n, out);
    } else {
        plan->kernel->partial(x, y, n, out);
    }
}

int ss_tree_reduce(const ss_plan *plan, const char *x, const char *y, size_t n, void *result)
{
    size_t segments = n / SS_SEGMENT, rest = n % SS_SEGMENT;
    ss_range range;
    ss_lanes root, after;
    ss_range_init(&range, 0);
    int threads = ss_segments_append(plan, x, y, segments, &range);
    if (rest)
        ss_segment_partial(plan, past(plan, x, segments), past(plan, y, segments), rest, &after);
    if (ss_range_root(&plan->arith, &range, NULL, rest ? &after : NULL, &root))
        ss_lanes_finish(&plan->arith, &root, result);
    else
        ss_lanes_finish_empty(&plan->arith, result);
    return threads;
}
