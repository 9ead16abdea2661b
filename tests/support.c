#include "support.h"
#include "../reference/ref.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { SEED = 1, SHOWN = 12 };

enum depth depth = DEPTH_FULL;

size_t by_depth(size_t shortest, size_t quick, size_t full)
{
    return depth == DEPTH_SHORT ? shortest : depth == DEPTH_QUICK ? quick : full;
}

struct what kind(int i)
{
    static const samesum_op derived[DERIVED] = {SAMESUM_NRM2, SAMESUM_MEAN, SAMESUM_VAR,
                                                SAMESUM_VAR,  SAMESUM_STD,  SAMESUM_STD};
    if (i < KINDS) {
        return (struct what){.op = (samesum_op)(i % OPS),
                             .type = (samesum_type)(i / OPS % TYPES),
                             .level = (samesum_level)(i / OPS / TYPES),
                             .threads = 1,
                             .data = ""};
    }
    i -= KINDS;
    return (struct what){.op = derived[i % DERIVED],
                         .ddof = i % DERIVED == 3 || i % DERIVED == 5,
                         .type = (samesum_type)(i / DERIVED % TYPES),
                         .level = (samesum_level)(i / DERIVED / TYPES),
                         .threads = 1,
                         .data = ""};
}

int kind_step(void)
{
    return (int)by_depth(5, 5, 1);
}

bool has_states(const struct what *what)
{
    return what->op <= SAMESUM_DOT || what->op == SAMESUM_MEAN || what->level == SAMESUM_EXACT;
}

samesum_status status_of(const struct what *what)
{
    bool missing = (what->op == SAMESUM_MEAN && what->n == 0) ||
                   (what->op >= SAMESUM_VAR && what->n <= what->ddof);
    return missing ? SAMESUM_NO_VALUE : SAMESUM_OK;
}

/* ---- backends ---- */

static samesum_backend backends[8];

int backend_count(void)
{
    static int count;
    if (count > 0) {
        return count;
    }
    const char *forced = getenv("SAMESUM_BACKEND");
    for (int b = SAMESUM_BACKEND_SCALAR; b <= SAMESUM_BACKEND_NEON; b++) {
        const char *name = samesum_backend_name((samesum_backend)b);
        bool wanted = forced == NULL || *forced == '\0' || strcmp(forced, "auto") == 0 ||
                      (name != NULL && strcmp(forced, name) == 0);
        if (wanted && samesum_backend_status((samesum_backend)b) == SAMESUM_OK) {
            backends[count++] = (samesum_backend)b;
        }
    }
    return count;
}

samesum_backend backend_at(int i)
{
    return i < backend_count() ? backends[i] : SAMESUM_BACKEND_AUTO;
}

/* ---- comparison ---- */

static atomic_long comparisons, differing, told;

void same(const struct what *what, uint64_t got, uint64_t expected)
{
    static const char *const ops[] = {"sum", "asum", "sumsq", "dot",    "nrm2",   "mean",  "var",
                                      "std", "min",  "max",   "argmin", "argmax", "minmax"};
    static const char *const types[] = {"f64", "f32", "f32 wide", "f16", "bf16", "c64", "c128"};
    static const char *const levels[] = {"tree", "kahan", "compensated", "exact"};
    atomic_fetch_add(&comparisons, 1);
    if (got == expected) {
        return;
    }
    long before = atomic_fetch_add(&differing, 1) - atomic_load(&told);
    if (before < SHOWN) {
        const char *backend = samesum_backend_name(what->backend);
        printf("DIFFERS %s ddof %u %s %s backend %s threads %d data %s begin %" PRIu64
               " n %zu: got 0x%0*" PRIx64 ", not 0x%0*" PRIx64 "\n",
               ops[what->op], what->ddof, types[what->type], levels[what->level],
               backend ? backend : "?", what->threads, what->data, what->begin, what->n,
               what->type == SAMESUM_F32 ? 8 : 16, got, what->type == SAMESUM_F32 ? 8 : 16,
               expected);
    } else if (before == SHOWN) {
        printf("DIFFERS and more of them\n");
    }
}

void same_many(const struct what *what, long compared_there, long wrong)
{
    atomic_fetch_add(&comparisons, compared_there - 1);
    same(what, (uint64_t)wrong, 0);
}

long differences(void)
{
    long all = atomic_load(&differing);
    return all - atomic_exchange(&told, all);
}

long compared(void)
{
    return atomic_load(&comparisons);
}

long differed(void)
{
    return atomic_load(&differing);
}

/* ---- bits ---- */

uint64_t bits_of(samesum_type type, const void *result)
{
    uint64_t wide;
    uint32_t narrow;
    if (type == SAMESUM_F32 || type == SAMESUM_F16 || type == SAMESUM_BF16) {
        memcpy(&narrow, result, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, result, sizeof wide);
    return wide;
}

uint64_t bits_of_double(double value)
{
    return bits_of(SAMESUM_F64, &value);
}

uint64_t bits_of_float(float value)
{
    return bits_of(SAMESUM_F32, &value);
}

uint64_t result_bits(samesum_type type, double value)
{
    return type == SAMESUM_F32 ? bits_of_float((float)value) : bits_of_double(value);
}

uint64_t nan_bits(samesum_type type)
{
    return type == SAMESUM_F32 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
}

/* ---- the two sides ---- */

uint64_t reference(const struct what *what, const void *x, const void *y)
{
    uint64_t result = 0, end = what->begin + what->n;
    enum ref_op op = (enum ref_op)what->op;
    enum ref_type type = (enum ref_type)what->type;
    enum ref_level level = (enum ref_level)what->level;
    int status =
        what->op <= SAMESUM_DOT
            ? ref_reduce(op, type, level, REF_LANES, x, y, what->begin, end, &result)
            : ref_derive(op, type, level, REF_LANES, what->ddof, x, what->begin, end, &result);
    if (status != (int)status_of(what)) {
        ck_abort_msg("the reference refuses, or has another status");
    }
    return bits_of(what->type, &result);
}

static samesum_want want_of(const struct what *what)
{
    return (samesum_want){.op = what->op,
                          .level = what->level,
                          .threads = what->threads,
                          .backend = what->backend,
                          .ddof = what->ddof};
}

uint64_t library(const struct what *what, const void *x, const void *y, samesum_ran *ran)
{
    uint64_t result = 0x5a5a5a5a5a5a5a5a;
    samesum_ran who = {SAMESUM_BACKEND_AUTO, 0};
    samesum_data data = {.x = x, .y = y, .n = what->n, .type = what->type};
    samesum_want want = want_of(what);
    samesum_status status = samesum_reduce(&data, &want, &result, &who);
    if (status != status_of(what)) {
        same(what, UINT64_C(0xbad0000000000000) | (uint32_t)status, 0);
    }
    if (what->backend != SAMESUM_BACKEND_AUTO && who.backend != what->backend) {
        same(what, UINT64_C(0xbadbacce00000000) | (uint32_t)who.backend, 0);
    }
    if (ran != NULL) {
        *ran = who;
    }
    return bits_of(what->type, &result);
}

samesum_state *new_state(const struct what *what, uint64_t begin)
{
    samesum_state *state = NULL;
    samesum_want want = want_of(what);
    ck_assert_int_eq(samesum_state_create(&state, &want, what->type, begin), SAMESUM_OK);
    return state;
}

uint64_t finished(const samesum_state *state, samesum_type type)
{
    uint64_t result = 0x5a5a5a5a5a5a5a5a;
    samesum_status status = samesum_state_finish(state, &result);
    samesum_want want = {0};
    uint64_t begin = 0, end = 0;
    samesum_state_describe(state, &want, &type);
    samesum_state_range(state, &begin, &end);
    struct what what = {.op = want.op, .ddof = want.ddof, .n = (size_t)(end - begin)};
    if (status != status_of(&what)) {
        ck_abort_msg("finish: %s", samesum_strerror(status));
    }
    return bits_of(type, &result);
}

void feed(samesum_state *state, const struct what *what, const void *x, const void *y, size_t n)
{
    samesum_status status = samesum_state_update(state, x, what->op == SAMESUM_DOT ? y : NULL, n);
    if (status != SAMESUM_OK) {
        ck_abort_msg("update: %s", samesum_strerror(status));
    }
}

uint64_t streamed(const struct what *what, const void *x, const void *y, size_t chunk)
{
    samesum_state *state = new_state(what, what->begin);
    for (size_t done = 0; done < what->n;) {
        size_t n = chunk ? chunk : random_below(random_below(3) ? 40 : 9000);
        n = n < what->n - done ? n : what->n - done;
        feed(state, what, element(what->type, x, done), element(what->type, y, done), n);
        done += n;
    }
    uint64_t result = finished(state, what->type);
    samesum_state_destroy(state);
    return result;
}

/* ---- data ---- */

struct array {
    void *elements;
    size_t count;
};

static const void *made(struct array *array, bool second, enum recipe recipe, samesum_type type,
                        size_t n)
{
    enum recipe_type of = type == SAMESUM_F64 ? RECIPE_F64 : RECIPE_F32;
    if (array->elements == NULL || array->count < n) {
        size_t count = n < 1200 ? 1200 : n;
        free(array->elements);
        array->elements = malloc(count * samesum_element_size(type));
        ck_assert_ptr_nonnull(array->elements);
        array->count = count;
        (second ? recipe_fill_y : recipe_fill)(recipe, of, SEED, 0, count, array->elements);
    }
    return array->elements;
}

const void *data_x(enum recipe recipe, samesum_type type, size_t n)
{
    static struct array cache[RECIPE_COUNT][2];
    return made(&cache[recipe][type == SAMESUM_F64], false, recipe, type, n);
}

const void *data_y(enum recipe recipe, samesum_type type, size_t n)
{
    static struct array cache[RECIPE_COUNT][2];
    return made(&cache[recipe][type == SAMESUM_F64], true, recipe, type, n);
}

const void *element(samesum_type type, const void *array, size_t i)
{
    return array == NULL ? NULL : (const char *)array + i * samesum_element_size(type);
}

void set_element(samesum_type type, void *array, size_t i, double value)
{
    if (type == SAMESUM_F64) {
        ((double *)array)[i] = value;
    } else {
        ((float *)array)[i] = (float)value;
    }
}

static uint64_t random_state = SEED;

void random_seed(uint64_t seed)
{
    random_state = seed;
}

uint64_t random_bits(void)
{
    uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

size_t random_below(size_t below)
{
    return (size_t)(random_bits() % below);
}

/* ---- the rest ---- */

static atomic_long skip_count;

void skipped(const char *suite, const char *why)
{
    atomic_fetch_add(&skip_count, 1);
    printf("SKIPPED %s: %s\n", suite, why);
}

long skips(void)
{
    return atomic_load(&skip_count);
}

int run_command(const char *command)
{
    fflush(stdout);
    int status = system(command);
    if (status == -1) {
        return 127;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_child(const char *environment, const char *mode, const char *argument)
{
    char command[512];
    snprintf(command, sizeof command, "%s %s/tests/child %s %s", environment ? environment : "",
             TEST_BUILD, mode, argument);
    return run_command(command);
}
