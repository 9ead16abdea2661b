#include "fixedtree/range.h"

void ss_range_init(ss_range *range, uint64_t begin)
{
    range->begin = range->end = begin;
    range->count = 0;
}

void ss_range_push(const ss_arith *arith, ss_range *range, int level, const ss_lanes *node)
{
    int top = range->count++;
    range->node[top] = *node;
    uint64_t first = range->end;
    range->end += UINT64_C(1) << level;
    /* SPEC.md 4.1: nodes 2i and 2i + 1 of a level make node i of the next; here ours is 2i + 1 */
    while (top > 0 && range->level[top - 1] == level && (first >> level & 1)) {
        level++;
        first -= UINT64_C(1) << (level - 1);
        top--;
        ss_lanes_combine(arith, level, &range->node[top], &range->node[top + 1]);
    }
    range->level[top] = (signed char)level;
    range->count = top + 1;
}

void ss_range_append(const ss_arith *arith, ss_range *range, const ss_range *next)
{
    for (int i = 0; i < next->count; i++)
        ss_range_push(arith, range, next->level[i], &next->node[i]);
}

int ss_range_root(const ss_arith *arith, const ss_range *range, const ss_lanes *before,
                  const ss_lanes *after, ss_lanes *root)
{
    /* A stack of nodes whose borders meet at ever lower levels; a border that meets no lower than
     * the next is combined before it (shape.h). Operands that are absent are passed over. */
    const ss_lanes *node[SS_RANGE_NODES + 2];
    uint64_t border[SS_RANGE_NODES + 2]; /* the row at which node i begins */
    int n = 0;
    uint64_t row = range->begin;
    if (before) {
        border[n] = row - 1;
        node[n++] = before;
    }
    for (int i = 0; i < range->count; i++) {
        border[n] = row;
        node[n++] = &range->node[i];
        row += UINT64_C(1) << range->level[i];
    }
    if (after) {
        border[n] = row;
        node[n++] = after;
    }
    if (n == 0)
        return 0;

    ss_lanes stack[SS_RANGE_NODES + 2];
    uint64_t at[SS_RANGE_NODES + 2];
    int top = 0;
    for (int i = 0; i <= n; i++) {
        int meets = i < n ? ss_meeting_level(border[i]) : 99;
        while (top > 1 && ss_meeting_level(at[top - 1]) < meets) {
            top--;
            ss_lanes_combine(arith, ss_meeting_level(at[top]), &stack[top - 1], &stack[top]);
        }
        if (i < n) {
            at[top] = border[i];
            stack[top++] = *node[i];
        }
    }
    *root = stack[0];
    return 1;
}
