/* suite_streams.c - several streams and several host threads at once. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 8, THREADS = 2, MOST_CALLS = 100, MOST = 300000, SLOT = 16 };

struct planned {
    struct cell cell;
    size_t n;
    char expected[SLOT];
    samesum_status status;
};

/* What one stream does; each has a workspace of its own. */
struct lane {
    cudaStream_t stream;
    struct planned calls[MOST_CALLS];
    char *results;
    void *workspace;
    size_t workspace_bytes;
};

static struct lane lanes[STREAMS];
static const void *device_x[SAMESUM_C128 + 1], *device_y[SAMESUM_C128 + 1];
static size_t calls;

static void plan(struct planned *planned, void *const *x, void *const *y)
{
    do {
        planned->cell = cell_at((int)random_below(CELLS));
    } while (planned->cell.weighted || cell_refusal(&planned->cell, NULL) != SAMESUM_OK);
    const struct cell *cell = &planned->cell;
    planned->n = 1 + random_below(random_below(2) ? by_depth(0, 20000, MOST) : 5000);
    samesum_data data = {.x = x[cell->type], .n = planned->n, .type = cell->type};
    data.y = cell_pairs(cell) ? y[cell->type] : NULL;
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, 0);
    ck_assert_int_ge(samesum_reduce(&data, &want, planned->expected, NULL), 0);
}

static struct device_call call_of(const struct lane *lane, size_t i, samesum_data *data)
{
    const struct cell *cell = &lane->calls[i].cell;
    *data = (samesum_data){.x = device_x[cell->type], .n = lane->calls[i].n, .type = cell->type};
    data->y = cell_pairs(cell) ? device_y[cell->type] : NULL;
    return (struct device_call){.data = data,
                                .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0),
                                .out = {.results = lane->results + i * SLOT}};
}

static void prepare(struct lane *lane)
{
    samesum_data data;
    CUDA(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
    CUDA(cudaMalloc((void **)&lane->results, (size_t)MOST_CALLS * SLOT));
    CUDA(cudaMemset(lane->results, 0x5a, (size_t)MOST_CALLS * SLOT));
    lane->workspace_bytes = 256;
    for (size_t i = 0; i < calls; i++) {
        size_t bytes = 0;
        struct device_call call = call_of(lane, i, &data);
        ck_assert_int_ge(device_launch(&call, NULL, &bytes, NULL), 0);
        lane->workspace_bytes = bytes > lane->workspace_bytes ? bytes : lane->workspace_bytes;
    }
    CUDA(cudaMalloc(&lane->workspace, lane->workspace_bytes));
}

/* The calls of every second stream, in turns. No check fails here: it would leave the thread. */
static void *work(void *from)
{
    for (size_t i = 0; i < calls; i++) {
        for (struct lane *lane = from; lane < lanes + STREAMS; lane += THREADS) {
            samesum_data data;
            size_t bytes = lane->workspace_bytes;
            struct device_call call = call_of(lane, i, &data);
            lane->calls[i].status = device_launch(&call, lane->workspace, &bytes, lane->stream);
        }
    }
    return NULL;
}

static void judge(struct lane *lane)
{
    char got[MOST_CALLS * SLOT];
    device_get(got, lane->results, sizeof got);
    for (size_t i = 0; i < calls; i++) {
        struct planned *planned = &lane->calls[i];
        samesum_array vector = {.dims = 1, .shape = &planned->n};
        ck_assert_int_eq(planned->status, status_by_shape(&planned->cell, &vector, NULL, 0));
        count_bits(compare_values(&planned->cell, got + i * SLOT, planned->expected,
                                  result_bytes(&planned->cell), planned->n, SAMESUM_BACKEND_CUDA, 0,
                                  "streams"));
    }
    CUDA(cudaFree(lane->results));
    CUDA(cudaFree(lane->workspace));
    CUDA(cudaStreamDestroy(lane->stream));
}

START_TEST(streams_and_threads)
{
    void *x[SAMESUM_C128 + 1], *y[SAMESUM_C128 + 1];
    pthread_t threads[THREADS];
    calls = by_depth(0, 6, MOST_CALLS);
    for (int t = 0; t <= SAMESUM_C128; t++) {
        size_t bytes = MOST * element_bytes((samesum_type)t);
        x[t] = malloc(bytes);
        y[t] = malloc(bytes);
        ck_assert(x[t] != NULL && y[t] != NULL);
        fill_elements((samesum_type)t, STYLE_CANCEL, MOST, x[t]);
        fill_elements((samesum_type)t, STYLE_WIDE, MOST, y[t]);
        device_x[t] = scratch_copy(x[t], bytes);
        device_y[t] = scratch_copy(y[t], bytes);
    }
    for (int s = 0; s < STREAMS; s++) {
        for (size_t i = 0; i < calls; i++) {
            plan(&lanes[s].calls[i], x, y);
        }
        prepare(&lanes[s]);
    }
    CUDA(cudaDeviceSynchronize());
    for (int t = 0; t < THREADS; t++) {
        ck_assert_int_eq(pthread_create(&threads[t], NULL, work, &lanes[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        ck_assert_int_eq(pthread_join(threads[t], NULL), 0);
    }
    for (int s = 0; s < STREAMS; s++) {
        judge(&lanes[s]);
    }
    for (int t = 0; t <= SAMESUM_C128; t++) {
        free(x[t]);
        free(y[t]);
    }
    scratch_end();
    all_were_same();
}
END_TEST

Suite *suite_cuda_streams(void)
{
    TCase *tests;
    Suite *suite = new_suite("streams", &tests);
    tcase_add_test(tests, streams_and_threads);
    return suite;
}
