/* What all ranks have to know; it goes first in every message. Joining is in any order, and any
 * number of times. */
#ifndef SS_NEWS_H
#define SS_NEWS_H

#include <stdint.h>
#include "samesum.h"

typedef struct ss_news {
    uint64_t fault;       /* the first rank in trouble << 8 | -status; UINT64_MAX: none */
    uint64_t least, most; /* of all ranks' ss_field_mix() */
    uint64_t counts;      /* 1: some rank wants counts */
} ss_news;

/* This rank is in trouble. */
static inline void ss_news_fault(ss_news *news, int rank, samesum_status status)
{
    const uint64_t own = (uint64_t)rank << 8 | (uint64_t)-status;
    if (own < news->fault)
        news->fault = own;
}

static inline void ss_news_join(ss_news *news, const ss_news *other)
{
    if (other->fault < news->fault)
        news->fault = other->fault;
    if (other->least < news->least)
        news->least = other->least;
    if (other->most > news->most)
        news->most = other->most;
    news->counts |= other->counts;
}

static inline samesum_status ss_news_status(const ss_news *news)
{
    if (news->fault != UINT64_MAX)
        return (samesum_status) - (int)(news->fault & 255);
    return news->least == news->most ? SAMESUM_OK : SAMESUM_ERR_MISMATCH;
}

#endif
