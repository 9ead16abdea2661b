/* custom.c - count, mean and variance of a million values in one pass, with the same bits on any
 * number of threads.
 *
 * A node holds the count, the mean and M2, the sum of the squared deviations from the mean. Welford
 * adds one value to such a node, and Chan, Golub and LeVeque merge two of them:
 *
 *     d = mean_b - mean_a,  mean = mean_a + d n_b / n,  M2 = M2_a + M2_b + d^2 n_a n_b / n
 *
 * Merged in another order they round differently; samesum_reduce_custom() has but one order. */
#include <samesum.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct moments {
    double count, mean, m2;
} moments;

/* The node of one element. Values below -0.5 stand for missing ones: they are absent. */
static int leaf(void *context, uint64_t index, void *node)
{
    const double *x = context;
    *(moments *)node = (moments){1, x[index], 0};
    return x[index] >= -0.5;
}

static void merge(void *context, void *left, const void *right)
{
    (void)context;
    moments *a = left;
    const moments *b = right;
    double n = a->count + b->count, d = b->mean - a->mean, part = b->count / n;
    a->mean += d * part;
    a->m2 += b->m2 + d * d * (a->count * part);
    a->count = n;
}

/* Values of [-1, 1) by a linear congruential generator (Knuth's MMIX). */
static void make_data(double *x, size_t n)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(state >> 11) * 0x1p-52 - 1;
    }
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

int main(void)
{
    size_t n = 1000000;
    double *x = malloc(n * sizeof *x);
    if (!x)
        return 1;
    make_data(x, n);

    samesum_custom custom = {
        .node_bytes = sizeof(moments), .leaf = leaf, .combine = merge, .context = x};
    moments first = {0, 0, 0};
    int differ = 0;
    printf("threads   count  mean                variance            bits of both\n");
    for (int threads = 1; threads <= 4; threads *= 2) {
        moments m;
        samesum_status status = samesum_reduce_custom(&custom, n, threads, &m, NULL);
        if (status != SAMESUM_OK) {
            fprintf(stderr, "%s\n", samesum_strerror(status));
            free(x);
            return 1;
        }
        double variance = m.m2 / m.count;
        printf("%7d  %.0f  %.16f  %.16f  %016" PRIx64 " %016" PRIx64 "\n", threads, m.count, m.mean,
               variance, bits_of(m.mean), bits_of(variance));
        if (threads == 1)
            first = m;
        differ |= memcmp(&m, &first, sizeof m) != 0;
    }
    free(x);
    printf(differ ? "The bits differ.\n" : "The bits are the same.\n");
    return differ;
}
