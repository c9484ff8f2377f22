/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/ready.h"

#include "runtime/follow.h"
#include "runtime/thread.h"
#include "runtime/world.h"

#include <string.h>

#define IN  (POLLIN | POLLRDNORM)
#define END (POLLHUP | POLLERR | POLLRDHUP)

static void not_followed(const char *what) { rcp_world_meets(RCP_WORLD_SOCKETS, what); }

/* --- a recording --- */

void rcp_ready_keep(rcp_thread *self, const struct pollfd *fds, nfds_t n) {
    static struct rcp_run_polled polled[RCP_READY_MOST]; /* whoever has the baton */
    size_t count = 0;
    if (!rcp_peer_keeps())
        return;
    for (nfds_t i = 0; i < n; i++) {
        const rcp_talk *talk = rcp_talk_of(fds[i].fd);
        if (!talk)
            continue;
        if (count == RCP_READY_MOST || (fds[i].events | fds[i].revents) & (POLLPRI | POLLNVAL)) {
            not_followed("a call asks for more about sockets than can be followed");
            return;
        }
        if (fds[i].events & POLLOUT && !(fds[i].revents & (POLLOUT | POLLHUP | POLLERR)))
            not_followed("a socket did not take what it was given");
        polled[count++] =
            (struct rcp_run_polled){talk->stream, (uint16_t)fds[i].events, (uint16_t)fds[i].revents, talk->place};
    }
    if (!count)
        return;
    const struct iovec all = {polled, count * sizeof *polled};
    rcp_peer_keep(self,
                  (struct rcp_run_piece){
                      .kind = RCP_RUN_POLLED, .stream = RCP_RUN_NO_STREAM, .asked = count, .size = all.iov_len},
                  NULL, NULL, &all);
}

/* --- a replay --- */

bool rcp_ready_is_fed(const struct pollfd *fds, nfds_t n) {
    for (nfds_t i = 0; i < n; i++)
        if (rcp_talk_fed(fds[i].fd))
            return true;
    return false;
}

/* What this call was answered then; NULL: it was not made. */
static rcp_peer_piece *recorded(rcp_thread *self) {
    rcp_peer_piece *last = self->polled;
    if (last && last->position == self->hot->position)
        return last;
    for (rcp_peer_piece *p = rcp_peer_any(last); p; p = rcp_peer_any(p))
        if (p->kind == RCP_RUN_POLLED && p->role == self->role && p->position == self->hot->position) {
            self->polled = p; /* a thread's are in the order of its positions */
            return p;
        }
    return NULL;
}

static bool has_ended(const rcp_talk *talk) {
    for (rcp_peer_piece *p = rcp_peer_next(talk->stream, talk->given); p; p = rcp_peer_next(talk->stream, p))
        if (p->kind == RCP_RUN_OVER || p->kind == RCP_RUN_FAILED)
            return rcp_peer_could_come(p);
    return false;
}

static const struct rcp_run_polled *find(rcp_peer_piece *piece, uint32_t stream) {
    const struct rcp_run_polled *polled = (const struct rcp_run_polled *)rcp_peer_bytes(piece);
    for (uint64_t i = 0; i < piece->size / sizeof *polled; i++)
        if (polled[i].stream == stream)
            return &polled[i];
    return NULL;
}

static bool could_be(rcp_peer_piece *piece, const rcp_talk *talk, const struct pollfd *fd) {
    const struct rcp_run_polled *was = find(piece, talk->stream);
    if (!was || was->wanted != (uint16_t)fd->events || was->place != talk->place)
        return false;
    /* What was ready may have been read much later: that it was is known since this answer. */
    if (was->got & END)
        return rcp_peer_could_come(piece) || has_ended(talk);
    if (was->got & IN)
        return rcp_peer_could_come(piece) || rcp_talk_is_ready(talk);
    return !(was->wanted & IN) || rcp_peer_is_ahead(piece);
}

/* How many are ready by the recorded answer; below 0: it is none. */
static int give_recorded(rcp_peer_piece *piece, struct pollfd *fds, nfds_t n) {
    int ready = 0;
    uint64_t count = 0;
    for (nfds_t i = 0; i < n; i++) {
        const rcp_talk *talk = rcp_talk_of(fds[i].fd);
        fds[i].revents = 0;
        if (!talk)
            continue;
        if (!could_be(piece, talk, &fds[i]))
            return -1;
        fds[i].revents = (short)find(piece, talk->stream)->got;
        ready += fds[i].revents != 0;
        count++;
    }
    return count == piece->asked ? ready : -1;
}

/* The same of what could be. */
static int give_possible(struct pollfd *fds, nfds_t n) {
    int ready = 0;
    bool is_known = true;
    for (nfds_t i = 0; i < n; i++) {
        const rcp_talk *talk = rcp_talk_of(fds[i].fd);
        fds[i].revents = 0;
        if (!talk)
            continue;
        if (fds[i].events & IN && rcp_talk_is_ready(talk))
            fds[i].revents = (short)(fds[i].events & IN);
        else if (fds[i].events & IN)
            is_known &= rcp_peer_may_lack(talk->stream, talk->place, POLLIN);
        fds[i].revents |= (short)(fds[i].events & (POLLOUT | POLLWRNORM));
        ready += fds[i].revents != 0;
    }
    return is_known ? ready : -1;
}

rcp_ready_answer rcp_ready_answer_to(rcp_thread *self, struct pollfd *fds, nfds_t n, bool waits, bool has_others,
                                     bool has_end) {
    for (bool is_first = true;; is_first = false) {
        rcp_peer_piece *piece = recorded(self);
        /* While a schedule is followed it says when a wait is over; a wait for others is theirs. */
        int ready = piece ? give_recorded(piece, fds, n) : -1;
        bool by_others = !ready && (has_others || has_end || !waits);
        if (is_first && waits && !by_others && rcp_follow_is_on() && !rcp_peer_await(self))
            return RCP_READY_SIGNAL;
        ready = piece ? give_recorded(piece, fds, n) : -1; /* others have run */
        if (ready >= 0)
            rcp_peer_give(piece);
        else
            ready = give_possible(fds, n);
        if (ready > 0)
            return RCP_READY;
        if (!ready && (has_others || has_end || !waits))
            return RCP_READY_OTHER;
        if ((!waits || rcp_follow_is_on()) && !(waits && rcp_follow_stays(self)))
            rcp_peer_lacks("the program asks whether sockets are ready, which they were not by then");
        if (!waits)
            return RCP_READY_OTHER;
        if (!rcp_peer_await(self))
            return RCP_READY_SIGNAL;
    }
}

void rcp_ready_waited(const struct pollfd *fds, nfds_t n) {
    for (nfds_t i = 0; i < n; i++) {
        const rcp_talk *talk = rcp_talk_of(fds[i].fd);
        if (talk && fds[i].events & IN && !fds[i].revents && !rcp_peer_may_lack(talk->stream, talk->place, POLLIN))
            rcp_peer_lacks("the program has waited for others than sockets, to which something had come by then");
    }
}

/* --- epoll --- */

enum { ENTRIES = 4096, EPOLLS = 64 };
static struct entry {
    int epoll, fd;
    uint32_t events;
    bool is_talk;
    epoll_data_t data;
} entries[ENTRIES];
static size_t n_entries;

static struct entry *entry_of(int epoll, int fd) {
    for (size_t i = 0; i < n_entries; i++)
        if (entries[i].epoll == epoll && entries[i].fd == fd)
            return &entries[i];
    return NULL;
}

static void drop(struct entry *e) {
    n_entries--;
    memmove(e, e + 1, (size_t)(&entries[n_entries] - e) * sizeof *e);
}

bool rcp_ready_is_followed(int epoll) {
    for (size_t i = 0; i < n_entries; i++)
        if (entries[i].epoll == epoll && entries[i].is_talk)
            return true;
    return false;
}

/* Events are told by what the program calls them. */
static void must_be_distinct(const struct entry *e) {
    for (size_t i = 0; i < n_entries; i++)
        if (&entries[i] != e && entries[i].epoll == e->epoll && entries[i].data.u64 == e->data.u64 &&
            (entries[i].is_talk || e->is_talk))
            not_followed("two descriptors of one epoll have one name");
}

void rcp_ready_control(int epoll, int what, int fd, const struct epoll_event *event) {
    if (!(rcp_peer_keeps() || rcp_peer_feeds()))
        return;
    bool is_talk = rcp_talk_of(fd);
    struct entry *e = entry_of(epoll, fd);
    if (what == EPOLL_CTL_DEL && e)
        drop(e);
    else if (what != EPOLL_CTL_DEL && event && !e && n_entries == ENTRIES)
        not_followed("epolls have more descriptors than can be followed");
    else if (what != EPOLL_CTL_DEL && event) {
        e = e ? e : &entries[n_entries++];
        *e = (struct entry){epoll, fd, event->events, is_talk, event->data};
        must_be_distinct(e);
    }
}

void rcp_ready_closed(int fd) {
    for (size_t i = n_entries; i-- > 0;)
        if (entries[i].fd == fd || entries[i].epoll == fd)
            drop(&entries[i]);
}

void rcp_ready_order(const rcp_thread *self, struct pollfd *fds, nfds_t n) {
    rcp_peer_piece *piece = self->polled;
    if (!piece || piece->position != self->hot->position || piece->asked != n)
        return;
    const struct rcp_run_polled *polled = (const struct rcp_run_polled *)rcp_peer_bytes(piece);
    for (nfds_t i = 0; i < n; i++)
        for (nfds_t k = i; k < n; k++) {
            const rcp_talk *talk = rcp_talk_of(fds[k].fd);
            if (talk && talk->stream == polled[i].stream) {
                struct pollfd moved = fds[k];
                fds[k] = fds[i];
                fds[i] = moved;
                break;
            }
        }
}

nfds_t rcp_ready_list(int epoll, struct pollfd *fds, nfds_t room) {
    nfds_t n = 0;
    for (size_t i = 0; i < n_entries; i++)
        if (entries[i].epoll == epoll && entries[i].is_talk && n < room)
            fds[n++] = (struct pollfd){.fd = entries[i].fd, .events = (short)entries[i].events};
    return n;
}

bool rcp_ready_has_others(int epoll) {
    for (size_t i = 0; i < n_entries; i++)
        if (entries[i].epoll == epoll && !entries[i].is_talk)
            return true;
    return false;
}

epoll_data_t rcp_ready_data(int epoll, int fd) {
    const struct entry *e = entry_of(epoll, fd);
    return e ? e->data : (epoll_data_t){0};
}

int rcp_ready_of_data(int epoll, epoll_data_t data) {
    for (size_t i = 0; i < n_entries; i++)
        if (entries[i].epoll == epoll && entries[i].is_talk && entries[i].data.u64 == data.u64)
            return entries[i].fd;
    return -1;
}
