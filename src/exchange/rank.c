#include "exchange/rank.h"

#include <stdlib.h>
#include <string.h>
#include "exchange/block.h"
#include "fixedtree/fpenv.h"

/* ---- messages ---------------------------------------------------------------------------------
 */

/* What is to be sent; without memory, or where something went wrong, the news alone. */
static void put_message(ss_rank *r, ss_buffer *b, int to, ss_action *action)
{
    int whole = ss_news_status(&r->news) == SAMESUM_OK && b->length >= sizeof r->news;
    unsigned char *at = b->length >= sizeof r->news ? b->at : r->spare;
    memcpy(at, &r->news, sizeof r->news);
    *action = (ss_action){
        .kind = SS_ACT_SEND, .to = to, .bytes = at, .length = whole ? b->length : sizeof r->news};
}

void *ss_rank_room(ss_rank *r, size_t bytes)
{
    r->in.length = 0;
    return ss_buffer_extend(&r->in, bytes);
}

/* ---- the sweep --------------------------------------------------------------------------------
 */

/* Its messages: the news, then for each field the elements of those heard of. */
static void next_of_sweep(ss_rank *r, ss_action *action)
{
    const ss_sweep round = ss_sweep_round(r->rank, r->ranks, r->step);
    ss_rank_begin_message(r, &r->out);
    ss_rank_append(r, &r->out, r->sum, r->fields * sizeof *r->sum);
    put_message(r, &r->out, round.to, action);
    action->kind = SS_ACT_BOTH;
    action->from = round.from;
}

/* What is found in the sweep would reach some ranks alone: it is told in the next pass. */
static void fault_later(ss_rank *r, samesum_status status)
{
    r->late = status;
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
    r->over = ss_news_status(&r->news) != SAMESUM_OK;
    r->stage = SS_PASSING;
    for (size_t f = 0; f < r->fields; f++) {
        ss_field *field = &r->field[f];
        field->begin = r->begin[f];
        if (r->sum[f] > UINT64_MAX / ss_numbers_of_element(field->want.op, field->type))
            fault_later(r, SAMESUM_ERR_RANGE);
    }
    if (r->late != SAMESUM_OK)
        ss_news_fault(&r->news, r->rank, r->late);
}

/* ---- step by step -----------------------------------------------------------------------------
 */

static void start_pass(ss_rank *r)
{
    r->step = r->concluded = 0;
    r->stage = SS_AT_TREE;
    /* so that what comes of it can be heard, whatever memory is left then */
    r->out.length = 0;
    if (!ss_buffer_extend(&r->out, sizeof r->news +
                                       r->count * (sizeof(ss_outcome) + sizeof(samesum_counts))) ||
        !ss_rank_room(r, r->out.room))
        ss_news_fault(&r->news, r->rank, SAMESUM_ERR_NOMEM);
    if (ss_news_status(&r->news) == SAMESUM_OK)
        ss_block_own(r);
}

static void end_pass(ss_rank *r)
{
    r->over = ss_news_status(&r->news) != SAMESUM_OK;
    if (!r->over)
        ss_block_advance(r);
    r->stage = SS_PASSING;
}

/* States meet without a sweep; then one pass is needed to agree, even on nothing. */
static void start_next(ss_rank *r)
{
    if (!r->over && (r->pending > 0 || ss_block_next(r) > 0 || !r->agreed))
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
    for (size_t f = 0; f < r->fields && series < SS_SERIES_AT_ONCE; f++) {
        size_t more = r->field[f].series, room = SS_SERIES_AT_ONCE - series;
        series += more < room ? more : room;
    }
    r->begin = calloc(r->fields + 1, sizeof *r->begin);
    r->sum = calloc(r->fields + 1, sizeof *r->sum);
    r->block = calloc(series + 1, sizeof *r->block);
    return r->begin && r->sum && r->block && ss_buffer_extend(&r->in, sizeof r->news) &&
           ss_buffer_extend(&r->out, sizeof r->news + r->fields * sizeof *r->sum);
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
        ss_news_fault(&r->news, r->rank, status);
}

/* Returns 0 after the last move. */
static int next_of_tree(ss_rank *r, ss_action *action)
{
    const ss_move move = ss_tree_move(r->rank, r->ranks, r->step);
    if (r->rank == 0 && move.kind != SS_TAKE && !r->concluded) {
        ss_block_conclude(r);
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
    ss_news_join(&r->news, &news);
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
        ss_news_fault(&r->news, r->rank, SAMESUM_ERR_NOMEM);
    } else if (ss_news_status(&r->news) == SAMESUM_OK) {
        const ss_fpenv caller = ss_fpenv_enter();
        ss_block_merge(r, at, bytes - sizeof news);
        ss_fpenv_leave(caller);
    }
    r->step++;
}

samesum_status ss_rank_status(const ss_rank *r)
{
    const samesum_status status = ss_news_status(&r->news);
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
