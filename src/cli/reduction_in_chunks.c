/* reduction_in_chunks.c - reductions of streams, and of what is to be cut into chunks. */
#include "library.h"
#include "message.h"
#include "progress.h"
#include "reduction_ways.h"
#include "view.h"

#include <stdlib.h>

enum {
    CHUNK = 1 << 18,    /* elements of a stream read at a time, unless --chunk says otherwise */
    MAX_CHUNK = 1 << 24 /* more than that is read in several steps; no bit depends on it */
};

/* How many elements to read at a time. */
static size_t chunk_of(const struct request *r, size_t otherwise)
{
    size_t chunk = r->chunk ? r->chunk : otherwise;
    return chunk < MAX_CHUNK ? chunk : MAX_CHUNK;
}

size_t reduction_chunk(const struct request *r)
{
    return chunk_of(r, CHUNK);
}

/* Adds what the elements from begin on were to what those before were. */
static void add_counts(samesum_counts *all, const samesum_counts *chunk, uint64_t begin)
{
    all->present += chunk->present;
    all->masked += chunk->masked;
    for (int k = 0; k < 2; k++) {
        if (chunk->nonfinite[k] && all->nonfinite[k] == 0)
            all->first[k] = begin + chunk->first[k];
        all->nonfinite[k] += chunk->nonfinite[k];
    }
}

/* Takes the next elements of each file, reading those that are not in C order; returns how many
 * there are, fewer than chunk only at the end. */
static size_t next_chunk(struct operands *o, void *const buffer[ROLES], size_t chunk,
                         uint64_t begin)
{
    size_t got = 0;
    for (int k = 0; k < ROLES; k++) {
        if (!o->used[k])
            continue;
        const void *at;
        uint64_t left = (o->shape_known ? o->n : o->in[k].n) - begin; /* of a mapped file */
        size_t here = buffer[k]      ? input_next(&o->in[k], buffer[k], chunk, &at)
                      : left < chunk ? (size_t)left
                                     : chunk;
        if (k == ROLE_X)
            got = here;
        else if (here != got)
            die_bad("%s and %s differ in length: dot needs two files of one shape",
                    o->in[ROLE_X].name, o->in[k].name);
    }
    return got;
}

/* With the bits of one call (SPEC.md, section 7). */
void reduction_in_chunks(struct reduction *d)
{
    struct operands *o = &d->operands;
    const bool in_c_order = operands_in_c_order(o);
    const size_t chunk = chunk_of(o->request, in_c_order ? MAX_CHUNK : CHUNK);
    void *buffer[ROLES] = {NULL};
    for (int k = 0; k < ROLES; k++)
        if (o->used[k] && !o->in[k].mapped)
            buffer[k] = need_memory(chunk * o->in[k].size);

    /* Where elements have to be read or converted first, that takes longer than adding them, and
     * OpenMP's idle threads would take the cores from the program at the other end of a pipe. */
    if (!in_c_order && d->want.threads == 0)
        d->want.threads = 1;
    samesum_state *state;
    library_check(samesum_state_create(&state, &d->want, d->type, 0), &d->want);
    struct view line, part;
    view_line(&line, o, d->type);
    samesum_counts all = {.first = {UINT64_MAX, UINT64_MAX}}, here;
    uint64_t n = 0;
    size_t got;
    do {
        got = next_chunk(o, buffer, chunk, n);
        view_part(&part, &line, 0, n, got, (const void *const *)buffer);
        library_check(samesum_state_update_array(state, &part.array, &here), &d->want);
        add_counts(&all, &here, n);
        n += got;
        progress_show(n, o->shape_known ? o->n : 0);
    } while (got == chunk);
    progress_end();
    library_check(samesum_state_finish(state, d->results), &d->want);
    samesum_state_destroy(state);
    for (int k = 0; k < ROLES; k++)
        free(buffer[k]);
    reduction_take_counts(d, 0, &all);
}
