/* suite_arguments.c - bad arguments on one rank are an error on all, with nothing written and
 * nobody waiting; so is what differs from rank to rank. The program's watchdog ends a run that
 * waits. */
#include "cuda/device.h"
#include "nccl_suites.h"
#include "over.h"
#include "support.h"

#include <string.h>

enum { N = 20, FIELDS = 3, ROOM = 3 * N * (int)sizeof(double) };
static const double numbers[N];
static const size_t shape[2] = {4, 5};
static struct call call;
static char *room[MOST_SEATS]; /* of each seat: for results, of one field after the other */

/* A call that is right; each test spoils it on one rank. */
static void right_call(void)
{
    static const int axis = 0;
    call_make(&call);
    for (int s = 0; s < world.seats; s++) {
        const void *x = seat_copy(&world.seat[s], numbers, sizeof numbers);
        room[s] = seat_room(&world.seat[s], ROOM);
        for (int i = 0; i < FIELDS; i++)
            call.field[s][i] =
                (samesum_nccl_field){.part = {.x = x,
                                              .y = i == 0 ? x : NULL,
                                              .type = SAMESUM_F64,
                                              .dims = 2,
                                              .shape = shape},
                                     .axes = &axis,
                                     .axis_count = i < 2, /* the last one: of all elements */
                                     .want = {.op = i == 0   ? SAMESUM_DOT
                                                    : i == 1 ? SAMESUM_VAR
                                                             : SAMESUM_ARGMIN,
                                              .level = SAMESUM_COMPENSATED},
                                     .out = {.results = room[s] + i * N * (int)sizeof(double)}};
    }
}

/* Nothing was written on any GPU of this process. */
static void untouched(void)
{
    char after[ROOM], before[ROOM];
    memset(before, 0x5a, ROOM);
    for (int s = 0; s < world.seats; s++) {
        seat_get(&world.seat[s], after, room[s], ROOM);
        ck_assert_int_eq(memcmp(before, after, ROOM), 0);
    }
}

typedef void spoil(samesum_nccl_field *field);

static void refused(spoil *wrong, int from, int to, samesum_status expected)
{
    right_call();
    for (int s = 0; s < world.seats; s++)
        if (world.seat[s].rank >= from && world.seat[s].rank <= to) {
            use_seat(&world.seat[s]);
            wrong(call.field[s]);
        }
    const samesum_status got = samesum_nccl_reduce(call.member, world.seats, FIELDS);
    ck_assert_msg(got == expected, "%d, not %d", got, expected);
    untouched();
    scratch_end();
}

static void null_x(samesum_nccl_field *f)
{
    f[0].part.x = NULL;
}
static void null_y(samesum_nccl_field *f)
{
    f[0].part.y = NULL;
}
static void null_shape(samesum_nccl_field *f)
{
    f[2].part.shape = NULL;
}
static void null_results(samesum_nccl_field *f)
{
    f[1].out.results = NULL;
}
static void bad_op(samesum_nccl_field *f)
{
    f[0].want.op = (samesum_op)13;
}
static void bad_type(samesum_nccl_field *f)
{
    f[2].part.type = (samesum_type)7;
}
static void bad_level(samesum_nccl_field *f)
{
    f[1].want.level = (samesum_level)4;
}
static void bad_backend(samesum_nccl_field *f)
{
    f[1].want.backend = SAMESUM_BACKEND_SCALAR;
}
static void bad_axis(samesum_nccl_field *f)
{
    static const int axis = 2;
    f[1].axes = &axis;
}
static void bad_dims(samesum_nccl_field *f)
{
    f[2].part.dims = SAMESUM_MAX_DIMS + 1;
}
static void bad_mask(samesum_nccl_field *f)
{
    f[0].part.mask_kind = (samesum_mask_kind)9;
}
static void weighted_dot(samesum_nccl_field *f)
{
    f[0].part.weights = f[0].part.x;
}
static void host_x(samesum_nccl_field *f)
{
    f[1].part.x = numbers;
}
static void host_results(samesum_nccl_field *f)
{
    static double results[N];
    f[1].out.results = results;
}
static void odd_results(samesum_nccl_field *f)
{
    f[0].out.results = (char *)f[0].out.results + 4;
}

/* Each on the first rank, on the last, on one in the middle, and on all. */
START_TEST(one_rank_is_wrong)
{
    static const struct {
        spoil *wrong;
        samesum_status expected;
    } wrongs[] = {
        {null_x, SAMESUM_ERR_NULL},         {null_y, SAMESUM_ERR_NULL},
        {null_shape, SAMESUM_ERR_NULL},     {null_results, SAMESUM_ERR_NULL},
        {bad_op, SAMESUM_ERR_OP},           {bad_type, SAMESUM_ERR_TYPE},
        {bad_level, SAMESUM_ERR_LEVEL},     {bad_backend, SAMESUM_ERR_BACKEND},
        {bad_axis, SAMESUM_ERR_SHAPE},      {bad_dims, SAMESUM_ERR_SHAPE},
        {bad_mask, SAMESUM_ERR_OPTION},     {weighted_dot, SAMESUM_ERR_OPTION},
        {host_x, SAMESUM_ERR_POINTER},      {host_results, SAMESUM_ERR_POINTER},
        {odd_results, SAMESUM_ERR_POINTER},
    };
    const int last = world.ranks - 1;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        refused(wrongs[i].wrong, 0, 0, wrongs[i].expected);
        refused(wrongs[i].wrong, last, last, wrongs[i].expected);
        refused(wrongs[i].wrong, world.ranks / 2, world.ranks / 2, wrongs[i].expected);
        refused(wrongs[i].wrong, 0, last, wrongs[i].expected);
    }
}
END_TEST

/* Two ranks wrong in two ways: the lower one is told of. */
START_TEST(lowest_rank_is_told_of)
{
    right_call();
    for (int s = 0; s < world.seats; s++) {
        if (world.seat[s].rank == 0)
            bad_level(call.field[s]);
        else if (world.seat[s].rank == world.ranks - 1)
            bad_op(call.field[s]);
    }
    ck_assert_int_eq(samesum_nccl_reduce(call.member, world.seats, FIELDS), SAMESUM_ERR_LEVEL);
    untouched();
    scratch_end();
}
END_TEST

static void other_op(samesum_nccl_field *f)
{
    f[1].want.op = SAMESUM_STD;
}
static void other_level(samesum_nccl_field *f)
{
    f[0].want.level = SAMESUM_EXACT;
}
static void other_type(samesum_nccl_field *f)
{
    f[2].part.type = SAMESUM_F32;
}
static void other_ddof(samesum_nccl_field *f)
{
    f[1].want.ddof = 1;
}
static void other_policy(samesum_nccl_field *f)
{
    f[2].want.nan = SAMESUM_NAN_IGNORE;
}
static void other_columns(samesum_nccl_field *f)
{
    static const size_t narrow[2] = {4, 3};
    f[1].part.shape = narrow;
}
static void other_depth(samesum_nccl_field *f)
{
    static const size_t narrow[2] = {4, 3};
    f[2].part.shape = narrow;
}
static void other_order(samesum_nccl_field *f)
{
    const samesum_nccl_field first = f[1];
    f[1] = f[2];
    f[2] = first;
}
static void other_weights(samesum_nccl_field *f)
{
    f[1].want.op = SAMESUM_SUM;
    f[1].part.weights = f[1].part.x;
}

static void counts(samesum_nccl_field *f)
{
    f[2].out.counts = scratch(N * sizeof(samesum_counts));
}

START_TEST(ranks_differ)
{
    static spoil *const spoils[] = {other_op,      other_level,   other_type,  other_ddof,
                                    other_policy,  other_columns, other_depth, other_order,
                                    other_weights, counts};
    const int last = world.ranks - 1;
    for (size_t i = 0; last > 0 && i < sizeof spoils / sizeof *spoils; i++) {
        refused(spoils[i], 0, 0, SAMESUM_ERR_MISMATCH);
        refused(spoils[i], last, last, SAMESUM_ERR_MISMATCH);
    }
    /* more fields on one rank than on others: where a process is one rank */
    if (world.seats == 1 && last > 0) {
        right_call();
        ck_assert_int_eq(
            samesum_nccl_reduce(call.member, 1, world.seat[0].rank == last ? 1 : FIELDS),
            SAMESUM_ERR_MISMATCH);
        ck_assert_int_eq(samesum_nccl_reduce(call.member, 1, world.seat[0].rank == 0 ? 0 : FIELDS),
                         SAMESUM_ERR_MISMATCH);
        ck_assert_int_eq(
            samesum_nccl_reduce(call.member, 1, world.seat[0].rank == 0 ? (size_t)1 << 40 : FIELDS),
            SAMESUM_ERR_SIZE);
        untouched();
        scratch_end();
    }
}
END_TEST

static void no_fields(int s)
{
    call.member[s].fields = NULL;
    call.member[s].states = NULL;
    call.member[s].vectors = NULL;
}

/* Whether this seat is the one to be spoilt, rank after rank. */
#define each_seat_of(wrong, s)                                                                     \
    for (int s = 0; s < world.seats; s++)                                                          \
        if (world.seat[s].rank == (wrong))

START_TEST(nothing_is_there)
{
    for (int wrong = 0; wrong < world.ranks; wrong++) {
        right_call();
        each_seat_of(wrong, s) no_fields(s);
        ck_assert_int_eq(samesum_nccl_reduce(call.member, world.seats, FIELDS), SAMESUM_ERR_NULL);
        untouched();
        scratch_end();
    }
}
END_TEST

static void right_states(void)
{
    right_call();
    for (int s = 0; s < world.seats; s++) {
        size_t bytes;
        const samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_KAHAN};
        samesum_cuda_state_bytes(&want, SAMESUM_F64, &bytes);
        for (int i = 0; i < 2; i++)
            call.state[s][i] = (samesum_nccl_state){.state = seat_room(&world.seat[s], bytes),
                                                    .want = want,
                                                    .type = SAMESUM_F64,
                                                    .out = {.results = room[s]}};
    }
}

START_TEST(states_are_wrong)
{
    static const samesum_status expected[] = {
        SAMESUM_ERR_NULL,       SAMESUM_ERR_NULL,     SAMESUM_ERR_POINTER, SAMESUM_ERR_POINTER,
        SAMESUM_ERR_OP,         SAMESUM_ERR_TYPE,     SAMESUM_ERR_LEVEL,   SAMESUM_ERR_NULL,
        SAMESUM_ERR_TWO_PASSES, SAMESUM_ERR_MISMATCH, SAMESUM_ERR_MISMATCH};
    enum { WRONGS = sizeof expected / sizeof *expected };
    for (int wrong = 0; wrong < world.ranks; wrong++)
        for (int i = 0; i < WRONGS - 2 * (world.ranks == 1); i++) {
            right_states();
            each_seat_of(wrong, s)
            {
                samesum_nccl_state *a = &call.state[s][1];
                switch (i) {
                case 0:
                    a->state = NULL;
                    break;
                case 1:
                    a->out.results = NULL;
                    break;
                case 2:
                    a->state = numbers;
                    break;
                case 3:
                    a->out.results = (void *)(size_t)numbers;
                    break;
                case 4:
                    a->want.op = (samesum_op)99;
                    break;
                case 5:
                    a->type = (samesum_type)99;
                    break;
                case 6:
                    a->want.level = (samesum_level)99;
                    break;
                case 7:
                    no_fields(s);
                    break;
                case 8:
                    a->want.op = SAMESUM_STD;
                    break;
                case 9:
                    a->want.level = SAMESUM_TREE;
                    break;
                default:
                    a->type = SAMESUM_F32;
                }
            }
            const samesum_status got = samesum_nccl_reduce_states(call.member, world.seats, 2);
            ck_assert_msg(got == expected[i], "states, %d: %d, not %d", i, got, expected[i]);
            untouched();
            scratch_end();
        }
}
END_TEST

static void right_vectors(void)
{
    right_call();
    for (int s = 0; s < world.seats; s++)
        call.vector[s][0] =
            (samesum_nccl_vector){.x = seat_copy(&world.seat[s], numbers, sizeof numbers),
                                  .n = N,
                                  .type = SAMESUM_F64,
                                  .results = room[s]};
}

START_TEST(vectors_are_wrong)
{
    static const samesum_status expected[] = {
        SAMESUM_ERR_NULL,     SAMESUM_ERR_NULL,     SAMESUM_ERR_POINTER, SAMESUM_ERR_OP,
        SAMESUM_ERR_TYPE,     SAMESUM_ERR_LEVEL,    SAMESUM_ERR_NULL,    SAMESUM_ERR_MISMATCH,
        SAMESUM_ERR_MISMATCH, SAMESUM_ERR_MISMATCH, SAMESUM_ERR_MISMATCH};
    enum { WRONGS = sizeof expected / sizeof *expected };
    for (int wrong = 0; wrong < world.ranks; wrong++)
        for (int i = 0; i < WRONGS - 4 * (world.ranks == 1); i++) {
            right_vectors();
            each_seat_of(wrong, s)
            {
                samesum_nccl_vector *a = &call.vector[s][0];
                switch (i) {
                case 0:
                    a->x = NULL;
                    break;
                case 1:
                    a->results = NULL;
                    break;
                case 2:
                    a->x = numbers;
                    break;
                case 3:
                    a->want.op = SAMESUM_DOT;
                    break;
                case 4:
                    a->type = (samesum_type)99;
                    break;
                case 5:
                    a->want.level = (samesum_level)99;
                    break;
                case 6:
                    no_fields(s);
                    break;
                case 7:
                    a->n = N - 1;
                    break;
                case 8:
                    a->n = 0;
                    break;
                case 9:
                    a->want.op = SAMESUM_ASUM;
                    break;
                default:
                    a->type = SAMESUM_F32;
                }
            }
            const samesum_status got = samesum_nccl_allreduce_vectors(call.member, world.seats, 1);
            ck_assert_msg(got == expected[i], "vectors, %d: %d, not %d", i, got, expected[i]);
            untouched();
            scratch_end();
        }
}
END_TEST

/* Found before anything is sent, on all ranks alike here. */
START_TEST(found_at_once)
{
    samesum_nccl_plan *plan = (samesum_nccl_plan *)&call;
    right_call();
    ck_assert_int_eq(samesum_nccl_reduce(NULL, 1, FIELDS), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_nccl_reduce(call.member, 0, FIELDS), SAMESUM_ERR_OPTION);
    ck_assert_int_eq(samesum_nccl_plan_create(NULL, call.member, world.seats, FIELDS),
                     SAMESUM_ERR_NULL);
    samesum_nccl_member twice[2] = {call.member[0], call.member[0]};
    ck_assert_int_eq(samesum_nccl_plan_create(&plan, twice, 2, FIELDS), SAMESUM_ERR_OPTION);
    ck_assert_ptr_null(plan);
    twice[1].comm = NULL;
    ck_assert_int_eq(samesum_nccl_reduce(twice, 2, FIELDS), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_nccl_offset(1, NULL, NULL, NULL), SAMESUM_ERR_NULL);
    untouched();
    scratch_end();
}
END_TEST

START_TEST(offsets)
{
    const struct seat *me = &world.seat[0];
    const uint64_t half = UINT64_MAX / 2;
    const int last = world.ranks - 1;
    uint64_t begin = 0;
    if (world.seats > 1)
        return;
    const uint64_t r = (uint64_t)me->rank;
    ck_assert_int_eq(samesum_nccl_offset(10 + r, &begin, me->comm, me->stream), SAMESUM_OK);
    ck_assert_uint_eq(begin, 10 * r + r * (r - 1) / 2);
    ck_assert_int_eq(samesum_nccl_offset(1, me->rank == last ? NULL : &begin, me->comm, me->stream),
                     SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_nccl_offset(half, &begin, me->comm, me->stream),
                     world.ranks < 3 ? SAMESUM_OK : SAMESUM_ERR_RANGE);
}
END_TEST

/* After all this the communicator is as good as before. */
START_TEST(and_then_a_right_one)
{
    right_call();
    ck_assert_int_eq(samesum_nccl_reduce(call.member, world.seats, FIELDS), SAMESUM_OK);
    scratch_end();
}
END_TEST

Suite *suite_nccl_arguments(void)
{
    TCase *tests;
    Suite *suite = new_suite("arguments", &tests);
    tcase_add_test(tests, one_rank_is_wrong);
    tcase_add_test(tests, lowest_rank_is_told_of);
    tcase_add_test(tests, ranks_differ);
    tcase_add_test(tests, nothing_is_there);
    tcase_add_test(tests, states_are_wrong);
    tcase_add_test(tests, vectors_are_wrong);
    tcase_add_test(tests, found_at_once);
    tcase_add_test(tests, offsets);
    tcase_add_test(tests, and_then_a_right_one);
    return suite;
}
