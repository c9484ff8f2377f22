/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/checkpoints.h"

#include "base/process.h"
#include "base/vec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct checkpoint {
    uint64_t told; /* events of the trace when it was made */
    int socket;
    pid_t pid;
} checkpoint;

struct rcp_checkpoints {
    uint64_t every, next;
    rcp_checkpoints_answerer *answerer; /* NULL: nobody has questions */
    RCP_VEC(checkpoint) made;
    int asker; /* in a checkpoint: the socket to whoever made it; else -1 */
    rcp_span *further;
    char *directory;
    char *question;
};

/* What goes over the socket: this, then the spans, the directory's name, the question. */
typedef struct question {
    uint64_t upto, n, name, size;
} question;

typedef struct answer {
    int32_t code; /* rcp_code */
    char why[1000];
    uint64_t size; /* of the reply, which follows */
} answer;

rcp_checkpoints *rcp_checkpoints_create(uint64_t every) {
    rcp_checkpoints *c = rcp_alloc_zero(1, sizeof *c);
    c->every = c->next = every ? every : 1;
    c->asker = -1;
    return c;
}

void rcp_checkpoints_set_answerer(rcp_checkpoints *c, rcp_checkpoints_answerer *answerer) {
    RCP_CHECK(!c->made.len);
    c->answerer = answerer;
}

static void end(checkpoint *one) {
    close(one->socket); /* it reads the end of its questions */
    rcp_process_await(one->pid, NULL);
}

void rcp_checkpoints_destroy(rcp_checkpoints *c) {
    if (!c)
        return;
    for (size_t i = 0; i < c->made.len; i++)
        end(&c->made.at[i]);
    rcp_vec_finish(&c->made);
    rcp_release(c->further);
    rcp_release(c->directory);
    rcp_release(c->question);
    rcp_release(c);
}

static bool put(int fd, const void *from, size_t n) {
    for (const char *at = from; n;) {
        ssize_t done = send(fd, at, n, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done, n -= (size_t)done;
    }
    return true;
}

static bool get(int fd, void *to, size_t n) {
    for (char *at = to; n;) {
        ssize_t done = recv(fd, at, n, 0);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done, n -= (size_t)done;
    }
    return true;
}

/* --- in the process that is a checkpoint --- */

/* The next question is there. */
static bool hear(rcp_checkpoints *c, rcp_again *again) {
    question q;
    if (!get(c->asker, &q, sizeof q))
        return false;
    c->further = rcp_alloc_zero(q.n + 1, sizeof *c->further);
    c->directory = rcp_alloc_zero(q.name + 1, 1);
    c->question = q.size ? rcp_alloc(q.size) : NULL;
    *again = (rcp_again){.upto = q.upto,
                         .further = c->further,
                         .n = q.n,
                         .directory = c->directory,
                         .question = c->question,
                         .question_size = q.size};
    return get(c->asker, c->further, q.n * sizeof *c->further) && get(c->asker, c->directory, q.name) &&
           get(c->asker, c->question, q.size);
}

/* True in a copy that goes on; whoever stays ends when nobody can ask any more. */
static bool serve(rcp_checkpoints *c, rcp_again *again) {
    while (hear(c, again)) {
        pid_t copy = rcp_process_fork();
        if (!copy)
            return true;
        int status = 0;
        if (copy > 0)
            rcp_process_await(copy, &status);
        if (copy < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) { /* it could not answer itself */
            answer a = {.code = RCP_SYSTEM};
            snprintf(a.why, sizeof a.why, "a re-execution from a checkpoint has died (%s)",
                     copy < 0              ? strerror(errno)
                     : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                           : "it left no answer");
            if (!put(c->asker, &a, sizeof a))
                break;
        }
        rcp_release(c->further);
        rcp_release(c->directory);
        rcp_release(c->question);
        c->further = NULL;
        c->directory = NULL;
        c->question = NULL;
    }
    _exit(0); /* of the child alone */
}

bool rcp_checkpoints_is_asked(const rcp_checkpoints *c) { return c && c->asker >= 0; }

void rcp_checkpoints_answer(rcp_checkpoints *c, rcp_code code, const rcp_text *reply) {
    answer a = {.code = code, .size = reply ? reply->len : 0};
    if (code != RCP_OK) {
        FILE *text = fmemopen(a.why, sizeof a.why - 1, "w");
        if (text) {
            rcp_print_causes(text);
            fclose(text);
        }
    }
    bool sent = put(c->asker, &a, sizeof a) && (!a.size || put(c->asker, reply->at, a.size));
    _exit(sent ? 0 : 1); /* of the child alone */
}

void rcp_checkpoints_reply(rcp_checkpoints *c, struct rcp_run *run, const rcp_again *again) {
    rcp_text reply = {0};
    rcp_code code = c->answerer ? c->answerer(run, again->question, again->question_size, &reply)
                                : rcp_fail(RCP_INTERNAL, "a checkpoint is asked, and nobody answers");
    rcp_checkpoints_answer(c, code, &reply);
}

/* --- in the process that makes them --- */

/* Every second one ends; the first stays. */
static void thin(rcp_checkpoints *c) {
    size_t kept = 0;
    for (size_t i = 0; i < c->made.len; i++) {
        if (i % 2)
            end(&c->made.at[i]);
        else
            c->made.at[kept++] = c->made.at[i];
    }
    c->made.len = kept;
    c->every *= 2;
}

bool rcp_checkpoints_reach(rcp_checkpoints *c, uint64_t executed, uint64_t told, rcp_again *again) {
    if (c->asker >= 0 || (executed < c->next && c->made.len))
        return false;
    if (c->made.len == RCP_CHECKPOINTS)
        thin(c);
    c->next = executed + c->every;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return false; /* one less: whoever asks goes further back */
    pid_t pid = rcp_process_fork();
    if (pid) {
        close(pair[1]);
        if (pid < 0)
            close(pair[0]);
        else
            rcp_vec_push(&c->made, ((checkpoint){told, pair[0], pid}));
        RCP_DCHECK(c->made.len <= RCP_CHECKPOINTS);
        return false;
    }
    close(pair[0]);
    for (size_t i = 0; i < c->made.len; i++)
        close(c->made.at[i].socket);
    c->made.len = 0;
    c->asker = pair[1];
    return serve(c, again);
}

/* The latest checkpoint that is not after event `from`. */
static rcp_code find(const rcp_checkpoints *c, uint64_t from, const checkpoint **found) {
    *found = NULL;
    for (size_t i = 0; i < c->made.len; i++)
        if (c->made.at[i].told <= from)
            *found = &c->made.at[i];
    return *found ? RCP_OK : rcp_fail(RCP_BAD_INPUT, "no checkpoint is before event %" PRIu64, from);
}

static rcp_code ask(const checkpoint *one, const rcp_again *again, answer *a) {
    question q = {again->upto, again->n, again->directory ? strlen(again->directory) : 0, again->question_size};
    if (!put(one->socket, &q, sizeof q) || !put(one->socket, again->further, again->n * sizeof *again->further) ||
        !put(one->socket, again->directory, q.name) || !put(one->socket, again->question, q.size) ||
        !get(one->socket, a, sizeof *a))
        return rcp_fail(RCP_SYSTEM, "the checkpoint at event %" PRIu64 " does not answer: %s", one->told,
                        strerror(errno));
    a->why[sizeof a->why - 1] = 0;
    a->why[strcspn(a->why, "\n")] = 0;
    return a->code == RCP_OK ? RCP_OK : rcp_fail((rcp_code)a->code, "%s", a->why);
}

rcp_code rcp_checkpoints_ask(rcp_checkpoints *c, const rcp_again *again, uint64_t *anchor) {
    const checkpoint *one;
    answer a;
    RCP_TRY(find(c, again->from, &one));
    *anchor = one->told;
    return ask(one, again, &a);
}

rcp_code rcp_checkpoints_before(const rcp_checkpoints *c, uint64_t from, uint64_t *event) {
    const checkpoint *one;
    RCP_TRY(find(c, from, &one));
    *event = one->told;
    return RCP_OK;
}

rcp_code rcp_checkpoints_question(rcp_checkpoints *c, const rcp_again *again, rcp_text *reply) {
    const checkpoint *one;
    answer a;
    RCP_TRY(find(c, again->from, &one));
    RCP_TRY(ask(one, again, &a));
    char *bytes = rcp_alloc(a.size + 1);
    bool whole = get(one->socket, bytes, a.size);
    if (whole)
        rcp_text_add(reply, bytes, a.size);
    rcp_release(bytes);
    return whole ? RCP_OK : rcp_fail(RCP_SYSTEM, "the checkpoint at event %" PRIu64 " breaks off", one->told);
}
