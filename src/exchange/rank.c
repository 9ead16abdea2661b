#include "exchange/rank.h"

#include <stdlib.h>
#include <string.h>
#include "exchange/packed.h"
#include "fixedtree/fpenv.h"

/* Series that travel together: all states of a rank are packed at once. */
enum { SERIES_AT_ONCE = 1024 };

/* ---- what went wrong --------------------------------------------------------------------------
 */

static void fault(ss_rank *r, samesum_status status)
{
    uint64_t own = (uint64_t)r->rank << 8 | (uint64_t)-status;
    if (own < r->news.fault)
        r->news.fault = own;
}

static void join_news(ss_news *news, const ss_news *other)
{
    if (other->fault < news->fault)
        news->fault = other->fault;
    if (other->least < news->least)
        news->least = other->least;
    if (other->most > news->most)
        news->most = other->most;
    news->counts |= other->counts;
}

/* In the sweep, which tells others the news of before alone: to be told in the next pass. */
static void fault_later(ss_rank *r, samesum_status status)
{
    r->late = status;
}

static samesum_status status_of(const ss_news *news)
{
    if (news->fault != UINT64_MAX)
        return (samesum_status) - (int)(news->fault & 255);
    return news->least == news->most ? SAMESUM_OK : SAMESUM_ERR_MISMATCH;
}

/* The status of results of which some lack a value or an element. */
static samesum_status worse(samesum_status a, samesum_status b)
{
    return a == SAMESUM_ERR_EMPTY || b == SAMESUM_OK ? a : b;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Room for `more` bytes behind what the buffer holds; NULL where there is none. */
static unsigned char *extend(ss_buffer *b, size_t more)
{
    if (b->room - b->length < more) {
        size_t room = 2 * (b->length + more);
        unsigned char *at = realloc(b->at, room);
        if (!at)
            return NULL;
        b->at = at;
        b->room = room;
    }
    return b->at + b->length;
}

/* Appends bytes; where there is no memory, the buffer stays as it is and the rank is in trouble. */
static void append(ss_rank *r, ss_buffer *b, const void *bytes, size_t n)
{
    unsigned char *at = extend(b, n);
    if (!at) {
        fault(r, SAMESUM_ERR_NOMEM);
        return;
    }
    if (n > 0)
        memcpy(at, bytes, n);
    b->length += n;
}

/* Begins a message: with what all have to know. */
static void begin_message(ss_rank *r, ss_buffer *b)
{
    b->length = 0;
    append(r, b, &r->news, sizeof r->news);
}

/* What is to be sent; without memory, or where something went wrong, the news alone. */
static void put_message(ss_rank *r, ss_buffer *b, int to, ss_action *action)
{
    int whole = status_of(&r->news) == SAMESUM_OK && b->length >= sizeof r->news;
    unsigned char *at = b->length >= sizeof r->news ? b->at : r->spare;
    memcpy(at, &r->news, sizeof r->news);
    *action = (ss_action){
        .kind = SS_ACT_SEND, .to = to, .bytes = at, .length = whole ? b->length : sizeof r->news};
}

void *ss_rank_room(ss_rank *r, size_t bytes)
{
    r->in.length = 0;
    return extend(&r->in, bytes);
}

/* ---- the sweep --------------------------------------------------------------------------------
 */

/* Its messages: the news, then for each field the elements of those heard of. */
static void next_of_sweep(ss_rank *r, ss_action *action)
{
    const ss_sweep round = ss_sweep_round(r->rank, r->ranks, r->step);
    begin_message(r, &r->out);
    append(r, &r->out, r->sum, r->fields * sizeof *r->sum);
    put_message(r, &r->out, round.to, action);
    action->kind = SS_ACT_BOTH;
    action->from = round.from;
}

static void hear_sweep(ss_rank *r, const ss_sweep *round, const unsigned char *at, size_t bytes)
{
    uint64_t more;
    if (!round->is_left || bytes != r->fields * sizeof more)
        return;
    for (size_t f = 0; f < r->fields; f++, at += sizeof more) {
        memcpy(&more, at, sizeof more);
        if (more > UINT64_MAX - r->sum[f])
            fault_later(r, SAMESUM_ERR_RANGE);
        r->begin[f] += more;
        r->sum[f] += more;
    }
}

static void end_sweep(ss_rank *r)
{
    r->over = status_of(&r->news) != SAMESUM_OK;
    r->stage = SS_PASSING;
    for (size_t f = 0; f < r->fields; f++) {
        ss_field *field = &r->field[f];
        field->begin = r->begin[f];
        if (r->sum[f] > UINT64_MAX / ss_numbers_of_element(field->want.op, field->type))
            fault_later(r, SAMESUM_ERR_RANGE);
    }
    if (r->late != SAMESUM_OK)
        fault(r, r->late);
}

/* ---- one pass over the series at hand ---------------------------------------------------------
 */

/* Takes up the next series; returns how many. */
static size_t next_block(ss_rank *r)
{
    r->count = 0;
    while (r->next_field < r->fields && r->count < SERIES_AT_ONCE) {
        if (r->next_index == r->field[r->next_field].series) {
            r->next_field++;
            r->next_index = 0;
            continue;
        }
        r->block[r->count++] = (ss_serial){
            .field = r->next_field, .index = r->next_index++, .passes = {.next = SS_PASS_SUMS}};
    }
    return r->pending = r->count;
}

/* The series that need this pass, one after the other. */
#define FOR_PENDING(r, s)                                                                          \
    for (ss_serial *s = (r)->block; s < (r)->block + (r)->count; s++)                              \
        if (s->passes.next != SS_PASS_NONE)

/* What this rank's elements come to. */
static void reduce_own(ss_rank *r)
{
    begin_message(r, &r->mine);
    FOR_PENDING(r, s)
    {
        const ss_field *f = &r->field[s->field];
        const samesum_state *state = f->state;
        samesum_counts counts, *wanted = r->news.counts && !state ? &counts : NULL;
        if (!state) {
            samesum_state *own = ss_scratch_state(r->scratch, 0, f, s);
            if (!own || samesum_state_reset(own, f->begin) != SAMESUM_OK) {
                fault(r, SAMESUM_ERR_NOMEM);
                return;
            }
            ss_field_append(f, s->index, &s->passes, own, wanted);
            state = own;
        }
        unsigned char *at = extend(&r->mine, ss_packed_bytes(state, wanted));
        if (!at) {
            fault(r, SAMESUM_ERR_NOMEM);
            return;
        }
        r->mine.length += ss_pack(at, state, wanted);
    }
}

/* Merges the states of the ranks behind into those of this rank. */
static void merge(ss_rank *r, const unsigned char *theirs, size_t length)
{
    const unsigned char *own = r->mine.at + sizeof r->news, *end = theirs + length;
    begin_message(r, &r->merged);
    FOR_PENDING(r, s)
    {
        const ss_field *f = &r->field[s->field];
        samesum_counts counts, more, *wanted = r->news.counts && !f->state ? &counts : NULL;
        samesum_state *into = ss_scratch_state(r->scratch, 0, f, s);
        samesum_state *from = ss_scratch_state(r->scratch, 1, f, s);
        samesum_status st = into && from ? SAMESUM_OK : SAMESUM_ERR_NOMEM;
        if (st == SAMESUM_OK &&
            (!(own = ss_unpack(own, r->mine.at + r->mine.length, into, wanted)) ||
             !(theirs = ss_unpack(theirs, end, from, wanted ? &more : NULL))))
            st = SAMESUM_ERR_CORRUPT;
        if (st == SAMESUM_OK)
            st = samesum_state_merge(into, from);
        unsigned char *at = NULL;
        if (st == SAMESUM_OK && !(at = extend(&r->merged, ss_packed_bytes(into, wanted))))
            st = SAMESUM_ERR_NOMEM;
        if (st != SAMESUM_OK) {
            fault(r, st);
            return;
        }
        if (wanted)
            ss_counts_join(&counts, &more);
        r->merged.length += ss_pack(at, into, wanted);
    }
    ss_buffer swap = r->mine;
    r->mine = r->merged;
    r->merged = swap;
}

/* Rank 0 has merged all: what that comes to, as a message to all. */
static void conclude(ss_rank *r)
{
    const unsigned char *own = r->mine.at + sizeof r->news;
    begin_message(r, &r->out);
    if (status_of(&r->news) != SAMESUM_OK)
        return;
    FOR_PENDING(r, s)
    {
        const ss_field *f = &r->field[s->field];
        samesum_counts counts, *wanted = r->news.counts && !f->state ? &counts : NULL;
        samesum_state *all = ss_scratch_state(r->scratch, 0, f, s);
        ss_outcome outcome;
        if (!all || !(own = ss_unpack(own, r->mine.at + r->mine.length, all, wanted))) {
            fault(r, all ? SAMESUM_ERR_CORRUPT : SAMESUM_ERR_NOMEM);
            return;
        }
        ss_field_outcome(f, &s->passes, all, &outcome);
        append(r, &r->out, &outcome, sizeof outcome);
        if (wanted)
            append(r, &r->out, &counts, sizeof counts);
    }
}

/* Goes on with what all ranks' elements came to. */
static void advance(ss_rank *r)
{
    const unsigned char *at = r->out.at + sizeof r->news;
    FOR_PENDING(r, s)
    {
        const ss_field *f = &r->field[s->field];
        ss_outcome outcome;
        samesum_counts counts;
        const int first = s->passes.next == SS_PASS_SUMS;
        memcpy(&outcome, at, sizeof outcome);
        at += sizeof outcome;
        if (r->news.counts && !f->state) {
            memcpy(&counts, at, sizeof counts);
            at += sizeof counts;
            if (f->counts && first)
                f->counts[s->index] = counts;
        }
        ss_field_advance(f, &outcome, &s->passes);
        if (s->passes.next != SS_PASS_NONE)
            continue;
        ss_field_write(f, s->index, &outcome, &s->passes);
        r->worst = worse(r->worst, s->passes.status);
        r->pending--;
    }
}

/* ---- step by step -----------------------------------------------------------------------------
 */

static void start_pass(ss_rank *r)
{
    r->step = r->concluded = 0;
    r->stage = SS_AT_TREE;
    /* so that what comes of it can be heard, whatever memory is left then */
    r->out.length = 0;
    if (!extend(&r->out,
                sizeof r->news + r->count * (sizeof(ss_outcome) + sizeof(samesum_counts))) ||
        !ss_rank_room(r, r->out.room))
        fault(r, SAMESUM_ERR_NOMEM);
    if (status_of(&r->news) == SAMESUM_OK)
        reduce_own(r);
}

static void end_pass(ss_rank *r)
{
    r->over = status_of(&r->news) != SAMESUM_OK;
    if (!r->over)
        advance(r);
    r->stage = SS_PASSING;
}

/* States meet without a sweep; then one pass is needed to agree, even on nothing. */
static void start_next(ss_rank *r)
{
    if (!r->over && (r->pending > 0 || next_block(r) > 0 || !r->agreed))
        start_pass(r);
    else
        r->stage = SS_AT_END;
    r->agreed = 1;
}

/* Begins with the memory that another rank left. */
static void take_store(ss_rank *r, ss_store *store)
{
    r->out = store->out;
    r->in = store->in;
    r->mine = store->mine;
    r->merged = store->merged;
    store->out = store->in = store->mine = store->merged = (ss_buffer){NULL, 0, 0};
}

/* Memory for the sweep, and for the largest block; 0 where there is none. */
static int have_memory(ss_rank *r)
{
    size_t series = 0;
    for (size_t f = 0; f < r->fields && series < SERIES_AT_ONCE; f++) {
        size_t more = r->field[f].series, room = SERIES_AT_ONCE - series;
        series += more < room ? more : room;
    }
    r->begin = calloc(r->fields + 1, sizeof *r->begin);
    r->sum = calloc(r->fields + 1, sizeof *r->sum);
    r->block = calloc(series + 1, sizeof *r->block);
    return r->begin && r->sum && r->block && extend(&r->in, sizeof r->news) &&
           extend(&r->out, sizeof r->news + r->fields * sizeof *r->sum);
}

void ss_rank_start(ss_rank *r, int rank, int ranks, int root, int sweep, ss_field *field,
                   size_t fields, samesum_status status, ss_scratch *scratch, ss_store *store)
{
    uint64_t mixed = ((uint64_t)fields << 32) + (uint64_t)(uint32_t)root;
    *r = (ss_rank){.rank = rank,
                   .ranks = ranks,
                   .root = root,
                   .field = field,
                   .fields = status < 0 ? 0 : fields,
                   .news = {.fault = UINT64_MAX},
                   .stage = sweep ? SS_SWEEPING : SS_PASSING,
                   .agreed = sweep,
                   .scratch = scratch};
    if (store)
        take_store(r, store);
    if (!have_memory(r)) {
        status = status < 0 ? status : SAMESUM_ERR_NOMEM;
        r->fields = 0;
    }
    for (size_t f = 0; f < r->fields; f++) {
        mixed = ss_field_mix(mixed, &field[f]);
        r->news.counts |= field[f].counts != NULL;
        r->sum[f] = ss_field_elements(&field[f]);
    }
    r->news.least = r->news.most = mixed;
    if (status < 0)
        fault(r, status);
}

/* Returns 0 after the last move. */
static int next_of_tree(ss_rank *r, ss_action *action)
{
    const ss_move move = ss_tree_move(r->rank, r->ranks, r->step);
    if (r->rank == 0 && move.kind != SS_TAKE && !r->concluded) {
        conclude(r);
        r->concluded = 1;
    }
    switch (move.kind) {
    case SS_TAKE:
    case SS_HEAR:
        *action = (ss_action){.kind = SS_ACT_RECEIVE, .from = move.peer};
        return 1;
    case SS_GIVE:
        put_message(r, &r->mine, move.peer, action);
        break;
    case SS_TELL:
        put_message(r, &r->out, move.peer, action);
        break;
    case SS_STOP:
        return 0;
    }
    r->step++;
    return 1;
}

ss_act ss_rank_next(ss_rank *r, ss_action *action)
{
    const ss_fpenv caller = ss_fpenv_enter();
    *action = (ss_action){.kind = SS_ACT_STOP};
    while (r->stage != SS_AT_END && action->kind == SS_ACT_STOP) {
        if (r->stage == SS_PASSING)
            start_next(r);
        else if (r->stage == SS_AT_TREE && !next_of_tree(r, action))
            end_pass(r);
        else if (r->stage == SS_SWEEPING && r->step == ss_sweep_rounds(r->ranks))
            end_sweep(r);
        else if (r->stage == SS_SWEEPING)
            next_of_sweep(r, action);
    }
    ss_fpenv_leave(caller);
    return action->kind;
}

void ss_rank_received(ss_rank *r, size_t bytes)
{
    const int whole = r->in.room >= bytes; /* else ss_rank_room() found no memory */
    const unsigned char *at = whole ? r->in.at : r->spare;
    ss_news news;
    memcpy(&news, at, sizeof news);
    join_news(&r->news, &news);
    at += sizeof news;
    if (r->stage == SS_SWEEPING) {
        const ss_sweep round = ss_sweep_round(r->rank, r->ranks, r->step);
        if (whole)
            hear_sweep(r, &round, at, bytes - sizeof news);
        else
            fault_later(r, SAMESUM_ERR_NOMEM);
    } else if (ss_tree_move(r->rank, r->ranks, r->step).kind == SS_HEAR) {
        memcpy(r->out.at, r->in.at, bytes); /* there is room: start_pass() */
        r->out.length = bytes;
    } else if (!whole) {
        fault(r, SAMESUM_ERR_NOMEM);
    } else if (status_of(&r->news) == SAMESUM_OK) {
        const ss_fpenv caller = ss_fpenv_enter();
        merge(r, at, bytes - sizeof news);
        ss_fpenv_leave(caller);
    }
    r->step++;
}

samesum_status ss_rank_status(const ss_rank *r)
{
    const samesum_status status = status_of(&r->news);
    return status != SAMESUM_OK ? status : r->worst;
}

void ss_rank_mix(ss_rank *r, uint64_t mixed)
{
    r->news.least = r->news.most = r->news.least ^ mixed;
}

/* Keeps the buffer, unless it is large. */
static void put_away(ss_buffer *b, ss_buffer *kept)
{
    enum { LARGE = 1 << 20 };
    if (kept && b->room <= LARGE) {
        free(kept->at);
        *kept = *b;
    } else {
        free(b->at);
    }
}

void ss_rank_free(ss_rank *r, ss_store *store)
{
    free(r->begin);
    free(r->sum);
    free(r->block);
    put_away(&r->out, store ? &store->out : NULL);
    put_away(&r->in, store ? &store->in : NULL);
    put_away(&r->mine, store ? &store->mine : NULL);
    put_away(&r->merged, store ? &store->merged : NULL);
}

void ss_store_free(ss_store *store)
{
    free(store->out.at);
    free(store->in.at);
    free(store->mine.at);
    free(store->merged.at);
    ss_scratch_free(&store->scratch);
}
