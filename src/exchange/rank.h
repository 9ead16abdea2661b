/* One rank's side of a reduction over many: what it has to send and receive next, and what it does
 * with it. Knows nothing of what carries the messages; all ranks have one byte order.
 *
 *     ss_rank_start(&r, rank, ranks, root, 1, field, fields, status, &scratch, NULL);
 *     while (ss_rank_next(&r, &action) != SS_ACT_STOP) {
 *         if (action.kind & SS_ACT_SEND)
 *             begin to send action.length bytes at action.bytes to action.to;
 *         if (action.kind & SS_ACT_RECEIVE) {
 *             find out how many bytes come from action.from; room = ss_rank_room(&r, bytes);
 *             receive them there;
 *         }
 *         complete the send;
 *         if (action.kind & SS_ACT_RECEIVE)
 *             ss_rank_received(&r, bytes);
 *     }
 *     status = ss_rank_status(&r);
 *     ss_rank_free(&r, NULL);
 */
#ifndef SS_RANK_H
#define SS_RANK_H

#include "exchange/buffer.h"
#include "exchange/field.h"
#include "exchange/news.h"
#include "exchange/pattern.h"

enum { SS_NO_ROOT = -1 }; /* every rank gets the results */

/* A series of the block at hand. */
typedef struct ss_serial {
    uint32_t field; /* and which series of it */
    size_t index;
    ss_passes passes;
} ss_serial;

/* Two states to merge packed ones in; kept from one series to the next, as long as these are alike.
 */
typedef struct ss_scratch {
    samesum_state *state[2];
    samesum_want want; /* what they are made for */
    samesum_type type;
    int weighted;
    ss_pass_kind pass;
} ss_scratch;

/* Memory that one rank after the other may use. All zero: none yet. */
typedef struct ss_store {
    ss_buffer out, in, mine, merged;
    ss_scratch scratch;
} ss_store;

/* Where both are to be done, neither waits for the other. */
typedef enum ss_act {
    SS_ACT_STOP = 0,
    SS_ACT_SEND = 1,
    SS_ACT_RECEIVE = 2,
    SS_ACT_BOTH = SS_ACT_SEND | SS_ACT_RECEIVE
} ss_act;
typedef struct ss_action {
    ss_act kind;
    int to, from;
    const void *bytes; /* to send; they stay as they are until it is complete */
    size_t length;
} ss_action;

typedef struct ss_rank {
    int rank, ranks, root;
    ss_field *field;
    size_t fields;
    ss_news news;
    samesum_status worst; /* of the results */
    enum { SS_SWEEPING, SS_PASSING, SS_AT_TREE, SS_AT_END } stage;
    int step;            /* round or move */
    int concluded;       /* on rank 0: what comes of the pass is known */
    int agreed, over;    /* all ranks know of each other's fields; that there is nothing to come */
    samesum_status late; /* found in the sweep */

    uint64_t *begin, *sum; /* of each field: elements on the ranks before; and on those heard of */
    ss_serial *block;      /* the series at hand, `count` of them, `pending` in another pass */
    size_t count, pending;
    uint32_t next_field; /* the first series of the next block */
    size_t next_index;
    ss_buffer out, in, mine, merged;
    ss_scratch *scratch;
    size_t messages, bytes, longest;      /* that were sent, for measurements */
    unsigned char spare[sizeof(ss_news)]; /* where there is no memory */
} ss_rank;

/* Starts with fields whose checks gave `status`; where that is an error, the rank still takes part,
 * so that all ranks learn of it. sweep: 1 to agree and find out where each rank's elements begin,
 * before anything is reduced; 0 for states, which know where they begin. Neither fields nor scratch
 * are the rank's own. */
void ss_rank_start(ss_rank *r, int rank, int ranks, int root, int sweep, ss_field *field,
                   size_t fields, samesum_status status, ss_scratch *scratch, ss_store *store);
ss_act ss_rank_next(ss_rank *r, ss_action *action);
/* Where to receive so many bytes. NULL: nowhere, then the first sizeof(ss_news) of them are enough,
 * and go to r->spare. */
void *ss_rank_room(ss_rank *r, size_t bytes);
void ss_rank_received(ss_rank *r, size_t bytes);
/* After the last action: that of all ranks, an error or the worst of the results. */
samesum_status ss_rank_status(const ss_rank *r);
/* store: NULL, or where the memory goes, for the next rank. */
void ss_rank_free(ss_rank *r, ss_store *store);
/* Right after the start: what else has to be the same on all ranks. */
void ss_rank_mix(ss_rank *r, uint64_t mixed);

void ss_scratch_free(ss_scratch *scratch);
void ss_store_free(ss_store *store);

#endif
