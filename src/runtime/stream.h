/* SPDX-License-Identifier: Apache-2.0 */
/* A file that grows, written through a mapped window: what was written survives any death of the process.
 *
 * Invariant: from `at` to `end` at least what rcp_stream_room was asked for can be written; nothing before `at` moves.
 * One writer at a time (the holder of the baton). The descriptor is kept far above those that the program uses; should
 * the program close it nevertheless, the file is opened again by its path. A sum begins where the file's offset is a
 * multiple of 8, and windows do, too: a word of it never lies in two windows.
 */
#ifndef RECIPE_RUNTIME_STREAM_H
#define RECIPE_RUNTIME_STREAM_H

#include "abi/sum.h"

#include <stddef.h>
#include <stdint.h>

#define RCP_STREAM_ROOM (UINT64_C(1) << 16) /* the most that may be asked for at once */

typedef struct rcp_stream {
    uint8_t *at, *end; /* of the window */
    uint8_t *base;
    uint64_t offset; /* of `base` in the file */
    uint64_t window; /* its size: doubles up to a bound */
    uint64_t device, inode;
    const uint8_t *summed; /* whole words before it are in `sum` (abi/sum.h); NULL: nobody wants one */
    uint64_t sum;
    int fd;
    char path[4096];
} rcp_stream;

/* Takes the descriptor over; writing begins at the offset `at`. */
void rcp_stream_open(rcp_stream *stream, int fd, const char *path, uint64_t at);
void rcp_stream_slide(rcp_stream *stream);
/* The file ends where it was written to; the window is gone. */
void rcp_stream_close(rcp_stream *stream);
/* In the child of a fork: the same stream in a file of its own, which begins with a copy of what there is. Takes the
 * descriptor of the empty file over; the parent's file is let go. */
void rcp_stream_part(rcp_stream *stream, int fd, const char *path);

static inline void rcp_stream_room(rcp_stream *stream, uint64_t n) {
    if (__builtin_expect((uint64_t)(stream->end - stream->at) < n, 0))
        rcp_stream_slide(stream);
}
/* From where it is now on, a sum is kept; whoever asks for it calls rcp_stream_sum() first. */
static inline void rcp_stream_begin_sum(rcp_stream *stream) {
    stream->summed = stream->at;
    stream->sum = RCP_SUM_SEED;
}
static inline void rcp_stream_sum(rcp_stream *stream) {
    uint64_t n = (uint64_t)(stream->at - stream->summed) & ~UINT64_C(7);
    stream->sum = rcp_sum_words(stream->sum, stream->summed, n);
    stream->summed += n;
}
static inline uint64_t rcp_stream_size(const rcp_stream *stream) {
    return stream->offset + (uint64_t)(stream->at - stream->base);
}

#endif
