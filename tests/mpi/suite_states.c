/* suite_states.c - states that ranks fed: chunk by chunk from where each rank begins, many in one
 * exchange, and at level exact from anywhere. They stay as they are. */
#include "mpi_suites.h"
#include "parts.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* A state of every kind that there is, over this rank's part of n elements. */
struct fed {
    struct what what;
    samesum_state *state;
    double result;
    uint64_t expected;
};

static void feed_part(struct fed *f, size_t n, enum recipe recipe)
{
    const struct cuts cuts = cuts_of(n);
    const void *x = data_x(recipe, f->what.type, n), *y = data_y(recipe, f->what.type, n);
    uint64_t begin = cuts.at[rank];
    const size_t end = cuts.at[rank + 1];
    f->what.n = n;
    f->expected = library(&f->what, x, y, NULL);
    f->state = new_state(&f->what, begin);
    while (begin < end) {
        size_t m = end - begin < 700 ? (size_t)(end - begin) : 700;
        feed(f->state, &f->what, element(f->what.type, x, begin), element(f->what.type, y, begin),
             m);
        begin += m;
    }
}

START_TEST(every_kind_in_one_exchange)
{
    static const enum recipe recipes[] = {RECIPE_CANCEL, RECIPE_UNIFORM, RECIPE_NAN, RECIPE_HUGE};
    static const size_t lengths[] = {0, 1, 15, 17, 1000, 4097};
    const int steps = (int)by_depth(2, 4, 12);
    for (int step = 0; step < steps; step++) {
        struct fed fed[ALL_KINDS];
        const samesum_state *state[ALL_KINDS];
        void *result[ALL_KINDS];
        size_t count = 0;
        const int root = step % 3 ? SAMESUM_MPI_ALL : step % ranks;
        const size_t n = lengths[random_below(6)];
        for (int k = 0; k < ALL_KINDS; k++) {
            struct fed *f = &fed[count];
            f->what = kind(k);
            if (!has_states(&f->what))
                continue;
            feed_part(f, n, recipes[step % 4]);
            f->result = 0;
            state[count] = f->state;
            result[count++] = &f->result;
        }
        samesum_status status = samesum_mpi_reduce_states(
            state, count, root == SAMESUM_MPI_ALL || root == rank ? result : NULL, root, comm);
        ck_assert(status == SAMESUM_OK || (n < 2 && status == SAMESUM_NO_VALUE));
        for (size_t i = 0; i < count; i++) {
            if (root == SAMESUM_MPI_ALL || root == rank)
                same(&fed[i].what, bits_of(fed[i].what.type, &fed[i].result), fed[i].expected);
            samesum_state_destroy(fed[i].state);
        }
    }
    all_were_same();
}
END_TEST

/* A state is used again, step after step, and not changed. */
START_TEST(states_stay)
{
    struct fed f = {.what = {.op = SAMESUM_SUM, .type = SAMESUM_F64, .level = SAMESUM_COMPENSATED}};
    char before[40000], after[40000];
    size_t length, again;
    void *room = &f.result;
    feed_part(&f, 3000, RECIPE_CANCEL);
    ck_assert_int_eq(samesum_state_save(f.state, before, sizeof before, &length), SAMESUM_OK);
    for (int i = 0; i < 20; i++) {
        f.result = 0;
        ck_assert_int_eq(samesum_mpi_reduce_states((const samesum_state *const *)&f.state, 1, &room,
                                                   SAMESUM_MPI_ALL, comm),
                         SAMESUM_OK);
        same(&f.what, bits_of_double(f.result), f.expected);
    }
    ck_assert_int_eq(samesum_state_save(f.state, after, sizeof after, &again), SAMESUM_OK);
    ck_assert_uint_eq(length, again);
    ck_assert_int_eq(memcmp(before, after, length), 0);
    samesum_state_destroy(f.state);
    all_were_same();
}
END_TEST

/* At level exact ranges neither have to follow one another nor to begin anywhere. */
START_TEST(exact_ranges)
{
    enum { N = 1000 };
    const struct what what = {
        .op = SAMESUM_MEAN, .type = SAMESUM_F64, .level = SAMESUM_EXACT, .n = N};
    const double *x = data_x(RECIPE_CANCEL, SAMESUM_F64, N);
    samesum_state *s = new_state(&what, random_bits() % 5000 * (uint64_t)(rank + 1));
    double result;
    void *room = &result;
    for (int i = 0; i < N; i++)
        if ((i * 7 + i / 3) % ranks == rank)
            ck_assert_int_eq(samesum_state_update(s, &x[i], NULL, 1), SAMESUM_OK);
    ck_assert_int_eq(samesum_mpi_reduce_states((const samesum_state *const *)&s, 1, &room,
                                               SAMESUM_MPI_ALL, comm),
                     SAMESUM_OK);
    same(&what, bits_of_double(result), library(&what, x, NULL, NULL));
    samesum_state_destroy(s);
    all_were_same();
}
END_TEST

Suite *suite_mpi_states(void)
{
    TCase *tests;
    Suite *suite = new_suite("states", &tests);
    tcase_add_test(tests, every_kind_in_one_exchange);
    tcase_add_test(tests, states_stay);
    tcase_add_test(tests, exact_ranges);
    return suite;
}
