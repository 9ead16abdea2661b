#include "cuda/share.h"

#include <new>
#include "cuda/check.h"
#include "cuda/join.cuh"
#include "cuda/range.cuh"

/* ---- what is asked -----------------------------------------------------------------------------
 */

/* Checked, on the host. */
struct asked_of {
    samesum_want want;
    ss_rows rows;
    ss_job job;
    ss_cuda_sink sink;
};

static samesum_status check(const ss_share_asked &asked, asked_of &a)
{
    if (!asked.part || !asked.want || !asked.out)
        return SAMESUM_ERR_NULL;
    samesum_status st = ss_cuda_job_split(asked.part, asked.axes, asked.axis_count, &a.rows);
    if (st == SAMESUM_OK)
        st = ss_cuda_job_want(asked.want, asked.part->type, &a.want);
    if (st == SAMESUM_OK)
        st = ss_cuda_job(asked.part, &a.rows, &a.want, &a.job);
    if (st == SAMESUM_OK)
        st = samesum_cuda_status(NULL);
    if (st != SAMESUM_OK)
        return st;
    a.sink = ss_cuda_sink_of(a.want, asked.part->type, *asked.out);
    if (!asked.out->results)
        a.sink.copies = 0;
    return st;
}

static uint64_t mix(uint64_t mixed, uint64_t more)
{
    mixed = (mixed ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return mixed ^ mixed >> 29;
}

/* Adds the extents that are the same for all: those of all axes but the one along which the parts
 * follow one another. */
static uint64_t mix_extents(uint64_t mixed, const ss_share_asked &asked)
{
    const samesum_array &part = *asked.part;
    bool reduced[SAMESUM_MAX_DIMS] = {}, is_first = true;
    for (int i = 0; i < asked.axis_count; i++)
        reduced[asked.axes[i] + (asked.axes[i] < 0 ? part.dims : 0)] = true;
    for (int k = 0; k < part.dims; k++) {
        const bool summed = reduced[k] || asked.axis_count == 0;
        if (!(summed && is_first))
            mixed = mix(mixed, 2 * (uint64_t)part.shape[k] + summed);
        is_first = is_first && !summed;
    }
    return mixed;
}

static uint64_t mixed_of(const ss_share_asked &asked, const asked_of &a)
{
    const samesum_want &want = a.want;
    const bool extremes = want.op >= SAMESUM_MIN;
    const bool spread = want.op == SAMESUM_VAR || want.op == SAMESUM_STD;
    const uint64_t parts[] = {(uint64_t)want.op,
                              (uint64_t)asked.part->type,
                              extremes ? 0u : (unsigned)want.level,
                              spread ? want.ddof : 0,
                              extremes ? (unsigned)want.nan : 0u,
                              (uint64_t)want.result,
                              want.conj != 0,
                              a.job.weighted != 0,
                              asked.out->counts != NULL,
                              a.rows.results};
    uint64_t mixed = 0;
    for (uint64_t part : parts)
        mixed = mix(mixed, part);
    return mix_extents(mixed, asked);
}

samesum_status ss_share_measure(const ss_share_asked *asked, ss_share_size *size)
{
    asked_of a;
    if (!asked || !size)
        return SAMESUM_ERR_NULL;
    samesum_status st = check(*asked, a);
    if (st != SAMESUM_OK)
        return st;
    st = ss_cuda_check_view(ss_plan_view(a.job.row, a.rows.rest, a.rows.results, NULL));
    if (st == SAMESUM_OK && asked->out->results)
        st = ss_cuda_check_out(*asked->out, a.sink, a.rows.results);
    *size = {a.rows.n, a.rows.results, mixed_of(*asked, a)};
    return st;
}

/* ---- a share -----------------------------------------------------------------------------------
 */

static uint64_t forced_rows;

void ss_share_tune(uint64_t rows)
{
    forced_rows = rows;
}

enum share_pass { PASS_SUMS, PASS_LARGEST, PASS_SECOND, PASS_EXACT, PASS_EXTREMES };
enum { MOST_PASSES = 3, MESSAGE = 16 << 20, ROUND = 256 /* rows */ };

struct ss_share {
    ss_plan plan; /* views, leaves and finishes of the passes */
    samesum_want want;
    samesum_type type;
    uint64_t begin, total, rows, round_rows;
    uint64_t ranks;
    int passes;
    share_pass pass[MOST_PASSES];
    ss_image_form form;
    bool counted;
    samesum_counts *counts; /* NULL: none here */
    size_t workspace_bytes;
};

static const ss_sums &sums_of(const ss_share &s, share_pass pass)
{
    return s.plan.pass[pass == PASS_SECOND].sums;
}

/* A message: begin and end of the elements, what is present of each row, its counts in the first
 * pass, and what was reduced of it. */
struct message {
    size_t span, present, counts, body, bytes;
};

static size_t row_bytes(const ss_share &s, share_pass pass)
{
    switch (pass) {
    case PASS_LARGEST:
        return sizeof(double);
    case PASS_EXACT:
        return (size_t)s.plan.exact_job.sums * sizeof(ss_exact);
    case PASS_EXTREMES:
        return ss_cuda_extremes_share_bytes(s.want.op);
    default:
        return (size_t)sums_of(s, pass).terms * s.form.line_bytes;
    }
}

static message message_of(const ss_share &s, int pass)
{
    const auto rounded = [](size_t bytes) { return (bytes + 15) / 16 * 16; };
    message m;
    m.span = 0;
    m.present = 2 * sizeof(uint64_t);
    m.counts = m.present + rounded(s.round_rows * sizeof(uint64_t));
    m.body = m.counts + (s.counted && pass == 0 ? s.round_rows * sizeof(samesum_counts) : 0);
    m.bytes = m.body + rounded(s.round_rows * row_bytes(s, s.pass[pass]));
    return m;
}

/* The rows of a round. */
static uint64_t first_row(const ss_share &s, uint64_t round)
{
    return round * s.round_rows;
}
static uint64_t rows_in(const ss_share &s, uint64_t round)
{
    const uint64_t left = s.rows - first_row(s, round);
    return left < s.round_rows ? left : s.round_rows;
}

static ss_cuda_view view_in(const ss_share &s, ss_cuda_view v, uint64_t round)
{
    v.first_row = first_row(s, round);
    v.rows = rows_in(s, round);
    return v;
}

static ss_cuda_sink sink_in(const ss_share &s, ss_cuda_sink sink, uint64_t round)
{
    if (sink.copies > 0)
        sink.results += first_row(s, round) * (uint64_t)(sink.numbers * sink.bytes);
    return sink;
}

/* Of all rows, between passes; then what one call needs. */
struct rooms {
    double *parameter;
    int *wanted;
    unsigned long long *present;
    size_t kept; /* bytes of these */
    char *rest;
};

static rooms rooms_of(const ss_share &s, char *workspace)
{
    ss_space at = {workspace, 0};
    rooms r = {};
    if (s.plan.sums) {
        r.present = (unsigned long long *)at.take(s.rows * sizeof *r.present);
        if (s.passes > 1)
            r.parameter = (double *)at.take(s.rows * sizeof *r.parameter);
        if (s.passes > 2)
            r.wanted = (int *)at.take(s.rows * sizeof *r.wanted);
    }
    r.kept = at.used;
    r.rest = workspace ? workspace + at.used : NULL;
    return r;
}

static ss_sums sums_in(const ss_share &s, share_pass pass, uint64_t round, const rooms &r)
{
    ss_sums sums = sums_of(s, pass);
    const uint64_t first = first_row(s, round);
    sums.rows = rows_in(s, round);
    sums.parameter = r.parameter ? r.parameter + first : NULL;
    sums.wanted = r.wanted ? r.wanted + first : NULL;
    sums.present = r.present + first;
    sums.sink = sink_in(s, sums.sink, round);
    for (int t = 0; t < sums.terms; t++) {
        sums.view[t] = view_in(s, sums.view[t], round);
        sums.view[t].parameter = sums.parameter;
    }
    return sums;
}

static samesum_status range_in(ss_range_plan &plan, const ss_share &s, share_pass pass,
                               uint64_t round, const rooms &r)
{
    return ss_range_make(plan, sums_in(s, pass, round, r), s.type, s.want.level, s.begin);
}

static ss_join_job join_in(const ss_share &s, int pass, uint64_t round, const rooms &r,
                           const void *messages, size_t stride)
{
    const message m = message_of(s, pass);
    ss_join_job job = {};
    job.sums = sums_in(s, s.pass[pass], round, r);
    job.sums.masked = true; /* as present says */
    job.sums.per = ss_cuda_per(sums_of(s, s.pass[pass]).view[0]);
    job.images = (const char *)messages;
    job.stride = stride;
    job.count = s.ranks;
    job.span_at = m.span;
    job.present_at = m.present;
    job.lines_at = m.body;
    job.form = s.form;
    job.wide = ss_is_wide(s.type);
    job.level = s.want.level;
    job.room = r.rest;
    return job;
}

static ss_cuda_exact_job exact_in(const ss_share &s, uint64_t round)
{
    ss_cuda_exact_job job = s.plan.exact_job;
    for (int i = 0; i < job.sums; i++)
        job.view[i] = view_in(s, job.view[i], round);
    job.sink = sink_in(s, job.sink, round);
    return job;
}

static ss_cuda_extremes_job extremes_in(const ss_share &s, uint64_t round)
{
    ss_cuda_extremes_job job = s.plan.extremes_job;
    job.view = view_in(s, job.view, round);
    job.sink = sink_in(s, job.sink, round);
    return job;
}

/* Bytes that a call needs besides what is kept of all rows. */
static samesum_status room_for(const ss_share &s, int pass, uint64_t round, size_t *bytes)
{
    const rooms r = rooms_of(s, NULL);
    const ss_cuda_view whole = view_in(s, s.plan.whole, round);
    size_t need = s.counted && pass == 0 ? ss_cuda_counts_workspace(whole) : 0;
    const auto at_least = [&](size_t more) { need = more > need ? more : need; };
    samesum_status st = SAMESUM_OK;
    switch (s.pass[pass]) {
    case PASS_LARGEST:
        at_least(ss_cuda_largest_workspace(whole));
        break;
    case PASS_EXACT:
        at_least(ss_cuda_exact_workspace(exact_in(s, round)));
        break;
    case PASS_EXTREMES:
        at_least(ss_cuda_extremes_workspace(extremes_in(s, round)));
        break;
    default:
        ss_range_plan plan;
        st = range_in(plan, s, s.pass[pass], round, r);
        if (st == SAMESUM_OK)
            at_least(ss_range_place(plan, NULL));
        at_least(ss_join_workspace(join_in(s, pass, round, r, NULL, 0)));
    }
    *bytes = need > *bytes ? need : *bytes;
    return st;
}

static samesum_status measure_workspace(ss_share &s)
{
    size_t bytes = 0;
    samesum_status st = SAMESUM_OK;
    const uint64_t rounds = ss_share_rounds(&s);
    for (int pass = 0; pass < s.passes && rounds > 0; pass++) {
        if (st == SAMESUM_OK)
            st = room_for(s, pass, 0, &bytes);
        if (st == SAMESUM_OK)
            st = room_for(s, pass, rounds - 1, &bytes);
    }
    s.workspace_bytes = rooms_of(s, NULL).kept + bytes + 256;
    return st;
}

static void set_passes(ss_share &s)
{
    const samesum_op op = s.want.op;
    s.passes = 0;
    s.pass[s.passes++] = s.plan.exact ? PASS_EXACT : s.plan.extremes ? PASS_EXTREMES : PASS_SUMS;
    if (s.plan.sums && op == SAMESUM_NRM2)
        s.pass[s.passes++] = PASS_LARGEST;
    if (s.plan.sums && s.plan.passes == 2)
        s.pass[s.passes++] = PASS_SECOND;
}

static void set_rounds(ss_share &s)
{
    size_t most = 1;
    s.round_rows = 1;
    for (int pass = 0; pass < s.passes; pass++) {
        const size_t bytes = message_of(s, pass).bytes;
        most = bytes > most ? bytes : most;
    }
    uint64_t rows = MESSAGE / most;
    rows = rows >= ROUND ? rows / ROUND * ROUND : rows > 0 ? rows : 1;
    rows = forced_rows > 0 ? forced_rows : rows;
    s.round_rows = rows < s.rows || s.rows == 0 ? rows : s.rows;
}

/* Levels of the nodes that so many rows of the tree can have whole. */
static int levels_of(uint64_t tree_rows)
{
    int levels = 0;
    while (levels < 64 && tree_rows >> levels)
        levels++;
    return levels;
}

samesum_status ss_share_create(ss_share **share, const ss_share_asked *asked, uint64_t begin,
                               uint64_t total, int ranks)
{
    asked_of a;
    if (!share || !asked)
        return SAMESUM_ERR_NULL;
    samesum_status st = check(*asked, a);
    if (st != SAMESUM_OK)
        return st;
    if (ranks < 1 || begin > total || a.rows.n > total - begin || total > UINT64_MAX / 2)
        return SAMESUM_ERR_RANGE;
    ss_share *s = new (std::nothrow) ss_share();
    if (!s)
        return SAMESUM_ERR_NOMEM;
    s->want = a.want;
    s->type = asked->part->type;
    s->begin = begin;
    s->total = total;
    s->rows = a.rows.results;
    s->ranks = (uint64_t)ranks;
    s->counted = asked->out->counts;
    s->counts = a.sink.copies > 0 ? asked->out->counts : NULL;
    st = ss_plan_make(s->plan, a.job, a.rows, NULL, a.sink, NULL);
    if (st == SAMESUM_OK) {
        const size_t number = ss_is_wide(s->type) ? sizeof(double) : sizeof(float);
        const uint64_t per = s->plan.sums ? (uint64_t)ss_cuda_per(s->plan.pass[0].sums.view[0]) : 1;
        s->form = ss_image_form_of(levels_of(total * per / SS_LANES),
                                   SS_LANES * number * (s->want.level == SAMESUM_TREE ? 1 : 2));
        set_passes(*s);
        set_rounds(*s);
        st = measure_workspace(*s);
    }
    if (st == SAMESUM_OK)
        *share = s;
    else
        delete s;
    return st;
}

void ss_share_destroy(ss_share *share)
{
    delete share;
}

int ss_share_passes(const ss_share *s)
{
    return s->passes;
}

uint64_t ss_share_rounds(const ss_share *s)
{
    return s->rows / s->round_rows + (s->rows % s->round_rows != 0);
}

size_t ss_share_message_bytes(const ss_share *s, int pass)
{
    return message_of(*s, pass).bytes;
}

samesum_status ss_share_status(const ss_share *s)
{
    return s->rows == 0 ? SAMESUM_OK : ss_cuda_status_of(s->want, s->total);
}

size_t ss_share_workspace_bytes(const ss_share *s)
{
    return s->workspace_bytes;
}

/* ---- its own -----------------------------------------------------------------------------------
 */

__global__ void ss_share_span_kernel(uint64_t *span, uint64_t begin, uint64_t end)
{
    span[0] = begin;
    span[1] = end;
}

static cudaError_t own_sums(const ss_share &s, int pass, uint64_t round, char *to, const rooms &r,
                            cudaStream_t stream)
{
    const message m = message_of(s, pass);
    ss_range_plan plan;
    if (range_in(plan, s, s.pass[pass], round, r) != SAMESUM_OK)
        return cudaErrorUnknown;
    ss_range_place(plan, r.rest);
    plan.job.image = to + m.body;
    plan.job.form = s.form;
    plan.job.span = (uint64_t *)(to + m.span);
    plan.job.present = (unsigned long long *)(to + m.present);
    return ss_range_launch(plan, stream);
}

static cudaError_t own_rest(const ss_share &s, int pass, uint64_t round, char *to, const rooms &r,
                            cudaStream_t stream)
{
    const message m = message_of(s, pass);
    ss_share_span_kernel<<<1, 1, 0, stream>>>((uint64_t *)(to + m.span), s.begin,
                                              s.begin + s.plan.whole.n);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess)
        return e;
    if (s.pass[pass] == PASS_LARGEST)
        return ss_cuda_largest_launch(view_in(s, s.plan.whole, round),
                                      r.wanted + first_row(s, round), (double *)(to + m.body),
                                      r.rest, stream);
    if (s.pass[pass] == PASS_EXACT)
        return ss_cuda_exact_state_launch(exact_in(s, round), (ss_exact *)(to + m.body),
                                          (uint64_t *)(to + m.present), r.rest, stream);
    return ss_cuda_extremes_share_launch(extremes_in(s, round), s.begin, to + m.body, r.rest,
                                         stream);
}

cudaError_t ss_share_own(const ss_share *s, int pass, uint64_t round, void *message,
                         void *workspace, cudaStream_t stream)
{
    char *to = (char *)message;
    const rooms r = rooms_of(*s, (char *)workspace);
    const bool sums = s->pass[pass] == PASS_SUMS || s->pass[pass] == PASS_SECOND;
    cudaError_t e =
        sums ? own_sums(*s, pass, round, to, r, stream) : own_rest(*s, pass, round, to, r, stream);
    if (e == cudaSuccess && s->counted && pass == 0)
        e = ss_cuda_counts_launch(view_in(*s, s->plan.whole, round),
                                  (samesum_counts *)(to + message_of(*s, pass).counts), r.rest,
                                  stream);
    return e;
}

/* ---- of all ------------------------------------------------------------------------------------
 */

cudaError_t ss_share_merge(const ss_share *s, int pass, uint64_t round, const void *messages,
                           size_t stride, void *workspace, cudaStream_t stream)
{
    const message m = message_of(*s, pass);
    const rooms r = rooms_of(*s, (char *)workspace);
    const char *from = (const char *)messages;
    const uint64_t first = first_row(*s, round), rows = rows_in(*s, round);
    cudaError_t e = cudaSuccess;
    switch (s->pass[pass]) {
    case PASS_LARGEST:
        e = ss_join_largest(from, stride, s->ranks, m.body, rows, r.wanted + first,
                            r.parameter + first, stream);
        break;
    case PASS_EXACT:
        e = ss_cuda_exact_join_launch(exact_in(*s, round), from, stride, s->ranks, m.body, rows,
                                      NULL, stream);
        break;
    case PASS_EXTREMES:
        e = ss_cuda_extremes_join_launch(extremes_in(*s, round), from, stride, s->ranks, m.body,
                                         rows, stream);
        break;
    default:
        e = ss_join_launch(join_in(*s, pass, round, r, messages, stride), stream);
    }
    if (e == cudaSuccess && s->counts && pass == 0)
        e = ss_join_counts(from, stride, s->ranks, m.span, m.counts, rows, s->counts + first,
                           stream);
    return e;
}
