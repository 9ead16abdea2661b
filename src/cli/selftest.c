/* selftest.c - the golden vectors on every backend of this machine: in one call at several thread
 * counts, and, where states exist, through one fed in chunks. All must give the vectors' bits. */
#include "cuda.h"
#include "library.h"
#include "message.h"
#include "ops.h"
#include "options.h"
#include "progress.h"
#include "vector.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
    uint64_t vectors, comparisons, mismatches;
};

enum { SHOWN_MISMATCHES = 5, RESULT_BYTES = 2 * sizeof(double) };

/* ---- the data ---------------------------------------------------------------------------------
 */

/* Element i of a recipe does not depend on n, so one array serves all vectors that share recipe,
 * type and seed. */
struct operands {
    bool made;
    enum recipe recipe;
    enum recipe_type type;
    uint64_t seed, n; /* n: of numbers */
    void *x, *y;
};

static void make_operands(struct operands *o, const struct vector *v)
{
    const size_t n = (size_t)v->n * (size_t)v->numbers_each;
    if (o->made && o->recipe == v->recipe && o->type == v->numbers && o->seed == v->seed &&
        o->n >= n)
        return;
    const size_t bytes = (size_t)v->n * samesum_element_size(v->type);
    o->x = need_more_memory(o->x, bytes);
    o->y = need_more_memory(o->y, bytes);
    recipe_fill(v->recipe, v->numbers, v->seed, 0, n, o->x);
    recipe_fill_y(v->recipe, v->numbers, v->seed, 0, n, o->y);
    o->made = true;
    o->recipe = v->recipe;
    o->type = v->numbers;
    o->seed = v->seed;
    o->n = n;
}

/* ---- comparing --------------------------------------------------------------------------------
 */

/* The bits of a number of that many bytes. */
static uint64_t bits_of(const unsigned char *number, size_t bytes)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < bytes; i++) {
        size_t at = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : bytes - 1 - i;
        bits |= (uint64_t)number[at] << (8 * i);
    }
    return bits;
}

static void compare(struct tally *tally, const struct vector *v, const char *how,
                    const unsigned char *result)
{
    const size_t bytes = samesum_result_bytes(&v->want, v->type) / (size_t)v->count;
    tally->comparisons++;
    int k = 0;
    while (k < v->count && bits_of(result + (size_t)k * bytes, bytes) == v->bits[k])
        k++;
    if (k == v->count)
        return;
    if (tally->mismatches++ < SHOWN_MISMATCHES)
        fprintf(stderr,
                "samesum: %s, type %s, level %s, recipe %s, n %llu, %s: 0x%llx, not 0x%llx\n",
                v->op, v->type_name, level_name(v->want.level), recipe_name(v->recipe),
                (unsigned long long)v->n, how,
                (unsigned long long)bits_of(result + (size_t)k * bytes, bytes),
                (unsigned long long)v->bits[k]);
}

static void need_backend_ran(samesum_backend wanted, samesum_backend ran)
{
    if (ran != wanted)
        die_bad("the backend %s was asked for, %s ran", samesum_backend_name(wanted),
                samesum_backend_name(ran));
}

static void run_at_once(struct tally *tally, const struct vector *v, const struct operands *o,
                        const samesum_want *want, const char *how)
{
    const size_t n = (size_t)v->n;
    samesum_data data = {.x = o->x, .y = o->y, .n = n, .type = v->type};
    samesum_array array = {.x = o->x,
                           .y = v->weighted ? NULL : o->y,
                           .weights = v->weighted ? o->y : NULL,
                           .type = v->type,
                           .dims = 1,
                           .shape = &n};
    samesum_ran ran;
    unsigned char result[RESULT_BYTES];
    if (want->backend == SAMESUM_BACKEND_CUDA) { /* whose library has nothing else to run */
        library_check(library_reduce(&array, NULL, 0, want, result, NULL), want);
    } else {
        library_check(v->weighted ? samesum_reduce_array(&array, NULL, 0, want, result, NULL, &ran)
                                  : samesum_reduce(&data, want, result, &ran),
                      want);
        need_backend_ran(want->backend, ran.backend);
    }
    compare(tally, v, how, result);
}

static void run_in_chunks(struct tally *tally, const struct vector *v, const struct operands *o,
                          const samesum_want *want, size_t chunk)
{
    const size_t size = samesum_element_size(v->type);
    samesum_state *state;
    unsigned char result[RESULT_BYTES];
    library_check(samesum_state_create(&state, want, v->type, 0), want);
    for (size_t i = 0; i < v->n; i += chunk) {
        size_t count = v->n - i < chunk ? (size_t)v->n - i : chunk;
        library_check(
            samesum_state_update(state, (char *)o->x + i * size, (char *)o->y + i * size, count),
            want);
    }
    library_check(samesum_state_finish(state, result), want);
    samesum_state_destroy(state);
    char how[40];
    snprintf(how, sizeof how, "chunks of %zu", chunk);
    compare(tally, v, how, result);
}

static const size_t chunks[] = {7, 1000, 4096, 5000};
enum { CHUNKS = sizeof chunks / sizeof *chunks };

/* One vector on a backend of the CPU. */
static void run_on_cpu(struct tally *tally, const struct vector *v, const struct operands *o,
                       samesum_want want)
{
    static const int threads[] = {1, 2, 3, 8};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        char how[32];
        want.threads = threads[i];
        snprintf(how, sizeof how, "%d threads", want.threads);
        run_at_once(tally, v, o, &want, how);
    }
    want.threads = 1;
    if (!v->weighted && library_has_states(&want))
        run_in_chunks(tally, v, o, &want, chunks[tally->vectors % CHUNKS]);
}

/* One vector on a CUDA device: in one piece, and in several. */
static void run_on_device(struct tally *tally, const struct vector *v, const struct operands *o,
                          const samesum_want *want)
{
    const size_t chunk = chunks[1 + tally->vectors % (CHUNKS - 1)];
    char text[32], how[40];
    unsetenv("SAMESUM_CUDA_CHUNK");
    run_at_once(tally, v, o, want, "one piece");
    if (v->n <= chunk)
        return;
    snprintf(text, sizeof text, "%zu", chunk);
    snprintf(how, sizeof how, "chunks of %zu", chunk);
    setenv("SAMESUM_CUDA_CHUNK", text, 1);
    run_at_once(tally, v, o, want, how);
}

static struct tally run_backend(samesum_backend backend)
{
    struct tally tally = {0};
    struct operands operands = {.made = false};
    struct vector v;
    const char *at = vectors_begin;
    while (vector_next(&at, &v)) {
        make_operands(&operands, &v);
        samesum_want want = v.want;
        want.backend = backend;
        if (backend == SAMESUM_BACKEND_CUDA)
            run_on_device(&tally, &v, &operands, &want);
        else
            run_on_cpu(&tally, &v, &operands, want);
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
    library_need_backend(&want);
    samesum_backend only = r->backend;
    const char *forced = getenv("SAMESUM_BACKEND");
    if (only == SAMESUM_BACKEND_AUTO && forced)
        samesum_backend_from_name(forced, &only);
    return only;
}

/* Whether this machine has it. */
static bool is_there(samesum_backend backend)
{
    return backend == SAMESUM_BACKEND_CUDA ? !cuda_missing() : samesum_backend_status(backend) >= 0;
}

int run_selftest(const struct request *r)
{
    samesum_backend only = only_backend(r);
    struct tally tallies[SAMESUM_BACKEND_CUDA + 1] = {{0}};
    bool good = true;
    for (int b = SAMESUM_BACKEND_SCALAR; b <= SAMESUM_BACKEND_CUDA; b++) {
        samesum_backend backend = (samesum_backend)b;
        if ((only != SAMESUM_BACKEND_AUTO && only != backend) || !is_there(backend))
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
    for (int b = SAMESUM_BACKEND_SCALAR; b <= SAMESUM_BACKEND_CUDA; b++) {
        const struct tally *t = &tallies[b];
        if (t->vectors)
            printf("%-7s %llu vectors, %llu comparisons of bits: ok\n",
                   samesum_backend_name((samesum_backend)b), (unsigned long long)t->vectors,
                   (unsigned long long)t->comparisons);
    }
    if (only == SAMESUM_BACKEND_AUTO && cuda_missing())
        printf("cuda    SKIPPED: %s\n", cuda_missing());
    return EXIT_DONE;
}
