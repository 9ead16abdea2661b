/* golden.c - `samesum golden`: records results, and checks them later. */
#include "cuda.h"
#include "golden_check.h"
#include "golden_compute.h"
#include "library.h"
#include "message.h"
#include "ops.h"
#include "options.h"
#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what belongs to which --------------------------------------------------------------------
 */

/* Ends the program where an option was given that is not one of these. */
static void allow(const struct request *r, uint64_t options, const char *what, const char *instead)
{
    uint64_t others = r->given & ~options;
    for (int id = 0; id < OPTION_COUNT; id++)
        if (others & OPTION_BIT(id))
            die_usage("%s%s is not an option of golden %s; %s", option_dashes(id), option_name(id),
                      what, instead);
}

static const uint64_t both = OPTION_BIT(OPTION_THREADS) | OPTION_BIT(OPTION_BACKEND) |
                             OPTION_BIT(OPTION_CHUNK) | OPTION_BIT(OPTION_FAIL_ON_NONFINITE);

/* Notes about non-finite values and the like, once where an entry after the other has the same. */
static void pass_on(const char *notes)
{
    static char *before;
    if (before && strcmp(notes, before) == 0)
        return;
    progress_end();
    fputs(notes, stderr);
    free(before);
    before = strcpy(need_memory(strlen(notes) + 1), notes);
}

/* The last line of what the child said, without the program's name and the line's end: why there is
 * no result. What stands before it are notes. */
static char *reason_of(const struct golden_answer *answer)
{
    static const char name[] = "samesum: ";
    char *said = answer->said, *last = said;
    for (char *end; (end = strchr(last, '\n')) && end[1];)
        last = end + 1;
    last[strcspn(last, "\n")] = '\0';
    char *reason = last + (strncmp(last, name, strlen(name)) == 0 ? strlen(name) : 0);
    reason = strcpy(need_memory(strlen(reason) + 1), reason);
    *last = '\0';
    pass_on(said);
    free(said);
    return reason;
}

/* ---- record -----------------------------------------------------------------------------------
 */

/* The options that go with an operation, as the field GOLDEN_OPTIONS; to be freed. */
static char *options_of(const struct golden_file *g, const struct request *r,
                        const struct operation *op)
{
    char *list = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&list, &size);
    if (!to)
        die_bad("out of memory");
    const char *separator = "";
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!(r->given & op->options & golden_options() & OPTION_BIT(id)))
            continue;
        fprintf(to, "%s%s", separator, option_name(id));
        if (option_takes_value(id)) {
            bool file = id == OPTION_MASK || id == OPTION_WEIGHTS;
            char *way = file ? golden_relative(g, r->text[id]) : NULL;
            char *value = golden_encode(file ? way : r->text[id], ",=");
            fprintf(to, "=%s", value);
            free(value);
            free(way);
        }
        separator = ",";
    }
    if (!*separator)
        fputc('-', to);
    fclose(to);
    return list;
}

/* Computes one entry and adds it; whatever is wrong ends the program. */
static void record_entry(struct golden_file *g, const struct request *r, const struct operation *op,
                         const char *const *path, int count)
{
    struct golden_entry e = {{NULL}};
    golden_set(&e, GOLDEN_OP, op->name);
    golden_set(&e, GOLDEN_LEVEL, level_name(r->level));
    e.field[GOLDEN_OPTIONS] = options_of(g, r, op);
    char *paths = NULL;
    for (int i = 0; i < count; i++) {
        char *one = golden_encode(path[i], "");
        size_t size = (paths ? strlen(paths) : 0) + strlen(one) + 2;
        char *joined = need_memory(size);
        snprintf(joined, size, "%s%s%s", paths ? paths : "", paths ? " " : "", one);
        free(paths);
        free(one);
        paths = joined;
    }
    e.field[GOLDEN_PATHS] = paths;
    struct golden_answer answer = golden_compute(&e, g->folder, r);
    if (answer.status != EXIT_DONE) {
        progress_end();
        const char *reason = reason_of(&answer);
        if (answer.status == EXIT_USAGE)
            die_usage("%s; nothing was recorded", reason);
        die_bad("%s; nothing was recorded", reason);
    }
    pass_on(answer.said);
    free(answer.said);
    golden_add(g, &e);
}

static int record(const struct request *r, char *const *files, int count)
{
    static const struct operation *sum[1];
    if (r->given & OPTION_BIT(OPTION_AXIS))
        die_usage("an entry of a golden file is one number: write those of --axis to a file with "
                  "-o, and record that");
    if (r->given & OPTION_BIT(OPTION_OUTPUT))
        die_usage("golden record prints no result; --output is for golden check");
    allow(r,
          both | golden_options() | OPTION_BIT(OPTION_ACCURACY) | OPTION_BIT(OPTION_OP) |
              OPTION_BIT(OPTION_OUT_FILE),
          "record", "golden check takes it");
    if (!r->out_file)
        die_usage("golden record: name the golden file to write, for example: samesum golden "
                  "record x.npy -o sums.golden");
    if (count == 0)
        die_usage("golden record: name the files to reduce, for example: samesum golden record "
                  "x.npy -o %s",
                  r->out_file);
    sum[0] = operation_find("sum");
    const struct operation *const *ops = r->golden_op_count ? r->golden_ops : sum;
    const int op_count = r->golden_op_count ? r->golden_op_count : 1;
    uint64_t used = 0;
    for (int k = 0; k < op_count; k++) {
        used |= ops[k]->options;
        if (ops[k]->min_files == 2 && count != 2)
            die_usage("golden record: %s takes two files; record it apart, with both of them",
                      ops[k]->name);
    }
    /* Other options go to the operations that use them; results of which some are weighted and
     * some are not would mislead. */
    for (int k = 0; r->weights && k < op_count; k++)
        if (!(ops[k]->options & OPTION_BIT(OPTION_WEIGHTS)))
            die_usage("golden record: %s takes no --weights, sum and mean do; record it apart",
                      ops[k]->name);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (r->given & golden_options() & ~used & OPTION_BIT(id))
            die_usage("golden record: none of these operations has the option --%s",
                      option_name(id));
    for (int i = 0; i < count; i++)
        if (strcmp(files[i], "-") == 0)
            die_usage("golden record: standard input cannot be read again by a check; give files");

    struct golden_file g;
    golden_new(&g, r->out_file);
    char **paths = need_memory((size_t)count * sizeof *paths);
    for (int i = 0; i < count; i++)
        paths[i] = golden_relative(&g, files[i]);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < op_count; k++) {
            progress_show((uint64_t)i * (uint64_t)op_count + (uint64_t)k,
                          (uint64_t)count * (uint64_t)op_count);
            if (ops[k]->min_files == 1)
                record_entry(&g, r, ops[k], (const char *const *)&paths[i], 1);
            else if (i == 0)
                record_entry(&g, r, ops[k], (const char *const *)paths, 2);
        }
    progress_end();
    golden_find_duplicates(&g);
    if (g.problems)
        die_bad("golden record: a file is named twice; nothing was recorded");
    golden_write(&g);
    printf("%s: %zu entr%s recorded\n", r->out_file, g.entries, g.entries == 1 ? "y" : "ies");
    for (int i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    golden_close(&g);
    return EXIT_DONE;
}

/* ---- check ------------------------------------------------------------------------------------
 */

static void check_line(struct golden_check *c, const struct golden_file *g, size_t i,
                       const struct request *r)
{
    struct golden_line *line = &g->lines[i];
    *c = (struct golden_check){.line = i + 1, .old = line->entry, .verdict = GOLDEN_UNREADABLE};
    if (!line->is_entry) {
        c->reason = line->problem;
        line->problem = NULL;
        return;
    }
    static const enum golden_field given[] = {GOLDEN_OP, GOLDEN_LEVEL, GOLDEN_OPTIONS,
                                              GOLDEN_PATHS};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        golden_set(&c->now, given[k], c->old.field[given[k]]);
    struct golden_answer answer = golden_compute(&c->now, g->folder, r);
    if (answer.status != EXIT_DONE) {
        c->reason = reason_of(&answer);
        return;
    }
    pass_on(answer.said);
    free(answer.said);
    golden_judge(c, r->tolerance);
}

static void update(struct golden_file *g, const struct golden_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct golden_check *c = &report->checks[i];
        if (c->verdict == GOLDEN_MATCHES)
            continue;
        free(g->lines[c->line - 1].text);
        g->lines[c->line - 1].text = golden_line(&c->now);
    }
    golden_write(g);
}

static int check(const struct request *r, char *const *files, int count)
{
    allow(r,
          both | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_UPDATE) |
              OPTION_BIT(OPTION_TOLERANCE),
          "check", "the golden file says how each entry was made");
    if (r->output == OUTPUT_BITS || r->output == OUTPUT_HEX)
        die_usage("golden check prints a report: --output text or json");
    if (count != 1)
        die_usage("golden check takes one golden file, not %d; for example: samesum golden check "
                  "sums.golden",
                  count);
    struct golden_file g;
    golden_read(&g, files[0]);
    struct golden_report report = {.golden = &g, .tolerance = r->tolerance, .update = r->update};
    report.checks = need_memory((g.entries + g.problems) * sizeof *report.checks);
    for (size_t i = 0; i < g.count; i++) {
        if (!g.lines[i].is_entry && !g.lines[i].problem)
            continue;
        progress_show(report.count, g.entries + g.problems);
        struct golden_check *c = &report.checks[report.count++];
        check_line(c, &g, i, r);
        report.verdicts[c->verdict]++;
    }
    progress_end();
    report.passed = report.verdicts[GOLDEN_UNREADABLE] == 0 &&
                    (r->update || report.verdicts[GOLDEN_DIFFERS] == 0);
    if (r->update && report.passed && report.verdicts[GOLDEN_MATCHES] < report.count)
        update(&g, &report);
    if (r->output == OUTPUT_JSON)
        golden_print_json(&report);
    else
        golden_print_text(&report, report.passed ? stdout : stderr);
    if (r->output == OUTPUT_JSON && !report.passed)
        golden_print_summary(&report, stderr);
    for (size_t i = 0; i < report.count; i++) {
        golden_clear(&report.checks[i].now);
        free(report.checks[i].reason);
    }
    free(report.checks);
    golden_close(&g);
    return report.passed ? EXIT_DONE : EXIT_BAD;
}

/* Asks in a process of its own: one that has used CUDA cannot hand it on to its children, which do
 * the work here. */
static void need_cuda(void)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        cuda_need();
        leave(EXIT_DONE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        die_bad("cannot start a process: %s", strerror(errno));
    if (status != 0) /* it said why */
        leave(EXIT_BAD);
}

int run_golden(const struct request *r)
{
    samesum_want want = {.op = SAMESUM_SUM, .threads = r->threads, .backend = r->backend};
    if (r->backend == SAMESUM_BACKEND_CUDA)
        need_cuda();
    else
        library_need_backend(&want);
    const char *what = r->file_count ? r->files[0] : "";
    if (strcmp(what, "record") == 0)
        return record(r, r->files + 1, r->file_count - 1);
    if (strcmp(what, "check") == 0)
        return check(r, r->files + 1, r->file_count - 1);
    die_usage("golden takes record FILE... -o G, or check G");
}
