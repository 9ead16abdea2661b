#include "fixedtree/trees.h"

#include <string.h>

void ss_tree_init(ss_tree *tree, uint64_t begin)
{
    tree->begin = tree->end = begin;
    /* the first complete row that a range from begin can hold */
    ss_range_init(&tree->rows, begin / SS_LANES + (begin % SS_LANES != 0));
    ss_lanes_clear(&tree->arith, &tree->tail, 0, SS_LANES);
}

/* Appends lanes [end % 16, to) of the row that end lies in, to <= 16; they are taken from row. */
static void append_lanes(ss_tree *t, const ss_lanes *row, int to)
{
    int from = (int)(t->end % SS_LANES);
    ss_lanes_copy(&t->arith, &t->tail, row, from, to);
    t->end += (uint64_t)(to - from);
    if (to < SS_LANES)
        return;
    if (t->end - t->begin < SS_LANES) /* the row began before begin: its lanes there are absent */
        t->head = t->tail;
    else
        ss_range_push(&t->arith, &t->rows, 0, &t->tail);
    ss_lanes_clear(&t->arith, &t->tail, 0, SS_LANES);
}

/* Appends n numbers, from `first` of the views on, of the row that end lies in. */
static void append_few(ss_tree *tree, const ss_term *term, int terms, uint64_t first, size_t n,
                       ss_tally *tally)
{
    size_t bytes = ss_element_bytes(term->view->out), from = tree->end % SS_LANES;
    size_t per = (size_t)ss_view_per(term->view), present = 0;
    ss_tile tile;
    ss_lanes row[SS_TERMS];
    for (int i = 0; i < terms; i++) {
        double x[SS_LANES] = {0}, y[SS_LANES] = {0}; /* room for numbers of any type */
        ss_view_read(term[i].view, first / per, n / per, SS_PAD_NEUTRAL, &tile);
        present = tile.present;
        /* the kernel reads the lanes before from, too; they are not used */
        memcpy((char *)x + from * bytes, tile.x, n * bytes);
        if (tile.y)
            memcpy((char *)y + from * bytes, tile.y, n * bytes);
        term[i].kernel->partial(x, y, from + n, &row[i]);
        append_lanes(&tree[i], &row[i], (int)(from + n));
    }
    ss_note(term, terms, first, n, present, row, tally);
}

void ss_trees_append(ss_tree *tree, const ss_term *term, int terms, int threads, ss_tally *tally)
{
    uint64_t n = term->view->n * (uint64_t)ss_view_per(term->view);
    for (uint64_t first = 0; first < n;) {
        uint64_t left = n - first, done, row = tree->end / SS_LANES;
        if (tree->end % SS_LANES != 0 || left < SS_LANES) {
            uint64_t room = SS_LANES - tree->end % SS_LANES;
            done = left < room ? left : room;
            append_few(tree, term, terms, first, (size_t)done, tally);
        } else if (row % SS_SEGMENT_ROWS == 0 && left >= SS_SEGMENT) {
            ss_range *const range[SS_TERMS] = {&tree[0].rows, &tree[terms - 1].rows};
            done = left / SS_SEGMENT * SS_SEGMENT;
            ss_segments_append(term, terms, threads, first, (size_t)(left / SS_SEGMENT), range,
                               tally);
            for (int i = 0; i < terms; i++)
                tree[i].end += done;
        } else { /* the largest aligned node that fits; smaller than a segment */
            int level = ss_aligned_level(row, row + left / SS_LANES);
            ss_lanes node[SS_TERMS];
            done = (uint64_t)SS_LANES << level;
            ss_segment_partial(term, terms, first, (size_t)done, node, tally);
            for (int i = 0; i < terms; i++) {
                ss_range_push(&tree[i].arith, &tree[i].rows, level, &node[i]);
                tree[i].end += done;
            }
        }
        first += done;
    }
}

void ss_tree_merge(ss_tree *tree, const ss_tree *from)
{
    if (ss_tree_has_head(from))
        append_lanes(tree, &from->head, SS_LANES);
    ss_range_append(&tree->arith, &tree->rows, &from->rows);
    tree->end += from->rows.count ? (from->rows.end - from->rows.begin) * SS_LANES : 0;
    if (ss_tree_has_tail(from))
        append_lanes(tree, &from->tail, (int)(from->end % SS_LANES));
}

double ss_tree_finish(const ss_tree *tree)
{
    ss_lanes root;
    if (!ss_range_root(&tree->arith, &tree->rows, ss_tree_has_head(tree) ? &tree->head : NULL,
                       ss_tree_has_tail(tree) ? &tree->tail : NULL, &root))
        return -0.0;
    return ss_lanes_finish(&tree->arith, &root);
}
