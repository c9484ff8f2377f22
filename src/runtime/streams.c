/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/streams.h"

#include "runtime/sys.h"
#include "runtime/thread.h"

#include <stdio.h>
#include <sys/stat.h>

static struct {
    const FILE *variable[2];
    struct stat place[2]; /* of descriptors 1 and 2 */
    bool is_known, is_said;
} standard;

static struct stat place_of(int fd) {
    struct stat place = {0};
    if (rcp_sys(SYS_fstat, fd, (long)&place, 0, 0, 0, 0) < 0)
        place = (struct stat){0};
    return place;
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_rdev == b->st_rdev;
}

/* Somebody else is at its other end. */
static bool is_channel(const struct stat *place) { return S_ISFIFO(place->st_mode) || S_ISSOCK(place->st_mode); }

void rcp_streams_start(void) {
    standard.variable[0] = stdout;
    standard.variable[1] = stderr;
    for (int i = 0; i < 2; i++)
        standard.place[i] = place_of(i + 1);
    standard.is_known = true;
}

static void say(rcp_thread *self) {
    standard.is_said = true;
    rcp_log_sign(RCP_SIGN_STREAMS, self);
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

void rcp_streams_look(rcp_thread *self) {
    if (standard.is_known && !standard.is_said && is_led_elsewhere())
        say(self);
}

void rcp_streams_read(rcp_thread *self, int fd) {
    if (!standard.is_known || standard.is_said)
        return;
    struct stat read = place_of(fd);
    bool comes_back = is_led_elsewhere();
    for (int i = 0; i < 2; i++) {
        /* The same file or pipe; a terminal is another matter: what is printed there nobody reads. Who is at the other
         * end of standard input may answer what it was sent; the two ends of a pair of sockets have two names. */
        comes_back |= !S_ISCHR(read.st_mode) && read.st_ino && is_same(&read, &standard.place[i]);
        comes_back |= fd == 0 && is_channel(&read) && is_channel(&standard.place[i]);
        comes_back |= S_ISSOCK(read.st_mode) && S_ISSOCK(standard.place[i].st_mode);
    }
    if (comes_back)
        say(self);
}
