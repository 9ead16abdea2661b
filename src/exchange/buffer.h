/* Bytes that grow. */
#ifndef SS_BUFFER_H
#define SS_BUFFER_H

#include <stddef.h>
#include <stdlib.h>

typedef struct ss_buffer {
    unsigned char *at;
    size_t length, room;
} ss_buffer;

/* Room for `more` bytes behind what the buffer holds; NULL where there is none. */
static inline unsigned char *ss_buffer_extend(ss_buffer *b, size_t more)
{
    if (b->room - b->length < more) {
        size_t room = 2 * (b->length + more);
        unsigned char *at = realloc(b->at, room);
        if (!at)
            return NULL;
        b->at = at;
        b->room = room;
    }
    return b->at + b->length;
}

#endif
