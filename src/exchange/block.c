#include "exchange/block.h"

#include <string.h>
#include "exchange/packed.h"

void ss_rank_append(ss_rank *r, ss_buffer *b, const void *bytes, size_t n)
{
    unsigned char *at = ss_buffer_extend(b, n);
    if (!at) {
        ss_news_fault(&r->news, r->rank, SAMESUM_ERR_NOMEM);
        return;
    }
    if (n > 0)
        memcpy(at, bytes, n);
    b->length += n;
}

void ss_rank_begin_message(ss_rank *r, ss_buffer *b)
{
    b->length = 0;
    ss_rank_append(r, b, &r->news, sizeof r->news);
}

/* The status of results of which some lack a value or an element. */
static samesum_status worse(samesum_status a, samesum_status b)
{
    return a == SAMESUM_ERR_EMPTY || b == SAMESUM_OK ? a : b;
}

size_t ss_block_next(ss_rank *r)
{
    r->count = 0;
    while (r->next_field < r->fields && r->count < SS_SERIES_AT_ONCE) {
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

void ss_block_own(ss_rank *r)
{
    ss_rank_begin_message(r, &r->mine);
    FOR_PENDING(r, s)
    {
        const ss_field *f = &r->field[s->field];
        const samesum_state *state = f->state;
        samesum_counts counts, *wanted = r->news.counts && !state ? &counts : NULL;
        if (!state) {
            samesum_state *own = ss_scratch_state(r->scratch, 0, f, s);
            if (!own || samesum_state_reset(own, f->begin) != SAMESUM_OK) {
                ss_news_fault(&r->news, r->rank, SAMESUM_ERR_NOMEM);
                return;
            }
            ss_field_append(f, s->index, &s->passes, own, wanted);
            state = own;
        }
        unsigned char *at = ss_buffer_extend(&r->mine, ss_packed_bytes(state, wanted));
        if (!at) {
            ss_news_fault(&r->news, r->rank, SAMESUM_ERR_NOMEM);
            return;
        }
        r->mine.length += ss_pack(at, state, wanted);
    }
}

void ss_block_merge(ss_rank *r, const unsigned char *theirs, size_t length)
{
    const unsigned char *own = r->mine.at + sizeof r->news, *end = theirs + length;
    ss_rank_begin_message(r, &r->merged);
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
        if (st == SAMESUM_OK && !(at = ss_buffer_extend(&r->merged, ss_packed_bytes(into, wanted))))
            st = SAMESUM_ERR_NOMEM;
        if (st != SAMESUM_OK) {
            ss_news_fault(&r->news, r->rank, st);
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

void ss_block_conclude(ss_rank *r)
{
    const unsigned char *own = r->mine.at + sizeof r->news;
    ss_rank_begin_message(r, &r->out);
    if (ss_news_status(&r->news) != SAMESUM_OK)
        return;
    FOR_PENDING(r, s)
    {
        const ss_field *f = &r->field[s->field];
        samesum_counts counts, *wanted = r->news.counts && !f->state ? &counts : NULL;
        samesum_state *all = ss_scratch_state(r->scratch, 0, f, s);
        ss_outcome outcome;
        if (!all || !(own = ss_unpack(own, r->mine.at + r->mine.length, all, wanted))) {
            ss_news_fault(&r->news, r->rank, all ? SAMESUM_ERR_CORRUPT : SAMESUM_ERR_NOMEM);
            return;
        }
        ss_field_outcome(f, &s->passes, all, &outcome);
        ss_rank_append(r, &r->out, &outcome, sizeof outcome);
        if (wanted)
            ss_rank_append(r, &r->out, &counts, sizeof counts);
    }
}

void ss_block_advance(ss_rank *r)
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
