#include "simulation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int simulated_rank = -1;

struct message {
    struct message *next;
    int from;
    double arrives;
    size_t length;
    unsigned char bytes[];
};

/* A rank's side: its clock, what has been sent to it, and whom it waits for (-1: for nobody). */
struct place {
    double clock;
    struct message *inbox, **last;
    int waits, done;
    uint64_t sent;
};

struct run {
    ss_rank *rank;
    struct place *place;
    int *ready, count; /* ranks that can go on */
    const struct network *network;
    struct cost *cost;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void deliver(struct run *run, int from, const ss_action *action)
{
    struct place *sender = &run->place[from], *to = &run->place[action->to];
    struct message *m = malloc(sizeof *m + action->length);
    if (!m)
        abort();
    sender->clock += run->network->overhead;
    *m = (struct message){.from = from,
                          .arrives = sender->clock + run->network->latency +
                                     (double)action->length * run->network->per_byte,
                          .length = action->length};
    memcpy(m->bytes, action->bytes, action->length);
    *to->last = m;
    to->last = &m->next;
    sender->sent++;
    run->cost->messages++;
    run->cost->bytes += action->length;
    if (action->length > run->cost->longest)
        run->cost->longest = action->length;
    if (to->waits == from) {
        to->waits = -1;
        run->ready[run->count++] = action->to;
    }
}

/* Takes the first message of that rank out of the inbox; NULL where there is none. */
static struct message *take(struct place *p, int from)
{
    struct message **at = &p->inbox;
    while (*at && (*at)->from != from)
        at = &(*at)->next;
    struct message *m = *at;
    if (!m)
        return NULL;
    *at = m->next;
    if (p->last == &m->next)
        p->last = at;
    return m;
}

static void receive(struct run *run, int r, struct message *m)
{
    struct place *p = &run->place[r];
    if (m->arrives > p->clock)
        p->clock = m->arrives;
    p->clock += run->network->overhead;
    ss_rank *rank = &run->rank[r];
    simulated_rank = r;
    void *room = ss_rank_room(rank, m->length);
    memcpy(room ? room : rank->spare, m->bytes, room ? m->length : sizeof rank->spare);
    const bool merges = rank->stage == SS_AT_TREE &&
                        ss_tree_move(rank->rank, rank->ranks, rank->step).kind == SS_TAKE;
    double since = now();
    ss_rank_received(rank, m->length);
    simulated_rank = -1;
    if (merges) {
        run->cost->merges++;
        run->cost->merging += now() - since;
        p->clock += run->network->merge;
    }
    free(m);
}

/* Runs rank r until it has to wait, or is done. */
static void go_on(struct run *run, int r, ss_action *action)
{
    struct place *p = &run->place[r];
    for (;;) {
        if (action->kind & SS_ACT_RECEIVE) {
            struct message *m = take(p, action->from);
            if (!m) {
                p->waits = action->from;
                return;
            }
            receive(run, r, m);
        }
        simulated_rank = r;
        ss_rank_next(&run->rank[r], action);
        simulated_rank = -1;
        if (action->kind == SS_ACT_STOP)
            break;
        if (action->kind & SS_ACT_SEND)
            deliver(run, r, action);
    }
    p->done = 1;
}

int simulate(ss_rank *rank, int ranks, const struct network *network, struct cost *cost)
{
    static const struct network none = {0};
    struct run run = {.rank = rank,
                      .place = calloc((size_t)ranks, sizeof *run.place),
                      .ready = malloc((size_t)ranks * sizeof *run.ready),
                      .network = network ? network : &none,
                      .cost = cost};
    ss_action *action = calloc((size_t)ranks, sizeof *action);
    if (!run.place || !run.ready || !action)
        abort();
    *cost = (struct cost){0};
    for (int r = 0; r < ranks; r++) {
        run.place[r].waits = -1;
        run.place[r].last = &run.place[r].inbox;
        run.ready[run.count++] = r;
    }
    while (run.count > 0) {
        int r = run.ready[--run.count];
        go_on(&run, r, &action[r]);
    }
    int all = 1;
    for (int r = 0; r < ranks; r++) {
        const struct place *p = &run.place[r];
        all = all && p->done && !p->inbox;
        cost->time = p->clock > cost->time ? p->clock : cost->time;
        cost->most_messages = p->sent > cost->most_messages ? p->sent : cost->most_messages;
    }
    free(run.place);
    free(run.ready);
    free(action);
    return all;
}
