/* suite_arguments.c - bad arguments on one rank are an error on all, with nothing written and
 * nobody waiting; so is what differs from rank to rank. */
#include "mpi_suites.h"
#include "parts.h"
#include "support.h"

#include <string.h>

enum { N = 20 };
static double x[N], y[N];
static const size_t shape[2] = {4, 5};

/* A call that is right; each test spoils it on one rank. */
struct call {
    samesum_mpi_field field[3];
    size_t count;
    int root;
    double results[3 * N];
    samesum_counts counts[N];
};

static void right_call(struct call *c)
{
    static const int axis = 0;
    memset(c, 0x5a, sizeof *c);
    c->count = 3;
    c->root = SAMESUM_MPI_ALL;
    for (int i = 0; i < 3; i++)
        c->field[i] = (samesum_mpi_field){
            .part = {.x = x, .y = y, .type = SAMESUM_F64, .dims = 2, .shape = shape},
            .axes = &axis,
            .axis_count = 1,
            .want = {.op = i == 0   ? SAMESUM_DOT
                           : i == 1 ? SAMESUM_VAR
                                    : SAMESUM_ARGMIN,
                     .level = SAMESUM_COMPENSATED,
                     .threads = 1},
            .results = c->results + i * N,
            .counts = i == 1 ? c->counts : NULL};
}

/* The call, spoilt on the ranks from..to, gives this status everywhere, and writes nothing. */
static void refused(void (*spoil)(struct call *), int from, int to, samesum_status expected)
{
    struct call c, before;
    right_call(&c);
    if (rank >= from && rank <= to)
        spoil(&c);
    before = c;
    const samesum_status got = samesum_mpi_reduce(c.field, c.count, c.root, comm);
    ck_assert_msg(got == expected, "rank %d: %d, not %d", rank, got, expected);
    ck_assert_int_eq(memcmp(before.results, c.results, sizeof c.results), 0);
    ck_assert_int_eq(memcmp(before.counts, c.counts, sizeof c.counts), 0);
}

static void null_x(struct call *c)
{
    c->field[1].part.x = NULL;
}
static void null_y(struct call *c)
{
    c->field[0].part.y = NULL;
}
static void null_shape(struct call *c)
{
    c->field[2].part.shape = NULL;
}
static void null_results(struct call *c)
{
    c->field[1].results = NULL;
}
static void bad_op(struct call *c)
{
    c->field[0].want.op = (samesum_op)13;
}
static void bad_type(struct call *c)
{
    c->field[2].part.type = (samesum_type)7;
}
static void bad_level(struct call *c)
{
    c->field[1].want.level = (samesum_level)4;
}
static void bad_backend(struct call *c)
{
    c->field[1].want.backend = (samesum_backend)17;
}
static void bad_threads(struct call *c)
{
    c->field[1].want.threads = -1;
}
static void bad_axis(struct call *c)
{
    static const int axis = 2;
    c->field[1].axes = &axis;
}
static void bad_dims(struct call *c)
{
    c->field[2].part.dims = SAMESUM_MAX_DIMS + 1;
}
static void bad_mask(struct call *c)
{
    c->field[0].part.mask_kind = (samesum_mask_kind)9;
}
static void weighted_dot(struct call *c)
{
    c->field[0].part.weights = x;
}
static void bad_root(struct call *c)
{
    c->root = ranks;
}
static void worse_root(struct call *c)
{
    c->root = -2;
}

/* Each on the first rank, on the last, on one in the middle, and on all. */
START_TEST(one_rank_is_wrong)
{
    static const struct {
        void (*spoil)(struct call *);
        samesum_status expected;
    } wrongs[] = {
        {null_x, SAMESUM_ERR_NULL},         {null_y, SAMESUM_ERR_NULL},
        {null_shape, SAMESUM_ERR_NULL},     {null_results, SAMESUM_ERR_NULL},
        {bad_op, SAMESUM_ERR_OP},           {bad_type, SAMESUM_ERR_TYPE},
        {bad_level, SAMESUM_ERR_LEVEL},     {bad_backend, SAMESUM_ERR_BACKEND},
        {bad_threads, SAMESUM_ERR_THREADS}, {bad_axis, SAMESUM_ERR_SHAPE},
        {bad_dims, SAMESUM_ERR_SHAPE},      {bad_mask, SAMESUM_ERR_OPTION},
        {weighted_dot, SAMESUM_ERR_OPTION}, {bad_root, SAMESUM_ERR_RANGE},
        {worse_root, SAMESUM_ERR_RANGE},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        refused(wrongs[i].spoil, 0, 0, wrongs[i].expected);
        refused(wrongs[i].spoil, ranks - 1, ranks - 1, wrongs[i].expected);
        refused(wrongs[i].spoil, ranks / 2, ranks / 2, wrongs[i].expected);
        refused(wrongs[i].spoil, 0, ranks - 1, wrongs[i].expected);
    }
}
END_TEST

/* Two ranks wrong in two ways: the lower one is told of. */
START_TEST(lowest_rank_is_told_of)
{
    struct call c;
    right_call(&c);
    if (rank == 0)
        bad_level(&c);
    if (rank == ranks - 1 && ranks > 1)
        bad_op(&c);
    ck_assert_int_eq(samesum_mpi_reduce(c.field, c.count, c.root, comm), SAMESUM_ERR_LEVEL);
}
END_TEST

static void other_op(struct call *c)
{
    c->field[1].want.op = SAMESUM_STD;
}
static void other_level(struct call *c)
{
    c->field[0].want.level = SAMESUM_EXACT;
}
static void other_type(struct call *c)
{
    c->field[2].part.type = SAMESUM_F32;
}
static void other_ddof(struct call *c)
{
    c->field[1].want.ddof = 1;
}
static void other_policy(struct call *c)
{
    c->field[2].want.nan = SAMESUM_NAN_IGNORE;
}
static void other_columns(struct call *c)
{
    static const size_t narrow[2] = {4, 3};
    c->field[1].part.shape = narrow;
}
static void fewer_fields(struct call *c)
{
    c->count = 1;
}
static void no_field(struct call *c)
{
    c->count = 0;
}
static void other_order(struct call *c)
{
    samesum_want first = c->field[0].want;
    c->field[0].want = c->field[1].want;
    c->field[1].want = first;
}
static void other_root(struct call *c)
{
    c->root = 0;
}
static void other_weights(struct call *c)
{
    c->field[1].want.op = SAMESUM_SUM;
    c->field[1].part.weights = x;
}

START_TEST(ranks_differ)
{
    static void (*const spoils[])(struct call *) = {
        other_op,     other_level, other_type,  other_ddof, other_policy, other_columns,
        fewer_fields, no_field,    other_order, other_root, other_weights};
    for (size_t i = 0; ranks > 1 && i < sizeof spoils / sizeof *spoils; i++) {
        refused(spoils[i], 0, 0, SAMESUM_ERR_MISMATCH);
        refused(spoils[i], ranks - 1, ranks - 1, SAMESUM_ERR_MISMATCH);
        refused(spoils[i], 1, ranks / 2, SAMESUM_ERR_MISMATCH);
    }
}
END_TEST

/* What may differ: threads, backends, strides, masks, and who wants counts. */
START_TEST(ranks_may_differ)
{
    static const unsigned char mask[N] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const ptrdiff_t strides[2] = {5 * sizeof(double), sizeof(double)};
    struct call c, other;
    right_call(&c);
    right_call(&other);
    for (int i = 0; i < N; i++) {
        x[i] = 0.1 * i;
        y[i] = 1 - 0.3 * i;
    }
    if (rank % 2) {
        other.field[0].want.threads = 2;
        other.field[0].want.backend = SAMESUM_BACKEND_SCALAR;
        other.field[1].part.mask_kind = SAMESUM_MASK_BYTES;
        other.field[1].part.mask = mask;
        other.field[2].part.strides = strides;
        other.field[1].counts = NULL;
        other.field[0].counts = other.counts;
    }
    ck_assert_int_eq(samesum_mpi_reduce(c.field, 3, SAMESUM_MPI_ALL, comm), SAMESUM_OK);
    ck_assert_int_eq(samesum_mpi_reduce(other.field, 3, SAMESUM_MPI_ALL, comm), SAMESUM_OK);
    ck_assert_int_eq(memcmp(c.results, other.results, sizeof c.results), 0);
    ck_assert_int_eq(memcmp(c.counts, other.counts, sizeof c.counts), 0);
}
END_TEST

START_TEST(states_are_wrong)
{
    samesum_state *s;
    double result = 7;
    void *room = &result;
    samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_TREE};
    for (int wrong = 0; wrong < ranks; wrong++) {
        const int me = rank == wrong;
        const samesum_state *mine;
        /* the ranges: 3 elements on each rank; a gap after the wrong one */
        ck_assert_int_eq(samesum_state_create(&s, &want, SAMESUM_F64, 3 * (uint64_t)rank), 0);
        samesum_state_update(s, x, NULL, me ? 2 : 3);
        mine = s;
        if (wrong < ranks - 1)
            ck_assert_int_eq(samesum_mpi_reduce_states(&mine, 1, &room, SAMESUM_MPI_ALL, comm),
                             SAMESUM_ERR_RANGE);
        mine = me ? NULL : s;
        ck_assert_int_eq(samesum_mpi_reduce_states(&mine, 1, &room, SAMESUM_MPI_ALL, comm),
                         SAMESUM_ERR_NULL);
        ck_assert_int_eq(
            samesum_mpi_reduce_states(me ? NULL : &mine, 1, &room, SAMESUM_MPI_ALL, comm),
            SAMESUM_ERR_NULL);
        mine = s;
        void *none = NULL;
        ck_assert_int_eq(
            samesum_mpi_reduce_states(&mine, 1, me ? &none : &room, SAMESUM_MPI_ALL, comm),
            SAMESUM_ERR_NULL);
        samesum_state_destroy(s);
        want.level = me ? SAMESUM_KAHAN : SAMESUM_TREE;
        ck_assert_int_eq(samesum_state_create(&s, &want, SAMESUM_F64, 0), 0);
        mine = s;
        if (ranks > 1)
            ck_assert_int_eq(samesum_mpi_reduce_states(&mine, 1, &room, SAMESUM_MPI_ALL, comm),
                             SAMESUM_ERR_MISMATCH);
        if (ranks > 1)
            ck_assert_int_eq(
                samesum_mpi_reduce_states(&mine, me ? 0 : 1, &room, SAMESUM_MPI_ALL, comm),
                SAMESUM_ERR_MISMATCH);
        samesum_state_destroy(s);
        want.level = SAMESUM_TREE;
    }
    ck_assert(result == 7);
}
END_TEST

START_TEST(vectors_are_wrong)
{
    enum { MANY = 200 };
    static float v[MANY], results[MANY];
    const samesum_want want = {.op = SAMESUM_SUM};
    for (int wrong = 0; wrong < ranks; wrong++) {
        const int me = rank == wrong;
        samesum_want other = want;
        ck_assert_int_eq(
            samesum_mpi_allreduce_vector(me ? NULL : v, MANY, SAMESUM_F32, &want, results, comm),
            SAMESUM_ERR_NULL);
        ck_assert_int_eq(
            samesum_mpi_allreduce_vector(v, MANY, SAMESUM_F32, &want, me ? NULL : results, comm),
            SAMESUM_ERR_NULL);
        ck_assert_int_eq(
            samesum_mpi_allreduce_vector(v, MANY, SAMESUM_F32, me ? NULL : &want, results, comm),
            SAMESUM_ERR_NULL);
        other.op = me ? SAMESUM_DOT : SAMESUM_SUM;
        ck_assert_int_eq(samesum_mpi_allreduce_vector(v, MANY, SAMESUM_F32, &other, results, comm),
                         SAMESUM_ERR_OP);
        ck_assert_int_eq(samesum_mpi_allreduce_vector(v, MANY, me ? (samesum_type)9 : SAMESUM_F32,
                                                      &want, results, comm),
                         SAMESUM_ERR_TYPE);
        if (ranks == 1)
            continue;
        ck_assert_int_eq(
            samesum_mpi_allreduce_vector(v, me ? 0 : MANY, SAMESUM_F32, &want, results, comm),
            SAMESUM_ERR_MISMATCH);
        ck_assert_int_eq(samesum_mpi_allreduce_vector(v, me ? MANY - 1 : MANY, SAMESUM_F32, &want,
                                                      results, comm),
                         SAMESUM_ERR_MISMATCH);
        other.op = me ? SAMESUM_ASUM : SAMESUM_SUM;
        ck_assert_int_eq(samesum_mpi_allreduce_vector(v, MANY, SAMESUM_F32, &other, results, comm),
                         SAMESUM_ERR_MISMATCH);
    }
}
END_TEST

START_TEST(offsets)
{
    uint64_t begin = 0;
    const uint64_t half = UINT64_MAX / 2;
    ck_assert_int_eq(samesum_mpi_offset(10 + (uint64_t)rank, &begin, comm), SAMESUM_OK);
    ck_assert_uint_eq(begin, 10 * (uint64_t)rank + (uint64_t)(rank * (rank - 1) / 2));
    ck_assert_int_eq(samesum_mpi_offset(1, rank == ranks - 1 ? NULL : &begin, comm),
                     SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_mpi_offset(half, &begin, comm),
                     rank < 2 ? SAMESUM_OK : SAMESUM_ERR_RANGE);
}
END_TEST

START_TEST(nothing_is_started)
{
    samesum_mpi_request *r = NULL;
    int done;
    ck_assert_int_eq(samesum_mpi_reduce(NULL, (size_t)1 << 40, SAMESUM_MPI_ALL, comm),
                     SAMESUM_ERR_SIZE);
    ck_assert_int_eq(samesum_mpi_start(NULL, 0, SAMESUM_MPI_ALL, comm, NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_mpi_wait(NULL), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_mpi_wait(&r), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_mpi_test(&r, &done), SAMESUM_ERR_NULL);
    struct call c;
    right_call(&c);
    if (rank == ranks / 2)
        bad_type(&c);
    ck_assert_int_eq(samesum_mpi_start(c.field, c.count, c.root, comm, &r), SAMESUM_OK);
    ck_assert_int_eq(samesum_mpi_wait(&r), SAMESUM_ERR_TYPE);
    ck_assert(r == NULL);
}
END_TEST

Suite *suite_mpi_arguments(void)
{
    TCase *tests;
    Suite *suite = new_suite("arguments", &tests);
    tcase_add_test(tests, one_rank_is_wrong);
    tcase_add_test(tests, lowest_rank_is_told_of);
    tcase_add_test(tests, ranks_differ);
    tcase_add_test(tests, ranks_may_differ);
    tcase_add_test(tests, states_are_wrong);
    tcase_add_test(tests, vectors_are_wrong);
    tcase_add_test(tests, offsets);
    tcase_add_test(tests, nothing_is_started);
    return suite;
}
