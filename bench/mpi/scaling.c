/* scaling.c - reductions over up to 100,000 ranks, each of them run message by message by the code
 * that runs in the MPI library (tests/mpi/simulation.h): messages, bytes and bits; and what time a
 * model of the network makes of them.
 *
 *     scaling [MICROSECONDS [GIGABYTES_PER_SECOND [RANKS...]]]
 *
 * The bits of every rank are compared with those of one call on the whole; exit status 1 where one
 * differs. */
#include "simulation.h"
#include "vectors/recipes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EACH = 2000 }; /* elements of a rank */

struct work {
    samesum_op op;
    samesum_level level;
    size_t fields;
    int states; /* each rank brings states, which know where they begin */
};

/* How many elements rank r has: from none to MOST_EACH, and none on every 13th. */
static size_t elements_of(int r)
{
    return r % 13 == 12 ? 0 : (size_t)((unsigned)r * 2654435761u >> 7) % (MOST_EACH + 1);
}

static const double *data;
static size_t *begin; /* of each rank, and the end */

static void *need(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    if (!p) {
        fprintf(stderr, "scaling: out of memory\n");
        exit(1);
    }
    return p;
}

/* One rank's fields; the whole's first element differs from field to field, so that results do. */
static ss_field *fields_of(const struct work *w, int r, double *results, samesum_state **states)
{
    ss_field *field = need(w->fields * sizeof *field);
    const samesum_want want = {.op = w->op, .level = w->level, .threads = 1};
    const size_t n = begin[r + 1] - begin[r];
    for (size_t f = 0; f < w->fields; f++) {
        const double *x = data + begin[r] + f;
        const samesum_array array = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &n};
        samesum_status st;
        if (w->states) {
            st = samesum_state_create(&states[f], &want, SAMESUM_F64, begin[r]);
            if (st == SAMESUM_OK)
                st = samesum_state_update(states[f], x, NULL, n);
            if (st == SAMESUM_OK)
                st = ss_field_of_state(&field[f], states[f], 1, &results[f]);
        } else {
            st = ss_field_of_array(&field[f], &array, NULL, 0, &want, 1, &results[f], NULL);
        }
        if (st != SAMESUM_OK) {
            fprintf(stderr, "scaling: %s\n", samesum_strerror(st));
            exit(1);
        }
    }
    return field;
}

/* Runs the work on so many ranks; returns how many results differ from those of one call. */
static long run(const struct work *w, int ranks, const struct network *network, struct cost *cost)
{
    ss_rank *rank = need((size_t)ranks * sizeof *rank);
    ss_field **field = need((size_t)ranks * sizeof *field);
    double *results = need((size_t)ranks * w->fields * sizeof *results);
    samesum_state **states = calloc((size_t)ranks * w->fields, sizeof *states);
    ss_scratch scratch = {{NULL, NULL}, {0}, 0, 0, 0}; /* one for all: their fields are alike */
    memset(results, 0x5a, (size_t)ranks * w->fields * sizeof *results);
    for (int r = 0; r < ranks; r++) {
        field[r] = fields_of(w, r, results + (size_t)r * w->fields, states + (size_t)r * w->fields);
        ss_rank_start(&rank[r], r, ranks, SS_NO_ROOT, !w->states, field[r], w->fields, SAMESUM_OK,
                      &scratch, NULL);
    }
    long wrong = !simulate(rank, ranks, network, cost);
    for (size_t f = 0; f < w->fields; f++) {
        const samesum_data all = {.x = data + f, .n = begin[ranks], .type = SAMESUM_F64};
        const samesum_want want = {.op = w->op, .level = w->level};
        double expected;
        samesum_reduce(&all, &want, &expected, NULL);
        for (int r = 0; r < ranks; r++)
            wrong += memcmp(&expected, &results[(size_t)r * w->fields + f], sizeof expected) != 0;
    }
    for (int r = 0; r < ranks; r++) {
        wrong += ss_rank_status(&rank[r]) < 0;
        ss_rank_free(&rank[r], NULL);
        free(field[r]);
        for (size_t f = 0; f < w->fields; f++)
            samesum_state_destroy(states[(size_t)r * w->fields + f]);
    }
    ss_scratch_free(&scratch);
    free(rank);
    free(field);
    free(results);
    free(states);
    return wrong;
}

static long report(const char *name, const struct work *w, int ranks, struct network network)
{
    struct cost wire, all;
    long wrong = run(w, ranks, &network, &wire);
    network.merge = wire.merges ? wire.merging / (double)wire.merges : 0;
    wrong += run(w, ranks, &network, &all);
    printf("| %s | %d | %.1f | %llu | %.0f | %zu | %.1f | %.1f | %.1f | %s |\n", name, ranks,
           (double)all.messages / ranks, (unsigned long long)all.most_messages,
           (double)all.bytes / (double)(all.messages ? all.messages : 1), all.longest,
           1e6 * wire.time, 1e6 * network.merge, 1e6 * all.time, wrong ? "DIFFER" : "equal");
    fflush(stdout);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        struct work work;
        int most; /* ranks, for memory */
    } works[] = {
        {"sum, tree", {SAMESUM_SUM, SAMESUM_TREE, 1, 0}, 1 << 30},
        {"sum, compensated", {SAMESUM_SUM, SAMESUM_COMPENSATED, 1, 0}, 1 << 30},
        {"sum, exact", {SAMESUM_SUM, SAMESUM_EXACT, 1, 0}, 1 << 30},
        {"var, compensated", {SAMESUM_VAR, SAMESUM_COMPENSATED, 1, 0}, 1 << 30},
        {"sum, compensated, states", {SAMESUM_SUM, SAMESUM_COMPENSATED, 1, 1}, 1 << 30},
        {"100 sums, compensated", {SAMESUM_SUM, SAMESUM_COMPENSATED, 100, 0}, 1000},
    };
    const double microseconds = argc > 1 ? atof(argv[1]) : 2;
    const double gigabytes = argc > 2 ? atof(argv[2]) : 10;
    const struct network network = {
        .latency = 1e-6 * microseconds, .per_byte = 1e-9 / gigabytes, .overhead = 0.2e-6};
    static const int usual[] = {8, 100, 1000, 10000, 100000};
    const int counts = argc > 3 ? argc - 3 : (int)(sizeof usual / sizeof *usual);
    int ranks[64], most = 0;
    for (int i = 0; i < counts && i < 64; i++) {
        ranks[i] = argc > 3 ? atoi(argv[3 + i]) : usual[i];
        most = ranks[i] > most ? ranks[i] : most;
    }
    begin = need(((size_t)most + 1) * sizeof *begin);
    begin[0] = 0;
    for (int r = 0; r < most; r++)
        begin[r + 1] = begin[r] + elements_of(r);
    double *x = need((begin[most] + 100) * sizeof *x);
    recipe_fill(RECIPE_CANCEL, RECIPE_F64, 1, 0, begin[most] + 100, x);
    data = x;

    printf("Latency %.2g us, %.3g GB/s, 0.2 us of the processor a message.\n\n", microseconds,
           gigabytes);
    printf(
        "| reduction | ranks | messages a rank | at most | bytes each | longest | us of messages "
        "| us a merge | us in all | bits |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    long wrong = 0;
    for (size_t w = 0; w < sizeof works / sizeof *works; w++)
        for (int i = 0; i < counts && i < 64; i++)
            if (ranks[i] <= works[w].most)
                wrong += report(works[w].name, &works[w].work, ranks[i], network);
    printf("\n%ld differ\n", wrong);
    free(x);
    free(begin);
    return wrong != 0;
}
