/* golden_report.c - what `samesum golden check` prints. */
#include "golden_check.h"
#include "json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- text -------------------------------------------------------------------------------------
 */

static void print_distance(FILE *out, const struct golden_check *c, enum golden_field f)
{
    switch (c->distance[f]) {
    case GOLDEN_ULPS:
        fprintf(out, "%" PRIu64 " ulp%s", c->ulps[f], plural(c->ulps[f]));
        break;
    case GOLDEN_SIGN:
        fputs("0 ulps, but the bits differ: the sign of zero", out);
        break;
    default:
        fputs("no distance in ulps", out);
    }
}

/* "x.f64: sum, compensated, ddof=1" */
static void print_entry(FILE *out, const struct golden_entry *e)
{
    char *const *f = e->field;
    fprintf(out, "%s: %s", f[GOLDEN_PATHS], f[GOLDEN_OP]);
    if (strcmp(f[GOLDEN_LEVEL], "-") != 0)
        fprintf(out, ", %s", f[GOLDEN_LEVEL]);
    if (strcmp(f[GOLDEN_OPTIONS], "-") != 0)
        fprintf(out, ", %s", f[GOLDEN_OPTIONS]);
}

static void print_moved(FILE *out, const struct golden_check *c)
{
    char *const *old = c->old.field, *const *now = c->now.field;
    if (c->moved[GOLDEN_BITS]) {
        fprintf(out, "  value      %s -> %s", old[GOLDEN_DECIMAL], now[GOLDEN_DECIMAL]);
        if (strcmp(old[GOLDEN_BITS], "-") != 0) {
            fprintf(out, "\n  bits       %s -> %s, ", old[GOLDEN_BITS], now[GOLDEN_BITS]);
            print_distance(out, c, GOLDEN_BITS);
        }
        fputc('\n', out);
    }
    for (int f = GOLDEN_LEVEL; f < GOLDEN_OPTIONS; f++) {
        if (!c->moved[f])
            continue;
        fprintf(out, "  %-10s %s -> %s", golden_field_name((enum golden_field)f), old[f], now[f]);
        if (c->distance[f] == GOLDEN_ULPS || c->distance[f] == GOLDEN_SIGN) {
            fputs(", ", out);
            print_distance(out, c, (enum golden_field)f);
        }
        fputc('\n', out);
    }
}

static void print_check(FILE *out, const struct golden_report *r, const struct golden_check *c)
{
    bool recorded = r->update && r->passed;
    if (c->verdict == GOLDEN_UNREADABLE) {
        fprintf(out, "%s: line %zu: ", r->golden->name, c->line);
        if (c->old.field[GOLDEN_PATHS]) {
            print_entry(out, &c->old);
            fputs(": ", out);
        }
        fprintf(out, "%s\n", c->reason);
        return;
    }
    fprintf(out, "%s: line %zu: ", r->golden->name, c->line);
    print_entry(out, &c->old);
    fputs(recorded                         ? ": recorded anew: "
          : c->verdict == GOLDEN_TOLERATED ? ": within the tolerance: "
                                           : ": DIFFERS: ",
          out);
    if (c->moved[GOLDEN_BITS] && strcmp(c->old.field[GOLDEN_BITS], "-") == 0)
        fputs("another index", out);
    else if (c->moved[GOLDEN_BITS])
        print_distance(out, c, GOLDEN_BITS);
    else
        fputs("the same bits, from other data", out);
    fputc('\n', out);
    print_moved(out, c);
}

void golden_print_summary(const struct golden_report *r, FILE *out)
{
    const size_t *v = r->verdicts;
    fprintf(out, "%s: %zu entr%s: %zu match", r->golden->name, r->count,
            r->count == 1 ? "y" : "ies", v[GOLDEN_MATCHES]);
    if (v[GOLDEN_TOLERATED])
        fprintf(out, ", %zu within %" PRIu64 " ulp%s", v[GOLDEN_TOLERATED], r->tolerance,
                plural(r->tolerance));
    if (v[GOLDEN_DIFFERS])
        fprintf(out, ", %zu differ", v[GOLDEN_DIFFERS]);
    if (v[GOLDEN_UNREADABLE])
        fprintf(out, ", %zu cannot be read", v[GOLDEN_UNREADABLE]);
    if (r->update)
        fputs(!r->passed                      ? "; nothing was recorded"
              : v[GOLDEN_MATCHES] == r->count ? "; nothing to record"
                                              : "; the file is up to date now",
              out);
    fputc('\n', out);
}

void golden_print_text(const struct golden_report *r, FILE *out)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->checks[i].verdict != GOLDEN_MATCHES)
            print_check(out, r, &r->checks[i]);
    golden_print_summary(r, out);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void print_field(const struct golden_entry *e, enum golden_field f)
{
    printf("\"%s\": ", golden_field_name(f));
    if (f == GOLDEN_N || f == GOLDEN_NONFINITE)
        fputs(e->field[f], stdout);
    else
        json_string(e->field[f]);
}

static void print_numbers(const struct golden_entry *e)
{
    putchar('{');
    for (int f = 0; f < GOLDEN_OPTIONS; f++) {
        if (f == GOLDEN_OP)
            continue;
        fputs(f ? ", " : "", stdout);
        print_field(e, (enum golden_field)f);
    }
    putchar('}');
}

static void print_path(const char *encoded)
{
    char *path[2];
    int count = golden_paths(encoded, path);
    putchar('[');
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", stdout);
        json_string(path[i]);
        free(path[i]);
    }
    putchar(']');
}

static void print_check_json(const struct golden_check *c)
{
    static const char *const verdicts[] = {"matches", "tolerated", "differs", "unreadable"};
    printf("{\"line\": %zu, \"verdict\": \"%s\"", c->line, verdicts[c->verdict]);
    if (c->old.field[GOLDEN_PATHS]) {
        fputs(", ", stdout);
        print_field(&c->old, GOLDEN_OP);
        fputs(", ", stdout);
        print_field(&c->old, GOLDEN_OPTIONS);
        fputs(", \"paths\": ", stdout);
        print_path(c->old.field[GOLDEN_PATHS]);
        fputs(", \"old\": ", stdout);
        print_numbers(&c->old);
    }
    if (c->verdict == GOLDEN_UNREADABLE) {
        fputs(", \"reason\": ", stdout);
        json_string(c->reason);
        putchar('}');
        return;
    }
    fputs(", \"new\": ", stdout);
    print_numbers(&c->now);
    fputs(", \"ulps\": ", stdout);
    if (c->distance[GOLDEN_BITS] == GOLDEN_FAR)
        fputs("null", stdout);
    else
        printf("%" PRIu64, c->ulps[GOLDEN_BITS]);
    fputs(", \"moved\": [", stdout);
    const char *separator = "";
    for (int f = 0; f < GOLDEN_FIELDS; f++)
        if (c->moved[f]) {
            printf("%s\"%s\"", separator, golden_field_name((enum golden_field)f));
            separator = ", ";
        }
    fputs("]}", stdout);
}

void golden_print_json(const struct golden_report *r)
{
    const size_t *v = r->verdicts;
    fputs("{\"golden\": ", stdout);
    json_string(r->golden->name);
    printf(", \"passed\": %s, \"entries\": %zu, \"matches\": %zu, \"tolerated\": %zu, "
           "\"differs\": %zu, \"unreadable\": %zu, \"tolerance\": %" PRIu64
           ", \"updated\": %s, \"arithmetic\": %d, \"checks\": [",
           r->passed ? "true" : "false", r->count, v[GOLDEN_MATCHES], v[GOLDEN_TOLERATED],
           v[GOLDEN_DIFFERS], v[GOLDEN_UNREADABLE], r->tolerance,
           r->update && r->passed && v[GOLDEN_MATCHES] < r->count ? "true" : "false",
           samesum_arithmetic_version());
    for (size_t i = 0; i < r->count; i++) {
        fputs(i ? ",\n " : "\n ", stdout);
        print_check_json(&r->checks[i]);
    }
    puts("]}");
}
