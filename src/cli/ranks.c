#include "ranks.h"

#include "message.h"
#include "shared.h"
#define SAMESUM_MPI_NO_COMM
#include "samesum_mpi.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    bool looked, loaded, joined;
    int rank, ranks;
    int real_stderr;
    FILE *held; /* what was written to stderr */
    char words[256];
    struct shared shared;
    __typeof__(samesum_mpi_version) *version;
    __typeof__(samesum_mpi_library) *mpi_library;
    __typeof__(samesum_mpi_world_start) *start;
    __typeof__(samesum_mpi_world_reduce) *reduce;
    __typeof__(samesum_mpi_world_gather) *gather;
    __typeof__(samesum_mpi_world_agree) *agree;
    __typeof__(samesum_mpi_world_end) *end;
} mpi = {.ranks = 1,
         .shared = {.file_name = "libsamesum_mpi.so",
                    .variable = "SAMESUM_MPI_LIBRARY",
                    .everywhere = true}}; /* MPI libraries load parts of theirs */

/* ---- which MPI library --------------------------------------------------------------------------
 */

/* What the launchers tell the processes that they start; NULL: nothing. */
static const char *told(const char *const *names, int count)
{
    const char *value = NULL;
    for (int i = 0; i < count && !value; i++)
        value = getenv(names[i]);
    return value;
}

static int launched_ranks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    const char *text = told(names, 3);
    return text ? atoi(text) : 1;
}

static int launched_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID"};
    const char *text = told(names, 4);
    return text ? atoi(text) : 0;
}

/* That of the launcher, else the first there is: beside the program, as they are built; or where
 * they are installed. */
static void load(void)
{
    static const char *const open_first[] = {"/openmpi", "/../lib/samesum/openmpi",
                                             "/mpich",   "/../lib/samesum/mpich",
                                             "/mpi",     "/../lib/samesum/mpi"};
    static const char *const mpich_first[] = {"/mpich",   "/../lib/samesum/mpich",
                                              "/openmpi", "/../lib/samesum/openmpi",
                                              "/mpi",     "/../lib/samesum/mpi"};
    const bool mpich = !getenv("OMPI_COMM_WORLD_SIZE") && getenv("PMI_SIZE");
    struct shared *s = &mpi.shared;
    shared_load(s, mpich ? mpich_first : open_first, 6);
    if (!*s->why && shared_find(s, "samesum_mpi_version", &mpi.version) &&
        shared_find(s, "samesum_mpi_library", &mpi.mpi_library) &&
        shared_find(s, "samesum_mpi_world_start", &mpi.start) &&
        shared_find(s, "samesum_mpi_world_reduce", &mpi.reduce) &&
        shared_find(s, "samesum_mpi_world_gather", &mpi.gather) &&
        shared_find(s, "samesum_mpi_world_agree", &mpi.agree) &&
        shared_find(s, "samesum_mpi_world_end", &mpi.end))
        shared_check_version(s, mpi.version());
    mpi.loaded = !*s->why;
    if (mpi.loaded)
        mpi.mpi_library(mpi.words, sizeof mpi.words);
}

const char *ranks_missing(void)
{
    if (!mpi.looked)
        load();
    mpi.looked = true;
    return *mpi.shared.why ? mpi.shared.why : NULL;
}

const char *ranks_library(void)
{
    return mpi.words;
}

const char *ranks_file(void)
{
    return mpi.shared.path;
}

/* ---- together ---------------------------------------------------------------------------------
 */

static void to_nowhere(int descriptor)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, descriptor);
        close(nowhere);
    }
}

static void hold_stderr(void)
{
    mpi.held = tmpfile();
    mpi.real_stderr = mpi.held ? dup(STDERR_FILENO) : -1;
    if (mpi.real_stderr >= 0)
        dup2(fileno(mpi.held), STDERR_FILENO);
}

static void show_stderr(void)
{
    char text[4096];
    ssize_t n;
    int held = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(mpi.real_stderr, STDERR_FILENO);
    lseek(held, 0, SEEK_SET);
    while ((n = read(held, text, sizeof text)) > 0)
        if (write(STDERR_FILENO, text, (size_t)n) < n)
            break;
    close(held);
}

static void join(void)
{
    struct shared *s = &mpi.shared;
    if (mpi.start(&mpi.rank, &mpi.ranks) != SAMESUM_OK) {
        snprintf(s->why, sizeof s->why, "%s does not start", mpi.words);
        return;
    }
    if (mpi.ranks == 1 && launched_ranks() > 1) {
        mpi.end();
        snprintf(s->why, sizeof s->why,
                 "%d processes were started, and each is alone for %s, which %s is made for: "
                 "SAMESUM_MPI_LIBRARY names that of another MPI library",
                 launched_ranks(), mpi.words, s->path);
        return;
    }
    mpi.joined = true;
    if (mpi.rank > 0)
        to_nowhere(STDOUT_FILENO);
    hold_stderr();
}

void ranks_start(int argc, char **argv)
{
    bool asked = false;
    for (int i = 1; i < argc; i++)
        asked = asked || strcmp(argv[i], "--mpi") == 0;
    if (!asked)
        return;
    if (!ranks_missing())
        join();
    if (!mpi.joined && launched_rank() > 0) /* one message is enough */
        to_nowhere(STDERR_FILENO);
}

void ranks_need(void)
{
    const char *why = ranks_missing();
    if (why && mpi.loaded)
        die_bad("--mpi: %s", why);
    if (why)
        die_bad("--mpi: %s; make mpi builds it where Open MPI or MPICH is; without --mpi one "
                "process gives the same bits",
                why);
}

bool ranks_share(void)
{
    return mpi.ranks > 1;
}

bool ranks_write(void)
{
    return mpi.rank == 0;
}

/* Brings this rank's status; where any rank's is not 0, that of the lowest such, whose messages are
 * shown. Where all are 0 rank 0's are, at the end. */
static int agree(int status, bool last)
{
    int whose = 0;
    const int all = mpi.agree(status, &whose);
    if (mpi.real_stderr >= 0 && mpi.rank == whose && (all || last))
        show_stderr();
    return all < 0 ? EXIT_BAD : all;
}

static void leave_together(void)
{
    fflush(stdout);
    mpi.joined = false;
    mpi.end();
}

void ranks_meet(void)
{
    if (!mpi.joined)
        return;
    const int all = agree(EXIT_DONE, false);
    if (all == EXIT_DONE)
        return;
    leave_together();
    exit(all);
}

int ranks_end(int status)
{
    if (!mpi.joined)
        return status;
    const int all = agree(status, true);
    leave_together();
    return all;
}

void ranks_part(size_t extent, size_t *begin, size_t *count)
{
    const size_t each = extent / (size_t)mpi.ranks, more = extent % (size_t)mpi.ranks;
    const size_t r = (size_t)mpi.rank;
    *begin = r * each + (r < more ? r : more);
    *count = each + (r < more);
}

samesum_status ranks_reduce(const samesum_array *part, int axis, const samesum_want *want,
                            void *results, samesum_counts *counts)
{
    const samesum_mpi_field field = {.part = *part,
                                     .axes = axis < 0 ? NULL : &axis,
                                     .axis_count = axis >= 0,
                                     .want = *want,
                                     .results = results,
                                     .counts = counts};
    return mpi.reduce(&field, 1);
}

samesum_status ranks_gather(void *items, size_t bytes, size_t extent, size_t per)
{
    size_t begin, count;
    ranks_part(extent, &begin, &count);
    return mpi.gather(items, bytes, count * per);
}

samesum_status ranks_status(samesum_status status)
{
    int rank;
    const int other = mpi.agree(status < 0 ? -status : 0, &rank);
    return other > 0 ? (samesum_status)-other : other < 0 ? SAMESUM_ERR_MPI : status;
}
