#include "over.h"

#include "cuda/device.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

struct world world;
samesum_level last_level = SAMESUM_EXACT;

bool is_left_out(const struct cell *cell)
{
    return cell->level > last_level && !cell_extreme(cell);
}

void call_make(struct call *c)
{
    memset(c, 0, sizeof *c);
    for (int s = 0; s < world.seats; s++)
        c->member[s] = (samesum_nccl_member){.comm = world.seat[s].comm,
                                             .stream = world.seat[s].stream,
                                             .fields = c->field[s],
                                             .states = c->state[s],
                                             .vectors = c->vector[s]};
}

void *seat_copy(const struct seat *seat, const void *host, size_t bytes)
{
    use_seat(seat);
    return scratch_copy(host, bytes);
}

void *seat_room(const struct seat *seat, size_t bytes)
{
    use_seat(seat);
    void *room = scratch(bytes);
    CUDA(cudaMemset(room, 0x5a, bytes));
    CUDA(cudaDeviceSynchronize());
    return room;
}

void seat_get(const struct seat *seat, void *host, const void *device, size_t bytes)
{
    use_seat(seat);
    device_get(host, device, bytes);
}

/* ---- fields ---- */

static struct call call;
static struct pending {
    const struct answer *expected;
    struct cell cell;
    const char *name;
    samesum_status status;
    struct part part[MOST_SEATS];
    struct written to[MOST_SEATS];
    int axes[SAMESUM_MAX_DIMS];
} pending[MOST_FIELDS];
static size_t count;

/* The first of the axes that are reduced. */
static int slowest(int dims, const int *axes, int axis_count)
{
    int first = axis_count == 0 ? 0 : dims;
    for (int i = 0; i < axis_count; i++) {
        const int axis = axes[i] < 0 ? axes[i] + dims : axes[i];
        first = axis < first ? axis : first;
    }
    return first;
}

/* As on the host: results and counts full of some byte, with guards. */
static void to_device(struct written *to, samesum_nccl_field *f, size_t unit)
{
    f->out.results = (char *)scratch(to->results_bytes + 8 * unit) + random_below(8) * unit;
    CUDA(cudaMemcpy(f->out.results, to->results, to->results_bytes, cudaMemcpyHostToDevice));
    if (to->with_counts)
        f->out.counts = scratch_copy(to->counts, to->counts_bytes);
}

void over_field(const struct answer *expected, const struct cell *cell, const samesum_array *whole,
                const int *axes, int axis_count, const char *name)
{
    if (is_left_out(cell))
        return;
    ck_assert_uint_lt(count, MOST_FIELDS);
    if (count == 0)
        call_make(&call);
    struct pending *p = &pending[count];
    *p = (struct pending){.expected = expected, .cell = *cell, .name = name};
    p->status = status_by_shape(cell, whole, axes, axis_count);
    if (axis_count > 0)
        memcpy(p->axes, axes, (size_t)axis_count * sizeof *axes);
    const int along = slowest(whole->dims, axes, axis_count);
    const struct cuts cuts = cuts_among(whole->shape[along], world.ranks);
    const bool with_counts = random_below(3) == 0;
    for (int s = 0; s < world.seats; s++) {
        const int r = world.seat[s].rank;
        samesum_nccl_field *f = &call.field[s][count];
        use_seat(&world.seat[s]);
        p->to[s] = written_make(expected);
        p->to[s].with_counts = with_counts;
        p->to[s].with_ran = false;
        part_make(&p->part[s], whole, along, cuts.at[r], cuts.at[r + 1] - cuts.at[r]);
        *f = (samesum_nccl_field){.part = array_on_device(&p->part[s].array),
                                  .axes = p->axes,
                                  .axis_count = axis_count,
                                  .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0)};
        to_device(&p->to[s], f, number_bytes(cell));
        CUDA(cudaDeviceSynchronize());
    }
    count++;
}

static long judge(const struct pending *p, int s, const samesum_nccl_field *f)
{
    struct written to = p->to[s];
    struct answer told = *p->expected;
    told.status = SAMESUM_OK; /* judged by the call's */
    use_seat(&world.seat[s]);
    device_get(to.results, f->out.results, to.results_bytes);
    if (to.with_counts)
        device_get(to.counts, f->out.counts, to.counts_bytes);
    to.ran.backend = SAMESUM_BACKEND_CUDA;
    return written_judge(&to, SAMESUM_OK, &told, &p->cell, SAMESUM_BACKEND_CUDA, world.ranks,
                         p->name);
}

long over_run(void)
{
    samesum_status due = SAMESUM_OK;
    long bits = 0;
    for (size_t i = 0; i < count; i++)
        if (due == SAMESUM_OK || pending[i].status == SAMESUM_ERR_EMPTY)
            due = pending[i].status;
    if (count == 0)
        call_make(&call);
    const samesum_status got = samesum_nccl_reduce(call.member, world.seats, count);
    ck_assert_msg(got == due, "%s %s level %d %s, %zu fields: %d (%s), not %d",
                  pending[0].cell.op_name, pending[0].cell.type_name, pending[0].cell.level,
                  pending[0].name, count, got, samesum_strerror(got), due);
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < world.seats; s++) {
            part_free(&pending[i].part[s]);
            bits += judge(&pending[i], s, &call.field[s][i]);
        }
    count = 0;
    scratch_end();
    count_bits(bits);
    return bits;
}

long over_compare(const struct answer *expected, const struct cell *cell,
                  const samesum_array *whole, const int *axes, int axis_count, const char *name)
{
    over_field(expected, cell, whole, axes, axis_count, name);
    return over_run();
}

long over_as_cpu(const struct cell *cell, const samesum_array *whole, const int *axes,
                 int axis_count, const char *name)
{
    struct answer expected = cpu_answer(cell, whole, axes, axis_count);
    long bits = over_compare(&expected, cell, whole, axes, axis_count, name);
    answer_free(&expected);
    return bits;
}

samesum_status over_status(samesum_op op, unsigned ddof, size_t n)
{
    const struct cell cell = {.op = op, .ddof = ddof};
    const samesum_array vector = {.dims = 1, .shape = &n};
    return status_by_shape(&cell, &vector, NULL, 0);
}
