#include "fixedtree/columns.h"

#include <stdlib.h>
#include <string.h>
#include "fixedtree/threads.h"

/* The series are cut into strips, whose nodes stay in the caches; each goes through the data line
 * by line (a line: one element of each series of the strip). A strip whose lines follow each other
 * without gaps is one walk through memory. Several rows at a time are less work, but walks over
 * several short rows lose half of the memory's bandwidth. */
enum {
    STRIP_BYTES = 16384,      /* of accumulators, for one lane */
    NARROW_BYTES = 256,       /* lines below that are read row by row */
    STACK = SS_SEGMENT_LEVEL, /* nodes of a segment that wait for their right */
    NODES_MAX = 2 * 60 + 3,   /* of a range of segments, as in range.h */
    ALIGN = 64
};

typedef struct job {
    const ss_columns *columns;
    const ss_arith *arith;
    samesum_op op;
    samesum_type type;
    const char *x;
    ptrdiff_t stride;
    size_t n, series, strip;
    size_t elem, acc;    /* bytes */
    size_t pitch, apart; /* numbers; see ss_meet and ss_columns.finish */
    int gapless, block_rows;
    int nodes; /* for which a worker has room, beside its stack */
    size_t node_bytes, worker_bytes;
    char *memory, *results;
} job;

/* Nodes of the segments [begin, end) of one strip, from left to right, and the memory they are in.
 */
typedef struct part {
    char *stack, *node;
    uint64_t begin, end;
    int count;
    signed char level[NODES_MAX]; /* 0: a segment's */
    int cleared;
} part;

static char *node(const job *j, const part *p, int i)
{
    return p->node + (size_t)i * j->node_bytes;
}

static char *error_of(const job *j, char *s)
{
    return s + j->apart * j->acc;
}

/* Columns that fill no vector go by way of a tile. */
static void run(const job *j, const char *x, int rows, size_t width, const char *next, ss_meet m)
{
    ptrdiff_t row = SS_LANES * j->stride;
    size_t whole = width / SS_LANES * SS_LANES, rest = width - whole;
    int pair = j->arith->level == SAMESUM_COMPENSATED;
    if (whole)
        j->columns->run[j->type][pair](j->op, x, row, rows, whole, next, &m);
    if (rest) {
        char tile[SS_BLOCK_ROWS * SS_LANES * sizeof(double)] = {0};
        size_t tile_row = SS_LANES * j->elem, offset = whole * j->acc;
        for (int r = 0; r < rows; r++)
            memcpy(tile + (size_t)r * tile_row, x + whole * j->elem + r * row, rest * j->elem);
        m.left = (const char *)m.left + offset;
        m.s = (char *)m.s + offset;
        m.e = (char *)m.e + offset;
        j->columns->run[j->type][pair](j->op, tile, (ptrdiff_t)tile_row, rows, SS_LANES, tile, &m);
    }
}

/* Lanes [from, to) of a block of rows. */
static void lanes(const job *j, const char *x, int rows, size_t series, int from, int to, ss_meet m)
{
    const char *after = x + j->block_rows * SS_LANES * j->stride;
    size_t lane = j->pitch * j->acc;
    m.left = (const char *)m.left + (size_t)from * lane;
    m.s = (char *)m.s + (size_t)from * lane;
    m.e = (char *)m.e + (size_t)from * lane;
    x += from * j->stride;
    if (j->gapless) {
        run(j, x, rows, (size_t)(to - from) * series, after, m);
        return;
    }
    for (int lane_of = from; lane_of < to; lane_of++) {
        run(j, x, rows, series, lane_of + 1 < SS_LANES ? x + j->stride : after, m);
        m.left = (const char *)m.left + lane;
        m.s = (char *)m.s + lane;
        m.e = (char *)m.e + lane;
        x += j->stride;
    }
}

/* -0.0 changes no sum. Lanes stay absent from strip to strip. */
static void clear(const job *j, part *p, char *s, int from)
{
    size_t first = (size_t)from * j->pitch, count = (SS_LANES - (size_t)from) * j->pitch;
    if (p->cleared)
        return;
    p->cleared = j->n < SS_SEGMENT; /* else nodes of whole segments pass there */
    memset(error_of(j, s) + first * j->acc, 0, count * j->acc);
    for (size_t c = first; c < first + count; c++) {
        if (j->arith->wide)
            ((double *)s)[c] = -0.0;
        else
            ((float *)s)[c] = -0.0f;
    }
}

/* The lanes' roots of n <= SS_SEGMENT elements of each series, the first of which is the first of a
 * segment, to node `to` of p. */
static void segment(const job *j, part *p, const char *x, size_t n, size_t series, int to)
{
    int all = (int)((n + SS_LANES - 1) / SS_LANES), have = (int)(n % SS_LANES);
    int blocks = (all - 1) / j->block_rows, rows = all - blocks * j->block_rows, top = 0;
    char *out = node(j, p, to);
    ss_meet m = {.left = p->stack, .apart = j->apart};
    for (int b = 0; b < blocks; b++) {
        m.count = ss_trailing_zeros((uint64_t)b + 1);
        m.s = p->stack + (size_t)(top - m.count) * j->node_bytes;
        m.e = error_of(j, m.s);
        lanes(j, x, j->block_rows, series, 0, SS_LANES, m);
        top += 1 - m.count;
        m.left = p->stack + (size_t)(top - 1) * j->node_bytes;
        x += j->block_rows * SS_LANES * j->stride;
    }
    m.count = top;
    m.s = out;
    m.e = error_of(j, out);
    if (j->arith->level == SAMESUM_KAHAN) /* SPEC.md 4.3: (s, 0) from here on */
        memset(m.e, 0, SS_LANES * j->pitch * j->acc);
    lanes(j, x, rows, series, 0, have ? have : SS_LANES, m);
    if (have && (rows > 1 || top > 0))
        lanes(j, x, rows - 1, series, have, SS_LANES, m);
    else if (have)
        clear(j, p, out, have);
}

/* Node i, of the level above, becomes that of i and i + 1. */
static void combine(const job *j, part *p, int i)
{
    char *left = node(j, p, i), *right = node(j, p, i + 1);
    /* SPEC.md 4.3: above the segment's level kahan is compensated */
    int pair = j->arith->level != SAMESUM_TREE;
    j->columns->combine[j->arith->wide][pair](SS_LANES * j->pitch, left, error_of(j, left), right,
                                              error_of(j, right));
}

/* Node p->count, of this level, is there: as ss_range_push. */
static void push(const job *j, part *p, int level)
{
    int top = p->count;
    uint64_t first = p->end;
    p->end += UINT64_C(1) << level;
    while (top > 0 && p->level[top - 1] == level && (first >> level & 1)) {
        first -= UINT64_C(1) << level++;
        combine(j, p, --top);
    }
    p->level[top] = (signed char)level;
    p->count = top + 1;
}

static void begin(const job *j, part *p, int member, size_t segment_index)
{
    p->stack = j->memory + (size_t)member * j->worker_bytes;
    p->node = p->stack + STACK * j->node_bytes;
    p->begin = p->end = segment_index;
    p->count = 0;
}

static void segments(const job *j, part *p, const char *x, size_t series, size_t to)
{
    while (p->end < to) {
        segment(j, p, x + (ptrdiff_t)(p->end * SS_SEGMENT) * j->stride, SS_SEGMENT, series,
                p->count);
        push(j, p, 0);
    }
}

/* What lies right of p's whole segments, which begin at 0, and the results. */
static void finish(const job *j, part *p, size_t first, size_t series)
{
    const char *x = j->x + first * j->elem;
    size_t whole = j->n / SS_SEGMENT * SS_SEGMENT;
    if (whole < j->n) {
        segment(j, p, x + (ptrdiff_t)whole * j->stride, j->n - whole, series, p->count);
        p->count++;
    }
    for (int i = p->count - 2; i >= 0; i--)
        combine(j, p, i);
    char *root = node(j, p, 0);
    j->columns->finish[j->arith->wide][j->arith->level != SAMESUM_TREE](
        root, error_of(j, root), j->pitch, series, j->results + first * j->acc);
}

static const char *x_at(const job *j, size_t series)
{
    return j->x + series * j->elem;
}

static size_t width_of(const job *j, size_t first)
{
    return j->series - first < j->strip ? j->series - first : j->strip;
}

static void strips(void *context, int member, size_t from, size_t to)
{
    const job *j = context;
    part p = {0};
    for (size_t i = from; i < to; i++) {
        size_t first = i * j->strip;
        begin(j, &p, member, 0);
        segments(j, &p, j->x + first * j->elem, width_of(j, first), j->n / SS_SEGMENT);
        finish(j, &p, first, width_of(j, first));
    }
}

typedef struct range {
    const job *job;
    size_t first; /* the strip's first series */
    part *parts;  /* one for each member */
} range;

static void ranges(void *context, int member, size_t from, size_t to)
{
    const range *r = context;
    part *p = &r->parts[member];
    begin(r->job, p, member, from);
    segments(r->job, p, r->job->x + r->first * r->job->elem, width_of(r->job, r->first), to);
}

/* One strip after the other, each by several threads. */
static int strips_in_ranges(const job *j, part *parts, int threads)
{
    int most = 1;
    for (size_t first = 0; first < j->series; first += j->strip) {
        range r = {j, first, parts};
        int team = ss_parallel(threads, j->n / SS_SEGMENT, ranges, &r);
        for (int i = 1; i < team; i++) {
            for (int k = 0; k < parts[i].count; k++) {
                memcpy(node(j, parts, parts->count), node(j, &parts[i], k), j->node_bytes);
                push(j, parts, parts[i].level[k]);
            }
        }
        finish(j, parts, first, width_of(j, first));
        most = team > most ? team : most;
    }
    return most;
}

static size_t rounded_up(size_t v, size_t to)
{
    return (v + to - 1) / to * to;
}

/* Strips of about equal width, a whole number of them for each thread. */
static size_t strip_width(const job *j, size_t threads)
{
    size_t most = STRIP_BYTES / j->acc, strips_needed = (j->series + most - 1) / most;
    size_t count = rounded_up(strips_needed, threads);
    size_t width = rounded_up((j->series + count - 1) / count, ALIGN / j->elem);
    return width < j->series ? width : j->series;
}

/* Few elements: groups [from, to) of SS_LANES series, the last of which may go by way of a tile. */
static void brief(void *context, int member, size_t from, size_t to)
{
    const job *j = context;
    (void)member;
    size_t first = from * SS_LANES, whole = to * SS_LANES, rest = 0;
    if (whole > j->series) {
        rest = j->series % SS_LANES;
        whole = j->series - rest;
    }
    if (whole > first)
        j->columns->brief[j->type][j->arith->level](j->op, x_at(j, first), j->stride, (int)j->n,
                                                    whole - first, j->results + first * j->acc);
    if (rest) {
        double tile[SS_BRIEF * SS_LANES] = {0}, results[SS_LANES];
        size_t line = SS_LANES * j->elem;
        for (size_t i = 0; i < j->n; i++)
            memcpy((char *)tile + i * line, x_at(j, whole) + (ptrdiff_t)i * j->stride,
                   rest * j->elem);
        j->columns->brief[j->type][j->arith->level](j->op, (const char *)tile, (ptrdiff_t)line,
                                                    (int)j->n, SS_LANES, results);
        memcpy(j->results + whole * j->acc, results, rest * j->acc);
    }
}

int ss_columns_reduce(const ss_backend *backend, const ss_arith *arith, samesum_op op,
                      samesum_type type, const char *x, ptrdiff_t stride, size_t n, size_t series,
                      int threads, void *results)
{
    job j = {.columns = backend->columns,
             .arith = arith,
             .op = op,
             .type = type,
             .x = x,
             .stride = stride,
             .n = n,
             .series = series,
             .elem = samesum_element_size(type),
             .acc = arith->wide ? sizeof(double) : sizeof(float),
             .results = results};
    if (n <= SS_BRIEF)
        return ss_parallel(ss_useful_threads(threads, n * series / SS_SEGMENT),
                           rounded_up(series, SS_LANES) / SS_LANES, brief, &j);
    size_t segments_whole = n / SS_SEGMENT;
    int team = ss_useful_threads(threads, n * series / SS_SEGMENT), in_ranges = 0;
    size_t line = series * j.elem;
    j.strip = series;
    int long_series = n / SS_SEGMENT >= 4 * (size_t)team;
    if (series * j.acc > STRIP_BYTES || (team > 1 && !long_series))
        j.strip = strip_width(&j, (size_t)team);
    size_t count = (series + j.strip - 1) / j.strip;
    if (count < (size_t)team) {
        in_ranges = long_series;
        team = long_series ? team : (int)count;
    }
    j.gapless = j.strip == series && stride == (ptrdiff_t)line;
    j.block_rows = j.gapless && line < NARROW_BYTES ? 1 : SS_BLOCK_ROWS;
    j.pitch = j.gapless ? series : rounded_up(j.strip, SS_LANES);
    j.apart = SS_LANES * j.pitch + SS_LANES;
    j.node_bytes = rounded_up(2 * j.apart * j.acc, ALIGN);
    j.nodes = 2;
    for (size_t s = segments_whole; s; s >>= 1)
        j.nodes += in_ranges ? 2 : 1;
    j.worker_bytes = (STACK + (size_t)j.nodes) * j.node_bytes;
    j.memory = aligned_alloc(ALIGN, (size_t)team * j.worker_bytes);
    part *parts = in_ranges ? malloc((size_t)team * sizeof *parts) : NULL;
    if (!j.memory || (in_ranges && !parts)) {
        team = 0;
    } else if (in_ranges) {
        for (int i = 0; i < team; i++)
            parts[i].cleared = 0;
        team = strips_in_ranges(&j, parts, team);
    } else {
        team = ss_parallel(team, count, strips, &j);
    }
    free(j.memory);
    free(parts);
    return team;
}
