/* suite_graphs.c - plans captured into a CUDA graph, with all streams of the process, and replayed
 * with other elements. */
#include "cuda/device.h"
#include "elements.h"
#include "nccl_suites.h"
#include "over.h"
#include "support.h"

#include <string.h>

enum { N = 5000, FIELDS = 3 };

/* The other seats' streams follow the first one's, and join it again. */
static cudaGraphExec_t captured(const samesum_nccl_plan *plan)
{
    cudaEvent_t event[MOST_SEATS];
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    for (int s = 0; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        CUDA(cudaEventCreateWithFlags(&event[s], cudaEventDisableTiming));
    }
    const cudaStream_t first = world.seat[0].stream;
    use_seat(&world.seat[0]);
    CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    CUDA(cudaEventRecord(event[0], first));
    for (int s = 1; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        CUDA(cudaStreamWaitEvent(world.seat[s].stream, event[0], 0));
    }
    const samesum_status status = samesum_nccl_plan_run(plan);
    for (int s = 1; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        CUDA(cudaEventRecord(event[s], world.seat[s].stream));
        use_seat(&world.seat[0]);
        CUDA(cudaStreamWaitEvent(first, event[s], 0));
    }
    use_seat(&world.seat[0]);
    CUDA(cudaStreamEndCapture(first, &graph));
    ck_assert_msg(status == SAMESUM_OK, "under capture: %s", samesum_strerror(status));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    for (int s = 0; s < world.seats; s++)
        CUDA(cudaEventDestroy(event[s]));
    return exec;
}

static const samesum_op ops[FIELDS] = {SAMESUM_SUM, SAMESUM_VAR, SAMESUM_NRM2};
static struct call call;

static samesum_nccl_plan *plan_of(samesum_level level, const struct cuts *cuts, size_t *n)
{
    samesum_nccl_plan *plan = NULL;
    call_make(&call);
    for (int s = 0; s < world.seats; s++) {
        const struct seat *seat = &world.seat[s];
        n[s] = cuts->at[seat->rank + 1] - cuts->at[seat->rank];
        const void *x = seat_room(seat, n[s] * sizeof(double));
        for (int i = 0; i < FIELDS; i++)
            call.field[s][i] = (samesum_nccl_field){
                .part = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &n[s]},
                .want = {.op = ops[i], .level = level},
                .out = {.results = seat_room(seat, sizeof(double))}};
    }
    ck_assert_int_eq(samesum_nccl_plan_create(&plan, call.member, world.seats, FIELDS), SAMESUM_OK);
    return plan;
}

static void replay(cudaGraphExec_t exec, samesum_level level, const double *x,
                   const struct cuts *cuts, const size_t *n)
{
    for (int s = 0; s < world.seats; s++) {
        use_seat(&world.seat[s]);
        CUDA(cudaMemcpy((void *)(size_t)call.field[s][0].part.x, x + cuts->at[world.seat[s].rank],
                        n[s] * sizeof *x, cudaMemcpyHostToDevice));
        for (int i = 0; i < FIELDS; i++)
            CUDA(cudaMemset(call.field[s][i].out.results, 0x5a, sizeof(double)));
        CUDA(cudaDeviceSynchronize());
    }
    use_seat(&world.seat[0]);
    CUDA(cudaGraphLaunch(exec, world.seat[0].stream));
    CUDA(cudaStreamSynchronize(world.seat[0].stream));
    for (int i = 0; i < FIELDS; i++) {
        const samesum_data data = {.x = x, .n = N, .type = SAMESUM_F64};
        const samesum_want want = {.op = ops[i], .level = level};
        double expected, got;
        samesum_reduce(&data, &want, &expected, NULL);
        for (int s = 0; s < world.seats; s++) {
            seat_get(&world.seat[s], &got, call.field[s][i].out.results, sizeof got);
            const struct what what = {
                .op = ops[i], .type = SAMESUM_F64, .level = level, .n = N, .data = "a graph"};
            same(&what, bits_of_double(got), bits_of_double(expected));
            count_bits(64);
        }
    }
}

START_TEST(captured_and_replayed)
{
    static double x[N];
    size_t n[MOST_SEATS];
    for (int level = SAMESUM_TREE; level <= (int)last_level; level++) {
        const struct cuts cuts = cuts_among(N, world.ranks);
        samesum_nccl_plan *plan = plan_of((samesum_level)level, &cuts, n);
        cudaGraphExec_t exec = captured(plan);
        for (size_t times = 0; times < by_depth(1, 2, 6); times++) {
            fill_elements(SAMESUM_F64, STYLE_WIDE, N, x);
            replay(exec, (samesum_level)level, x, &cuts, n);
            replay(exec, (samesum_level)level, x, &cuts, n);
        }
        CUDA(cudaGraphExecDestroy(exec));
        samesum_nccl_plan_destroy(plan);
        scratch_end();
    }
    all_were_same();
}
END_TEST

Suite *suite_nccl_graphs(void)
{
    TCase *tests;
    Suite *suite = new_suite("graphs", &tests);
    tcase_add_test(tests, captured_and_replayed);
    return suite;
}
