/* SPDX-License-Identifier: Apache-2.0 */
#include "base/workers.h"

#include "base/file.h"
#include "base/process.h"
#include "base/vec.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

unsigned rcp_workers_cores(void) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores))
        return 1;
    int n = CPU_COUNT(&cores);
    return n > 0 ? (unsigned)n : 1;
}

/* What goes through the pipe: this, then `size` bytes. */
typedef struct message {
    uint64_t task; /* or one of these */
    uint64_t size;
} message;
#define COUNTS UINT64_MAX
#define FAILED (UINT64_MAX - 1) /* then a rcp_code as 4 bytes and the causes as text */

/* --- in a worker --- */

static bool put_message(int fd, uint64_t task, const rcp_text *text) {
    message m = {task, text->len};
    return rcp_file_put(fd, &m, sizeof m) && rcp_file_put(fd, text->at, text->len);
}

static void describe_failure(rcp_code code, rcp_text *text) {
    int32_t number = code;
    rcp_text_clear(text);
    rcp_text_add(text, (const char *)&number, sizeof number);
    rcp_text_puts(text, rcp_borrow_cause(0) ? rcp_borrow_cause(0) : "a worker has failed");
}

_Noreturn static void work(const rcp_tasks *tasks, _Atomic size_t *next, int fd) {
    rcp_text found = {0};
    bool heard = true;
    for (size_t task; heard && (task = atomic_fetch_add(next, 1)) < tasks->n;) {
        rcp_text_clear(&found);
        rcp_code code = tasks->perform(tasks->context, task, &found);
        if (code != RCP_OK)
            describe_failure(code, &found);
        heard = put_message(fd, code == RCP_OK ? task : FAILED, &found) && code == RCP_OK;
    }
    rcp_text_clear(&found);
    tasks->sum_up(tasks->context, &found);
    _exit(heard && put_message(fd, COUNTS, &found) ? 0 : 1); /* of the child alone */
}

/* --- in the first process --- */

typedef struct worker {
    pid_t pid;
    int fd;        /* -1: it is through */
    rcp_text text; /* what has come of its next messages */
    bool has_counted;
} worker;

typedef struct pool {
    const rcp_tasks *tasks;
    worker *workers;
    unsigned n;
    rcp_text *found; /* per task, what has come too early */
    bool *is_there;
    size_t taken; /* tasks that were given on */
} pool;

static rcp_code give_on(pool *p) {
    for (; p->taken < p->tasks->n && p->is_there[p->taken]; p->taken++) {
        rcp_text *found = &p->found[p->taken];
        rcp_code code = p->tasks->take(p->tasks->context, p->taken, found->at, found->len);
        rcp_text_finish(found);
        RCP_TRY(code);
    }
    return RCP_OK;
}

static rcp_code handle(pool *p, worker *w, const message *m, const char *at) {
    if (m->task == COUNTS) {
        w->has_counted = true;
        p->tasks->add(p->tasks->context, at, m->size);
        return RCP_OK;
    }
    if (m->task == FAILED) {
        int32_t code = RCP_INTERNAL;
        memcpy(&code, at, sizeof code);
        return rcp_fail((rcp_code)code, "%.*s", (int)(m->size - sizeof code), at + sizeof code);
    }
    RCP_CHECK(m->task < p->tasks->n && !p->is_there[m->task]);
    rcp_text_add(&p->found[m->task], at, m->size);
    p->is_there[m->task] = true;
    return give_on(p);
}

/* Whole messages among what has come. */
static rcp_code look(pool *p, worker *w) {
    size_t at = 0;
    message m;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && w->text.len - at >= sizeof m) {
        memcpy(&m, w->text.at + at, sizeof m);
        if (w->text.len - at - sizeof m < m.size)
            break;
        code = handle(p, w, &m, w->text.at + at + sizeof m);
        at += sizeof m + m.size;
    }
    if (at) {
        w->text.len -= at;
        memmove(w->text.at, w->text.at + at, w->text.len);
    }
    return code;
}

static rcp_code hear(pool *p, worker *w) {
    char bytes[1 << 16];
    ssize_t n = read(w->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return RCP_OK;
    if (n > 0) {
        rcp_text_add(&w->text, bytes, (size_t)n);
        return look(p, w);
    }
    close(w->fd);
    w->fd = -1;
    return w->has_counted ? RCP_OK
                          : rcp_fail(RCP_SYSTEM, "a worker of the analysis has died; what was found is kept: run it "
                                                 "again, with less --jobs where memory is short");
}

static rcp_code hear_all(pool *p) {
    for (;;) {
        struct pollfd fds[256];
        unsigned open = 0;
        for (unsigned i = 0; i < p->n; i++) {
            fds[i] = (struct pollfd){.fd = p->workers[i].fd, .events = POLLIN};
            open += p->workers[i].fd >= 0;
        }
        if (!open)
            return RCP_OK;
        if (poll(fds, p->n, -1) < 0 && errno != EINTR)
            return rcp_fail(RCP_SYSTEM, "waiting for workers: %s", strerror(errno));
        for (unsigned i = 0; i < p->n; i++)
            if (p->workers[i].fd >= 0 && fds[i].revents)
                RCP_TRY(hear(p, &p->workers[i]));
    }
}

static rcp_code start(pool *p, _Atomic size_t *next) {
    for (unsigned i = 0; i < p->n; i++) {
        int ends[2];
        if (pipe(ends))
            return rcp_fail(RCP_SYSTEM, "no pipe for a worker: %s", strerror(errno));
        pid_t pid = rcp_process_fork();
        if (!pid) {
            close(ends[0]);
            work(p->tasks, next, ends[1]);
        }
        close(ends[1]);
        p->workers[i] = (worker){.pid = pid, .fd = ends[0]};
        if (pid < 0)
            return rcp_fail(RCP_SYSTEM, "no worker can be started: %s; --jobs 1 needs none", strerror(errno));
    }
    return RCP_OK;
}

static void end(pool *p, bool at_once) {
    for (unsigned i = 0; i < p->n; i++) {
        worker *w = &p->workers[i];
        if (w->fd >= 0)
            close(w->fd);
        if (w->pid > 0 && at_once)
            kill(w->pid, SIGKILL);
        if (w->pid > 0)
            rcp_process_await(w->pid, NULL);
        rcp_text_finish(&w->text);
    }
    for (size_t i = 0; i < p->tasks->n; i++)
        rcp_text_finish(&p->found[i]);
    rcp_release(p->found);
    rcp_release(p->is_there);
    rcp_release(p->workers);
}

static rcp_code run_beside(const rcp_tasks *tasks, unsigned jobs) {
    _Atomic size_t *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next == MAP_FAILED)
        return rcp_fail(RCP_SYSTEM, "no memory to share with workers: %s", strerror(errno));
    pool p = {.tasks = tasks,
              .n = jobs,
              .workers = rcp_alloc_zero(jobs, sizeof *p.workers),
              .found = rcp_alloc_zero(tasks->n + 1, sizeof *p.found),
              .is_there = rcp_alloc_zero(tasks->n + 1, sizeof *p.is_there)};
    for (unsigned i = 0; i < jobs; i++)
        p.workers[i].fd = -1;
    rcp_code code = start(&p, next);
    if (code == RCP_OK)
        code = hear_all(&p);
    RCP_CHECK(code != RCP_OK || p.taken == tasks->n);
    end(&p, code != RCP_OK);
    munmap((void *)next, sizeof *next);
    return code;
}

rcp_code rcp_workers_run(const rcp_tasks *tasks, unsigned jobs) {
    enum { MOST = 256 };
    jobs = jobs < tasks->n ? jobs : (unsigned)tasks->n;
    jobs = jobs < MOST ? jobs : MOST;
    if (jobs > 1)
        return run_beside(tasks, jobs);
    rcp_text found = {0};
    rcp_code code = RCP_OK;
    for (size_t i = 0; i < tasks->n && code == RCP_OK; i++) {
        rcp_text_clear(&found);
        code = tasks->perform(tasks->context, i, &found);
        if (code == RCP_OK)
            code = tasks->take(tasks->context, i, found.at, found.len);
    }
    rcp_text_finish(&found);
    return code;
}
