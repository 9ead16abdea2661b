/* suite_host.c - data in host memory, reduced by the device in chunks: the table's cells and shapes
 * with all their statuses. */
#include "table.h"
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct table table;
static int thinned; /* one in so many jobs is compared: each call allocates memory */

/* There is no call for segments. */
static long compare(struct table *sums, const struct answer *expected, const struct cell *cell,
                    const struct job *job, const char *name)
{
    static int jobs;
    bool short_one = job->n < 17;
    if (job->segments > 0 || ++jobs % (short_one ? 7 * thinned : thinned) != 0) {
        return 0;
    }
    struct written to = written_make(expected);
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0);
    samesum_status status = samesum_cuda_reduce_host(&job->grid.array, &job->axis, 1, &want,
                                                     to.results, to.with_counts ? to.counts : NULL);
    to.ran.backend = SAMESUM_BACKEND_CUDA;
    long bits = written_judge(&to, status, expected, cell, SAMESUM_BACKEND_CUDA, 0, name);
    sums->bits_of_backend[SAMESUM_BACKEND_CUDA] += bits;
    count_bits(bits);
    return bits;
}

static bool refuse(const struct cell *cell, const struct job *job, samesum_status status)
{
    enum { ROOM = 1024 };
    unsigned char before[ROOM], after[ROOM];
    memset(before, 0x5a, sizeof before);
    memset(after, 0x5a, sizeof after);
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0);
    return job->segments > 0 || (samesum_cuda_reduce_host(&job->grid.array, &job->axis, 1, &want,
                                                          after, NULL) == status &&
                                 memcmp(before, after, sizeof after) == 0);
}

/* chunk: elements that are copied at once; memory: bytes of the device that data may take. "0": the
 * defaults. */
static void walk(const char *chunk, const char *memory, int one_in)
{
    thinned = one_in;
    memset(&table, 0, sizeof table);
    setenv("SAMESUM_CUDA_CHUNK", chunk, 1);
    setenv("SAMESUM_CUDA_MEMORY", memory, 1);
    table_walk(&table, (int)by_depth(0, 1, 4), compare, refuse);
    unsetenv("SAMESUM_CUDA_CHUNK");
    unsetenv("SAMESUM_CUDA_MEMORY");
    for (int c = 0; c < CELLS; c++) {
        for (int s = 0; s < TABLE_SHAPES; s++) {
            bool segments = strcmp(shape_name(s), "segment") == 0;
            ck_assert_msg(thinned > 1 || segments || table.bits[c][s] > 0 ||
                              table.refused[c][s] != SAMESUM_OK,
                          "%s of %s in shape %s: neither compared nor refused", cell_at(c).op_name,
                          cell_at(c).type_name, shape_name(s));
        }
    }
    all_were_same();
}

START_TEST(chunks)
{
    walk("0", "0", 29);
    walk("1000", "0", 1);
    if (depth == DEPTH_FULL) {
        walk("37", "1000000", 7);
    }
}
END_TEST

/* Long vectors and long rows in the default chunks. */
START_TEST(large_data)
{
    enum { N = 30000011 };
    float *x = malloc((size_t)N * sizeof *x);
    ck_assert_ptr_nonnull(x);
    fill_elements(SAMESUM_F32, STYLE_CANCEL, N, x);
    static const samesum_op ops[] = {SAMESUM_SUM, SAMESUM_NRM2, SAMESUM_VAR, SAMESUM_ARGMIN};
    size_t n = N, shape[2] = {7, N / 7};
    for (int o = 0; o < 4; o++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            for (int rows = 0; rows < 2; rows++) {
                struct cell cell = cell_of(ops[o], SAMESUM_F32, (samesum_level)level);
                samesum_array host = {.x = x, .type = SAMESUM_F32, .dims = 1 + rows};
                host.shape = rows ? shape : &n;
                int axis = rows ? 1 : 0;
                struct answer expected = cpu_answer(&cell, &host, &axis, 1);
                struct written to = written_make(&expected);
                samesum_want want = cell_want(&cell, SAMESUM_BACKEND_CUDA, 0);
                samesum_status status = samesum_cuda_reduce_host(&host, &axis, 1, &want, to.results,
                                                                 to.with_counts ? to.counts : NULL);
                to.ran.backend = SAMESUM_BACKEND_CUDA;
                count_bits(written_judge(&to, status, &expected, &cell, SAMESUM_BACKEND_CUDA, 0,
                                         "large data of the host"));
                answer_free(&expected);
            }
        }
    }
    free(x);
    all_were_same();
}
END_TEST

/* [1e16, zeros, -1e16, 1.0, zeros] in chunks of few elements. */
static void sum_in_chunks(const double *x, size_t n, const char *chunk)
{
    setenv("SAMESUM_CUDA_CHUNK", chunk, 1);
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        struct cell cell = cell_of(SAMESUM_SUM, SAMESUM_F64, (samesum_level)level);
        samesum_array host = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &n};
        samesum_want want = cell_want(&cell, SAMESUM_BACKEND_CUDA, 0);
        struct answer expected = cpu_answer(&cell, &host, NULL, 0);
        double result = 0;
        ck_assert_int_eq(samesum_cuda_reduce_host(&host, NULL, 0, &want, &result, NULL),
                         SAMESUM_OK);
        count_bits(compare_values(&cell, (const char *)&result, expected.values, sizeof result, n,
                                  SAMESUM_BACKEND_CUDA, 0, "zeros between, in chunks"));
        answer_free(&expected);
    }
    unsetenv("SAMESUM_CUDA_CHUNK");
}

START_TEST(zeros_between)
{
    enum { N = 70000 };
    static double x[N];
    static double few[1000] = {1e16, [300] = -1e16, [301] = 1.0};
    x[0] = 1e16;
    x[65535] = -1e16;
    x[65536] = 1.0;
    sum_in_chunks(few, 1000, "1");
    if (depth == DEPTH_FULL) {
        sum_in_chunks(x, N, "7");
    }
    sum_in_chunks(x, N, "4096");
    sum_in_chunks(x, N, "0");
    all_were_same();
}
END_TEST

Suite *suite_cuda_host(void)
{
    TCase *tests;
    Suite *suite = new_suite("host", &tests);
    tcase_add_test(tests, chunks);
    tcase_add_test(tests, zeros_between);
    if (depth == DEPTH_FULL) {
        tcase_add_test(tests, large_data);
    }
    return suite;
}
