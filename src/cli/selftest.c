/* selftest.c - the golden vectors on every backend of this machine: in one call at several thread
 * counts, and, where states exist, through one fed in chunks. All must give the vectors' bits. */
#include "library.h"
#include "message.h"
#include "ops.h"
#include "options.h"
#include "progress.h"
#include "vectors.h"

#include "recipes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    samesum_op op;
    unsigned ddof;
    samesum_type type;
    samesum_level level;
    enum recipe recipe;
    uint64_t seed, n, bits;
};

struct tally {
    uint64_t vectors, comparisons, mismatches;
};

enum { SHOWN_MISMATCHES = 5 };

/* ---- reading the vectors ----------------------------------------------------------------------
 */

static int index_of(const char *word, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    return -1;
}

/* As the vectors spell them. */
static const struct op_row {
    const char *name;
    samesum_op op;
    unsigned ddof;
} op_rows[] = {
    {"sum", SAMESUM_SUM, 0},  {"asum", SAMESUM_ASUM, 0}, {"sumsq", SAMESUM_SUMSQ, 0},
    {"dot", SAMESUM_DOT, 0},  {"nrm2", SAMESUM_NRM2, 0}, {"mean", SAMESUM_MEAN, 0},
    {"var0", SAMESUM_VAR, 0}, {"var1", SAMESUM_VAR, 1},  {"std0", SAMESUM_STD, 0},
    {"std1", SAMESUM_STD, 1},
};
enum { OP_ROWS = sizeof op_rows / sizeof *op_rows };

/* NULL: there is none of this name. */
static const struct op_row *op_find(const char *name)
{
    for (int i = 0; i < OP_ROWS; i++)
        if (strcmp(op_rows[i].name, name) == 0)
            return &op_rows[i];
    return NULL;
}

static const char *op_name(const struct vector *v)
{
    for (int i = 0; i < OP_ROWS; i++)
        if (op_rows[i].op == v->op && op_rows[i].ddof == v->ddof)
            return op_rows[i].name;
    return NULL;
}

/* Reads the next vector and moves *at behind it. false: none is left. */
static bool next_vector(const char **at, struct vector *v)
{
    static const char *const types[] = {"f64", "f32", "f32w"};
    static const char *const levels[] = {"tree", "kahan", "compensated", "exact"};
    while (*at < vectors_end && (**at == '#' || **at == '\n'))
        *at = (const char *)memchr(*at, '\n', (size_t)(vectors_end - *at)) + 1;
    if (*at >= vectors_end)
        return false;
    char op[8], type[8], level[16], recipe[16];
    unsigned long long seed, n, bits;
    const struct op_row *row = NULL;
    if (sscanf(*at, "%7s %7s %15s %15s %llu %llu %llx", op, type, level, recipe, &seed, &n,
               &bits) != 7 ||
        !(row = op_find(op)) || index_of(type, types, 3) < 0 || index_of(level, levels, 4) < 0 ||
        recipe_find(recipe, &v->recipe) != 0)
        die_bad("the built-in vectors are damaged at '%.40s'", *at);
    v->op = row->op;
    v->ddof = row->ddof;
    v->type = (samesum_type)index_of(type, types, 3);
    v->level = (samesum_level)index_of(level, levels, 4);
    v->seed = seed;
    v->n = n;
    v->bits = bits;
    *at = (const char *)memchr(*at, '\n', (size_t)(vectors_end - *at)) + 1;
    return true;
}

/* ---- the data ---------------------------------------------------------------------------------
 */

/* Element i of a recipe does not depend on n, so one array serves all vectors that share recipe,
 * type and seed. */
struct operands {
    bool made;
    enum recipe recipe;
    enum recipe_type type;
    uint64_t seed, n;
    void *x, *y;
};

static void make_operands(struct operands *o, const struct vector *v)
{
    enum recipe_type type = v->type == SAMESUM_F64 ? RECIPE_F64 : RECIPE_F32;
    if (o->made && o->recipe == v->recipe && o->type == type && o->seed == v->seed && o->n >= v->n)
        return;
    size_t n = (size_t)v->n, bytes = n * samesum_element_size(v->type);
    o->x = need_more_memory(o->x, bytes);
    o->y = need_more_memory(o->y, bytes);
    recipe_fill(v->recipe, type, v->seed, 0, n, o->x);
    recipe_fill_y(v->recipe, type, v->seed, 0, n, o->y);
    o->made = true;
    o->recipe = v->recipe;
    o->type = type;
    o->seed = v->seed;
    o->n = v->n;
}

/* ---- comparing --------------------------------------------------------------------------------
 */

static uint64_t bits_of(samesum_type type, const void *result)
{
    uint32_t narrow;
    uint64_t bits;
    if (samesum_result_size(type) == sizeof bits) {
        memcpy(&bits, result, sizeof bits);
        return bits;
    }
    memcpy(&narrow, result, sizeof narrow);
    return narrow;
}

static void compare(struct tally *tally, const struct vector *v, const char *how,
                    const void *result)
{
    tally->comparisons++;
    uint64_t bits = bits_of(v->type, result);
    if (bits == v->bits)
        return;
    if (tally->mismatches++ < SHOWN_MISMATCHES)
        fprintf(
            stderr, "samesum: %s, type %d, level %s, recipe %s, n %llu, %s: 0x%llx, not 0x%llx\n",
            op_name(v), (int)v->type, level_name(v->level), recipe_name(v->recipe),
            (unsigned long long)v->n, how, (unsigned long long)bits, (unsigned long long)v->bits);
}

static void run_at_once(struct tally *tally, const struct vector *v, const struct operands *o,
                        const samesum_want *want)
{
    samesum_data data = {.x = o->x, .y = o->y, .n = (size_t)v->n, .type = v->type};
    samesum_ran ran;
    double result;
    char how[32];
    library_check(samesum_reduce(&data, want, &result, &ran), want);
    snprintf(how, sizeof how, "%d threads", want->threads);
    if (ran.backend != want->backend)
        die_bad("the backend %s was asked for, %s ran", samesum_backend_name(want->backend),
                samesum_backend_name(ran.backend));
    compare(tally, v, how, &result);
}

static void run_in_chunks(struct tally *tally, const struct vector *v, const struct operands *o,
                          const samesum_want *want, size_t chunk)
{
    const size_t size = samesum_element_size(v->type);
    samesum_state *state;
    double result;
    library_check(samesum_state_create(&state, want, v->type, 0), want);
    for (size_t i = 0; i < v->n; i += chunk) {
        size_t count = v->n - i < chunk ? (size_t)v->n - i : chunk;
        library_check(
            samesum_state_update(state, (char *)o->x + i * size, (char *)o->y + i * size, count),
            want);
    }
    library_check(samesum_state_finish(state, &result), want);
    samesum_state_destroy(state);
    char how[40];
    snprintf(how, sizeof how, "chunks of %zu", chunk);
    compare(tally, v, how, &result);
}

static struct tally run_backend(samesum_backend backend)
{
    static const int threads[] = {1, 2, 3, 8};
    static const size_t chunks[] = {7, 1000, 4096, 5000};
    struct tally tally = {0};
    struct operands operands = {.made = false};
    struct vector v;
    const char *at = vectors_begin;
    while (next_vector(&at, &v)) {
        make_operands(&operands, &v);
        samesum_want want = {.op = v.op, .level = v.level, .backend = backend, .ddof = v.ddof};
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            want.threads = threads[i];
            run_at_once(&tally, &v, &operands, &want);
        }
        want.threads = 1;
        if (library_has_states(&want))
            run_in_chunks(&tally, &v, &operands, &want, chunks[tally.vectors % 4]);
        tally.vectors++;
        progress_show((uint64_t)(at - vectors_begin), (uint64_t)(vectors_end - vectors_begin));
    }
    progress_end();
    free(operands.x);
    free(operands.y);
    return tally;
}

/* The backend that --backend or SAMESUM_BACKEND restricts the test to; AUTO: none. */
static samesum_backend only_backend(const struct request *r)
{
    samesum_want want = {.backend = r->backend};
    library_check(samesum_backend_status(r->backend), &want);
    samesum_backend only = r->backend;
    const char *forced = getenv("SAMESUM_BACKEND");
    if (only == SAMESUM_BACKEND_AUTO && forced)
        samesum_backend_from_name(forced, &only);
    return only;
}

int run_selftest(const struct request *r)
{
    samesum_backend only = only_backend(r);
    struct tally tallies[SAMESUM_BACKEND_NEON + 1] = {{0}};
    bool good = true;
    for (int b = SAMESUM_BACKEND_SCALAR; b <= SAMESUM_BACKEND_NEON; b++) {
        samesum_backend backend = (samesum_backend)b;
        if ((only != SAMESUM_BACKEND_AUTO && only != backend) ||
            samesum_backend_status(backend) < 0)
            continue;
        struct tally t = tallies[b] = run_backend(backend);
        good = good && t.mismatches == 0;
        if (t.mismatches)
            fprintf(stderr, "samesum: %s: %llu of %llu comparisons FAILED\n",
                    samesum_backend_name(backend), (unsigned long long)t.mismatches,
                    (unsigned long long)t.comparisons);
    }
    if (!good)
        return EXIT_BAD;
    for (int b = SAMESUM_BACKEND_SCALAR; b <= SAMESUM_BACKEND_NEON; b++) {
        const struct tally *t = &tallies[b];
        if (t->vectors)
            printf("%-7s %llu vectors, %llu comparisons of bits: ok\n",
                   samesum_backend_name((samesum_backend)b), (unsigned long long)t->vectors,
                   (unsigned long long)t->comparisons);
    }
    return EXIT_DONE;
}
