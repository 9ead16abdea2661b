#include "exchange/packed.h"

#include <string.h>

/* begin, end, present and the bytes of the body. */
enum { HEADER = 4 * sizeof(uint64_t) };

size_t ss_packed_bytes(const samesum_state *state, const samesum_counts *counts)
{
    return HEADER + (counts ? sizeof *counts : 0) + ss_state_body_bytes(state);
}

size_t ss_pack(unsigned char *at, const samesum_state *state, const samesum_counts *counts)
{
    unsigned char *body = at + HEADER;
    if (counts) {
        memcpy(body, counts, sizeof *counts);
        body += sizeof *counts;
    }
    unsigned char *end = ss_state_put_body(body, state);
    const uint64_t header[] = {state->begin, state->end, state->present, (uint64_t)(end - body)};
    memcpy(at, header, sizeof header);
    return (size_t)(end - at);
}

const unsigned char *ss_unpack(const unsigned char *at, const unsigned char *end,
                               samesum_state *state, samesum_counts *counts)
{
    uint64_t header[4];
    const size_t before = sizeof header + (counts ? sizeof *counts : 0);
    if ((size_t)(end - at) < before)
        return NULL;
    memcpy(header, at, sizeof header);
    if (counts)
        memcpy(counts, at + sizeof header, sizeof *counts);
    at += before;
    if (header[3] > (size_t)(end - at) || header[0] > header[1] ||
        samesum_state_reset(state, header[0]) != SAMESUM_OK)
        return NULL;
    state->present = header[2];
    return ss_state_get_body(at, header[3], header[1], state) ? at + header[3] : NULL;
}

void ss_counts_join(samesum_counts *counts, const samesum_counts *more)
{
    counts->present += more->present;
    counts->masked += more->masked;
    for (int k = 0; k < 2; k++) {
        counts->nonfinite[k] += more->nonfinite[k];
        if (more->first[k] < counts->first[k])
            counts->first[k] = more->first[k];
    }
}

static int is_for(const ss_scratch *scratch, const ss_field *f, ss_pass_kind pass)
{
    return scratch->pass == pass && scratch->type == f->type &&
           scratch->weighted == f->job.weighted &&
           memcmp(&scratch->want, &f->want, sizeof f->want) == 0;
}

samesum_state *ss_scratch_state(ss_scratch *scratch, int which, const ss_field *field,
                                const ss_serial *serial)
{
    if (!is_for(scratch, field, serial->passes.next)) {
        ss_scratch_free(scratch);
        scratch->want = field->want;
        scratch->type = field->type;
        scratch->weighted = field->job.weighted;
        scratch->pass = serial->passes.next;
    }
    if (!scratch->state[which] &&
        ss_field_state(field, &serial->passes, 0, &scratch->state[which]) != SAMESUM_OK)
        scratch->state[which] = NULL;
    return scratch->state[which];
}

void ss_scratch_free(ss_scratch *scratch)
{
    for (int i = 0; i < 2; i++) {
        samesum_state_destroy(scratch->state[i]);
        scratch->state[i] = NULL;
    }
}
