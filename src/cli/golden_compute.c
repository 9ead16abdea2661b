#include "golden_compute.h"

#include "golden_statistics.h"
#include "message.h"
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the child: `samesum OP` itself -----------------------------------------------------------
 */

struct arguments {
    char *text[2 * OPTION_COUNT + 10];
    int count, first_path;
};

static void add(struct arguments *a, const char *dashes, const char *text)
{
    size_t size = strlen(dashes) + strlen(text) + 1;
    char *whole = need_memory(size);
    snprintf(whole, size, "%s%s", dashes, text);
    a->text[a->count++] = whole;
}

static void add_option(void *to, int id, const char *value)
{
    add(to, "--", option_name(id));
    if (value)
        add(to, "", value);
}

/* The command line that an entry stands for. */
static void command_of(struct arguments *a, const struct golden_entry *e, const struct request *r)
{
    static const int ours[] = {OPTION_THREADS, OPTION_BACKEND, OPTION_CHUNK,
                               OPTION_FAIL_ON_NONFINITE};
    add(a, "", "samesum");
    add(a, "", e->field[GOLDEN_OP]);
    add_option(a, OPTION_OUTPUT, "json");
    if (strcmp(e->field[GOLDEN_LEVEL], "-") != 0)
        add_option(a, OPTION_ACCURACY, e->field[GOLDEN_LEVEL]);
    golden_each_option(e->field[GOLDEN_OPTIONS], add_option, a);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (r->given & OPTION_BIT(ours[i]))
            add_option(a, ours[i], r->text[ours[i]]);
    add(a, "--", "");
    a->first_path = a->count;
    char *path[2];
    int count = golden_paths(e->field[GOLDEN_PATHS], path);
    for (int i = 0; i < count; i++)
        a->text[a->count++] = path[i];
}

/* The data are read twice, and again by every check. */
static void need_files(const struct arguments *a)
{
    for (int i = a->first_path; i < a->count; i++) {
        struct stat s;
        if (stat(a->text[i], &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode))
            die_bad("%s: is no regular file, which a golden entry needs", a->text[i]);
    }
}

static _Noreturn void work(const struct golden_entry *e, const char *folder,
                           const struct request *r)
{
    static struct arguments arguments;
    static struct request own; /* as in main() */
    static struct golden_statistics statistics;
    if (chdir(folder) != 0)
        die_bad("%s: %s", folder, strerror(errno));
    command_of(&arguments, e, r);
    need_files(&arguments);
    optind = 0; /* getopt() starts anew */
    options_read(&own, arguments.count, arguments.text);
    int status = own.op->run(&own);
    if (status == EXIT_DONE) {
        golden_statistics(&statistics, &own);
        printf("{\"shape\": \"%s\", \"min\": \"%s\", \"max\": \"%s\"}\n", statistics.shape,
               statistics.min, statistics.max);
    }
    finish_stdout();
    exit(status);
}

/* ---- the parent -------------------------------------------------------------------------------
 */

/* All that comes out of a pipe, with a zero behind it. */
static char *drain(int fd)
{
    size_t size = 0, room = 1 << 12;
    char *text = need_memory(room);
    for (;;) {
        ssize_t got = read(fd, text + size, room - size - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        size += (size_t)got;
        if (size + 1 == room)
            text = need_more_memory(text, room *= 2);
    }
    close(fd);
    text[size] = '\0';
    return text;
}

/* Takes a value from the JSON above and from result_print(), which has no escapes in strings. A
 * pair becomes "a,b", null "-". */
static void take(struct golden_entry *e, enum golden_field field, const char *json, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(json, quoted);
    if (!at)
        die_bad("golden: no %s in the result", key);
    at += strlen(quoted);
    const char *end = *at == '[' ? "]" : ",}";
    if (*at == '"') {
        end = "\"";
        at++;
    }
    char *value = need_memory(strlen(at) + 1), *to = value;
    for (; *at && !strchr(end, *at); at++)
        if (!strchr("[\" ", *at))
            *to++ = *at;
    *to = '\0';
    golden_set(e, field, strcmp(value, "null") == 0 ? "-" : value);
    free(value);
}

struct golden_answer golden_compute(struct golden_entry *e, const char *folder,
                                    const struct request *r)
{
    int out[2], err[2];
    if (pipe(out) != 0 || pipe(err) != 0)
        die_bad("golden: cannot make a pipe: %s", strerror(errno));
    pid_t child = fork(); /* no OpenMP was used before, so that the child can use all threads */
    if (child < 0)
        die_bad("golden: cannot start a process: %s", strerror(errno));
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        for (int i = 0; i < 2; i++) {
            close(out[i]);
            close(err[i]);
        }
        work(e, folder, r);
    }
    close(out[1]);
    close(err[1]);
    struct golden_answer answer = {.said = drain(err[0])};
    char *json = drain(out[0]); /* two lines: a pipe holds them until the child has ended */
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BAD;
    if (answer.status != EXIT_DONE && !*answer.said) {
        answer.said = need_more_memory(answer.said, 80);
        if (WIFSIGNALED(status))
            snprintf(answer.said, 80, "the process that read it was ended by signal %d\n",
                     WTERMSIG(status));
        else
            snprintf(answer.said, 80, "the process that read it gave no reason\n");
    }
    if (answer.status == EXIT_DONE) {
        take(e, GOLDEN_BITS, json, "bits");
        take(e, GOLDEN_DECIMAL, json, "value");
        take(e, GOLDEN_LEVEL, json, "level");
        take(e, GOLDEN_TYPE, json, "dtype");
        take(e, GOLDEN_N, json, "n");
        take(e, GOLDEN_NONFINITE, json, "count");
        const char *statistics = strchr(json, '\n');
        statistics = statistics ? statistics : "";
        take(e, GOLDEN_SHAPE, statistics, "shape");
        take(e, GOLDEN_MIN, statistics, "min");
        take(e, GOLDEN_MAX, statistics, "max");
    }
    free(json);
    return answer;
}
