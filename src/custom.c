/* samesum_reduce_custom(): the tree of SPEC.md 4.1 over nodes whose insides only the user knows.
 * The arithmetic is that of the user's functions, plain code on every machine: what ran is always
 * SAMESUM_BACKEND_SCALAR. They see the caller's floating-point environment, so this file does not
 * enter the library's own. */
#include "samesum.h"

#include <fenv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "fixedtree/shape.h"
#include "fixedtree/threads.h"

enum {
    NODE_ALIGNMENT = 16,
    ROW_LEVELS = 61,               /* 2^64 elements have 2^60 rows: levels 0 to 60 */
    MOST_ROWS = 2 * ROW_LEVELS + 1 /* in a stack, as nodes_of() says */
};

/* The maximal aligned nodes of a range of rows, from left to right, each of 16 lanes, as in
 * fixedtree/range.h. Absent ones (SPEC.md 1.5) are marked, for no state of the user's is neutral.
 */
typedef struct stack {
    uint64_t end; /* the row behind them */
    int count;
    signed char level[MOST_ROWS];
    uint16_t present[MOST_ROWS]; /* bit j: lane j */
    _Alignas(NODE_ALIGNMENT) char node[];
} stack;

typedef struct tree {
    const samesum_custom *user;
    uint64_t n;
    size_t node_stride, stack_bytes;
    char *stacks; /* one for each thread */
    fenv_t caller;
} tree;

static stack *stack_of(const tree *t, int member)
{
    return (stack *)(void *)(t->stacks + (size_t)member * t->stack_bytes);
}

static void *node_at(const tree *t, stack *s, int i, int lane)
{
    return s->node + ((size_t)i * SS_LANES + (size_t)lane) * t->node_stride;
}

/* Node (i, lane) becomes that of itself and node (j, other), which lies to its right (SPEC.md 1.5
 * and 4.1 step 2). */
static void combine(const tree *t, stack *s, int i, int lane, int j, int other)
{
    if (!(s->present[j] >> other & 1))
        return;
    void *left = node_at(t, s, i, lane);
    const void *right = node_at(t, s, j, other);
    if (s->present[i] >> lane & 1)
        t->user->combine(t->user->context, left, right);
    else
        memcpy(left, right, t->user->node_bytes);
    s->present[i] = (uint16_t)(s->present[i] | 1u << lane);
}

static void combine_lanes(const tree *t, stack *s, int i)
{
    for (int lane = 0; lane < SS_LANES; lane++)
        combine(t, s, i, lane, i + 1, lane);
}

/* Takes in the node of this level that was put behind the others, and makes all nodes of higher
 * levels that are complete with it (SPEC.md 4.1 step 3). */
static void push(const tree *t, stack *s, int level)
{
    int top = s->count;
    uint64_t first = s->end;
    s->end += UINT64_C(1) << level;
    while (top > 0 && s->level[top - 1] == level && (first >> level & 1)) {
        combine_lanes(t, s, --top);
        first -= UINT64_C(1) << level++;
    }
    s->level[top] = (signed char)level;
    s->count = top + 1;
}

/* Has the user make the node behind the others: a row or, with lane_leaf, a segment. */
static void fill(const tree *t, stack *s)
{
    const samesum_custom *user = t->user;
    unsigned present = 0;
    for (int lane = 0; lane < SS_LANES; lane++) {
        uint64_t index = s->end * SS_LANES + (uint64_t)lane;
        if (index >= t->n)
            break;
        void *node = node_at(t, s, s->count, lane);
        uint64_t rows = (t->n - 1 - index) / SS_LANES + 1; /* to the end, in this lane */
        size_t count = rows < SS_SEGMENT_ROWS ? (size_t)rows : SS_SEGMENT_ROWS;
        bool there = user->leaf ? user->leaf(user->context, index, node) != 0
                                : user->lane_leaf(user->context, index, count, node) != 0;
        present |= (unsigned)there << lane;
    }
    s->present[s->count] = (uint16_t)present;
}

static uint64_t rows_of(uint64_t n)
{
    return n / SS_LANES + (n % SS_LANES != 0);
}

static void reduce_part(void *context, int member, size_t from, size_t to)
{
    const tree *t = context;
    stack *s = stack_of(t, member);
    int level = t->user->leaf ? 0 : SS_SEGMENT_LEVEL;
    uint64_t all = rows_of(t->n), end = (uint64_t)to * SS_SEGMENT_ROWS;
    fenv_t own;
    fegetenv(&own);
    fesetenv(&t->caller);
    s->end = (uint64_t)from * SS_SEGMENT_ROWS;
    s->count = 0;
    while (s->end < end && s->end < all) {
        fill(t, s);
        push(t, s, level);
    }
    fesetenv(&own);
}

static void append(const tree *t, stack *s, stack *next)
{
    for (int i = 0; i < next->count; i++) {
        memcpy(node_at(t, s, s->count, 0), node_at(t, next, i, 0), SS_LANES * t->node_stride);
        s->present[s->count] = next->present[i];
        push(t, s, next->level[i]);
    }
}

/* Reduces a stack that begins at row 0 to its first node (SPEC.md 4.1 steps 4 and 5); false where
 * nothing is present. There each node is of a lower level than the one before, so what lies right
 * of a node meets before it meets that node. */
static bool reduce_stack(const tree *t, stack *s)
{
    for (; s->count > 1; s->count--)
        combine_lanes(t, s, s->count - 2);
    for (int step = 1; step < SS_LANES; step *= 2)
        for (int lane = 0; lane < SS_LANES; lane += 2 * step)
            combine(t, s, 0, lane, 0, lane + step);
    return s->present[0] & 1;
}

/* Nodes of 16 lanes that a stack may hold: two of each level (range.h) and the one that is put
 * behind them. */
static size_t nodes_of(uint64_t n)
{
    return 2 * ((size_t)ss_aligned_level(0, rows_of(n)) + 1) + 1;
}

/* Memory for that many threads, or for one where there is less. Returns their number; 0: none. */
static int allocate(tree *t, int threads)
{
    size_t nodes, bytes;
    if (__builtin_add_overflow(t->user->node_bytes, NODE_ALIGNMENT - 1, &t->node_stride))
        return 0;
    t->node_stride -= t->node_stride % NODE_ALIGNMENT;
    if (__builtin_mul_overflow(t->node_stride, SS_LANES * nodes_of(t->n), &nodes) ||
        __builtin_add_overflow(nodes, sizeof(stack), &t->stack_bytes))
        return 0;
    for (; threads > 0; threads = threads > 1 ? 1 : 0) {
        if (__builtin_mul_overflow(t->stack_bytes, (size_t)threads, &bytes))
            continue;
        t->stacks = aligned_alloc(NODE_ALIGNMENT, bytes);
        if (t->stacks)
            return threads;
    }
    return 0;
}

samesum_status samesum_reduce_custom(const samesum_custom *custom, uint64_t n, int threads,
                                     void *result, samesum_ran *ran)
{
    if (!custom || !custom->combine || !result)
        return SAMESUM_ERR_NULL;
    if (custom->node_bytes == 0)
        return SAMESUM_ERR_SIZE;
    if (!custom->leaf == !custom->lane_leaf)
        return SAMESUM_ERR_OPTION;
    if (threads < 0)
        return SAMESUM_ERR_THREADS;

    bool any = false;
    int team = 1;
    if (n > 0) {
        tree t = {.user = custom, .n = n};
        size_t segments = (size_t)(n / SS_SEGMENT + (n % SS_SEGMENT != 0));
        team = allocate(&t, ss_useful_threads(threads, segments));
        if (team == 0)
            return SAMESUM_ERR_NOMEM;
        fegetenv(&t.caller);
        team = ss_parallel(team, segments, reduce_part, &t);
        stack *s = stack_of(&t, 0);
        for (int i = 1; i < team; i++)
            append(&t, s, stack_of(&t, i));
        any = reduce_stack(&t, s);
        if (any)
            memcpy(result, node_at(&t, s, 0, 0), custom->node_bytes);
        fesetenv(&t.caller); /* without the flags that the user's functions raised */
        free(t.stacks);
    }
    if (ran) {
        ran->backend = SAMESUM_BACKEND_SCALAR;
        ran->threads = team;
    }
    return any ? SAMESUM_OK : SAMESUM_NO_VALUE;
}
