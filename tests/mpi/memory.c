/* memory.c - the i-th allocation of one rank fails, for every i and rank of a few: all ranks end
 * with the same error, and nobody waits for what never comes. Ranks are simulated (simulation.h);
 * the linker sends malloc and its kin this way. */
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 5, EACH = 700, FIELDS = 3 };

static int victim, allocations, fails_at;

static int fails(void)
{
    return simulated_rank == victim && ++allocations == fails_at;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *p, size_t n);

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}
void *__wrap_calloc(size_t n, size_t bytes)
{
    return fails() ? NULL : __real_calloc(n, bytes);
}
void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

static double x[RANKS * EACH];

/* Three fields, of which one takes two passes; or a state. */
static size_t make_fields(int r, int states, ss_field *field, samesum_state **state,
                          double *results)
{
    static const samesum_want wants[FIELDS] = {
        {.op = SAMESUM_VAR, .level = SAMESUM_COMPENSATED, .threads = 1},
        {.op = SAMESUM_SUM, .level = SAMESUM_EXACT, .threads = 1},
        {.op = SAMESUM_SUM, .level = SAMESUM_TREE, .threads = 1}};
    static const size_t n = EACH;
    if (states) {
        if (samesum_state_create(state, &wants[2], SAMESUM_F64, (uint64_t)r * EACH) != SAMESUM_OK)
            abort();
        samesum_state_update(*state, x + r * EACH, NULL, EACH);
        ss_field_of_state(field, *state, 1, results);
        return 1;
    }
    for (int f = 0; f < FIELDS; f++) {
        const samesum_array a = {.x = x + r * EACH, .type = SAMESUM_F64, .dims = 1, .shape = &n};
        ss_field_of_array(&field[f], &a, NULL, 0, &wants[f], 1, &results[f], NULL);
    }
    return FIELDS;
}

/* Runs all ranks; returns their common status, or 1000 where they differ or some wait. */
static int run(int states)
{
    ss_rank rank[RANKS];
    ss_field field[RANKS][FIELDS];
    ss_scratch scratch[RANKS];
    samesum_state *state[RANKS] = {NULL};
    double results[RANKS][FIELDS];
    struct cost cost;
    int common = 1000;
    memset(scratch, 0, sizeof scratch);
    for (int r = 0; r < RANKS; r++) {
        size_t fields = make_fields(r, states, field[r], &state[r], results[r]);
        simulated_rank = r;
        ss_rank_start(&rank[r], r, RANKS, SS_NO_ROOT, !states, field[r], fields, SAMESUM_OK,
                      &scratch[r], NULL);
        simulated_rank = -1;
    }
    int ended = simulate(rank, RANKS, NULL, &cost);
    for (int r = 0; r < RANKS; r++) {
        int status = ss_rank_status(&rank[r]);
        common = r == 0 || status == common ? status : 1000;
        ss_rank_free(&rank[r], NULL);
        ss_scratch_free(&scratch[r]);
        samesum_state_destroy(state[r]);
    }
    return ended ? common : 1000;
}

int main(void)
{
    int tried = 0, wrong = 0;
    for (int i = 0; i < RANKS * EACH; i++)
        x[i] = (i % 2 ? -1 : 1) / (1.0 + i % 101);
    for (int states = 0; states < 2; states++)
        for (victim = 0; victim < RANKS; victim++) {
            int status = SAMESUM_ERR_NOMEM;
            for (fails_at = 1; status != SAMESUM_OK; fails_at++, tried++) {
                allocations = 0;
                status = run(states);
                if (status != SAMESUM_OK && status != SAMESUM_ERR_NOMEM) {
                    printf("allocation %d of rank %d, %s: %s\n", fails_at, victim,
                           states ? "states" : "arrays",
                           status == 1000 ? "ranks differ, or wait"
                                          : samesum_strerror((samesum_status)status));
                    wrong++;
                    if (wrong > 20)
                        return 1;
                }
            }
        }
    printf("%d allocations failed on one of %d ranks, %d times not as they should\n",
           tried - 2 * RANKS, RANKS, wrong);
    return wrong != 0 || tried < 50;
}
