/* suite_alignment.c - data at any address, and nothing read beyond it. */
#include "suites.h"
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

Suite *suite_alignment(void)
{
    TCase *tests;
    Suite *suite = new_suite("alignment", &tests);
    tcase_add_test(tests, byte_offsets);
    tcase_add_test(tests, guard_pages);
    return suite;
}
