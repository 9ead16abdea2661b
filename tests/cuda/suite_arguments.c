/* suite_arguments.c - what cannot be is answered by its status before anything is launched: under
 * capture the graph stays empty, results and counts keep their bytes, no CUDA error is left. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, COLUMNS = 50, ROOM = 1024, WORKSPACE = 1 << 24 };

/* One call's arguments, of either side. */
struct args {
    samesum_array array, *array_pointer;
    size_t shape[SAMESUM_MAX_DIMS + 1], offsets[4], segments;
    const size_t *offsets_pointer;
    ptrdiff_t strides[2];
    int axes[3], axis_count;
    samesum_want want, *want_pointer;
    samesum_cuda_out out, *out_pointer;
    void *workspace;
    size_t bytes, *bytes_pointer;
    uint64_t begin;
    void *state;
    char *host; /* memory that is no device memory */
};

static char *host_memory;
static char *device_x, *device_y, *device_results, *device_counts, *device_mask, *device_workspace;
static const size_t *device_offsets;

static void arguments(struct args *a, bool device)
{
    static const size_t offsets[] = {0, 7, 7, COLUMNS};
    memset(a, 0, sizeof *a);
    a->array = (samesum_array){.type = SAMESUM_F64, .dims = 2, .shape = a->shape};
    a->array.x = device ? device_x : host_memory;
    a->array.y = device ? device_y : host_memory;
    a->array.mask = device ? device_mask : host_memory;
    a->array.weights = NULL;
    a->shape[0] = ROWS;
    a->shape[1] = COLUMNS;
    memcpy(a->offsets, offsets, sizeof offsets);
    a->segments = 3;
    a->offsets_pointer = device ? device_offsets : a->offsets;
    a->axes[0] = 1;
    a->axis_count = 1;
    a->array_pointer = &a->array;
    a->want_pointer = &a->want;
    a->out.results = device ? device_results : host_memory + 64 * ROOM;
    a->out.counts = (samesum_counts *)(device ? device_counts : host_memory + 80 * ROOM);
    a->out_pointer = &a->out;
    a->workspace = device_workspace;
    a->bytes = WORKSPACE;
    a->bytes_pointer = &a->bytes;
    a->state = device_results;
    a->host = host_memory;
}

/* ---- what is wrong on both sides ---- */

typedef void change(struct args *a);
#define CHANGE(name, what)                                                                         \
    static void name(struct args *a)                                                               \
    {                                                                                              \
        what;                                                                                      \
    }

CHANGE(x_null, a->array.x = NULL)
CHANGE(y_null, a->want.op = SAMESUM_DOT; a->array.y = NULL)
CHANGE(mask_null, a->array.mask_kind = SAMESUM_MASK_BYTES; a->array.mask = NULL)
CHANGE(bits_null, a->array.mask_kind = SAMESUM_MASK_BITS; a->array.mask = NULL)
CHANGE(array_null, a->array_pointer = NULL)
CHANGE(want_null, a->want_pointer = NULL)
CHANGE(results_null, a->out.results = NULL)
CHANGE(shape_null, a->array.shape = NULL)
CHANGE(bad_op, a->want.op = (samesum_op)13)
CHANGE(negative_op, a->want.op = (samesum_op)-1)
CHANGE(bad_level, a->want.level = (samesum_level)4)
CHANGE(negative_level, a->want.level = (samesum_level)-1)
CHANGE(bad_type, a->array.type = (samesum_type)7)
CHANGE(negative_type, a->array.type = (samesum_type)-1)
CHANGE(bad_backend, a->want.backend = (samesum_backend)99)
CHANGE(bad_nan, a->want.op = SAMESUM_MIN; a->want.nan = (samesum_nan)2)
CHANGE(bad_result, a->want.result = (samesum_result_type)2)
CHANGE(wide_in_input, a->array.type = SAMESUM_F32_WIDE; a->want.result = SAMESUM_RESULT_INPUT)
CHANGE(real_conj, a->want.op = SAMESUM_DOT; a->want.conj = 1)
CHANGE(complex_var, a->array.type = SAMESUM_C64; a->want.op = SAMESUM_VAR)
CHANGE(complex_min, a->array.type = SAMESUM_C128; a->want.op = SAMESUM_MIN)
CHANGE(weights_of_dot, a->array.weights = a->array.x; a->want.op = SAMESUM_DOT)
CHANGE(bad_mask_kind, a->array.mask_kind = (samesum_mask_kind)3)
CHANGE(bad_missing, a->array.missing = (samesum_missing)3)
CHANGE(bad_axis, a->axes[0] = 2)
CHANGE(negative_axis, a->axes[0] = -3)
CHANGE(axis_twice, a->axes[0] = 1; a->axes[1] = -1; a->axis_count = 2)
CHANGE(too_many_axes, a->axes[1] = 0; a->axes[2] = 1; a->axis_count = 3)
CHANGE(negative_axes, a->axis_count = -1)
CHANGE(too_many_dims, a->array.dims = SAMESUM_MAX_DIMS + 1)
CHANGE(negative_dims, a->array.dims = -1)
CHANGE(too_large, a->shape[0] = a->shape[1] = (size_t)1 << 32)

static const struct {
    const char *name;
    change *make;
} both_sides[] = {
    {"x NULL", x_null},
    {"y NULL", y_null},
    {"mask NULL", mask_null},
    {"bits NULL", bits_null},
    {"array NULL", array_null},
    {"want NULL", want_null},
    {"results NULL", results_null},
    {"shape NULL", shape_null},
    {"operation 13", bad_op},
    {"operation -1", negative_op},
    {"level 4", bad_level},
    {"level -1", negative_level},
    {"type 7", bad_type},
    {"type -1", negative_type},
    {"backend 99", bad_backend},
    {"nan 2", bad_nan},
    {"result 2", bad_result},
    {"wide in the input's type", wide_in_input},
    {"conj of real data", real_conj},
    {"var of complex data", complex_var},
    {"min of complex data", complex_min},
    {"weights of dot", weights_of_dot},
    {"mask kind 3", bad_mask_kind},
    {"missing 3", bad_missing},
    {"axis 2 of 2", bad_axis},
    {"axis -3 of 2", negative_axis},
    {"an axis twice", axis_twice},
    {"too many axes", too_many_axes},
    {"-1 axes", negative_axes},
    {"33 dimensions", too_many_dims},
    {"-1 dimensions", negative_dims},
    {"more than 2^62 elements", too_large},
};

/* ---- what is wrong on the device alone ---- */

CHANGE(out_null, a->out_pointer = NULL)
CHANGE(bytes_null, a->bytes_pointer = NULL)
CHANGE(small_workspace, a->bytes = a->bytes - 1)
CHANGE(no_workspace, a->bytes = 0)
CHANGE(odd_workspace, a->workspace = (char *)a->workspace + 8)
CHANGE(host_workspace, a->workspace = a->host + 256 - (uintptr_t)a->host % 256)
CHANGE(host_x, a->array.x = a->host)
CHANGE(host_y, a->want.op = SAMESUM_DOT; a->array.y = a->host)
CHANGE(host_weights, a->array.weights = a->host)
CHANGE(host_mask, a->array.mask_kind = SAMESUM_MASK_BYTES; a->array.mask = a->host)
CHANGE(host_bits, a->array.mask_kind = SAMESUM_MASK_BITS; a->array.mask = a->host)
CHANGE(host_results, a->out.results = a->host)
CHANGE(host_counts, a->out.counts = (samesum_counts *)(void *)a->host)
CHANGE(odd_x, a->array.x = (const char *)a->array.x + 4)
CHANGE(odd_y, a->want.op = SAMESUM_DOT; a->array.y = (const char *)a->array.y + 1)
CHANGE(odd_weights, a->array.weights = (const char *)a->array.x + 2)
CHANGE(odd_results, a->out.results = (char *)a->out.results + 4)
CHANGE(odd_counts, a->out.counts = (samesum_counts *)(void *)((char *)a->out.counts + 4))
CHANGE(odd_stride, a->array.strides = a->strides; a->strides[0] = 8 * COLUMNS + 4;
       a->strides[1] = 8)
CHANGE(odd_copies, a->out.copies = 2; a->out.copy_bytes = 8 * ROWS + 4)

static const struct {
    const char *name;
    change *make;
    samesum_status status;
} device_side[] = {
    {"out NULL", out_null, SAMESUM_ERR_NULL},
    {"workspace_bytes NULL", bytes_null, SAMESUM_ERR_NULL},
    {"a byte too little workspace", small_workspace, SAMESUM_ERR_SIZE},
    {"workspace of 0 bytes", no_workspace, SAMESUM_ERR_SIZE},
    {"workspace at a multiple of 8", odd_workspace, SAMESUM_ERR_POINTER},
    {"workspace of the host", host_workspace, SAMESUM_ERR_POINTER},
    {"x of the host", host_x, SAMESUM_ERR_POINTER},
    {"y of the host", host_y, SAMESUM_ERR_POINTER},
    {"weights of the host", host_weights, SAMESUM_ERR_POINTER},
    {"mask of the host", host_mask, SAMESUM_ERR_POINTER},
    {"bits of the host", host_bits, SAMESUM_ERR_POINTER},
    {"results of the host", host_results, SAMESUM_ERR_POINTER},
    {"counts of the host", host_counts, SAMESUM_ERR_POINTER},
    {"x at half of an element", odd_x, SAMESUM_ERR_POINTER},
    {"y at a byte", odd_y, SAMESUM_ERR_POINTER},
    {"weights at a quarter", odd_weights, SAMESUM_ERR_POINTER},
    {"results at a half", odd_results, SAMESUM_ERR_POINTER},
    {"counts at a half", odd_counts, SAMESUM_ERR_POINTER},
    {"a stride of half elements", odd_stride, SAMESUM_ERR_POINTER},
    {"copies at halves", odd_copies, SAMESUM_ERR_POINTER},
};

/* ---- calls ---- */

enum form { FORM_ARRAY, FORM_REDUCE, FORM_SEGMENTS, FORM_STATE, FORMS };
static const char *const form_names[] = {"array", "reduce", "segments", "state"};

static samesum_status on_device(enum form form, const struct args *a, samesum_cuda_stream stream)
{
    samesum_data data = {.x = a->array.x, .y = a->array.y, .n = COLUMNS, .type = a->array.type};
    const samesum_data *given = a->array_pointer ? &data : NULL;
    switch (form) {
    case FORM_REDUCE:
        return samesum_cuda_reduce(given, a->want_pointer, a->out_pointer, a->workspace,
                                   a->bytes_pointer, stream);
    case FORM_SEGMENTS:
        return samesum_cuda_reduce_segments(a->array_pointer, a->offsets_pointer, a->segments,
                                            a->want_pointer, a->out_pointer, a->workspace,
                                            a->bytes_pointer, stream);
    case FORM_STATE:
        return samesum_cuda_state_reduce(a->array_pointer, a->begin, a->want_pointer, a->state,
                                         a->out.counts, a->workspace, a->bytes_pointer, stream);
    default:
        return samesum_cuda_reduce_array(a->array_pointer, a->axes, a->axis_count, a->want_pointer,
                                         a->out_pointer, a->workspace, a->bytes_pointer, stream);
    }
}

static samesum_status on_cpu(enum form form, const struct args *a)
{
    return form == FORM_SEGMENTS
               ? samesum_reduce_segments(a->array_pointer, a->offsets, a->segments, a->want_pointer,
                                         a->out.results, a->out.counts, NULL)
               : samesum_reduce_array(a->array_pointer, a->axes, a->axis_count, a->want_pointer,
                                      a->out.results, a->out.counts, NULL);
}

static bool untouched(const char *device)
{
    char got[ROOM], before[ROOM];
    device_get(got, device, ROOM);
    memset(before, 0x5a, ROOM);
    return memcmp(got, before, ROOM) == 0;
}

/* The call answers with that status; nothing is launched and nothing written. */
static void refused(enum form form, const struct args *a, samesum_status expected, const char *name)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    size_t nodes = 0;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    samesum_status status = on_device(form, a, stream);
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphGetNodes(graph, NULL, &nodes));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
    ck_assert_msg(status == expected, "%s, %s: %s, not %s", form_names[form], name,
                  samesum_strerror(status), samesum_strerror(expected));
    ck_assert_msg(nodes == 0, "%s, %s: something was launched", form_names[form], name);
    ck_assert_msg(cudaGetLastError() == cudaSuccess, "%s, %s: a CUDA error is left",
                  form_names[form], name);
    ck_assert_msg(untouched(device_results) && untouched(device_counts),
                  "%s, %s: something was written", form_names[form], name);
}

/* What that form of call needs, so that it succeeds. */
static void shaped(struct args *a, enum form form)
{
    size_t bytes = WORKSPACE;
    if (form == FORM_SEGMENTS) {
        a->array.dims = 1;
        a->shape[0] = COLUMNS;
    }
    void *kept = a->workspace;
    a->workspace = NULL;
    a->bytes_pointer = &bytes;
    samesum_status status = on_device(form, a, NULL);
    ck_assert_msg(status == SAMESUM_OK, "%s, nothing wrong: %s", form_names[form],
                  samesum_strerror(status));
    a->workspace = kept;
    a->bytes = bytes;
    a->bytes_pointer = &a->bytes;
}

static void memory(void)
{
    static const size_t offsets[] = {0, 7, 7, COLUMNS};
    char *poison = malloc(ROOM);
    host_memory = calloc(100, ROOM);
    ck_assert(host_memory != NULL && poison != NULL);
    memset(poison, 0x5a, ROOM);
    device_x = scratch_copy(host_memory, 16 * ROOM);
    device_y = scratch_copy(host_memory, 16 * ROOM);
    device_mask = scratch_copy(host_memory, 16 * ROOM);
    device_results = scratch_copy(poison, ROOM);
    device_counts = scratch_copy(poison, ROOM);
    device_workspace = scratch(WORKSPACE);
    device_offsets = scratch_copy(offsets, sizeof offsets);
    free(poison);
}

static void memory_end(void)
{
    scratch_end();
    free(host_memory);
}

/* As the CPU's calls of the same name answer. */
START_TEST(as_on_the_cpu)
{
    memory();
    for (size_t i = 0; i < sizeof both_sides / sizeof *both_sides; i++) {
        struct args cpu, device;
        arguments(&cpu, false);
        arguments(&device, true);
        shaped(&device, FORM_ARRAY);
        both_sides[i].make(&cpu);
        both_sides[i].make(&device);
        samesum_status expected = on_cpu(FORM_ARRAY, &cpu);
        ck_assert_msg(expected < 0, "%s is right on the CPU", both_sides[i].name);
        refused(FORM_ARRAY, &device, expected, both_sides[i].name);
    }
    memory_end();
}
END_TEST

/* The same for the call of segments: what says so of the array and of what is wanted. */
START_TEST(segments_as_on_the_cpu)
{
    memory();
    for (size_t i = 0; i < sizeof both_sides / sizeof *both_sides; i++) {
        struct args cpu, device;
        arguments(&cpu, false);
        arguments(&device, true);
        shaped(&device, FORM_SEGMENTS);
        cpu.array.dims = 1;
        cpu.shape[0] = COLUMNS;
        both_sides[i].make(&cpu);
        both_sides[i].make(&device);
        samesum_status expected = on_cpu(FORM_SEGMENTS, &cpu);
        if (expected < 0) { /* axes are not looked at */
            refused(FORM_SEGMENTS, &device, expected, both_sides[i].name);
        }
    }
    struct args a;
    arguments(&a, true);
    shaped(&a, FORM_SEGMENTS);
    a.offsets_pointer = NULL;
    refused(FORM_SEGMENTS, &a, SAMESUM_ERR_NULL, "offsets NULL");
    a.offsets_pointer = (const size_t *)(void *)host_memory;
    refused(FORM_SEGMENTS, &a, SAMESUM_ERR_POINTER, "offsets of the host");
    a.offsets_pointer = (const size_t *)(const void *)((const char *)device_offsets + 4);
    refused(FORM_SEGMENTS, &a, SAMESUM_ERR_POINTER, "offsets at a half");
    arguments(&a, true);
    shaped(&a, FORM_SEGMENTS);
    a.array.dims = 2;
    refused(FORM_SEGMENTS, &a, SAMESUM_ERR_SHAPE, "segments of two dimensions");
    memory_end();
}
END_TEST

START_TEST(of_the_device)
{
    memory();
    for (int form = 0; form < FORMS; form++) {
        for (size_t i = 0; i < sizeof device_side / sizeof *device_side; i++) {
            change *make = device_side[i].make;
            bool of_arrays = make == host_weights || make == host_mask || make == host_bits ||
                             make == odd_weights || make == odd_stride;
            bool of_out = make == out_null || make == host_results || make == odd_results ||
                          make == odd_copies;
            bool weights = make == host_weights || make == odd_weights;
            if ((form == FORM_REDUCE && of_arrays) || (form == FORM_STATE && (of_out || weights)) ||
                (form == FORM_SEGMENTS && make == odd_stride)) {
                continue;
            }
            struct args a;
            arguments(&a, true);
            shaped(&a, (enum form)form);
            if (a.bytes == 0 && (make == small_workspace || make == no_workspace)) {
                continue;
            }
            make(&a);
            refused((enum form)form, &a, device_side[i].status, device_side[i].name);
        }
        for (int b = SAMESUM_BACKEND_SCALAR; b < SAMESUM_BACKEND_CUDA; b++) {
            struct args a;
            arguments(&a, true);
            shaped(&a, (enum form)form);
            a.want.backend = (samesum_backend)b;
            samesum_status status = on_device((enum form)form, &a, NULL);
            ck_assert_msg(status == SAMESUM_ERR_BACKEND, "a backend of the CPU: %s",
                          samesum_strerror(status));
            ck_assert(untouched(device_results) && untouched(device_counts));
        }
    }
    memory_end();
}
END_TEST

START_TEST(of_states)
{
    memory();
    struct args a;
    arguments(&a, true);
    shaped(&a, FORM_STATE);
    a.state = NULL;
    refused(FORM_STATE, &a, SAMESUM_ERR_NULL, "state NULL");
    a.state = host_memory;
    refused(FORM_STATE, &a, SAMESUM_ERR_POINTER, "state of the host");
    a.state = device_results + 8;
    refused(FORM_STATE, &a, SAMESUM_ERR_POINTER, "state at a multiple of 8");
    a.state = device_results;
    a.begin = UINT64_MAX - 10;
    refused(FORM_STATE, &a, SAMESUM_ERR_RANGE, "indices beyond 2^64 - 1");
    a.begin = 0;
    a.want.op = SAMESUM_VAR;
    refused(FORM_STATE, &a, SAMESUM_ERR_TWO_PASSES, "a state of var");
    a.want.op = SAMESUM_SUM;
    a.array.weights = device_y;
    refused(FORM_STATE, &a, SAMESUM_ERR_OPTION, "a state with weights");
    memory_end();
}
END_TEST

/* A question for the workspace launches nothing, and a right call after all of that works. */
START_TEST(questions)
{
    memory();
    for (int form = 0; form < FORMS; form++) {
        struct args a;
        arguments(&a, true);
        shaped(&a, (enum form)form);
        a.workspace = NULL;
        refused((enum form)form, &a, SAMESUM_OK, "a question for the workspace");
    }
    size_t bytes = WORKSPACE;
    samesum_data data = {.x = device_x, .n = COLUMNS, .type = SAMESUM_F64};
    samesum_want want = {.op = SAMESUM_SUM};
    samesum_cuda_out out = {.results = device_results};
    ck_assert_int_eq(samesum_cuda_reduce(&data, &want, &out, device_workspace, &bytes, NULL),
                     SAMESUM_OK);
    double sum = 1;
    device_get(&sum, device_results, sizeof sum);
    ck_assert(sum == 0);
    memory_end();
}
END_TEST

Suite *suite_cuda_arguments(void)
{
    TCase *tests;
    Suite *suite = new_suite("arguments", &tests);
    tcase_add_test(tests, as_on_the_cpu);
    tcase_add_test(tests, segments_as_on_the_cpu);
    tcase_add_test(tests, of_the_device);
    tcase_add_test(tests, of_states);
    tcase_add_test(tests, questions);
    return suite;
}
