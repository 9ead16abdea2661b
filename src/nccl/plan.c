#include "nccl/plan.h"

#include <stdlib.h>

/* What ranks tell before a plan is made. The elements of further items follow, SS_WORDS of them at
 * a time. */
enum { STATUS, COUNT, MIXED, ELEMENTS, FIRST = SS_WORDS - ELEMENTS };
static const size_t MOST = (size_t)1 << 24;
static const uint64_t MOST_ELEMENTS = (uint64_t)1 << 62;

static uint64_t fault_of(samesum_status status)
{
    return status < 0 ? (uint64_t)-status : 0;
}

/* The fault of the lowest rank in trouble; whether all tell the same number, and mean the same. */
static samesum_status judge(const uint64_t *all, int ranks)
{
    for (int r = 0; r < ranks; r++)
        if (all[r * SS_WORDS + STATUS])
            return (samesum_status) - (int)all[r * SS_WORDS + STATUS];
    for (int r = 1; r < ranks; r++)
        if (all[r * SS_WORDS + COUNT] != all[COUNT] || all[r * SS_WORDS + MIXED] != all[MIXED])
            return SAMESUM_ERR_MISMATCH;
    return SAMESUM_OK;
}

/* All ranks tell whether they did what they had to, and how long their messages are. */
static samesum_status agree(const ss_group *g, uint64_t *own, uint64_t *all,
                            const samesum_status *status, size_t bytes)
{
    for (int s = 0; s < g->count; s++) {
        own[s * SS_WORDS + STATUS] = fault_of(status[s]);
        own[s * SS_WORDS + COUNT] = bytes;
        own[s * SS_WORDS + MIXED] = 0;
    }
    samesum_status st = ss_group_tell(g, own, all);
    return st == SAMESUM_OK ? judge(all, g->ranks) : st;
}

/* ---- what ranks bring ---- */

static samesum_status check(samesum_nccl_plan *p, int s, const samesum_nccl_member *member,
                            ss_said *said, uint64_t *mixed)
{
    samesum_status st =
        ss_seat_take(&p->group.seat[s]) == cudaSuccess ? SAMESUM_OK : SAMESUM_ERR_CUDA;
    for (size_t i = 0; i < p->count && st == SAMESUM_OK; i++) {
        st = p->kind->check(member, i, &said[i]);
        p->desk[s].item[i].place = (ss_place){
            .begin = 0, .total = 0, .rank = p->group.seat[s].rank, .ranks = p->group.ranks};
        *mixed = ss_mix(*mixed, said[i].mixed);
    }
    return st;
}

/* Adds what all ranks have of an item. */
static samesum_status place(samesum_nccl_plan *p, size_t i, const uint64_t *elements)
{
    samesum_status st = SAMESUM_OK;
    for (int s = 0; s < p->group.count; s++) {
        ss_place *at = &p->desk[s].item[i].place;
        for (int r = 0; r < p->group.ranks; r++, elements += SS_WORDS) {
            if (*elements > MOST_ELEMENTS - at->total)
                st = SAMESUM_ERR_RANGE;
            at->begin = r == at->rank ? at->total : at->begin;
            at->total += *elements;
        }
        elements -= (size_t)p->group.ranks * SS_WORDS;
    }
    return st;
}

/* Tells all ranks what this one brings, and places every item's elements among those of all. said:
 * seat by seat. */
static samesum_status meet(samesum_nccl_plan *p, const ss_said *said, const uint64_t *mixed,
                           const samesum_status *status, uint64_t *own, uint64_t *all)
{
    const int seats = p->group.count;
    for (int s = 0; s < seats; s++) {
        uint64_t *mine = own + s * SS_WORDS;
        mine[STATUS] = fault_of(status[s]);
        mine[COUNT] = p->count;
        mine[MIXED] = mixed[s];
    }
    samesum_status st = SAMESUM_OK;
    size_t i = 0;
    do {
        const size_t at = i == 0 ? ELEMENTS : 0, room = i == 0 ? FIRST : SS_WORDS;
        const size_t now = p->count - i < room ? p->count - i : room;
        for (int s = 0; s < seats; s++)
            for (size_t k = 0; k < now; k++)
                own[(size_t)s * SS_WORDS + at + k] = said[(size_t)s * p->count + i + k].elements;
        samesum_status told = ss_group_tell(&p->group, own, all);
        if (told == SAMESUM_OK && i == 0)
            told = judge(all, p->group.ranks);
        if (told != SAMESUM_OK)
            return told;
        for (size_t k = 0; k < now; k++) {
            samesum_status placed = place(p, i + k, all + at + k);
            st = st == SAMESUM_OK ? placed : st;
        }
        i += now;
    } while (i < p->count);
    return st;
}

/* The worst of what the items' shapes tell: the same on all ranks. */
static void foresee(samesum_nccl_plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const samesum_status st = p->desk[0].item[i].outcome;
        if (p->outcome == SAMESUM_OK || st == SAMESUM_ERR_EMPTY)
            p->outcome = st;
    }
}

/* ---- memory ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* message_bytes: receives those of a rank */
static samesum_status furnish(samesum_nccl_plan *p, int s, const samesum_nccl_member *member,
                              size_t *message_bytes)
{
    ss_desk *desk = &p->desk[s];
    const int gathered = p->kind->own != NULL;
    size_t bytes = 0, most = 0;
    samesum_status st =
        ss_seat_take(&p->group.seat[s]) == cudaSuccess ? SAMESUM_OK : SAMESUM_ERR_CUDA;
    for (size_t i = 0; i < p->count && st == SAMESUM_OK; i++) {
        st = p->kind->make(&desk->item[i], member, i);
        if (st != SAMESUM_OK)
            return st;
        const size_t need = aligned(p->kind->workspace(&desk->item[i]));
        desk->workspace[i] = gathered ? bytes : 0;
        bytes += need;
        most = need > most ? need : most;
    }
    if (!gathered)
        bytes = most;
    else if (st == SAMESUM_OK)
        *message_bytes = ss_gathered_bytes(p);
    if (st == SAMESUM_OK)
        st = ss_seat_allocate((void **)&desk->memory,
                              bytes + (size_t)p->group.ranks * *message_bytes + 256);
    desk->messages = desk->memory + bytes;
    return st;
}

static void clear(samesum_nccl_plan *p)
{
    const int before = ss_seats_enter();
    for (int s = 0; p->desk && s < p->group.count; s++) {
        ss_desk *desk = &p->desk[s];
        ss_seat_take(&p->group.seat[s]);
        cudaFree(desk->memory);
        for (size_t i = 0; desk->item && i < p->count; i++)
            p->kind->end(&desk->item[i]);
        free(desk->item);
        free(desk->workspace);
    }
    ss_seats_leave(before);
    free(p->desk);
    ss_group_free(&p->group);
    free(p);
}

static int have_desks(samesum_nccl_plan *p)
{
    p->desk = calloc((size_t)p->group.count, sizeof *p->desk);
    for (int s = 0; p->desk && s < p->group.count; s++) {
        ss_desk *desk = &p->desk[s];
        desk->item = calloc(p->count + 1, sizeof *desk->item);
        desk->workspace = calloc(p->count + 1, sizeof *desk->workspace);
        if (!desk->item || !desk->workspace)
            return 0;
    }
    return p->desk != NULL;
}

/* ---- making ---- */

/* Host memory for what is told and for the statuses of each seat; had before ranks meet, so that
 * each can tell. */
typedef struct table {
    uint64_t *own, *all, *mixed;
    samesum_status *status;
    ss_said *said;
} table;

static int have_table(table *t, const ss_group *g)
{
    const size_t seats = (size_t)g->count;
    t->own = calloc(seats * SS_WORDS, sizeof *t->own);
    t->all = calloc((size_t)g->ranks * SS_WORDS, sizeof *t->all);
    t->mixed = calloc(seats, sizeof *t->mixed);
    t->status = calloc(seats, sizeof *t->status);
    t->said = NULL;
    return t->own && t->all && t->mixed && t->status;
}

static void end_table(table *t)
{
    free(t->own);
    free(t->all);
    free(t->mixed);
    free(t->status);
    free(t->said);
}

static void fail(const table *t, const ss_group *g, samesum_status status)
{
    for (int s = 0; s < g->count; s++)
        t->status[s] = status;
}

static samesum_status make(samesum_nccl_plan *p, table *t, const samesum_nccl_member *members)
{
    const ss_group *g = &p->group;
    if (p->count > MOST) {
        p->count = 0;
        fail(t, g, SAMESUM_ERR_SIZE);
    }
    t->said = calloc((size_t)g->count * p->count + 1, sizeof *t->said);
    if (!t->said || !have_desks(p))
        fail(t, g, SAMESUM_ERR_NOMEM);
    const int before = ss_seats_enter();
    for (int s = 0; s < g->count; s++)
        if (t->status[s] == SAMESUM_OK)
            t->status[s] = check(p, s, &members[s], t->said + (size_t)s * p->count, &t->mixed[s]);
    if (!t->said || !p->desk)
        p->count = 0;
    samesum_status st = meet(p, t->said, t->mixed, t->status, t->own, t->all);
    if (st == SAMESUM_OK) {
        size_t bytes = 0;
        for (int s = 0; s < g->count && (s == 0 || t->status[s - 1] == SAMESUM_OK); s++)
            t->status[s] = furnish(p, s, &members[s], &bytes);
        st = agree(g, t->own, t->all, t->status, bytes);
    }
    ss_seats_leave(before);
    if (st == SAMESUM_OK)
        foresee(p);
    return st;
}

static samesum_status create(samesum_nccl_plan **plan, const ss_kind *kind,
                             const samesum_nccl_member *members, int member_count, size_t count)
{
    table t;
    ss_group group;
    if (!plan)
        return SAMESUM_ERR_NULL;
    *plan = NULL;
    samesum_status st = ss_group_make(&group, members, member_count);
    if (st != SAMESUM_OK)
        return st;
    samesum_nccl_plan *p = calloc(1, sizeof *p);
    if (!p) {
        ss_group_free(&group);
        return SAMESUM_ERR_NOMEM;
    }
    *p = (samesum_nccl_plan){.group = group, .kind = kind, .count = count};
    st = have_table(&t, &p->group) ? make(p, &t, members) : SAMESUM_ERR_NOMEM;
    end_table(&t);
    if (st == SAMESUM_OK)
        *plan = p;
    else
        clear(p);
    return st;
}

samesum_status samesum_nccl_plan_create(samesum_nccl_plan **plan,
                                        const samesum_nccl_member *members, int member_count,
                                        size_t field_count)
{
    return create(plan, &ss_fields, members, member_count, field_count);
}

samesum_status samesum_nccl_plan_create_states(samesum_nccl_plan **plan,
                                               const samesum_nccl_member *members, int member_count,
                                               size_t state_count)
{
    return create(plan, &ss_states, members, member_count, state_count);
}

samesum_status samesum_nccl_plan_create_vectors(samesum_nccl_plan **plan,
                                                const samesum_nccl_member *members,
                                                int member_count, size_t vector_count)
{
    return create(plan, &ss_vectors, members, member_count, vector_count);
}

samesum_status samesum_nccl_plan_run(const samesum_nccl_plan *plan)
{
    if (!plan)
        return SAMESUM_ERR_NULL;
    const int before = ss_seats_enter();
    samesum_status st = plan->kind->own ? ss_gathered_run(plan) : ss_vectors_run(plan);
    ss_seats_leave(before);
    return st;
}

static samesum_status wait_for(const samesum_nccl_plan *plan)
{
    samesum_status st = SAMESUM_OK;
    const int before = ss_seats_enter();
    for (int s = 0; s < plan->group.count; s++)
        if (ss_seat_take(&plan->group.seat[s]) != cudaSuccess ||
            cudaStreamSynchronize(plan->group.seat[s].stream) != cudaSuccess)
            st = SAMESUM_ERR_CUDA;
    ss_seats_leave(before);
    return st;
}

void samesum_nccl_plan_destroy(samesum_nccl_plan *plan)
{
    if (!plan)
        return;
    wait_for(plan);
    clear(plan);
}

/* ---- single calls ---- */

static samesum_status once(const ss_kind *kind, const samesum_nccl_member *members,
                           int member_count, size_t count)
{
    samesum_nccl_plan *plan;
    samesum_status st = create(&plan, kind, members, member_count, count);
    if (st != SAMESUM_OK)
        return st;
    st = samesum_nccl_plan_run(plan);
    if (st != SAMESUM_ERR_NCCL && wait_for(plan) != SAMESUM_OK)
        st = SAMESUM_ERR_CUDA;
    clear(plan);
    return st;
}

samesum_status samesum_nccl_reduce(const samesum_nccl_member *members, int member_count,
                                   size_t field_count)
{
    return once(&ss_fields, members, member_count, field_count);
}

samesum_status samesum_nccl_reduce_states(const samesum_nccl_member *members, int member_count,
                                          size_t state_count)
{
    return once(&ss_states, members, member_count, state_count);
}

samesum_status samesum_nccl_allreduce_vectors(const samesum_nccl_member *members, int member_count,
                                              size_t vector_count)
{
    return once(&ss_vectors, members, member_count, vector_count);
}

/* ---- places ---- */

/* One item per rank, of which only the number is told. */
static samesum_status offset(const ss_group *g, uint64_t n, uint64_t *begin)
{
    uint64_t own[SS_WORDS] = {
        [STATUS] = fault_of(begin ? SAMESUM_OK : SAMESUM_ERR_NULL), [ELEMENTS] = n};
    uint64_t *all = calloc((size_t)g->ranks * SS_WORDS, sizeof *all), before = 0, sum = 0;
    if (!all)
        return SAMESUM_ERR_NOMEM;
    samesum_status st = ss_group_tell(g, own, all);
    if (st == SAMESUM_OK)
        st = judge(all, g->ranks);
    for (int r = 0; r < g->ranks && st == SAMESUM_OK; r++) {
        const uint64_t theirs = all[r * SS_WORDS + ELEMENTS];
        before = r == g->seat[0].rank ? sum : before;
        if (theirs > UINT64_MAX - sum)
            st = SAMESUM_ERR_RANGE;
        sum += theirs;
    }
    if (st == SAMESUM_OK)
        *begin = before;
    free(all);
    return st;
}

samesum_status samesum_nccl_offset(uint64_t n, uint64_t *begin, samesum_nccl_comm comm,
                                   samesum_cuda_stream stream)
{
    const samesum_nccl_member me = {.comm = comm, .stream = stream};
    ss_group group;
    samesum_status st = ss_group_make(&group, &me, 1);
    if (st != SAMESUM_OK)
        return st;
    st = offset(&group, n, begin);
    ss_group_free(&group);
    return st;
}
