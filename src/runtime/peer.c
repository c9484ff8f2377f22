/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/peer.h"

#include "runtime/clock.h"
#include "runtime/follow.h"
#include "runtime/process.h"
#include "runtime/stream.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/thread.h"
#include "runtime/world.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Away from what programs map: start.c has the same reason. */
#define PIECES_AT  (INT64_C(7) << 42)
#define HISTORY_AT (INT64_C(13) << 41)
#define HISTORY    (UINT64_C(1) << 26) /* what goes out after so many is not compared, and nothing is given then */

const uint64_t rcp_peer_key;

static struct {
    bool keeps, feeds;
    bool listens, from_start;
    bool shares, talks;
    rcp_sys_lock lock; /* of what goes out: any thread may print */
    uint64_t out, hash;
    uint64_t silent; /* calls before that counts */
    /* of a recording */
    bool is_open;
    rcp_stream stream;
    /* of a replay */
    const uint8_t *pieces, *pieces_end;
    rcp_peer_piece *latest; /* of those that were given, the one that came last */
    uint64_t *history;      /* hashes, by how much had gone out */
} peer;

bool rcp_peer_keeps(void) { return peer.keeps; }
bool rcp_peer_feeds(void) { return peer.feeds; }
bool rcp_peer_listens(void) { return peer.listens; }

/* --- what goes out --- */

static uint64_t mix(uint64_t hash, uint64_t to, uint64_t what, uint64_t sum, uint64_t n) {
    const uint64_t words[] = {hash, to, what, sum, n};
    return rcp_sum(words, sizeof words);
}

/* The lock is held. */
static void went_out(uint64_t to, uint64_t what, uint64_t sum, uint64_t n) {
    peer.hash = mix(peer.hash, to, what, sum, n);
    peer.out++;
    if (peer.history && peer.out < HISTORY)
        peer.history[peer.out] = peer.hash;
}

void rcp_peer_listen(void) {
    rcp_sys_acquire(&peer.lock);
    if (!peer.listens && (peer.keeps || peer.feeds)) {
        peer.listens = true;
        went_out(0, 0, peer.silent, 0);
    }
    rcp_sys_release(&peer.lock);
}

void rcp_peer_out(uint64_t to, enum rcp_out what, const void *bytes, size_t n) {
    if (!peer.listens) {
        __atomic_fetch_add(&peer.silent, 1, __ATOMIC_RELAXED);
        return;
    }
    rcp_sys_acquire(&peer.lock);
    went_out(to, what, n ? rcp_sum(bytes, n) : 0, n);
    rcp_sys_release(&peer.lock);
    if (peer.feeds && rcp_self && rcp_self->inside)
        rcp_wake((uint64_t)&rcp_peer_key, RCP_WAKE_ALL);
}

/* What the program makes and reads itself is nobody else's affair: pipes without a name, eventfds. Who was handed the
 * other end of one makes processes, and those are never fed. */
static bool leads_out(int fd) {
    struct stat is;
    if (fd >= 0 && fd <= 2)
        return true;
    if (RCP_SYS2(SYS_fstat, fd, &is) < 0)
        return false;
    return S_ISREG(is.st_mode) || S_ISCHR(is.st_mode) || S_ISBLK(is.st_mode) || rcp_streams_was_given(fd);
}

void rcp_peer_writes(int fd, const void *bytes, size_t n) {
    if (!peer.listens || leads_out(fd))
        rcp_peer_out((uint64_t)fd, RCP_OUT_BYTES, bytes, n);
}

void rcp_peer_closes(int fd) {
    if (peer.listens && leads_out(fd))
        rcp_peer_out((uint64_t)fd, RCP_OUT_CLOSE, NULL, 0);
}

void rcp_peer_shares(void) {
    peer.shares = true;
    if (peer.talks)
        rcp_world_meets(RCP_WORLD_SOCKETS, "the program has memory that others see, and talks to them by sockets");
}

void rcp_peer_talks(void) {
    peer.talks = true;
    if (peer.shares)
        rcp_peer_shares();
    rcp_peer_listen();
}

rcp_peer_mark rcp_peer_now(void) {
    rcp_sys_acquire(&peer.lock);
    rcp_peer_mark now = {peer.out, peer.hash};
    rcp_sys_release(&peer.lock);
    return now;
}

/* --- a recording --- */

void rcp_peer_start(bool counts) {
    peer.keeps = true;
    peer.from_start = counts;
    if (counts)
        rcp_peer_listen();
}

void rcp_peer_part(void) { peer.keeps = peer.feeds = peer.listens = peer.is_open = false; }

void rcp_peer_close(void) {
    if (peer.is_open)
        rcp_stream_close(&peer.stream);
    peer.is_open = false;
}

static void put(const void *bytes, size_t n) {
    const uint8_t *at = bytes;
    for (size_t part; n; n -= part, at += part) {
        part = n < RCP_STREAM_ROOM ? n : RCP_STREAM_ROOM;
        rcp_stream_room(&peer.stream, part);
        memcpy(peer.stream.at, at, part);
        peer.stream.at += part;
    }
}

static void pad(void) {
    rcp_stream_room(&peer.stream, 8);
    while (rcp_stream_size(&peer.stream) % 8)
        *peer.stream.at++ = 0;
}

static bool open_pieces(void) {
    char path[4200];
    const struct rcp_run_pieces head = {RCP_RUN_PIECES, peer.from_start};
    long fd = peer.is_open ? -1 : rcp_process_open("pieces", O_RDWR | O_CREAT | O_TRUNC);
    if (peer.is_open || fd < 0)
        return peer.is_open;
    rcp_process_path("pieces", path, sizeof path);
    rcp_stream_open(&peer.stream, (int)fd, path, 0);
    peer.is_open = true;
    put(&head, sizeof head);
    return true;
}

void rcp_peer_keep(rcp_thread *self, struct rcp_run_piece piece, const rcp_peer_mark *mark, const void *address,
                   const struct iovec *vector) {
    if (!peer.keeps || !open_pieces())
        return;
    rcp_peer_mark now = mark ? *mark : rcp_peer_now();
    piece.role = self->number;
    piece.position = self->hot->position;
    piece.out = now.out;
    piece.hash = now.hash;
    piece.when = rcp_clock_now(CLOCK_MONOTONIC);
    piece.address = address ? piece.address : 0;
    /* Its kind last: whoever is killed now leaves no piece that is not whole. (One that is too long for that belongs to
     * a call that has not come back then.) */
    uint32_t kind = piece.kind;
    uint64_t room = sizeof piece + piece.address + piece.size + 16;
    bool is_at_once = room <= RCP_STREAM_ROOM;
    if (is_at_once) {
        rcp_stream_room(&peer.stream, room);
        piece.kind = 0;
    }
    struct rcp_run_piece *at = (struct rcp_run_piece *)peer.stream.at;
    put(&piece, sizeof piece);
    put(address, piece.address);
    pad();
    for (uint64_t left = piece.size, part; left; left -= part, vector++) {
        part = vector->iov_len < left ? vector->iov_len : left;
        put(vector->iov_base, part);
    }
    pad();
    if (is_at_once)
        __atomic_store_n(&at->kind, kind, __ATOMIC_RELEASE);
}

/* --- a replay --- */

void rcp_peer_feed(int fd) {
    struct stat is;
    peer.keeps = false;
    peer.listens = false;
    peer.out = peer.hash = 0;
    if (fd < 0 || RCP_SYS2(SYS_fstat, fd, &is) < 0 || is.st_size < (long)sizeof(struct rcp_run_pieces))
        return;
    long at = rcp_sys(SYS_mmap, PIECES_AT, is.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    long history = rcp_sys(SYS_mmap, HISTORY_AT, HISTORY * sizeof *peer.history, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const struct rcp_run_pieces *head = (const struct rcp_run_pieces *)at;
    if ((at < 0 && at > -4096) || (history < 0 && history > -4096) || head->magic != RCP_RUN_PIECES)
        return;
    peer.pieces = (const uint8_t *)(head + 1);
    peer.pieces_end = (const uint8_t *)at + is.st_size;
    peer.history = (uint64_t *)history;
    peer.feeds = true;
    if (head->from_start)
        rcp_peer_listen();
}

rcp_peer_piece *rcp_peer_any(rcp_peer_piece *last) {
    const uint8_t *at = last ? rcp_peer_bytes(last) + (last->size + 7) / 8 * 8 : peer.pieces;
    if (!peer.pieces || at + sizeof(rcp_peer_piece) > peer.pieces_end)
        return NULL;
    rcp_peer_piece *piece = (rcp_peer_piece *)at;
    uint64_t left = (uint64_t)(peer.pieces_end - at) - sizeof *piece;
    return piece->kind && piece->address <= left && piece->size <= left - piece->address ? piece : NULL;
}

rcp_peer_piece *rcp_peer_next(uint32_t stream, rcp_peer_piece *last) {
    do
        last = rcp_peer_any(last);
    while (last && (last->stream != stream || last->kind == RCP_RUN_NOTHING || last->kind == RCP_RUN_NAME ||
                    last->kind == RCP_RUN_UNSHUT));
    return last;
}

bool rcp_peer_could_come(rcp_peer_piece *piece) {
    rcp_sys_acquire(&peer.lock);
    bool could = piece->out <= peer.out && piece->out < HISTORY && peer.history[piece->out] == piece->hash;
    rcp_sys_release(&peer.lock);
    return could;
}

bool rcp_peer_is_ahead(rcp_peer_piece *piece) { return !peer.latest || piece > peer.latest; }

void rcp_peer_give(rcp_peer_piece *piece) {
    if (piece->kind != RCP_RUN_NOTHING && piece->kind != RCP_RUN_POLLED && piece->kind != RCP_RUN_NAME &&
        rcp_peer_is_ahead(piece))
        peer.latest = piece;
    rcp_clock_reach((uint64_t)piece->when);
    if (piece->is_noticed)
        rcp_peer_out(RCP_PEER_STREAM(piece->stream), RCP_OUT_READ, &piece->result, sizeof piece->result);
}

static bool shows_nothing(rcp_peer_piece *piece, uint32_t stream, uint64_t place, uint16_t wanted) {
    if (piece->kind == RCP_RUN_NOTHING)
        return piece->stream == stream && piece->place == place && wanted == POLLIN;
    if (piece->kind != RCP_RUN_POLLED)
        return false;
    const struct rcp_run_polled *polled = (const struct rcp_run_polled *)rcp_peer_bytes(piece);
    for (uint64_t i = 0; i < piece->size / sizeof *polled; i++)
        if (polled[i].stream == stream && polled[i].place == place && polled[i].wanted & wanted &&
            !(polled[i].got & ~POLLOUT & (wanted | POLLHUP | POLLERR)))
            return true;
    return false;
}

bool rcp_peer_may_lack(uint32_t stream, uint64_t place, uint16_t wanted) {
    for (rcp_peer_piece *piece = rcp_peer_any(peer.latest); piece; piece = rcp_peer_any(piece))
        if (shows_nothing(piece, stream, place, wanted))
            return true;
    return false;
}

bool rcp_peer_await(rcp_thread *self) {
    self->interrupted = false;
    bool led = rcp_follow_is_on();
    uint64_t deadline = led ? (uint64_t)rcp_clock_now(CLOCK_MONOTONIC) : RCP_NO_DEADLINE;
    if (rcp_wait_on(self, (uint64_t)&rcp_peer_key, deadline) != RCP_WOKEN_BY_SIGNAL || !self->interrupted)
        return true;
    rcp_log_sign(RCP_SIGN_SIGNALLED, self);
    return false;
}

void rcp_peer_lacks(const char *what) {
    rcp_world_meets(RCP_WORLD_SOCKETS, what);
    rcp_follow_starve();
}
