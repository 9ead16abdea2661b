/* test.cc - random sums, by the emulated kernels and by the CPU library: the same bits, the same
 * counts, the same states, and no store outside of results and workspace.
 *
 *     test SECONDS SEED [WAY...]
 *
 * Without a way: each kernel once, then random sums of most ways. Exit status 1 where something
 * differs, or a kernel was never launched though no way was named. */
#include "emulator.h"
#include "samesum.h"
#include "samesum_cuda.h"
#include "cuda/device_state.h"
#include "cuda/elements.cuh"
#include "cuda/kernels.h"
#include "cuda/share.h"
#include "tests/cuda/tune.h"

#include <ctime>
#include <xmmintrin.h>

static struct {
    unsigned long calls, refused, results, states, shares, differences;
} count;

static void differs(const char *what, const std::string &how = "")
{
    if (count.differences++ < 40)
        printf("DIFFERENT %s %s: %s\n", what, how.c_str(), emu_case.c_str());
}

static uint64_t random_state;
static uint64_t random_bits()
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545F4914F6CDD1Du;
}
static size_t below(uint64_t n)
{
    return (random_bits() >> 11) % n;
}
static bool one_in(unsigned n)
{
    return below(n) == 0;
}
template <class T, size_t N> static T any_of(const T (&list)[N])
{
    return list[below(N)];
}

/* Elements. */

static bool is_complex(int type)
{
    return type == SAMESUM_C64 || type == SAMESUM_C128;
}
static int real_bytes(int type)
{
    return type == SAMESUM_F64 || type == SAMESUM_C128   ? 8
           : type == SAMESUM_F16 || type == SAMESUM_BF16 ? 2
                                                         : 4;
}
static int element_bytes(int type)
{
    return real_bytes(type) * (is_complex(type) ? 2 : 1);
}

enum flavour { MIXED, SMALL_INTEGERS, ZEROS, SPARSE, SPREAD, SUBNORMAL, NONFINITE, HUGE_ONES };
enum { FLAVOURS = HUGE_ONES + 1 };
static int flavour;

static double number(int type)
{
    const double unit = ldexp((double)(int64_t)random_bits(), -63);
    const int bytes = real_bytes(type);
    switch (flavour) {
    case SMALL_INTEGERS:
        return (double)below(7) - 3;
    case ZEROS:
        return one_in(100) ? 0.0 : -0.0;
    case SPARSE:
        return one_in(3) ? -0.0 : one_in(3) ? 0.1 : unit;
    case SPREAD:
        return ldexp(unit, bytes == 2 ? (int)below(40) - 26 : (int)below(200) - 100);
    case SUBNORMAL:
        return ldexp(unit, bytes == 2   ? (int)below(20) - 26
                           : bytes == 4 ? (int)below(80) - 149
                                        : (int)below(60) - 1027);
    case NONFINITE:
        return !one_in(300) ? unit : one_in(2) ? NAN : one_in(2) ? INFINITY : -INFINITY;
    case HUGE_ONES:
        return ldexp(unit, bytes == 2   ? (int)below(40) - 22
                           : bytes == 4 ? (int)below(20) + 110
                                        : (int)below(20) + 1000);
    default:
        return ldexp(unit, (int)below(30) - 15);
    }
}

static void put_number(char *p, int type)
{
    const double v = number(type);
    const float f = (float)v;
    const unsigned short half =
        type == SAMESUM_F16 ? emu_float_to_half(f) : (unsigned short)(emu_bits<unsigned>(f) >> 16);
    const int bytes = real_bytes(type);
    memcpy(p, bytes == 8 ? (const void *)&v : bytes == 4 ? (const void *)&f : &half, bytes);
}

/* Memory: bytes whose address is `residue` modulo 32, between margins of 0xff. */

struct memory : emu_buffer {
    std::vector<char> all;
    bool margins_are_whole() const
    {
        for (const char *p = low; p < high; p++)
            if ((p < begin || p >= end) && *p != (char)0xff)
                return false;
        return true;
    }
};
static std::vector<std::unique_ptr<memory>> memories;

static memory &allocate(const char *name, size_t bytes, int residue)
{
    enum { MARGIN = 512 };
    memories.emplace_back(new memory);
    memory &m = *memories.back();
    m.all.assign(bytes + 2 * MARGIN + 64, (char)0xff);
    m.name = name;
    m.low = m.all.data();
    m.high = m.low + m.all.size();
    m.begin = (char *)(((uintptr_t)m.low + MARGIN + 31) / 32 * 32) + residue;
    m.end = m.begin + bytes;
    return m;
}
static memory &allocate_readable(const char *name, size_t bytes, int residue)
{
    memory &m = allocate(name, bytes, residue);
    m.given.assign(m.all.size(), 0);
    emu_register(&m);
    return m;
}
static void free_all()
{
    emu_forget_all();
    memories.clear();
}

/* Arrays. */

enum { MOST_DIMS = 4 };
enum stream { X, Y, WEIGHTS, MASK, STREAMS };
struct sum {
    samesum_want want;
    int type, dims, axis_count, axes[MOST_DIMS];
    size_t shape[MOST_DIMS];
    ptrdiff_t strides[STREAMS][MOST_DIMS];
    int residue[STREAMS];
    bool weights, counts, segmented, bad_offsets;
    size_t copies; /* of the results */
    int mask_kind, missing;
    std::vector<size_t> offsets;
    uint64_t elements() const
    {
        uint64_t n = 1;
        for (int k = 0; k < dims; k++)
            n *= shape[k];
        return n;
    }
};

/* What stream s reads, and nothing between; returns the address of element 0. */
static char *lay_out(const char *name, const sum &a, stream s)
{
    const int bytes = s == MASK ? 1 : element_bytes(a.type), real = real_bytes(a.type);
    const uint64_t n = a.elements();
    ptrdiff_t lowest = 0, highest = 0;
    for (int k = 0; k < a.dims && n > 0; k++) {
        ptrdiff_t span = a.strides[s][k] * (ptrdiff_t)(a.shape[k] - 1);
        (span < 0 ? lowest : highest) += span;
    }
    memory &m = allocate_readable(name, n ? highest - lowest + bytes : 0, a.residue[s]);
    for (uint64_t i = 0; i < n; i++) {
        char *p = m.begin - lowest;
        uint64_t rest = i;
        for (int k = a.dims - 1; k >= 0; rest /= a.shape[k--])
            p += (ptrdiff_t)(rest % a.shape[k]) * a.strides[s][k];
        if (s == MASK)
            *p = one_in(4) ? 0 : (char)(1 + below(255));
        else
            for (int part = 0; part < bytes; part += real)
                put_number(p + part, a.type);
        memset(&m.given[p - m.low], 1, bytes);
    }
    return m.begin - lowest;
}

static const char *lay_out_bits(const sum &a)
{
    memory &m = allocate_readable("mask", (a.elements() + 7) / 8, a.residue[MASK]);
    for (char *p = m.begin; p < m.end; p++) {
        *p = (char)(one_in(3) ? 255 : random_bits());
        m.given[p - m.low] = 1;
    }
    return m.begin;
}

static samesum_array lay_out_all(const sum &a)
{
    samesum_array array = {};
    array.type = (samesum_type)a.type;
    array.dims = a.dims;
    array.shape = a.shape;
    array.strides = a.strides[X];
    array.x = lay_out("x", a, X);
    if (a.want.op == SAMESUM_DOT) {
        array.y = lay_out("y", a, Y);
        array.y_strides = a.strides[Y];
    }
    if (a.weights) {
        array.weights = lay_out("weights", a, WEIGHTS);
        array.weights_strides = a.strides[WEIGHTS];
    }
    array.mask_kind = (samesum_mask_kind)a.mask_kind;
    array.mask_strides = a.strides[MASK];
    if (a.mask_kind != SAMESUM_MASK_NONE)
        array.mask = a.mask_kind == SAMESUM_MASK_BYTES ? lay_out("mask", a, MASK) : lay_out_bits(a);
    array.missing = (samesum_missing)a.missing;
    array.missing_value = flavour == ZEROS ? 0 : flavour == SPARSE ? 0.1 : 1;
    return array;
}

static void name_case(const char *what, const sum &a, const ss_cuda_tuning &tuning)
{
    char text[800];
    int n = 0;
#define ADD(...) n += snprintf(text + n, sizeof text - n, __VA_ARGS__)
    ADD("%s op %d level %d type %d result %d conj %d,", what, a.want.op, a.want.level, a.type,
        a.want.result, a.want.conj);
    for (int k = 0; k < a.dims; k++)
        ADD(" %zu(%td %td)", a.shape[k], a.strides[X][k], a.strides[Y][k]);
    ADD(", axes");
    for (int k = 0; k < a.axis_count; k++)
        ADD(" %d", a.axes[k]);
    ADD(", residues %d %d weights %d mask %d missing %d offsets %zu flavour %d, device %d blocks "
        "%d chunk 2^%d",
        a.residue[X], a.residue[Y], a.weights, a.mask_kind, a.missing, a.offsets.size(), flavour,
        emu_current.number, tuning.blocks, tuning.chunk_log);
#undef ADD
    emu_case = text;
}

static void set_device(const char *what, const sum &a)
{
    static const emu_device devices[] = {{0, 2, 1}, {1, 132, 3}, {2, 1, 2}, {3, 2, 3}};
    static const int blocks[] = {0, 1, 2, 3, 5, 7, 20};
    ss_cuda_tuning tuning = {};
    emu_current = any_of(devices);
    if (one_in(2))
        tuning = {any_of(blocks), (int)below(15)};
    ss_cuda_tune(&tuning);
    name_case(what, a, tuning);
}

/* Sums. */

/* Segments that samesum_reduce_segments() refuses, as samesum_cuda_reduce_segments() takes them. */
static samesum_status reduce_one_by_one(const sum &a, const samesum_array &array, char *results,
                                        samesum_counts *counts)
{
    for (size_t i = 0; i + 1 < a.offsets.size(); i++) {
        size_t ends[2] = {a.offsets[i], a.offsets[i + 1]};
        if (ends[0] >= ends[1] || ends[1] > a.shape[0])
            ends[0] = ends[1] = 0;
        samesum_status s = samesum_reduce_segments(
            &array, ends, 1, &a.want,
            results + i * samesum_result_bytes(&a.want, (samesum_type)a.type), counts + i, NULL);
        if (s < 0)
            return s;
    }
    return SAMESUM_OK;
}

static samesum_status reduce_on_host(const sum &a, const samesum_array &array, size_t rows,
                                     char *results, samesum_counts *counts)
{
    if (a.bad_offsets)
        return reduce_one_by_one(a, array, results, counts);
    if (a.segmented)
        return samesum_reduce_segments(&array, a.offsets.data(), rows, &a.want, results, counts,
                                       NULL);
    return samesum_reduce_array(&array, a.axes, a.axis_count, &a.want, results, counts, NULL);
}

/* A caller that rounds in any direction, flushes or takes subnormals for zeros: a call neither
 * heeds nor changes that. */
struct odd_caller {
    unsigned usual, odd;
    odd_caller() : usual(_mm_getcsr())
    {
        enum { MASKED = 0x1f80, FLUSHED = 0x8000, ZEROED = 0x0040 };
        odd = MASKED | (unsigned)below(4) << 13 | (one_in(2) ? FLUSHED : 0) |
              (one_in(2) ? ZEROED : 0);
        _mm_setcsr(odd);
    }
    ~odd_caller()
    {
        const unsigned flags = 0x3f;
        if ((_mm_getcsr() & ~flags) != odd)
            differs("the caller's floating-point environment");
        _mm_setcsr(usual);
    }
};

/* Whether samesum_cuda_reduce() does the same. */
static bool is_plain(const sum &a, const samesum_array &array)
{
    const ptrdiff_t bytes = (ptrdiff_t)samesum_element_size(array.type);
    return array.dims == 1 && a.axis_count == 0 && array.strides[0] == bytes &&
           (!array.y || array.y_strides[0] == bytes) && !array.weights &&
           array.mask_kind == SAMESUM_MASK_NONE && array.missing == SAMESUM_MISSING_NONE;
}

static samesum_status reduce_emulated(const sum &a, const samesum_array &array, size_t rows,
                                      const samesum_cuda_out &out, void *workspace, size_t *bytes)
{
    odd_caller odd;
    if (a.segmented)
        return samesum_cuda_reduce_segments(&array, a.offsets.data(), rows, &a.want, &out,
                                            workspace, bytes, 0);
    if (is_plain(a, array) && one_in(2)) {
        const samesum_data data = {array.x, array.y, array.shape[0], array.type};
        return samesum_cuda_reduce(&data, &a.want, &out, workspace, bytes, 0);
    }
    return samesum_cuda_reduce_array(&array, a.axes, a.axis_count, &a.want, &out, workspace, bytes,
                                     0);
}

/* bytes, aligned to 256, and a margin that does not change. */
static memory &allocate_workspace(size_t bytes)
{
    memory &m = allocate("workspace", bytes + 256, 0);
    m.begin = (char *)(((uintptr_t)m.begin + 255) / 256 * 256);
    m.end = m.begin + bytes;
    if (one_in(2))
        memset(m.begin, 0xa5, bytes);
    return m;
}

static void compare_results(const memory &m, const std::vector<char> &expected, size_t rows,
                            size_t copies, size_t copy_bytes)
{
    const size_t row_bytes = rows ? expected.size() / rows : 0;
    for (size_t copy = 0; copy < copies; copy++) {
        const char *of = m.begin + copy * copy_bytes;
        for (size_t row = 0; row < rows; row++) {
            count.results++;
            if (memcmp(of + row * row_bytes, &expected[row * row_bytes], row_bytes))
                return differs("result", "row " + std::to_string(row) + " of " +
                                             std::to_string(rows) + " copy " +
                                             std::to_string(copy));
        }
        for (const char *p = of + expected.size(); p < of + copy_bytes && p < m.end; p++)
            if (*p != (char)0xff)
                return differs("memory between copies of the results");
    }
}

static void run_sum(const char *way, const sum &a)
{
    set_device(way, a);
    samesum_array array = lay_out_all(a);
    const size_t row_bytes = samesum_result_bytes(&a.want, array.type);
    size_t rows = a.segmented ? a.offsets.size() - 1 : 0;
    if (!a.segmented && samesum_array_results(&array, a.axes, a.axis_count, &rows) != SAMESUM_OK) {
        count.refused++;
        return free_all();
    }
    std::vector<char> expected(rows * row_bytes);
    std::vector<samesum_counts> counts(rows + 1), expected_counts(rows + 1);
    char none; /* results is never NULL */
    const samesum_status host_status =
        reduce_on_host(a, array, rows, rows ? expected.data() : &none, expected_counts.data());

    const size_t copies = a.copies, copy_bytes = (rows + 1) * row_bytes;
    memory &results = allocate("results", copies > 1 ? copies * copy_bytes : rows * row_bytes, 0);
    samesum_cuda_out out = {};
    out.results = results.begin;
    out.copies = copies > 1 ? copies : below(2);
    out.copy_bytes = copy_bytes;
    out.counts = a.counts ? counts.data() : NULL;
    size_t bytes = 0;
    samesum_status status = reduce_emulated(a, array, rows, out, NULL, &bytes);
    if (status != SAMESUM_OK) {
        count.refused++;
        if (status != host_status)
            differs("refusal", std::to_string(status) + " not " + std::to_string(host_status));
        return free_all();
    }
    memory &workspace = allocate_workspace(bytes);
    status = reduce_emulated(a, array, rows, out, workspace.begin, &bytes);
    count.calls++;

    /* The device cannot know before it ends that no element of a row is present. */
    const bool by_shape = !a.segmented && !a.mask_kind && !a.missing && !a.weights;
    const bool unseen = !by_shape && host_status == SAMESUM_ERR_EMPTY;
    if (status != host_status && (by_shape || status < 0 || (host_status < 0 && !unseen)))
        differs("status", std::to_string(status) + " not " + std::to_string(host_status));
    /* Where offsets do not ascend, results may be anything: samesum_cuda.h. */
    if (status >= 0 && host_status >= 0 && std::is_sorted(a.offsets.begin(), a.offsets.end())) {
        compare_results(results, expected, rows, copies, copy_bytes);
        if (a.counts && rows && memcmp(&counts[0], &expected_counts[0], rows * sizeof counts[0]))
            differs("counts");
    }
    if (!results.margins_are_whole())
        differs("memory beside the results");
    if (!workspace.margins_are_whole())
        differs("memory beside the workspace");
    free_all();
}

/* The array in parts, along the first axis that is reduced. */

struct part {
    samesum_array array;
    size_t shape[MOST_DIMS];
    uint64_t begin; /* of the elements of a row */
    samesum_cuda_out out;
    memory *results;
    std::vector<samesum_counts> counts;
    ss_share *share;
    char *workspace;
};

static int split_axis(const sum &a)
{
    int first = a.axis_count == 0 ? 0 : a.dims;
    for (int k = 0; k < a.axis_count; k++) {
        const int axis = a.axes[k] < 0 ? a.axes[k] + a.dims : a.axes[k];
        first = axis < first ? axis : first;
    }
    return first;
}

static bool is_reduced(const sum &a, int axis)
{
    bool reduced = a.axis_count == 0;
    for (int k = 0; k < a.axis_count; k++)
        reduced = reduced || a.axes[k] == axis || a.axes[k] + a.dims == axis;
    return reduced;
}

/* Few parts, or many. */
static int any_ranks()
{
    return 1 + (int)below(one_in(12) ? 70 : 8);
}

/* Borders of parts of n: anywhere, close to each other, or close to rows or nodes of the tree; or
 * all but one are empty. */
static std::vector<size_t> any_borders(size_t n, int ranks)
{
    std::vector<size_t> at = {0};
    const bool near_rows = one_in(3), alone = one_in(10), single = one_in(10);
    const unsigned node = 16u << (one_in(2) ? 0 : below(10));
    for (int i = 1; i < ranks; i++)
        at.push_back(alone       ? (one_in(2) ? 0 : n)
                     : single    ? std::min(n, at.back() + (i == 1 ? below(n + 1) : 1))
                     : one_in(4) ? std::min(n, at.back() + below(20))
                     : near_rows ? std::min(n, below(n / node + 1) * node + below(3))
                                 : below(n + 1));
    at.push_back(n);
    std::sort(at.begin(), at.end());
    return at;
}

/* The mask of bits of a part, which begins with a byte of its own. */
static const void *bits_of_part(const sum &a, const samesum_array &whole, const part &p, int axis,
                                size_t from)
{
    const unsigned char *bits = (const unsigned char *)whole.mask;
    uint64_t n = 1, at = 0;
    for (int k = 0; k < a.dims; k++)
        n *= p.shape[k];
    memory &m = allocate_readable("a part's mask", (n + 7) / 8, (int)below(16));
    memset(&m.given[m.begin - m.low], 1, (n + 7) / 8);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t rest = i, of_whole = 0, step = 1;
        for (int k = a.dims - 1; k >= 0; rest /= p.shape[k], step *= a.shape[k], k--)
            of_whole += (rest % p.shape[k] + (k == axis ? from : 0)) * step;
        at = of_whole;
        char &byte = m.begin[i / 8];
        byte = (char)((byte & ~(1 << i % 8)) | (bits[at / 8] >> at % 8 & 1) << i % 8);
    }
    return m.begin;
}

static void take_part(part &p, const sum &a, const samesum_array &whole, int axis, size_t from,
                      size_t to)
{
    p.array = whole;
    std::copy(a.shape, a.shape + a.dims, p.shape);
    p.shape[axis] = to - from;
    p.array.shape = p.shape;
    const auto move = [&](const void *&at, stream s) {
        at = at ? (const char *)at + (ptrdiff_t)from * a.strides[s][axis] : NULL;
    };
    move(p.array.x, X);
    move(p.array.y, Y);
    move(p.array.weights, WEIGHTS);
    if (a.mask_kind == SAMESUM_MASK_BYTES)
        move((const void *&)p.array.mask, MASK);
    if (a.mask_kind == SAMESUM_MASK_BITS)
        p.array.mask = (const unsigned char *)bits_of_part(a, whole, p, axis, from);
    p.begin = from;
    for (int k = axis + 1; k < a.dims; k++)
        p.begin *= is_reduced(a, k) ? a.shape[k] : 1;
}

static void compare_states(samesum_state *expected, const memory &image)
{
    static char of_host[65536], of_device[65536];
    size_t host_bytes = 0, device_bytes = 0;
    if (samesum_state_save(expected, of_host, sizeof of_host, &host_bytes) ||
        samesum_cuda_state_save(image.begin, image.end - image.begin, of_device, sizeof of_device,
                                &device_bytes))
        return differs("state: not saved");
    count.states++;
    /* Nodes that overflowed may be NaNs, whose payload is left open in states. */
    const bool no_nan = flavour <= SPARSE || flavour == SUBNORMAL;
    if (host_bytes != device_bytes || (no_nan && memcmp(of_host, of_device, host_bytes)))
        differs("state");
    double expected_result[2] = {}, result[2] = {};
    samesum_state *loaded = NULL;
    if (samesum_state_load(&loaded, of_device, device_bytes))
        return differs("state: not loaded");
    samesum_state_finish(expected, expected_result);
    samesum_state_finish(loaded, result);
    if (memcmp(expected_result, result, sizeof result))
        differs("state's result");
    samesum_state_destroy(loaded);
}

/* An image of which one word is another is refused, or makes a state that fits its buffer. */
static void save_damaged(const memory &image)
{
    enum { ROOM = 65536, MARGIN = 64 };
    ss_cuda_state damaged;
    memcpy(&damaged, image.begin, sizeof damaged);
    int *const sizes[] = {(int *)&damaged.begin, (int *)&damaged.end,  (int *)&damaged.end + 1,
                          &damaged.acc[0].low,   &damaged.acc[0].high, &damaged.acc[1].low,
                          &damaged.acc[1].high};
    int *word = one_in(2) ? any_of(sizes) : (int *)&damaged + below(sizeof damaged / sizeof(int));
    *word = one_in(2) ? (int)random_bits() : (int)below(300) - 20;
    std::vector<char> saved(ROOM + MARGIN, (char)0xff);
    size_t bytes = 0;
    samesum_cuda_state_save(&damaged, sizeof damaged, saved.data(), ROOM, &bytes);
    if (bytes > ROOM || std::count(saved.end() - MARGIN, saved.end(), (char)0xff) != MARGIN)
        differs("memory behind a damaged state");
}

/* The result of several states of consecutive parts, and of such that do not fit together. */
static void finish_states(const sum &a, const samesum_array &whole, uint64_t begin,
                          size_t state_bytes, samesum_state *expected)
{
    const std::vector<size_t> borders = any_borders(whole.shape[0], any_ranks());
    const size_t n = borders.size() - 1, stride = state_bytes + 16 * below(3);
    memory &states = allocate("states", n * stride, 0);
    for (size_t i = 0; i < n; i++) {
        part p;
        size_t bytes = 0;
        take_part(p, a, whole, 0, borders[i], borders[i + 1]);
        char *to = states.begin + i * stride;
        samesum_cuda_state_reduce(&p.array, begin + p.begin, &a.want, to, NULL, NULL, &bytes, 0);
        memset(to, 0xa5, state_bytes);
        if (samesum_cuda_state_reduce(&p.array, begin + p.begin, &a.want, to, NULL,
                                      allocate_workspace(bytes).begin, &bytes, 0))
            differs("state of a part: refused");
    }
    samesum_cuda_out out = {};
    std::vector<char> result(16);
    char wanted[16] = {};
    const size_t row_bytes = samesum_result_bytes(&a.want, (samesum_type)a.type);
    samesum_state_finish(expected, wanted);
    for (int round = 0; round < 2; round++) {
        size_t bytes = 0;
        out.results = result.data();
        if (samesum_cuda_state_finish(states.begin, n, stride, &a.want, (samesum_type)a.type, &out,
                                      NULL, &bytes, 0) ||
            samesum_cuda_state_finish(states.begin, n, stride, &a.want, (samesum_type)a.type, &out,
                                      allocate_workspace(bytes).begin, &bytes, 0))
            differs("states: not finished");
        const bool nan = memcmp(result.data(), "\0\0\0\0\0\0\xf8\x7f", 8) == 0 ||
                         memcmp(result.data(), "\0\0\xc0\x7f", 4) == 0;
        if (round == 0 && memcmp(result.data(), wanted, row_bytes))
            differs("states finished on the device");
        if (round == 1 && !nan)
            differs("states that do not fit together");
        ss_cuda_state &damaged = *(ss_cuda_state *)(states.begin + below(n) * stride);
        if (one_in(3))
            damaged.magic++;
        else if (one_in(2) || n == 1)
            damaged.begin = damaged.end + 1;
        else
            ((ss_cuda_state *)(states.begin + stride))->begin ^= 1 + below(100);
    }
}

static void run_state(const char *way, const sum &a, uint64_t begin)
{
    set_device(way, a);
    samesum_array array = lay_out_all(a);
    samesum_state *expected = NULL;
    samesum_counts counts = {}, expected_counts = {};
    size_t state_bytes = 0, bytes = 0;
    samesum_status host_status = samesum_state_create(&expected, &a.want, array.type, begin);
    samesum_status status = samesum_cuda_state_bytes(&a.want, array.type, &state_bytes);
    if (status == SAMESUM_OK && host_status == SAMESUM_OK) {
        host_status = samesum_state_update_array(expected, &array, &expected_counts);
        status = samesum_cuda_state_reduce(&array, begin, &a.want, NULL, &counts, NULL, &bytes, 0);
    }
    if (status != host_status)
        differs("state's status", std::to_string(status) + " not " + std::to_string(host_status));
    if (status == SAMESUM_OK && host_status == SAMESUM_OK) {
        memory &workspace = allocate_workspace(bytes), &image = allocate("state", state_bytes, 0);
        memset(image.begin, 0xa5, state_bytes);
        odd_caller odd;
        if (samesum_cuda_state_reduce(&array, begin, &a.want, image.begin, &counts, workspace.begin,
                                      &bytes, 0))
            differs("state: refused");
        compare_states(expected, image);
        save_damaged(image);
        if (a.dims == 1)
            finish_states(a, array, begin, state_bytes, expected);
        if (!image.margins_are_whole() || !workspace.margins_are_whole())
            differs("memory beside the state or workspace");
        if (memcmp(&counts, &expected_counts, sizeof counts))
            differs("state's counts");
    } else {
        count.refused++;
    }
    samesum_state_destroy(expected);
    free_all();
}

/* Shares. */

/* Makes the shares of all parts. Returns false where the call is refused. */
static bool make_shares(const sum &a, std::vector<part> &parts, uint64_t total)
{
    uint64_t mixed = 0;
    for (part &p : parts) {
        const ss_share_asked asked = {&p.array, a.axes, a.axis_count, &a.want, &p.out};
        ss_share_size size;
        odd_caller odd;
        if (ss_share_measure(&asked, &size) != SAMESUM_OK ||
            ss_share_create(&p.share, &asked, p.begin, total, (int)parts.size()) != SAMESUM_OK)
            return false;
        if (&p != &parts[0] && size.mixed != mixed)
            differs("mixed");
        mixed = size.mixed;
        p.workspace = allocate_workspace(ss_share_workspace_bytes(p.share)).begin;
    }
    return true;
}

static void run_round(std::vector<part> &parts, int pass, uint64_t round)
{
    const size_t bytes = ss_share_message_bytes(parts[0].share, pass);
    const size_t stride = bytes + 16 * below(5);
    memory &messages = allocate("messages", stride * parts.size(), 0);
    for (size_t i = 0; i < parts.size(); i++) {
        const part &p = parts[i];
        if (bytes % 16 || bytes != ss_share_message_bytes(p.share, pass))
            differs("a message's size");
        memset(messages.begin + i * stride, 0xa5, bytes);
        if (ss_share_own(p.share, pass, round, messages.begin + i * stride, p.workspace, 0))
            differs("a share's own");
        for (size_t k = bytes; k < stride; k++)
            if (messages.begin[i * stride + k] != (char)0xff)
                return differs("memory behind a message");
    }
    for (const part &p : parts)
        if (ss_share_merge(p.share, pass, round, messages.begin, stride, p.workspace, 0))
            differs("a share's merge");
    if (!messages.margins_are_whole())
        differs("memory beside the messages");
}

static void run_shares(const char *way, const sum &a)
{
    const int axis = split_axis(a);
    set_device(way, a);
    samesum_array array = lay_out_all(a);
    const size_t row_bytes = samesum_result_bytes(&a.want, array.type);
    size_t rows = 0;
    if (axis >= a.dims ||
        samesum_array_results(&array, a.axes, a.axis_count, &rows) != SAMESUM_OK) {
        count.refused++;
        return free_all();
    }
    std::vector<char> expected(rows * row_bytes);
    std::vector<samesum_counts> expected_counts(rows + 1);
    char none;
    const samesum_status status =
        reduce_on_host(a, array, rows, rows ? expected.data() : &none, expected_counts.data());
    if (status < 0 && status != SAMESUM_ERR_EMPTY) {
        count.refused++;
        return free_all();
    }
    const std::vector<size_t> borders = any_borders(a.shape[axis], any_ranks());
    std::vector<part> parts(borders.size() - 1);
    const size_t copies = a.copies, copy_bytes = (rows + 1) * row_bytes;
    const uint64_t round_rows = one_in(3) ? 1 + below(40) : 0;
    ss_share_tune(round_rows);
    emu_case += ", rounds of " + std::to_string(round_rows) + ", parts";
    for (size_t i = 0; i < parts.size(); i++) {
        part &p = parts[i];
        emu_case += " " + std::to_string(borders[i + 1] - borders[i]);
        take_part(p, a, array, axis, borders[i], borders[i + 1]);
        p.counts.resize(rows + 1);
        p.results = &allocate("results", copies > 1 ? copies * copy_bytes : rows * row_bytes, 0);
        p.out = {};
        p.out.results = i == 0 || !one_in(4) ? p.results->begin : NULL;
        p.out.copies = copies;
        p.out.copy_bytes = copy_bytes;
        p.out.counts = a.counts ? p.counts.data() : NULL;
    }
    uint64_t total = a.shape[axis];
    for (int k = axis + 1; k < a.dims; k++)
        total *= is_reduced(a, k) ? a.shape[k] : 1;
    if (!make_shares(a, parts, total)) {
        differs("shares: refused");
        return free_all();
    }
    count.shares += parts.size();
    for (int pass = 0; pass < ss_share_passes(parts[0].share); pass++)
        for (uint64_t round = 0; round < ss_share_rounds(parts[0].share); round++)
            run_round(parts, pass, round);
    for (part &p : parts) {
        if (p.out.results)
            compare_results(*p.results, expected, rows, copies, copy_bytes);
        if (p.out.results && a.counts && rows &&
            memcmp(&p.counts[0], &expected_counts[0], rows * sizeof p.counts[0]))
            differs("a share's counts");
        if (!p.results->margins_are_whole())
            differs("memory beside a share's results");
        ss_share_destroy(p.share);
    }
    for (const auto &m : memories)
        if (m->name == std::string("workspace") && !m->margins_are_whole())
            differs("memory beside a share's workspace");
    free_all();
}

/* Ways: kinds of random sums. */

static void (*run)(const char *way, const sum &a) = run_sum;

static const size_t lengths[] = {0,   1,   2,    15,   16,   17,   255,   256,   257,   511,
                                 512, 513, 1000, 4095, 4096, 4097, 10000, 65536, 140001};
static size_t any_length(size_t most)
{
    size_t n = one_in(3) ? below(20000) : any_of(lengths);
    return n <= most || one_in(4) ? n : below(most);
}

static int any_op(int type)
{
    static const int complex_ops[] = {SAMESUM_SUM, SAMESUM_SUMSQ, SAMESUM_DOT, SAMESUM_NRM2,
                                      SAMESUM_MEAN};
    return is_complex(type) ? any_of(complex_ops) : (int)below(SAMESUM_MINMAX + 1);
}

static void make_dense(sum &a)
{
    ptrdiff_t n = 1;
    for (int k = a.dims - 1; k >= 0; k--) {
        for (int s = X; s < STREAMS; s++)
            a.strides[s][k] = n * (s == MASK ? 1 : element_bytes(a.type));
        n *= a.shape[k] ? (ptrdiff_t)a.shape[k] : 1;
    }
}

/* plain: nothing but numbers, for which there are kernels of their own. */
static sum any_sum(bool plain, int dims, size_t rows, size_t columns)
{
    sum a = {};
    a.type = (int)below(SAMESUM_C128 + 1);
    a.want.op = (samesum_op)any_op(a.type);
    a.want.level = (samesum_level)below(SAMESUM_EXACT);
    a.want.result = (samesum_result_type)(a.type != SAMESUM_F32_WIDE && one_in(4));
    a.want.conj = is_complex(a.type) && a.want.op == SAMESUM_DOT && one_in(2);
    a.want.ddof = (unsigned)below(3);
    a.want.nan = (samesum_nan)below(2);
    a.want.threads = 1;
    flavour = (int)below(FLAVOURS);
    for (int s = X; s < MASK; s++)
        a.residue[s] = (int)below(32 / real_bytes(a.type)) * real_bytes(a.type);
    a.residue[MASK] = (int)below(16);
    if (!plain) {
        a.weights = (a.want.op == SAMESUM_SUM || a.want.op == SAMESUM_MEAN) &&
                    !is_complex(a.type) && one_in(4);
        a.mask_kind = one_in(3) ? (int)below(3) : 0;
        a.missing = one_in(4) ? (int)below(3) : 0;
    }
    a.counts = one_in(5);
    a.copies = one_in(4) ? 3 : 1;
    a.dims = dims;
    a.shape[0] = rows;
    a.shape[1] = columns;
    make_dense(a);
    return a;
}

static bool mostly_plain()
{
    return !one_in(4);
}

static void one_row(const char *way)
{
    run(way, any_sum(mostly_plain(), 1, any_length(20000), 0));
}

static void dot(const char *way)
{
    sum a = any_sum(true, 1, one_in(2) ? below(600) : any_length(10000), 0);
    a.want.op = SAMESUM_DOT;
    a.want.conj = is_complex(a.type) && one_in(2);
    run(way, a);
}

/* A distance between rows that is not theirs. */
static void pad(sum &a)
{
    const ptrdiff_t real = real_bytes(a.type);
    a.strides[X][0] += (ptrdiff_t)below(12) * (one_in(2) ? real : 16);
    a.strides[Y][0] = one_in(4) ? a.strides[X][0] : a.strides[Y][0] + (ptrdiff_t)below(12) * real;
    if (one_in(5))
        a.strides[X][0] = -a.strides[X][0];
    if (one_in(8))
        a.strides[X][0] = 0;
}

static void rows(const char *way)
{
    static const size_t shapes[][2] = {{5, 0},     {5, 17},    {2, 4097}, {7, 300},
                                       {100, 128}, {33, 1000}, {1, 0},    {4000, 3},
                                       {0, 5},     {300, 1},   {20, 513}, {3, 70000}};
    const size_t *shape = shapes[below(one_in(4) ? 12 : 11)];
    sum a = one_in(4) ? any_sum(mostly_plain(), 2, below(50), below(3000))
                      : any_sum(mostly_plain(), 2, shape[0], shape[1]);
    if (one_in(2))
        pad(a);
    a.axis_count = 1;
    a.axes[0] = one_in(2) ? 1 : -1;
    run(way, a);
}

static void columns(const char *way)
{
    static const size_t series[] = {1, 16, 18, 20, 37, 60, 64, 128, 256};
    sum a = any_sum(mostly_plain(), 2, one_in(3) ? below(3000) : below(700), any_of(series));
    if (a.want.op == SAMESUM_DOT && one_in(2)) {
        a.want.op = SAMESUM_SUM;
        a.want.conj = 0;
    }
    if (one_in(2))
        a.residue[X] = 16 * (int)below(2);
    if (one_in(3))
        pad(a);
    a.axis_count = 1;
    a.axes[0] = 0;
    run(way, a);
}

/* Numbers that something is done to: masks, missing values, deviations, factors, strides. */
static void masked(const char *way)
{
    static const size_t shapes[][2] = {{1, 140001}, {3, 20011}, {40, 512},
                                       {60, 100},   {200, 17},  {300, 1000}};
    static const samesum_op two_passes[] = {SAMESUM_VAR, SAMESUM_STD, SAMESUM_NRM2};
    const size_t *shape = shapes[below(6)];
    sum a = any_sum(false, 2, shape[0], one_in(2) ? shape[1] : 1 + below(shape[1]));
    if (one_in(3) && !is_complex(a.type) && !a.weights)
        a.want.op = any_of(two_passes);
    if (!one_in(3)) /* as where kernels load several at once */
        for (int s = X; s < STREAMS; s++)
            a.residue[s] = 0;
    if (!one_in(3)) {
        a.shape[1] = (a.shape[1] + 3) / 4 * 4;
        make_dense(a);
    }
    if (one_in(4))
        a.strides[X][1] *= 2, a.strides[X][0] *= 2;
    a.axis_count = a.axes[0] = 1;
    run(way, a);
}

/* The same where series lie side by side, and the mask or the weights are the same for all. */
static void masked_columns(const char *way)
{
    static const size_t series[] = {16, 17, 33, 64, 100, 128, 260};
    static const samesum_op ops[] = {SAMESUM_VAR, SAMESUM_STD, SAMESUM_MEAN, SAMESUM_SUM,
                                     SAMESUM_DOT};
    sum a = any_sum(false, 2, one_in(3) ? below(3000) : below(500), any_of(series));
    if (one_in(2) && !is_complex(a.type) && !a.weights)
        a.want.op = any_of(ops), a.want.conj = 0;
    if (!one_in(3))
        for (int s = X; s < STREAMS; s++)
            a.residue[s] = 0;
    if (one_in(4))
        pad(a);
    if (one_in(3))
        a.strides[MASK][1] = 0, a.strides[MASK][0] = 1;
    if (one_in(3))
        a.strides[Y][1] = 0, a.strides[Y][0] = element_bytes(a.type);
    a.axis_count = 1;
    a.axes[0] = 0;
    run(way, a);
}

/* Axes in any order in memory, gaps, negative strides and strides of 0. */
static void make_any_strides(sum &a, stream s)
{
    const ptrdiff_t unit = s == MASK ? 1 : element_bytes(a.type);
    const ptrdiff_t gap = s == MASK ? 1 : real_bytes(a.type);
    int order[MOST_DIMS] = {0, 1, 2, 3};
    for (int k = 0; k < a.dims; k++)
        std::swap(order[k], order[k + below(a.dims - k)]);
    ptrdiff_t at = unit + (one_in(2) ? 0 : gap * (ptrdiff_t)below(4));
    for (int k = 0; k < a.dims; k++) {
        const int axis = order[k];
        a.strides[s][axis] = one_in(12) ? 0 : one_in(5) ? -at : at;
        at = at * (ptrdiff_t)(a.shape[axis] ? a.shape[axis] : 1) +
             (one_in(4) ? gap * (ptrdiff_t)below(5) : 0);
    }
}

static void layouts(const char *way)
{
    static const size_t most[] = {1, 9000, 90, 30};
    sum a = any_sum(false, (int)below(4), 0, 0);
    for (int k = 0; k < a.dims; k++)
        a.shape[k] = one_in(15) ? 0 : 1 + below(most[a.dims]);
    make_dense(a);
    for (int s = X; s < STREAMS && !one_in(3); s++)
        make_any_strides(a, (stream)s);
    for (int k = 0; k < a.dims; k++)
        if (one_in(2))
            a.axes[a.axis_count++] = k;
    run(way, a);
}

static sum any_segmented()
{
    sum a = any_sum(false, 1, one_in(10) ? below(3) : 1 + below(one_in(2) ? 3000 : 60000), 0);
    if (one_in(5))
        a.strides[X][0] *= one_in(2) ? 2 : -1;
    a.segmented = true;
    return a;
}

static void segments(const char *way)
{
    sum a = any_segmented();
    const size_t n = one_in(8) ? 0 : 1 + below(one_in(3) ? 5 : 60);
    a.offsets.push_back(one_in(2) ? 0 : below(a.shape[0] / 3 + 1));
    for (size_t i = 0; i < n; i++) {
        const size_t left = a.shape[0] - a.offsets.back();
        const size_t length = one_in(4)   ? below(left + 1)
                              : one_in(3) ? below(3000)
                              : one_in(4) ? 0
                                          : below(40);
        a.offsets.push_back(a.offsets.back() + std::min(length, left));
    }
    run(way, a);
}

static void bad_segments(const char *way)
{
    sum a = any_segmented();
    a.bad_offsets = true;
    for (size_t n = 2 + below(one_in(2) ? 5 : 60); n > 0; n--)
        a.offsets.push_back(!one_in(6)  ? below(a.shape[0] + 1)
                            : one_in(2) ? a.shape[0] + below(5)
                                        : SIZE_MAX - below(3));
    if (one_in(2))
        std::sort(a.offsets.begin(), a.offsets.end());
    run(way, a);
}

static void states(const char *way)
{
    sum a = any_sum(mostly_plain(), 1, one_in(3) ? any_length(10000) : below(3000), 0);
    a.weights = false;
    a.want.result = SAMESUM_RESULT_ACCUMULATOR;
    if (one_in(5))
        a.strides[X][0] *= one_in(2) ? 2 : -1;
    const bool last = one_in(10); /* up to the last index that there is */
    const uint64_t n = a.shape[0] + below(20), per = is_complex(a.type) ? 2 : 1;
    run_state(way, a,
              last        ? UINT64_MAX / per - n
              : one_in(3) ? 0
              : one_in(2) ? below(5000)
                          : random_bits() >> (2 + below(40)));
}

static void long_rows(const char *way);
static void shares(const char *way)
{
    static void (*const kinds[])(const char *) = {
        one_row, dot, rows, columns, masked, masked_columns, layouts, long_rows};
    run = run_shares;
    kinds[below(one_in(10) ? 8 : 7)](way);
    run = run_sum;
}

/* More rows of the tree than one warp takes of a long row. */
static void long_rows(const char *way)
{
    static const size_t long_lengths[] = {550000, 600001, 1100000};
    sum a = any_sum(true, 1, any_of(long_lengths), 0);
    if (one_in(3)) {
        a.dims = 2;
        a.shape[1] = a.shape[0] / 2;
        a.shape[0] = 2;
        a.axis_count = a.axes[0] = 1;
        make_dense(a);
    }
    run(way, a);
}

/* Once each kernel of the elements of a type: in every operation and level that has its own, shapes
 * that between them are read in every way. */
static void every_kernel()
{
    static const struct {
        size_t shape[2];
        int axis;
        bool segmented, masked, apart;
    } shapes[] = {{{5000, 1}, 0, false, false, false}, {{3000, 1}, 0, true, false, false},
                  {{3, 1000}, 1, false, false, false}, {{40, 16}, 1, false, false, false},
                  {{300, 37}, 0, false, false, false}, {{300, 64}, 0, false, false, false},
                  {{3000, 1}, 0, false, true, false},  {{3, 1000}, 1, false, true, true},
                  {{300, 64}, 0, false, true, false},  {{200, 1}, 0, false, false, false},
                  {{3, 40000}, 1, false, false, false}}; /* the last one: of several parts */
    static const int ops[] = {SAMESUM_SUM, SAMESUM_ASUM, SAMESUM_SUMSQ,
                              SAMESUM_DOT, SAMESUM_VAR,  SAMESUM_MEAN};
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++)
        for (int op : ops)
            for (int level = 0; level < SAMESUM_EXACT; level++)
                for (const auto &s : shapes) {
                    if (s.shape[1] == 40000 && (type > SAMESUM_F32 || op != SAMESUM_SUM))
                        continue; /* takes long, and merges alike */
                    sum a = {};
                    a.type = type;
                    a.want.op = (samesum_op)op;
                    a.want.level = (samesum_level)level;
                    a.weights = op == SAMESUM_MEAN;
                    a.mask_kind = s.masked ? SAMESUM_MASK_BYTES : SAMESUM_MASK_NONE;
                    a.copies = 1;
                    a.dims = s.shape[1] > 1 ? 2 : 1;
                    std::copy(s.shape, s.shape + 2, a.shape);
                    make_dense(a);
                    if (s.apart)
                        a.strides[X][0] *= 2, a.strides[X][1] *= 2;
                    a.axis_count = 1;
                    a.axes[0] = s.axis;
                    a.segmented = s.segmented;
                    if (s.segmented)
                        a.offsets = {0, 700, 700, 3000};
                    flavour = MIXED;
                    run_sum("every kernel", a);
                }
}

/* The kernels that shares and states have besides. */
static void every_share()
{
    static const int ops[] = {SAMESUM_SUM, SAMESUM_VAR,    SAMESUM_NRM2,
                              SAMESUM_MIN, SAMESUM_ARGMAX, SAMESUM_MINMAX};
    for (int type = SAMESUM_F64; type <= SAMESUM_F32; type++)
        for (int op : ops)
            for (int level = 0; level < SAMESUM_EXACT; level++) {
                sum a = {};
                a.type = type;
                a.want.op = (samesum_op)op;
                a.want.level = (samesum_level)level;
                a.copies = 1;
                a.counts = true;
                a.dims = 1;
                a.shape[0] = 40000;
                make_dense(a);
                flavour = op == SAMESUM_NRM2 ? SUBNORMAL : MIXED;
                run_shares("every share", a);
                a.counts = false;
                if (op == SAMESUM_SUM || op == SAMESUM_MINMAX)
                    run_state("every state", a, 77);
                if (op == SAMESUM_SUM) { /* of subnormals, whatever they are to the caller */
                    a.want.op = SAMESUM_ASUM;
                    flavour = SUBNORMAL;
                    run_state("every state", a, 77);
                }
            }
}

static struct way {
    const char *name;
    void (*run)(const char *name);
    bool unasked; /* runs where no way is asked for */
    unsigned long rounds;
} ways[] = {{"row", one_row, true},     {"dot", dot, true},
            {"rows", rows, true},       {"columns", columns, true},
            {"masked", masked, true},   {"masked-columns", masked_columns, true},
            {"layouts", layouts, true}, {"segments", segments, true},
            {"states", states, true},   {"bad-segments", bad_segments, true},
            {"shares", shares, true},   {"long", long_rows, false}};

static std::vector<way *> asked_for(char **names)
{
    std::vector<way *> asked;
    for (way &w : ways)
        if (!*names && w.unasked)
            asked.push_back(&w);
    for (; *names; names++) {
        const size_t before = asked.size();
        for (way &w : ways)
            if (!strcmp(w.name, *names))
                asked.push_back(&w);
        if (asked.size() == before)
            return {};
    }
    return asked;
}

static unsigned never_launched(unsigned *of)
{
    static ss_launchable (*const tables[])(int, int, int) = {
        ss_kernel_f64, ss_kernel_f32, ss_kernel_f32_wide, ss_kernel_f16, ss_kernel_bf16};
    std::map<const void *, std::string> kernels;
    const auto name = [](const char *what, size_t type, int way, int kind, int level) {
        return std::string(what) + " type " + std::to_string(type) + ", way " +
               std::to_string(way) + ", kind " + std::to_string(kind) + ", level " +
               std::to_string(level);
    };
    for (size_t i = 0; i < std::size(tables); i++)
        for (int way = 0; way < SS_WAYS; way++)
            for (int kind = 0; kind < SS_KINDS; kind++)
                for (int level = 0; level < SAMESUM_EXACT; level++)
                    if (kind != SS_KIND_PRODUCT || way < SS_WAY_COLUMNS)
                        kernels[tables[i](way, kind, level).kernel] =
                            name("sums of", i, way, kind, level);
    static ss_launchable (*const masked_tables[])(int, int, int) = {
        ss_masked_f64, ss_masked_f32, ss_masked_f32_wide, ss_masked_f16, ss_masked_bf16};
    for (size_t i = 0; i < std::size(masked_tables); i++)
        for (int way = SS_WAY_MASKED; way < SS_WAY_PACKED; way++)
            for (int mode = 0; mode < SS_MODES; mode++)
                for (int level = 0; level < SAMESUM_EXACT; level++)
                    kernels[masked_tables[i](way, mode, level).kernel] =
                        name("masked sums of", i, way, mode, level);
    *of = (unsigned)kernels.size();
    for (const void *kernel : emu_count.launched)
        kernels.erase(kernel);
    for (const auto &left : kernels)
        printf("never launched: %s\n", left.second.c_str());
    return (unsigned)kernels.size();
}

/* missed: kernels that were never launched. */
static void report(unsigned kernels, unsigned missed)
{
    for (const way &w : ways)
        printf("%-12s %lu\n", w.name, w.rounds);
    printf("calls %lu, refused %lu, shares %lu, results compared %lu, states compared %lu\n",
           count.calls, count.refused, count.shares, count.results, count.states);
    printf("launches %lu, blocks %lu, asynchronous copies %lu, bytes copied alone %lu\n",
           emu_count.kernels, emu_count.blocks, emu_count.copies, emu_count.bytes_alone);
    printf("kernels by type %u, never launched %u\n", kernels, missed);
    printf("DIFFERENCES %lu, FOREIGN READS %lu\n", count.differences, emu_count.foreign_reads);
}

int main(int argc, char **argv)
{
    const std::vector<way *> asked = asked_for(argv + std::min(argc, 3));
    if (argc < 3 || asked.empty()) {
        fprintf(stderr, "usage: test SECONDS SEED [WAY...]; ways:");
        for (const way &w : ways)
            fprintf(stderr, " %s", w.name);
        fprintf(stderr, "\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    random_state = strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15u + 1;
    const time_t start = time(NULL);
    const bool named = argc > 3;
    if (!named) {
        every_kernel();
        every_share();
    }
    while (difftime(time(NULL), start) < atof(argv[1]) &&
           count.differences + emu_count.foreign_reads < 40) {
        way &w = *asked[below(asked.size())];
        w.rounds++;
        w.run(w.name);
    }
    unsigned kernels, missed = never_launched(&kernels);
    report(kernels, missed);
    return count.differences > 0 || emu_count.foreign_reads > 0 || (missed > 0 && !named);
}
