/* bench.c - the benchmark: samesum and its peers as ratios to a pure read, in one process.
 * bench/README.md says how to read what it prints. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "sampling.h"

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

static const char *const place_names[BENCH_PLACES] = {
    "small", "short", "l1", "l2", "l3", "gib", "exact", "shapes", "types", "extremes"};

typedef struct options {
    bool places[BENCH_PLACES];
    bool quick;
    int pairs, threads;
    size_t big;
} options;

static void usage(FILE *to)
{
    fputs("usage: bench [--quick] [--only SECTION]... [--pairs N] [--threads N] [--big-mib N]\n"
          "  sections: small short l1 l2 l3 gib exact shapes types extremes\n"
          "  --quick      small short l1 l2 with 5 pairs: a look, no figures to quote; of exact no "
          "gib,\n"
          "               of shapes, types and extremes 64 MiB\n"
          "  --only       this section; may be given several times\n"
          "  --pairs N    timed pairs a row, 1 to 101 (default 15)\n"
          "  --threads N  what \"all cores\" means (default: the cores this process may use)\n"
          "  --big-mib N  size of gib and the sections after it (default 1024)\n",
          to);
}

/* The value of an option that takes a number between low and high; exits with 2 otherwise. */
static long number(const char *option, const char *text, long low, long high)
{
    char *end = NULL;
    long v = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || *end || v < low || v > high) {
        fprintf(stderr, "bench: %s needs a number from %ld to %ld\n", option, low, high);
        exit(2);
    }
    return v;
}

static int place_of(const char *name)
{
    for (int p = 0; name && p < BENCH_PLACES; p++)
        if (strcmp(name, place_names[p]) == 0)
            return p;
    fprintf(stderr, "bench: --only needs a section; --help lists them\n");
    exit(2);
}

static int cores(void)
{
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

static options parse(int argc, char **argv)
{
    options o = {.pairs = 0, .threads = cores(), .big = 1024 * MIB};
    bool chosen = false;
    for (int i = 1; i < argc; i++) {
        const char *next = argv[i + 1];
        if (strcmp(argv[i], "--quick") == 0) {
            o.quick = true;
        } else if (strcmp(argv[i], "--only") == 0) {
            o.places[place_of(next)] = chosen = true;
            i++;
        } else if (strcmp(argv[i], "--pairs") == 0) {
            o.pairs = (int)number(argv[i++], next, 1, BENCH_MAX_PAIRS);
        } else if (strcmp(argv[i], "--threads") == 0) {
            o.threads = (int)number(argv[i++], next, 1, 4096);
        } else if (strcmp(argv[i], "--big-mib") == 0) {
            o.big = (size_t)number(argv[i++], next, 1, 1 << 20) * MIB;
        } else if (strcmp(argv[i], "--help") == 0) {
            usage(stdout);
            exit(0);
        } else {
            fprintf(stderr, "bench: unknown option %s\n", argv[i]);
            usage(stderr);
            exit(2);
        }
    }
    for (int p = 0; !chosen && p < BENCH_PLACES; p++)
        o.places[p] = !o.quick || p < BENCH_L3;
    if (!o.pairs)
        o.pairs = o.quick ? 5 : 15;
    return o;
}

/* Bytes of the first core's data cache of that level; `usual` where Linux does not say. (What
 * sysconf() answers is wrong on some virtual machines.) */
static size_t cache(int level, size_t usual)
{
    for (int i = 0; i < 8; i++) {
        char path[80], type[20] = "";
        int found = 0;
        size_t kib = 0;
        static const char *const parts[] = {"level", "type", "size"};
        for (int part = 0; part < 3; part++) {
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i,
                     parts[part]);
            FILE *f = fopen(path, "r");
            if (!f)
                return usual;
            int got = part == 0   ? fscanf(f, "%d", &found)
                      : part == 1 ? fscanf(f, "%19s", type)
                                  : fscanf(f, "%zuK", &kib);
            fclose(f);
            if (got != 1)
                return usual;
        }
        if (found == level && strcmp(type, "Instruction") != 0)
            return kib * KIB;
    }
    return usual;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t bytes_of(bench_place place, const options *o)
{
    switch (place) {
    case BENCH_L1:
        return 24 * KIB;
    case BENCH_L2:
        return smaller(512 * KIB, cache(2, MIB) / 2);
    case BENCH_L3:
        return smaller(16 * MIB, cache(3, 16 * MIB) / 2);
    case BENCH_BIG:
        return o->big;
    case BENCH_EXACT:
        return o->quick ? bytes_of(BENCH_L2, o) : o->big;
    case BENCH_SHAPES:
    case BENCH_TYPES:
    case BENCH_EXTREMES:
        return o->quick ? smaller(64 * MIB, o->big) : o->big;
    default:
        return 0;
    }
}

static void print_cpu(void)
{
    char line[300];
    const char *model = "unknown";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            model = strchr(line, ':') + 2;
            break;
        }
    printf("CPU       %.*s, %d cores, L1d %zu KiB, L2 %zu KiB, L3 %zu KiB\n",
           (int)strcspn(model, "\n"), model, cores(), cache(1, 0) / KIB, cache(2, 0) / KIB,
           cache(3, 0) / KIB);
    if (f)
        fclose(f);
}

static void print_load(void)
{
    double load[1] = {0};
    if (getloadavg(load, 1) == 1)
        printf("load      %.2f before the start; other work on the machine blurs every figure\n",
               load[0]);
}

static void print_head(int argc, char **argv, const options *o)
{
    printf("command  ");
    for (int i = 0; i < argc; i++)
        printf(" %s", argv[i]);
    putchar('\n');
    print_cpu();
    print_load();
#ifdef _OPENMP
    printf("compiler  " BENCH_COMPILER ", OpenMP %d\n", _OPENMP);
#else
    printf("compiler  " BENCH_COMPILER ", no OpenMP: one thread only\n");
#endif
    printf("read      XOR of the same bytes by the same threads, %s, the fastest of %d variants\n",
           bench_read_isa(), BENCH_READ_VARIANTS);
    for (size_t g = 0; g < bench_group_count; g++)
        printf("peer      %s\n", bench_groups[g]->about());
    printf("peer      %s\n", bench_numpy_about());
    printf("ratio     time of the read / time of the call, median [min max] of %d alternated "
           "pairs%s\n\n",
           o->pairs, o->pairs < 15 ? " (too few to quote)" : "");
}

/* One op and type in one place, on one core or on all. */
static bool cell(const bench_setup *setup, bench_place place, samesum_op op, samesum_type type,
                 size_t bytes, int threads)
{
    size_t n = bytes / samesum_element_size(type) / (op == SAMESUM_DOT ? 2 : 1);
    bench_call call = {.x = setup->mem, .n = n, .threads = threads, .op = op, .type = type};
    if (op == SAMESUM_DOT)
        call.y = setup->mem + bytes / 2;
    return bench_cell(setup, place, &call);
}

static bool cells_of_type(const bench_setup *setup, bench_place place, samesum_type type,
                          const options *o)
{
    bool ok = true;
    size_t element = samesum_element_size(type);
    if (place == BENCH_SHORT) {
        static const size_t counts[] = {16, 64, 1000};
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            ok &= cell(setup, place, SAMESUM_SUM, type, counts[i] * element, 1);
        return ok;
    }
    bool products = type == SAMESUM_F64 && (place == BENCH_L2 || place == BENCH_BIG);
    for (int op = SAMESUM_SUM; op <= (products ? SAMESUM_DOT : SAMESUM_SUM); op++) {
        ok &= cell(setup, place, (samesum_op)op, type, bytes_of(place, o), 1);
        /* Smaller inputs are not worth a second thread, and samesum does not use one. */
        if (place >= BENCH_L3 && setup->threads > 1)
            ok &= cell(setup, place, (samesum_op)op, type, bytes_of(place, o), setup->threads);
    }
    if (products && place == BENCH_BIG)
        ok &= bench_apart(setup, bytes_of(place, o));
    return ok;
}

static bool cells(bench_setup *setup, bench_place place, const options *o)
{
    bool ok = true;
    if (place >= BENCH_L1)
        printf("---- %s: %zu KiB of elements\n", place_names[place], bytes_of(place, o) / KIB);
    else
        printf("---- %s: independent calls\n", place_names[place]);
    bench_print_head("ratio");
    for (int type = SAMESUM_F64; type <= SAMESUM_F32_WIDE; type++) {
        if (type != SAMESUM_F32_WIDE) /* same elements as f32 */
            bench_fill(setup->mem, setup->capacity, (samesum_type)type, setup->threads);
        ok &= cells_of_type(setup, place, (samesum_type)type, o);
    }
    return ok;
}

int main(int argc, char **argv)
{
    options o = parse(argc, argv);
    bench_setup setup = {.pairs = o.pairs, .threads = o.threads, .capacity = MIB};
    bool ok = true;
    for (int p = BENCH_L1; p < BENCH_PLACES; p++)
        if (o.places[p] && bytes_of((bench_place)p, &o) > setup.capacity)
            setup.capacity = bytes_of((bench_place)p, &o);
    setup.mem = bench_map(setup.capacity, setup.threads);
    if (!setup.mem) {
        fprintf(
            stderr,
            "bench: no memory for %zu MiB (at most half of the machine); try --big-mib with less\n",
            setup.capacity / MIB);
        return 1;
    }
    print_head(argc, argv, &o);
    if (o.places[BENCH_SMALL])
        ok &= bench_small(&setup);
    for (int p = BENCH_SHORT; p <= BENCH_BIG; p++)
        if (o.places[p])
            ok &= cells(&setup, (bench_place)p, &o);
    if (o.places[BENCH_EXACT])
        ok &= bench_exact(&setup, bytes_of(BENCH_L2, &o), o.quick ? 0 : o.big);
    if (o.places[BENCH_SHAPES])
        ok &= bench_shapes(&setup, bytes_of(BENCH_SHAPES, &o));
    if (o.places[BENCH_TYPES])
        ok &= bench_types(&setup, bytes_of(BENCH_TYPES, &o));
    if (o.places[BENCH_EXTREMES])
        ok &= bench_extremes(&setup, bytes_of(BENCH_EXTREMES, &o));
    bench_print_interruptions();
    return ok ? 0 : 1;
}
