/* suite_requests.c - nonblocking calls: several under way at once, completed in any order, by
 * waiting or by asking again and again. */
#include "mpi_suites.h"
#include "parts.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

enum { N = 5000, VECTOR = 40, MOST = 12 };

struct started {
    samesum_mpi_request *request;
    double results[VECTOR], expected[VECTOR];
    size_t count;
    samesum_state *state;
};

static double x[N], vector[VECTOR];

static double vector_at(int r, int i, int salt)
{
    return sin(100 * i + r + salt);
}

/* One of the three kinds of call; what the arguments point to goes out of sight at once. */
static void start(struct started *s, int salt)
{
    const samesum_level level = (samesum_level)(salt % 4);
    const struct cuts cuts = cuts_of(N);
    const size_t begin = cuts.at[rank], n = cuts.at[rank + 1] - begin;
    samesum_want want = {.op = SAMESUM_SUM, .level = level, .threads = 1};
    samesum_status status;
    s->count = 1;
    s->state = NULL;
    if (salt % 3 == 0) {
        want.op = SAMESUM_VAR;
        const samesum_mpi_field f = {
            .part = {.x = x + begin, .type = SAMESUM_F64, .dims = 1, .shape = &n},
            .want = want,
            .results = s->results};
        samesum_var_f64(x, N, 0, level, s->expected);
        status = samesum_mpi_start(&f, 1, SAMESUM_MPI_ALL, comm, &s->request);
    } else if (salt % 3 == 1) {
        void *room = s->results;
        samesum_sum_f64(x, N, level, s->expected);
        ck_assert_int_eq(samesum_state_create(&s->state, &want, SAMESUM_F64, begin), SAMESUM_OK);
        samesum_state_update(s->state, x + begin, NULL, n);
        const samesum_state *state = s->state;
        status = samesum_mpi_start_states(&state, 1, &room, SAMESUM_MPI_ALL, comm, &s->request);
    } else {
        s->count = VECTOR;
        for (int i = 0; i < VECTOR; i++) {
            double of_rank[MOST_RANKS];
            for (int r = 0; r < ranks; r++)
                of_rank[r] = vector_at(r, i, 0);
            samesum_sum_f64(of_rank, (size_t)ranks, level, &s->expected[i]);
        }
        status = samesum_mpi_start_vector(vector, VECTOR, SAMESUM_F64, &want, s->results, comm,
                                          &s->request);
    }
    ck_assert_int_eq(status, SAMESUM_OK);
}

static void judge(struct started *s)
{
    struct what what = {.type = SAMESUM_F64, .n = N};
    ck_assert(s->request == NULL);
    for (size_t i = 0; i < s->count; i++)
        same(&what, bits_of_double(s->results[i]), bits_of_double(s->expected[i]));
    samesum_state_destroy(s->state);
}

static void fill(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (i % 2 ? -1 : 1) * sqrt(i + 1.0);
    for (int i = 0; i < VECTOR; i++)
        vector[i] = vector_at(rank, i, 0);
}

/* Each rank in an order of its own. */
START_TEST(waited_for_in_any_order)
{
    struct started s[MOST];
    fill();
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < MOST; i++)
            start(&s[i], i + round);
        for (int i = 0; i < MOST; i++) {
            struct started *one = &s[(i * 5 + rank) % MOST];
            ck_assert_int_eq(samesum_mpi_wait(&one->request), SAMESUM_OK);
            judge(one);
        }
    }
    all_were_same();
}
END_TEST

START_TEST(asked_for)
{
    struct started s[MOST];
    fill();
    for (int i = 0; i < MOST; i++)
        start(&s[i], i);
    for (int left = MOST; left > 0;)
        for (int i = 0; i < MOST; i++) {
            int done;
            if (!s[i].request)
                continue;
            ck_assert_int_eq(samesum_mpi_test(&s[i].request, &done), SAMESUM_OK);
            ck_assert_int_eq(done, s[i].request == NULL);
            if (done) {
                judge(&s[i]);
                left--;
            }
        }
    all_were_same();
}
END_TEST

/* Blocking calls and other collectives in between. */
START_TEST(beside_blocking_calls)
{
    struct started s[2];
    double result, expected;
    fill();
    for (int i = 0; i < 10; i++) {
        const struct cuts cuts = cuts_of(N);
        const size_t begin = cuts.at[rank], n = cuts.at[rank + 1] - begin;
        start(&s[0], i);
        samesum_sum_f64(x, N, SAMESUM_KAHAN, &expected);
        ck_assert_int_eq(samesum_mpi_sum_f64(x + begin, n, SAMESUM_KAHAN, &result, comm),
                         SAMESUM_OK);
        struct what what = {.type = SAMESUM_F64, .level = SAMESUM_KAHAN, .n = N};
        same(&what, bits_of_double(result), bits_of_double(expected));
        start(&s[1], i + 1);
        MPI_Barrier(comm);
        ck_assert_int_eq(samesum_mpi_wait(&s[1].request), SAMESUM_OK);
        judge(&s[1]);
        ck_assert_int_eq(samesum_mpi_wait(&s[0].request), SAMESUM_OK);
        judge(&s[0]);
    }
    all_were_same();
}
END_TEST

Suite *suite_mpi_requests(void)
{
    TCase *tests;
    Suite *suite = new_suite("requests", &tests);
    tcase_add_test(tests, waited_for_in_any_order);
    tcase_add_test(tests, asked_for);
    tcase_add_test(tests, beside_blocking_calls);
    return suite;
}
