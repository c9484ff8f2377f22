/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/streams.h"

#include "abi/log.h"
#include "runtime/descriptors.h"
#include "runtime/follow.h"
#include "runtime/sys.h"
#include "runtime/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#ifdef SYS_newfstatat
#define NEWFSTATAT SYS_newfstatat
#else
#define NEWFSTATAT SYS_fstatat
#endif

enum { GIVEN = 32, DESCRIPTORS = 256 };

static struct {
    const FILE *variable[2];
    struct stat place[2];              /* of descriptors 1 and 2 */
    struct timespec began;             /* by the clock that files have their times from */
    uint64_t system[2];                /* the devices of /proc and /sys, whose files are made when they are looked at */
    struct rcp_log_place given[GIVEN]; /* pipes and sockets that the program was started with and can read */
    unsigned n_given;
    struct rcp_log_place recorded[2]; /* of a replay */
    bool is_known, is_seen, is_said;
    bool is_led;       /* elsewhere, while there were pipes of its own */
    bool was_looked;   /* once something was printed */
    bool has_children; /* it made processes */
} standard;

bool rcp_streams_were_printed;

static struct stat place_of(int fd) {
    struct stat place = {0};
    if (rcp_sys(SYS_fstat, fd, (long)&place, 0, 0, 0, 0) < 0)
        place = (struct stat){0};
    return place;
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_rdev == b->st_rdev;
}

static bool is_at(const struct rcp_log_place *place, const struct stat *is) {
    return place->inode && place->inode == is->st_ino && place->device == is->st_dev;
}

/* Somebody else is at its other end. */
static bool is_channel(const struct stat *place) { return S_ISFIFO(place->st_mode) || S_ISSOCK(place->st_mode); }

/* /dev/null and its kin: nobody is behind them. */
static bool is_memory(const struct stat *place) { return S_ISCHR(place->st_mode) && major(place->st_rdev) == 1; }

void rcp_streams_places(struct rcp_log_place places[2]) {
    for (int i = 0; i < 2; i++) {
        struct stat is = place_of(i + 1);
        places[i] = S_ISREG(is.st_mode) ? (struct rcp_log_place){is.st_dev, is.st_ino} : (struct rcp_log_place){0};
    }
}

/* --- what the program was started with --- */

/* What a pipe holds whose writers are gone was there before anything is printed. */
static bool is_final(int fd, const struct stat *is) {
    struct pollfd end = {.fd = fd};
    struct timespec now = {0, 0};
    return S_ISFIFO(is->st_mode) && RCP_SYS4(SYS_ppoll, &end, 1, &now, 0) > 0 && end.revents & POLLHUP;
}

static void find_given(void) {
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        long flags = RCP_SYS3(SYS_fcntl, fd, F_GETFL, 0);
        if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY)
            continue;
        struct stat is = place_of(fd);
        if (is_channel(&is) && !is_final(fd, &is) && standard.n_given++ < GIVEN)
            standard.given[standard.n_given - 1] = (struct rcp_log_place){is.st_dev, is.st_ino};
    }
}

bool rcp_streams_was_given(int fd) {
    struct stat is = place_of(fd);
    for (unsigned i = 0; i < standard.n_given && i < GIVEN; i++)
        if (is_at(&standard.given[i], &is))
            return true;
    return standard.n_given > GIVEN;
}

static bool was_given(int fd, const struct stat *is) {
    bool is_early = !standard.was_looked && !rcp_streams_were_printed; /* nothing was printed yet */
    for (unsigned i = 0; i < standard.n_given && i < GIVEN; i++) {
        if (!is_at(&standard.given[i], is))
            continue;
        if (is_early && is_final(fd, is))
            standard.given[i] = (struct rcp_log_place){0};
        else
            return true;
    }
    return standard.n_given > GIVEN;
}

void rcp_streams_start(void) {
    static const char *const system[] = {"/proc", "/sys"};
    standard.variable[0] = stdout;
    standard.variable[1] = stderr;
    for (int i = 0; i < 2; i++) {
        struct stat is;
        standard.place[i] = place_of(i + 1);
        standard.is_seen |= standard.place[i].st_mode && !is_memory(&standard.place[i]);
        if (RCP_SYS4(NEWFSTATAT, AT_FDCWD, system[i], &is, 0) >= 0)
            standard.system[i] = is.st_dev;
    }
    RCP_SYS2(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &standard.began);
    find_given();
    standard.is_known = true;
}

void rcp_streams_follow(const struct rcp_log_place recorded[2]) {
    memcpy(standard.recorded, recorded, sizeof standard.recorded);
}

/* --- said once --- */

static void say(void) {
    standard.is_said = true;
    rcp_log_world(RCP_WORLD_PRINTS);
}

void rcp_streams_part(void) {
    if (standard.is_known && standard.is_seen)
        say(); /* its parent sees what it prints */
    else if (standard.is_said)
        say();
}

void rcp_streams_tied(void) {
    if (standard.is_known && !standard.is_said && standard.is_seen)
        say();
}

static bool has_threads(void) { return rcp_baton.threads > 1; }

void rcp_streams_answered(void) {
    if (has_threads())
        rcp_streams_tied();
}

/* Its parent hears of it by what both have, by files, by how it ends: where that is asked for later, it counts. */
void rcp_streams_forked(void) {
    standard.has_children = true;
    rcp_streams_answered();
}

/* Is there anything left to be found out? */
static bool is_over(void) {
    bool follows = standard.recorded[0].inode || standard.recorded[1].inode;
    return !standard.is_known || (standard.is_said && !follows);
}

static bool is_led_elsewhere(void) {
    if (stdout != standard.variable[0] || stderr != standard.variable[1])
        return true;
    for (int i = 0; i < 2; i++) {
        struct stat now = place_of(i + 1);
        if (!is_same(&now, &standard.place[i]))
            return true;
    }
    return false;
}

void rcp_streams_look(void) {
    rcp_streams_were_printed = false;
    standard.was_looked = true;
    bool looks_for_own = rcp_descriptors_are_there() && !standard.is_led;
    if (!standard.is_known || (standard.is_said && !looks_for_own) || !is_led_elsewhere())
        return;
    standard.is_led = true;
    rcp_log_unseen(RCP_UNSEEN_DESCRIPTORS); /* to a pipe of the process's own, perhaps; nobody need have seen how */
    if (!standard.is_said)
        say();
}

/* What is at the other end takes what is printed when it likes, and that is an answer, too. */
void rcp_streams_stolen(void) {
    if (rcp_streams_were_printed && (!S_ISREG(standard.place[0].st_mode) || !S_ISREG(standard.place[1].st_mode)))
        rcp_streams_answered();
}

/* --- it comes back --- */

static bool is_place(const struct stat *is) {
    for (int i = 0; i < 2; i++)
        if (is->st_ino && !is_memory(is) && is_same(is, &standard.place[i]))
            return true;
    return false;
}

/* The recorded run printed there. */
static void meet_recorded(const struct stat *is) {
    if (!(is_at(&standard.recorded[0], is) || is_at(&standard.recorded[1], is)) || !rcp_follow_is_on())
        return;
    rcp_sys_acquire(&rcp_baton.lock);
    rcp_follow_abandon(
        "the program looks at the file that the recorded run printed to, and finds what that left there");
    rcp_sys_release(&rcp_baton.lock);
}

const char *rcp_streams_meant(int at, const char *path) {
    static const char *const meant[] = {"/proc/self/fd/1", "/proc/self/fd/2"};
    struct stat is;
    for (int i = 0; i < 2 && path && *path; i++)
        if (standard.recorded[i].inode && RCP_SYS4(NEWFSTATAT, at, path, &is, 0) >= 0 &&
            is_at(&standard.recorded[i], &is))
            return meant[i];
    return path;
}

void rcp_streams_duplicated(int fd, int to) {
    if (is_over())
        return;
    struct stat is = place_of(fd);
    if (is_place(&is) || to == 1 || to == 2)
        say();
}

void rcp_streams_opened(const struct stat *facts) {
    if (!is_over() && is_place(facts))
        say();
}

/* --- it is answered --- */

static bool is_changed(const struct stat *is) {
    if (is_memory(is) || is->st_dev == standard.system[0] || is->st_dev == standard.system[1])
        return false;
    /* Some file systems round times down: to two seconds, ten milliseconds, microseconds. */
    static const int64_t grains[] = {1000, 10000000, 1000000000};
    int64_t changed = is->st_ctim.tv_sec * INT64_C(1000000000) + is->st_ctim.tv_nsec, rounded = 0;
    for (int i = 0; i < 3; i++)
        rounded = changed % grains[i] ? rounded : grains[i] * (i + 1);
    return changed + rounded >= standard.began.tv_sec * INT64_C(1000000000) + standard.began.tv_nsec;
}

static void show(const struct stat *facts) {
    meet_recorded(facts);
    if (is_place(facts) || is_changed(facts))
        rcp_streams_answered();
}

void rcp_streams_file(int fd) {
    if (is_over())
        return;
    struct stat is = place_of(fd);
    show(&is);
}

/* There is no such file: since when, the directory knows that would have its name. */
static void miss(int at, const char *path) {
    char directory[4096];
    size_t n = strnlen(path, sizeof directory);
    long found = -ENOENT;
    struct stat is;
    if (n == sizeof directory) {
        rcp_streams_answered();
        return;
    }
    memcpy(directory, path, n + 1);
    while (found == -ENOENT) {
        while (n && directory[n - 1] == '/')
            n--;
        while (n && directory[n - 1] != '/')
            n--;
        directory[n] = 0;
        found = RCP_SYS4(NEWFSTATAT, at, n ? directory : ".", &is, 0);
        if (!n)
            break;
    }
    if (found < 0 || is_changed(&is))
        rcp_streams_answered();
}

void rcp_streams_path(int at, const char *path) {
    struct stat is;
    if (is_over() || !path)
        return;
    long found = RCP_SYS4(NEWFSTATAT, at, path, &is, AT_SYMLINK_NOFOLLOW);
    if (found >= 0 && S_ISLNK(is.st_mode)) {
        show(&is);
        found = RCP_SYS4(NEWFSTATAT, at, path, &is, 0);
    }
    if (found >= 0)
        show(&is);
    else if (found == -ENOENT || found == -ENOTDIR)
        miss(at, path);
}

/* Does it lead to somebody else, or back? What has no name (an eventfd) leads to children alone. */
static bool is_from_others(int fd, const struct stat *is) {
    bool has_end = is_channel(is) || !(is->st_mode & S_IFMT);
    if (is_place(is) || (has_end && standard.has_children) || (is_channel(is) && was_given(fd, is)))
        return true;
    for (int i = 0; i < 2; i++) /* the two ends of a pair of sockets have two names */
        if (S_ISSOCK(is->st_mode) && S_ISSOCK(standard.place[i].st_mode))
            return true;
    return S_ISCHR(is->st_mode) && !is_memory(is);
}

void rcp_streams_read(int fd) {
    if (is_over())
        return;
    struct stat is = place_of(fd);
    if (S_ISREG(is.st_mode) || S_ISDIR(is.st_mode))
        show(&is);
    else if (is.st_ino && is_from_others(fd, &is))
        rcp_streams_answered();
    rcp_streams_turn();
}

void rcp_streams_kept(int fd) {
    if (is_over())
        return;
    struct stat is = place_of(fd);
    if (is.st_ino && is_from_others(fd, &is))
        rcp_streams_tied();
}

void rcp_streams_signalled(int number, int code, int process) {
    if (number == SIGPIPE) /* sent by the thread to itself, because somebody reads no more */
        rcp_streams_answered();
    switch (code) {
    case SI_USER:
    case SI_QUEUE:
    case SI_TKILL:
        if (process != (int)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0))
            rcp_streams_answered();
        return;
    case SI_TIMER:
    case SI_ASYNCIO: return;
    default: break;
    }
    switch (number) { /* of the kernel's own, those that nobody else causes */
    case SIGALRM:
    case SIGVTALRM:
    case SIGPROF:
    case SIGXCPU:
    case SIGXFSZ: return;
    default: rcp_streams_answered();
    }
}
