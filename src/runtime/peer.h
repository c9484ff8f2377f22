/* SPDX-License-Identifier: Apache-2.0 */
/* All that is outside, as one peer. Whatever somebody outside has seen at one descriptor he may have carried to whoever
 * sends by another; so what goes out is one sequence, over all descriptors: bytes that are sent, printed or written to
 * files, files that are made, renamed and removed, signals, sockets that are bound, listen, connect, are shut down and
 * closed, and what is read of a stream that so much has come by that its sender may have waited.
 *
 * When a run is recorded, what comes in is kept as pieces (DIR/pieces, abi/run.h), each with how much had gone out
 * before it, and a hash of that. A replay that is fed gives a piece only where the peer could have sent it: what has
 * gone out so far begins with exactly what had gone out before it then. What goes out after that is free.
 * 'Nothing is there' is an answer, too, where it was one at this place of the stream, and as long as nothing that came
 * later then has been given. Whatever else is asked has no answer, and ends a run that is led (world.h).
 *
 * What goes out counts from the beginning where standard input is kept, else from the first socket on; before that
 * calls are only counted. It counts when the call is made: whoever reads it may answer before that returns. Standard
 * streams count when they are printed to, whatever is buffered: from it follows what goes out.
 *
 * Owns the file of pieces. Not of a child by fork; by a thread that has the baton, but for what says otherwise. */
#ifndef RECIPE_RUNTIME_PEER_H
#define RECIPE_RUNTIME_PEER_H

#include "abi/run.h"
#include "runtime/runtime.h"

#include <sys/uio.h>

/* A recording begins; what goes out counts. */
void rcp_peer_start(bool counts);
/* A run that is fed begins: DIR/pieces, below 0: there are none. */
void rcp_peer_feed(int fd);
void rcp_peer_part(void); /* in the child of a fork */
void rcp_peer_close(void);

bool rcp_peer_keeps(void); /* pieces are kept here */
bool rcp_peer_feeds(void); /* or given */

/* --- what goes out --- */

enum rcp_out {
    RCP_OUT_BYTES,
    RCP_OUT_DATAGRAM,
    RCP_OUT_BIND,
    RCP_OUT_LISTEN,
    RCP_OUT_CONNECT,
    RCP_OUT_SHUTDOWN,
    RCP_OUT_CLOSE,
    RCP_OUT_READ,
    RCP_OUT_OPEN,
    RCP_OUT_PATH,
    RCP_OUT_SIGNAL,
};
/* Does it count? By anybody, as what follows. */
bool rcp_peer_listens(void);
void rcp_peer_listen(void);
/* It counts now, because there is a socket. */
void rcp_peer_talks(void);
/* `to`: a descriptor, or RCP_PEER_STREAM(number). */
#define RCP_PEER_STREAM(number) (UINT64_C(1) << 32 | (number))
void rcp_peer_out(uint64_t to, enum rcp_out what, const void *bytes, size_t n);
/* The same of a descriptor that may lead to somebody outside: a file, a terminal, what the program was started with. */
void rcp_peer_writes(int fd, const void *bytes, size_t n);

/* And it is closed. */
void rcp_peer_closes(int fd);
/* Others see what the program writes into memory: that is not followed. */
void rcp_peer_shares(void);

/* So much has gone out. */
typedef struct rcp_peer_mark {
    uint64_t out, hash;
} rcp_peer_mark;
rcp_peer_mark rcp_peer_now(void);

/* --- what comes in: when it is recorded --- */

/* Keeps the piece; where `mark` is NULL it has come now. `vector` has `piece->size` bytes. */
void rcp_peer_keep(rcp_thread *self, struct rcp_run_piece piece, const rcp_peer_mark *mark, const void *address,
                   const struct iovec *vector);

/* --- and in a replay --- */

typedef const struct rcp_run_piece rcp_peer_piece;

/* The stream's next piece, behind `last` (NULL: the first one of all), that came in; NULL: there is none. */
rcp_peer_piece *rcp_peer_next(uint32_t stream, rcp_peer_piece *last);
/* The first behind `last`, of any stream and kind. */
rcp_peer_piece *rcp_peer_any(rcp_peer_piece *last);
static inline const uint8_t *rcp_peer_address(rcp_peer_piece *piece) { return (const uint8_t *)(piece + 1); }
static inline const uint8_t *rcp_peer_bytes(rcp_peer_piece *piece) {
    return rcp_peer_address(piece) + (piece->address + 7) / 8 * 8;
}
/* Could it have come by now? */
bool rcp_peer_could_come(rcp_peer_piece *piece);
/* It is given: it may hold the time, and whoever sent it may notice. */
void rcp_peer_give(rcp_peer_piece *piece);
/* Could nothing be there, at that place of the stream? */
bool rcp_peer_may_lack(uint32_t stream, uint64_t place, uint16_t wanted);
/* Is this later than all that was given? */
bool rcp_peer_is_ahead(rcp_peer_piece *piece);
/* The thread waits for a piece that could not have come yet. False: a signal has ended that. While a schedule is
 * followed it says when the wait is over. */
bool rcp_peer_await(rcp_thread *self);
extern const uint64_t rcp_peer_key; /* what it waits on is its address */

/* A call has no answer: `what` says which. A run that is led is lost. */
void rcp_peer_lacks(const char *what);

#endif
