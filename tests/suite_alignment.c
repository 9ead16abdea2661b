/* suite_alignment.c - data at any address, and nothing read beyond it. */
#include "suites.h"
#include "../reference/ref.h"
#include "support.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A user's case: 1/(i + 1), i < 430, at byte offsets; here at each one of a cache line. */
START_TEST(byte_offsets)
{
    enum { N = 430 };
    static _Alignas(64) unsigned char at[N * sizeof(double) + 128], other[N * sizeof(double) + 128];
    double x[N], y[N];
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        what.n = N;
        what.data = "1/(i+1)";
        for (size_t i = 0; i < N; i++) {
            set_element(what.type, x, i, 1.0 / (double)(i + 1));
            set_element(what.type, y, i, 1.0 / (double)(N - i));
        }
        size_t bytes = N * samesum_element_size(what.type);
        uint64_t expected = reference(&what, x, y);
        for (size_t offset = 0; offset < 64; offset++) {
            memcpy(at + offset, x, bytes);
            memcpy(other + (offset * 5 + 3) % 64, y, bytes);
            for (int b = 0; b < backend_count(); b++) {
                what.backend = backend_at(b);
                const void *to = other + (offset * 5 + 3) % 64;
                same(&what, library(&what, at + offset, to, NULL), expected);
                if (has_states(&what)) {
                    same(&what, streamed(&what, at + offset, to, 100), expected);
                }
            }
        }
    }
    all_were_same();
}
END_TEST

/* `pages` pages that may be read, between two that may not. */
struct guarded {
    unsigned char *first, *end;
};

static struct guarded guard(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = (bytes + page - 1) / page * page;
    unsigned char *map = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(map != MAP_FAILED);
    ck_assert_int_eq(mprotect(map + page, size, PROT_READ | PROT_WRITE), 0);
    return (struct guarded){map + page, map + page + size};
}

static void release(struct guarded pages)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(pages.first - page, (size_t)(pages.end - pages.first) + 2 * page);
}

/* Data that ends where a page begins that cannot be read, and data that begins after one. A read
 * beyond it ends the runner. */
static void compare_guarded(size_t n, struct guarded px, struct guarded py)
{
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        size_t bytes = n * samesum_element_size(what.type);
        const void *x = data_x(RECIPE_CANCEL, what.type, n);
        const void *y = data_y(RECIPE_CANCEL, what.type, n);
        what.n = n;
        what.data = "guarded";
        uint64_t expected = reference(&what, x, y);
        unsigned char *to[2] = {px.end - bytes, px.first};
        unsigned char *other[2] = {py.end - bytes, py.first};
        for (int side = 0; side < 2; side++) {
            memcpy(to[side], x, bytes);
            memcpy(other[side], y, bytes);
            for (int b = 0; b < backend_count(); b++) {
                what.backend = backend_at(b);
                same(&what, library(&what, to[side], other[side], NULL), expected);
                if (has_states(&what)) {
                    same(&what, streamed(&what, to[side], other[side], 23), expected);
                }
            }
        }
    }
}

START_TEST(guard_pages)
{
    size_t last = by_depth(40, 140, 600), sizes[] = {4095, 4096, 4097, 8192, 9001, 140001};
    struct guarded x = guard(140001 * sizeof(double)), y = guard(140001 * sizeof(double));
    for (size_t n = 0; n <= last; n++) {
        compare_guarded(n, x, y);
    }
    for (size_t i = 0; i < by_depth(1, 5, 6); i++) {
        compare_guarded(sizes[i], x, y);
    }
    release(x);
    release(y);
    all_were_same();
}
END_TEST

/* n elements a stride of two apart, the last of which ends at a page that cannot be read. */
static void compare_every_second(size_t n, struct guarded pages)
{
    for (int k = 0; k < ALL_KINDS; k += kind_step()) {
        struct what what = kind(k);
        if (what.op == SAMESUM_DOT) {
            continue;
        }
        size_t bytes = samesum_element_size(what.type);
        ptrdiff_t stride = 2 * (ptrdiff_t)bytes;
        const unsigned char *x = data_x(RECIPE_CANCEL, what.type, n);
        unsigned char *to = pages.end - (2 * n - 1) * bytes;
        memset(pages.first, 0x5a, (size_t)(pages.end - pages.first)); /* what lies between */
        for (size_t i = 0; i < n; i++) {
            memcpy(to + 2 * i * bytes, x + i * bytes, bytes);
        }
        what.n = n;
        what.data = "every second";
        uint64_t expected = reference(&what, x, NULL);
        samesum_array array = {
            .x = to, .type = what.type, .dims = 1, .shape = &n, .strides = &stride};
        for (int b = 0; b < backend_count(); b++) {
            what.backend = backend_at(b);
            for (what.threads = 1; what.threads <= 3; what.threads++) {
                samesum_want want = {.op = what.op,
                                     .level = what.level,
                                     .threads = what.threads,
                                     .backend = what.backend,
                                     .ddof = what.ddof};
                double result;
                ck_assert_int_eq(samesum_reduce_array(&array, NULL, 0, &want, &result, NULL, NULL),
                                 status_of(&what));
                same(&what, bits_of(what.type, &result), expected);
            }
        }
    }
}

/* The parts of complex elements are such numbers, too. */
static void compare_parts(size_t n, struct guarded pages)
{
    static const samesum_op ops[] = {SAMESUM_SUM, SAMESUM_MEAN};
    for (int k = 0; k < 2 * 2 * LEVELS; k++) {
        samesum_type type = k & 1 ? SAMESUM_C128 : SAMESUM_C64;
        samesum_want want = {.op = ops[k >> 1 & 1], .level = (samesum_level)(k >> 2)};
        struct ref_request request = {.op = (enum ref_op)want.op,
                                      .type = (enum ref_type)type,
                                      .level = (enum ref_level)want.level};
        struct what what = {.op = want.op, .type = type, .level = want.level, .n = n};
        size_t bytes = n * samesum_element_size(type), part = samesum_result_size(type);
        unsigned char *x = pages.end - bytes, expected[16], got[16];
        memcpy(x, data_x(RECIPE_CANCEL, k & 1 ? SAMESUM_F64 : SAMESUM_F32, 2 * n), bytes);
        ck_assert_int_eq(ref_row(&request, x, NULL, NULL, n, expected), 0);
        what.data = "parts";
        for (int b = 0; b < backend_count(); b++) {
            samesum_data data = {.x = x, .n = n, .type = type};
            what.backend = want.backend = backend_at(b);
            ck_assert_int_eq(samesum_reduce(&data, &want, got, NULL), SAMESUM_OK);
            samesum_type real = k & 1 ? SAMESUM_F64 : SAMESUM_F32;
            same(&what, bits_of(real, got), bits_of(real, expected));
            same(&what, bits_of(real, got + part), bits_of(real, expected + part));
        }
    }
}

START_TEST(every_second_number)
{
    static const size_t sizes[] = {4097, 8192, 4095, 4096, 1, 17, 70000, 140001};
    struct guarded pages = guard(2 * 140001 * sizeof(double));
    for (size_t i = 0; i < by_depth(2, 6, 8); i++) {
        compare_every_second(sizes[i], pages);
        compare_parts(sizes[i], pages);
    }
    release(pages);
    all_were_same();
}
END_TEST

Suite *suite_alignment(void)
{
    TCase *tests;
    Suite *suite = new_suite("alignment", &tests);
    tcase_add_test(tests, byte_offsets);
    tcase_add_test(tests, guard_pages);
    tcase_add_test(tests, every_second_number);
    return suite;
}
