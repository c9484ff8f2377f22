/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kept.h"

#include "abi/run.h"
#include "runtime/clock.h"
#include "runtime/follow.h"
#include "runtime/peer.h"
#include "runtime/process.h"
#include "runtime/sys.h"
#include "runtime/world.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* So much of the input had come, read or not, when so much had gone out. */
enum { MARKS = 64 };
typedef struct mark {
    uint64_t come;
    rcp_peer_mark gone;
} mark;

static struct {
    bool keeps, feeds;
    uint64_t device, inode; /* of the standard input that is kept */
    rcp_sys_lock lock;      /* of what follows: any thread may print */
    uint64_t read, pieces;
    /* of a recording: what had come when something went out last */
    mark marks[MARKS];
    unsigned n_marks;
    mark over; /* `come`: 1 where its writer was gone then */
} kept;

/* What has come before something is printed is no answer to it. Where too many marks would be needed the later ones are
 * left out: then the input is taken to have come when it was read. */
static void look_what_came(void) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    struct timespec now = {0, 0};
    int waiting = 0;
    if (kept.over.come || RCP_SYS3(SYS_ioctl, 0, FIONREAD, &waiting) < 0)
        return;
    mark m = {kept.read + (uint64_t)waiting, rcp_peer_now()};
    unsigned used = 0;
    while (used < kept.n_marks && kept.marks[used].come <= kept.read)
        used++;
    kept.n_marks -= used;
    memmove(kept.marks, kept.marks + used, kept.n_marks * sizeof *kept.marks);
    if (kept.n_marks < MARKS && waiting > 0 && (!kept.n_marks || kept.marks[kept.n_marks - 1].come < m.come))
        kept.marks[kept.n_marks++] = m;
    if (RCP_SYS4(SYS_ppoll, &input, 1, &now, 0) > 0 && input.revents & POLLHUP)
        kept.over = (mark){1, m.gone};
}

/* When the input up to `end` had come, as far as is known. */
static mark mark_of(uint64_t end, bool is_over) {
    for (unsigned i = 0; i < kept.n_marks && !is_over; i++)
        if (kept.marks[i].come >= end)
            return kept.marks[i];
    return kept.over.come ? kept.over : (mark){end, rcp_peer_now()};
}

void rcp_kept_look(void) {
    if (!kept.keeps)
        return;
    rcp_sys_acquire(&kept.lock);
    look_what_came();
    rcp_sys_release(&kept.lock);
}

/* --- recording --- */

static bool is_kept(int fd) {
    struct stat is;
    return !fd && (kept.keeps || kept.feeds) && !RCP_SYS2(SYS_fstat, 0, &is) && is.st_dev == kept.device &&
           is.st_ino == kept.inode;
}

/* Descriptors that the program was given: does any write to the pipe that it reads? What it opens later is a pipe of
 * others in any case (inputs.c). */
static bool writes_itself(const struct stat *input) {
    for (int fd = 0; fd < 1024; fd++) {
        struct stat is;
        long flags = RCP_SYS3(SYS_fcntl, fd, F_GETFL, 0);
        if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && !RCP_SYS2(SYS_fstat, fd, &is) &&
            is.st_dev == input->st_dev && is.st_ino == input->st_ino)
            return true;
    }
    return false;
}

void rcp_kept_start(void) {
    struct stat is;
    if (!rcp_process_is_executed())
        return;
    kept.keeps = RCP_SYS2(SYS_fstat, 0, &is) >= 0 && !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode) &&
                 !(S_ISCHR(is.st_mode) && major(is.st_rdev) == 1); /* /dev/null */
    rcp_peer_start(kept.keeps);
    if (!kept.keeps)
        return;
    kept.device = is.st_dev;
    kept.inode = is.st_ino;
    if (S_ISSOCK(is.st_mode) || (S_ISFIFO(is.st_mode) && writes_itself(&is)))
        rcp_log_world(RCP_WORLD_INPUT);
}

static void keep(rcp_thread *self, const void *bytes, size_t n, size_t asked) {
    rcp_sys_acquire(&kept.lock);
    kept.read += n;
    mark came = mark_of(kept.read, !n);
    rcp_sys_release(&kept.lock);
    rcp_process_append("stdin", bytes, n);
    const struct rcp_run_piece piece = {
        .kind = n ? RCP_RUN_BYTES : RCP_RUN_OVER, .place = kept.pieces++, .asked = asked, .result = (int64_t)n};
    rcp_peer_keep(self, piece, &came.gone, NULL, NULL);
}

/* --- replay --- */

void rcp_kept_feed(void) {
    struct stat is;
    kept.keeps = false;
    if (!rcp_peer_feeds() || !rcp_peer_next(0, NULL) || RCP_SYS2(SYS_fstat, 0, &is) < 0)
        return;
    kept.device = is.st_dev;
    kept.inode = is.st_ino;
    kept.feeds = true;
}

void rcp_kept_end(void) { kept.keeps = kept.feeds = false; }

/* The piece that holds the next byte, and where it ends; where there is none, the one that says that the input is over.
 */
static rcp_peer_piece *next_piece(uint64_t *end) {
    rcp_peer_piece *piece = NULL, *last = NULL;
    for (*end = 0; (piece = rcp_peer_next(0, piece)); last = piece) {
        *end += (uint64_t)piece->result;
        if (*end > kept.read)
            return piece;
    }
    return last && last->kind == RCP_RUN_OVER ? last : NULL;
}

static void give(rcp_peer_piece *piece) {
    if (!piece)
        rcp_world_meets(RCP_WORLD_INPUT, "the program reads more input than was recorded");
    else if (!rcp_peer_could_come(piece))
        rcp_world_meets(RCP_WORLD_INPUT, "the program reads input that came only after something else had gone out");
    else
        rcp_peer_give(piece);
}

size_t rcp_kept_await(rcp_thread *self, int fd, size_t size) {
    uint64_t end;
    if (!kept.feeds || !is_kept(fd))
        return size;
    if (rcp_follow_is_on()) {
        rcp_peer_piece *piece;
        do
            rcp_wait_on(self, (uint64_t)&kept, (uint64_t)rcp_clock_now(CLOCK_MONOTONIC));
        while ((piece = next_piece(&end)) && !rcp_peer_could_come(piece) && rcp_follow_stays(self));
        give(piece);
    }
    uint64_t left = next_piece(&end) && end > kept.read ? end - kept.read : 0;
    return left && left < size ? left : size;
}

/* A call of stdio's may have read several at once. */
static void recall(size_t n) {
    uint64_t end = 0;
    rcp_peer_piece *piece = next_piece(&end);
    kept.read += n;
    while (rcp_follow_is_on()) {
        give(piece);
        if (end >= kept.read)
            return;
        piece = next_piece(&end);
    }
}

void rcp_kept_read(rcp_thread *self, int fd, const void *bytes, size_t n, size_t asked) {
    if (!is_kept(fd))
        return;
    if (kept.feeds)
        recall(n);
    else
        keep(self, bytes, n, asked);
}

void rcp_kept_escapes(int fd) {
    if (is_kept(fd))
        rcp_world_meets(RCP_WORLD_INPUT, "standard input is read in a way that is not followed");
}

void rcp_kept_loses(int fd) {
    if (is_kept(fd))
        rcp_world_meets(RCP_WORLD_UNKEPT,
                        "standard input is read by scanf or the like, and what that reads is not kept");
}

bool rcp_kept_is_there(void) {
    uint64_t end;
    rcp_peer_piece *piece = kept.feeds && rcp_follow_is_on() && is_kept(0) ? next_piece(&end) : NULL;
    return !piece || rcp_peer_could_come(piece);
}
