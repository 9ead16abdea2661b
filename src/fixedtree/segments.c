#include "fixedtree/segments.h"

#include <stdlib.h>
#include <string.h>
#include "fixedtree/threads.h"

/* Levels of the largest nodes of a kernel: with non-finite elements to count, one that the cache
 * holds, since the node's elements are then read again. */
enum { COUNTED_LEVEL_MAX = 12 };

static int all_direct(const ss_term *term, int terms)
{
    for (int i = 0; i < terms; i++)
        if (!ss_view_is_direct(term[i].view))
            return 0;
    return 1;
}

/* Whether all terms have a kernel for every second number, and are such numbers. */
static int all_every_second(const ss_term *term, int terms)
{
    for (int i = 0; i < terms; i++)
        if (!term[i].every_second || !ss_view_every_second(term[i].view))
            return 0;
    return 1;
}

static const char *number(const ss_view *view, int place, uint64_t i)
{
    return view->place[place] + i * ss_element_bytes(view->out);
}

void ss_note(const ss_term *term, int terms, uint64_t first, size_t n, size_t present,
             const ss_lanes *node, ss_tally *tally)
{
    uint64_t per = (uint64_t)ss_view_per(term->view);
    tally->counts.present += present;
    tally->counts.masked += n / per - present;
    if (!tally->nonfinite_wanted)
        return;
    for (int i = 0; i < terms; i++) {
        if (!ss_lanes_are_finite(&term[i].arith, &node[i])) {
            ss_view_nonfinite(term->view, first / per, n / per, tally);
            return;
        }
    }
}

/* The nodes of n numbers by way of tiles: of a whole segment, or the roots of less. Returns how
 * many elements are present. */
static __attribute__((noinline)) size_t tile_nodes(const ss_term *term, int terms, uint64_t first,
                                                   size_t n, ss_lanes *node)
{
    ss_tile tile;
    uint64_t per = (uint64_t)ss_view_per(term->view);
    size_t present = 0;
    for (int i = 0; i < terms; i++) {
        if (i == 0 || term[i].view != term[i - 1].view)
            ss_view_tile(term[i].view, first / per, n / per, SS_PAD_NEUTRAL, &tile);
        if (i == 0)
            present = tile.present;
        if (n == SS_SEGMENT)
            term[i].kernel->node(SS_SEGMENT_LEVEL, tile.x, tile.y, &node[i]);
        else
            term[i].kernel->partial(tile.x, tile.y, n, &node[i]);
    }
    return present;
}

/* Appends segments on the calling thread, in the largest aligned nodes that the kernel makes.
 * Kahan's kernels are those of tree and end at the segment (SPEC.md 4.3). */
static void append_alone(const ss_term *term, int terms, uint64_t first, size_t count,
                         ss_range *const *range, ss_tally *tally)
{
    int direct = all_direct(term, terms);
    int second = !direct && all_every_second(term, terms);
    int most = term->arith.level == SAMESUM_KAHAN ? SS_SEGMENT_LEVEL
               : tally->nonfinite_wanted          ? COUNTED_LEVEL_MAX
                                                  : SS_NODE_LEVEL_MAX;
    uint64_t end = range[0]->end + count * SS_SEGMENT_ROWS;
    while (range[0]->end < end) {
        int level = ss_aligned_level(range[0]->end, end);
        if (level > most)
            level = most;
        /* the kernel would read past the last number of all */
        if (second && first + ((uint64_t)SS_LANES << level) >= term->view->n)
            second = 0;
        if (!direct && !second)
            level = SS_SEGMENT_LEVEL;
        ss_lanes node[SS_TERMS];
        size_t n = (size_t)SS_LANES << level, present = n / (size_t)ss_view_per(term->view);
        if (direct)
            for (int i = 0; i < terms; i++)
                term[i].kernel->node(level, number(term[i].view, term[i].view->first, first),
                                     term[i].view->pair ? number(term[i].view, SS_Y, first) : NULL,
                                     &node[i]);
        else if (second)
            for (int i = 0; i < terms; i++)
                term[i].every_second(level,
                                     ss_view_every_second(term[i].view) +
                                         2 * first * ss_element_bytes(term[i].view->out),
                                     NULL, &node[i]);
        else
            present = tile_nodes(term, terms, first, n, node);
        ss_note(term, terms, first, n, present, node, tally);
        for (int i = 0; i < terms; i++)
            ss_range_push(&term[i].arith, range[i], level, &node[i]);
        first += n;
    }
}

typedef struct member {
    ss_range range[SS_TERMS];
    ss_tally tally;
} member;

typedef struct team {
    const ss_term *term;
    int terms;
    uint64_t first, first_row;
    member *part; /* one for each member */
} team;

static void append_part(void *context, int me, size_t from, size_t to)
{
    team *t = context;
    member *m = &t->part[me];
    ss_range *range[SS_TERMS];
    for (int i = 0; i < t->terms; i++) {
        range[i] = &m->range[i];
        ss_range_init(range[i], t->first_row + from * SS_SEGMENT_ROWS);
    }
    ss_tally_start(&m->tally, m->tally.nonfinite_wanted);
    append_alone(t->term, t->terms, t->first + from * SS_SEGMENT, to - from, range, &m->tally);
}

int ss_segments_append(const ss_term *term, int terms, int threads, uint64_t first, size_t count,
                       ss_range *const *range, ss_tally *tally)
{
    threads = ss_useful_threads(threads, count);
    team t = {term, terms, first, range[0]->end, NULL};
    if (threads > 1)
        t.part = malloc((size_t)threads * sizeof *t.part);
    if (!t.part) { /* one thread, or no memory for more */
        append_alone(term, terms, first, count, range, tally);
        return 1;
    }
    for (int i = 0; i < threads; i++)
        t.part[i].tally.nonfinite_wanted = tally->nonfinite_wanted;
    threads = ss_parallel(threads, count, append_part, &t);
    for (int k = 0; k < threads; k++) {
        for (int i = 0; i < terms; i++)
            ss_range_append(&term[i].arith, range[i], &t.part[k].range[i]);
        ss_tally_join(tally, &t.part[k].tally);
    }
    free(t.part);
    return threads;
}

void ss_segment_partial(const ss_term *term, int terms, uint64_t first, size_t n, ss_lanes *out,
                        ss_tally *tally)
{
    size_t present = n / (size_t)ss_view_per(term->view);
    if (all_direct(term, terms))
        for (int i = 0; i < terms; i++)
            term[i].kernel->partial(number(term[i].view, term[i].view->first, first),
                                    term[i].view->pair ? number(term[i].view, SS_Y, first) : NULL,
                                    n, &out[i]);
    else
        present = tile_nodes(term, terms, first, n, out);
    ss_note(term, terms, first, n, present, out, tally);
}

int ss_tree_reduce(const ss_term *term, int terms, int threads, double *result, ss_tally *tally)
{
    uint64_t n = term->view->n * (uint64_t)ss_view_per(term->view);
    size_t segments = (size_t)(n / SS_SEGMENT), rest = (size_t)(n % SS_SEGMENT);
    ss_range ranges[SS_TERMS], *const range[SS_TERMS] = {&ranges[0], &ranges[1]};
    ss_lanes root, after[SS_TERMS];
    for (int i = 0; i < terms; i++)
        ss_range_init(range[i], 0);
    threads = ss_segments_append(term, terms, threads, 0, segments, range, tally);
    if (rest)
        ss_segment_partial(term, terms, segments * SS_SEGMENT, rest, after, tally);
    for (int i = 0; i < terms; i++) {
        int some = ss_range_root(&term[i].arith, range[i], NULL, rest ? &after[i] : NULL, &root);
        /* SPEC.md 1: +0.0 where no leaf is present; absent ones stand as -0.0 */
        result[i] = some && tally->counts.present > 0 ? ss_lanes_finish(&term[i].arith, &root) : 0;
    }
    return threads;
}
