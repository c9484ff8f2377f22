/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kept.h"

#include "abi/run.h"
#include "runtime/clock.h"
#include "runtime/follow.h"
#include "runtime/process.h"
#include "runtime/sys.h"
#include "runtime/world.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* So much of the input had come, read or not, when so much had been printed. */
enum { MARKS = 64 };
typedef struct mark {
    uint64_t come, printed, hash;
} mark;

static struct {
    bool keeps, feeds;
    uint64_t device, inode; /* of the standard input that is kept */
    rcp_sys_lock lock;      /* of what follows: any thread may print */
    uint64_t printed, hash;
    uint64_t read;
    /* of a recording: what had come when it was printed last */
    mark marks[MARKS];
    unsigned n_marks;
    mark over; /* `come`: 1 where its writer was gone then */
    /* of a replay */
    const struct rcp_run_piece *pieces;
    uint64_t n, allowed; /* of them, those whose writers could have written them by now */
    bool differs;        /* something else was printed: none after these ever will be */
} kept;

/* --- what was printed --- */

bool rcp_kept_listens(void) { return kept.keeps || kept.feeds; }

/* Pieces that had been written when so much had been printed. */
static void allow(void) {
    while (kept.allowed < kept.n && kept.pieces[kept.allowed].printed == kept.printed && !kept.differs)
        if (kept.pieces[kept.allowed].hash == kept.hash)
            kept.allowed++;
        else
            kept.differs = true;
}

/* What has come before something is printed is no answer to it. Where too many marks would be needed the later ones are
 * left out: then the input is taken to have come when it was read. */
static void look_what_came(void) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    struct timespec now = {0, 0};
    int waiting = 0;
    if (kept.over.come || RCP_SYS3(SYS_ioctl, 0, FIONREAD, &waiting) < 0)
        return;
    mark m = {kept.read + (uint64_t)waiting, kept.printed, kept.hash};
    unsigned used = 0;
    while (used < kept.n_marks && kept.marks[used].come <= kept.read)
        used++;
    kept.n_marks -= used;
    memmove(kept.marks, kept.marks + used, kept.n_marks * sizeof *kept.marks);
    if (kept.n_marks < MARKS && waiting > 0 && (!kept.n_marks || kept.marks[kept.n_marks - 1].come < m.come))
        kept.marks[kept.n_marks++] = m;
    if (RCP_SYS4(SYS_ppoll, &input, 1, &now, 0) > 0 && input.revents & POLLHUP)
        kept.over = (mark){1, m.printed, m.hash};
}

/* When the input up to `end` had come, as far as is known. */
static mark mark_of(uint64_t end, bool is_over) {
    for (unsigned i = 0; i < kept.n_marks && !is_over; i++)
        if (kept.marks[i].come >= end)
            return kept.marks[i];
    return kept.over.come ? kept.over : (mark){end, kept.printed, kept.hash};
}

void rcp_kept_printed(int fd, const void *bytes, size_t n) {
    if ((fd != 1 && fd != 2) || !rcp_kept_listens())
        return;
    rcp_sys_acquire(&kept.lock);
    if (kept.keeps)
        look_what_came();
    for (size_t i = 0; i < n; i++) { /* FNV-1a over pairs of a byte and where it went */
        kept.hash = (kept.hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
        kept.hash = (kept.hash ^ (uint64_t)fd) * UINT64_C(0x100000001b3);
        kept.printed++;
        allow();
    }
    rcp_sys_release(&kept.lock);
}

/* --- recording --- */

static bool is_kept(int fd) {
    struct stat is;
    return !fd && rcp_kept_listens() && !RCP_SYS2(SYS_fstat, 0, &is) && is.st_dev == kept.device &&
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
    if (!rcp_process_is_executed() || RCP_SYS2(SYS_fstat, 0, &is) < 0 || S_ISREG(is.st_mode) || S_ISDIR(is.st_mode) ||
        (S_ISCHR(is.st_mode) && major(is.st_rdev) == 1)) /* /dev/null */
        return;
    kept.keeps = true;
    kept.device = is.st_dev;
    kept.inode = is.st_ino;
    if (S_ISSOCK(is.st_mode) || (S_ISFIFO(is.st_mode) && writes_itself(&is)))
        rcp_log_world(RCP_WORLD_INPUT);
}

static void append(const char *name, const void *bytes, size_t n) {
    long fd = rcp_process_open(name, O_WRONLY | O_CREAT | O_APPEND);
    if (fd < 0)
        return;
    RCP_SYS3(SYS_write, fd, bytes, n);
    RCP_SYS1(SYS_close, fd);
}

static void keep(const void *bytes, size_t n) {
    rcp_sys_acquire(&kept.lock);
    kept.read += n;
    mark came = mark_of(kept.read, !n);
    rcp_sys_release(&kept.lock);
    const struct rcp_run_piece piece = {kept.read, came.printed, came.hash, rcp_clock_now(CLOCK_MONOTONIC)};
    append("stdin", bytes, n);
    append("pieces", &piece, sizeof piece);
}

/* --- replay --- */

/* Away from what programs map: start.c has the same reason. */
#define PIECES_AT (INT64_C(7) << 42)

void rcp_kept_feed(int fd) {
    struct stat is;
    kept.keeps = false;
    if (fd < 0 || RCP_SYS2(SYS_fstat, fd, &is) < 0 || !is.st_size)
        return;
    long at = rcp_sys(SYS_mmap, PIECES_AT, is.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at < 0 && at > -4096)
        return;
    kept.pieces = (const struct rcp_run_piece *)at;
    kept.n = (uint64_t)is.st_size / sizeof *kept.pieces;
    if (RCP_SYS2(SYS_fstat, 0, &is) < 0)
        return;
    kept.device = is.st_dev;
    kept.inode = is.st_ino;
    kept.feeds = true;
    allow();
}

void rcp_kept_end(void) { kept.keeps = kept.feeds = false; }

/* The piece that holds the next byte; where there is none, the one that says that the input is over. */
static uint64_t next_piece(void) {
    uint64_t i = 0;
    while (i < kept.n && kept.pieces[i].end <= kept.read)
        i++;
    bool over = i == kept.n && i && (i == 1 ? 0 : kept.pieces[i - 2].end) == kept.pieces[i - 1].end;
    return over ? i - 1 : i;
}

static void give(uint64_t i) {
    if (i >= kept.n)
        rcp_world_meets(RCP_WORLD_INPUT, "the program reads more input than was recorded");
    else if (i >= kept.allowed)
        rcp_world_meets(RCP_WORLD_INPUT, "the program reads input that came only after it had printed something else");
    else
        rcp_clock_reach((uint64_t)kept.pieces[i].when); /* it may hold the time */
}

size_t rcp_kept_await(rcp_thread *self, int fd, size_t size) {
    if (!kept.feeds || !is_kept(fd))
        return size;
    if (rcp_follow_is_on()) {
        rcp_wait_on(self, (uint64_t)&kept, (uint64_t)rcp_clock_now(CLOCK_MONOTONIC));
        give(next_piece());
    }
    uint64_t i = next_piece();
    uint64_t left = i < kept.n ? kept.pieces[i].end - kept.read : 0;
    return left && left < size ? left : size;
}

static void recall(size_t n) {
    uint64_t first = next_piece();
    kept.read += n;
    for (uint64_t i = first; i < kept.n && rcp_follow_is_on() && (i == first || kept.pieces[i - 1].end < kept.read);
         i++)
        give(i);
}

void rcp_kept_read(int fd, const void *bytes, size_t n) {
    if (!is_kept(fd))
        return;
    if (kept.feeds)
        recall(n);
    else
        keep(bytes, n);
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
    return !kept.feeds || !rcp_follow_is_on() || !is_kept(0) || next_piece() < kept.allowed || next_piece() >= kept.n;
}
