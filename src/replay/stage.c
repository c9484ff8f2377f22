/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/stage.h"

#include "base/limits.h"
#include "abi/hooks.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/tally.h"
#include "record/client.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#define LOOK_SECONDS 0.002

/* Nobody who could talk to the program is there, but itself. */
static bool is_alone(const rcp_staging *s) {
    return !s->feeding->is_fed && s->command->clients.len < 2 && !s->feeding->made_processes;
}

static rcp_code write_config(const rcp_staging *s, const char *directory) {
    const rcp_plan *plan = s->plan;
    const struct rcp_run_config config = {
        .magic = RCP_RUN_MAGIC,
        .version = RCP_RUN_VERSION,
        .abi = RCP_ABI_VERSION,
        .policy = RCP_POLICY_FILE,
        .flags = RCP_RUN_WITNESS | (s->pause ? RCP_RUN_PAUSE : 0u) | (s->feeding->is_fed ? RCP_RUN_FED : 0u) |
                 (s->feeding->own_ids ? RCP_RUN_OWN_IDS : 0u) | (is_alone(s) ? RCP_RUN_ALONE : 0u),
        .quantum = rcp_limit(RCP_LIMIT_QUANTUM),
        .first_turn = rcp_limit(RCP_LIMIT_FIRST_TURN),
        .growth = rcp_limit(RCP_LIMIT_TURN_GROWTH),
        .watchdog = (uint32_t)rcp_limit(RCP_LIMIT_WATCHDOG),
        .steps = plan->schedule.steps.len,
        .roles = plan->roles.len,
        .sides = plan->sides.len,
        .handlers = plan->handlers.len,
        .signals = plan->signals,
        .first = s->first,
        .patience = (uint32_t)rcp_limit(RCP_LIMIT_REPLAY_PATIENCE),
        .last_events = rcp_limit(RCP_LIMIT_LAST_EVENTS),
        .spin_turns = rcp_limit(RCP_LIMIT_SPIN_TURNS),
        .race = {plan->race[0], plan->race[1]},
        .began = s->feeding->began,
        .lasted = s->feeding->lasted,
        .output = {s->feeding->output[0], s->feeding->output[1]},
    };
    rcp_text bytes = {0};
    rcp_text_add(&bytes, (const char *)&config, sizeof config);
    rcp_text_add(&bytes, (const char *)plan->schedule.steps.at, config.steps * sizeof *plan->schedule.steps.at);
    rcp_text_add(&bytes, (const char *)plan->roles.at, config.roles * sizeof *plan->roles.at);
    rcp_text_add(&bytes, (const char *)plan->handlers.at, config.handlers * sizeof *plan->handlers.at);
    rcp_text_add(&bytes, (const char *)plan->sides.at, config.sides * sizeof *plan->sides.at);
    char *path = rcp_file_take_path(directory, "config");
    rcp_code code = rcp_file_make(path, bytes.at, bytes.len);
    rcp_release(path);
    rcp_text_finish(&bytes);
    return code;
}

/* The replay's directory is within the recorded one: answers for the run, bitcode and rules for its log. */
static rcp_code link_recorded(const char *directory) {
    static const char *const names[] = {"answers", "pieces", "modules", "opaque"};
    rcp_code code = RCP_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && code == RCP_OK; i++) {
        char target[32];
        snprintf(target, sizeof target, "../%s", names[i]);
        char *path = rcp_file_take_path(directory, names[i]);
        if (symlink(target, path))
            code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", path, strerror(errno));
        rcp_release(path);
    }
    return code;
}

/* --- the child --- */

static bool redirect(const char *directory, const char *name, int fd) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    return to >= 0 && dup2(to, fd) == fd && (to == fd || !close(to));
}

/* Standard input as it was: at the same place of the same file, or the bytes that were read. */
static bool open_input(const rcp_staging *s) {
    const char *input = s->command->input;
    char path[4200];
    long long offset = 0;
    if (!strcmp(input, "closed"))
        return !close(0) || true;
    if (!strncmp(input, "file ", 5)) {
        const char *blank = strrchr(input, ' ');
        snprintf(path, sizeof path, "%.*s", (int)(blank - input - 5), input + 5);
        offset = strtoll(blank + 1, NULL, 10);
    } else {
        snprintf(path, sizeof path, "%s/stdin", s->recorded);
        if (!strcmp(input, "null") || access(path, R_OK))
            strcpy(path, "/dev/null");
    }
    int from = open(path, O_RDONLY);
    return from >= 0 && (!offset || lseek(from, offset, SEEK_SET) >= 0) && dup2(from, 0) == 0 &&
           (from == 0 || !close(from));
}

static _Noreturn void play(const rcp_staging *s, const char *directory, char *const *environment) {
    const rcp_recorded_command *c = s->command;
    const char *failed = NULL;
    if (!s->pause)
        setpgid(0, 0);
    personality(ADDR_NO_RANDOMIZE);
    if (!open_input(s))
        failed = "its standard input";
    else if (!redirect(directory, "output", 1) || !redirect(directory, "errors", 2))
        failed = "its output";
    else if (chdir(c->directory))
        failed = "its working directory";
    if (!failed && !*c->through)
        execve(c->program, c->argv.at, environment);
    if (!failed && *c->through) {
        RCP_VEC(char *) argv = {0};
        rcp_vec_push(&argv, (char *)(uintptr_t)c->through);
        rcp_vec_push(&argv, (char *)(uintptr_t)c->program);
        for (size_t i = 1; i < c->argv.len; i++)
            rcp_vec_push(&argv, c->argv.at[i]);
        execve(c->through, argv.at, environment);
    }
    fprintf(stderr, "recipe: can't set the program up again: %s: %s\n", failed ? failed : c->program, strerror(errno));
    fflush(stderr);
    _exit(failed ? 125 : 126); /* of the child alone */
}

/* --- the parent --- */

typedef struct watch {
    const rcp_staging *s;
    rcp_performance *p;
    struct rcp_run_outcome *outcome;
    rcp_clients clients;
    char *said; /* where they print to */
} watch;

static bool is_reached(const watch *w) {
    return __atomic_load_n(&w->outcome->verdict, __ATOMIC_ACQUIRE) == RCP_RUN_REACHED;
}

/* Whoever talked to the recorded run talks to one that is real. */
static void prepare_clients(watch *w) {
    const rcp_recorded_command *c = w->s->command;
    if (w->s->feeding->is_fed || c->clients.len < 2) /* the NULL */
        return;
    w->said = rcp_file_take_path(w->p->directory, "clients");
    w->clients = (rcp_clients){.commands = c->clients.at,
                               .recorded = w->p->directory,
                               .environment = c->environment.at,
                               .directory = c->directory,
                               .output = w->said};
}

/* The signal that ended the recorded run: where the schedule waits for its handler, or once the race was shown. */
static bool is_end_due(const watch *w, double reached) {
    bool is_awaited = __atomic_load_n(&w->outcome->awaits, __ATOMIC_ACQUIRE) == (uint32_t)w->s->end_signal;
    return w->s->end_signal && (is_awaited || (reached > 0 && rcp_seconds_now() - reached > 1));
}

static void watch_it(watch *w) {
    double began = rcp_seconds_now(), reached = 0, sent = 0;
    while (!rcp_process_await_for(w->p->pid, LOOK_SECONDS, &w->p->status)) {
        w->p->seconds = rcp_seconds_now() - began;
        if (w->s->pause && is_reached(w))
            return;
        if (!reached && __atomic_load_n(&w->outcome->verdict, __ATOMIC_ACQUIRE) == RCP_RUN_BOTH)
            reached = rcp_seconds_now();
        rcp_clients_look(&w->clients, w->p->pid, w->p->seconds);
        if (!sent && is_end_due(w, reached)) {
            kill(w->p->pid, w->s->end_signal);
            sent = rcp_seconds_now();
        }
        if (sent && reached && rcp_seconds_now() - sent > (double)rcp_limit(RCP_LIMIT_END_GRACE))
            kill(w->p->pid, SIGKILL);
        if (rcp_process_is_interrupted || (w->s->limit > 0 && w->p->seconds > w->s->limit)) {
            w->p->was_late = true;
            kill(w->s->pause ? w->p->pid : -w->p->pid, SIGKILL);
            rcp_process_await(w->p->pid, &w->p->status);
            break;
        }
    }
    if (!w->s->pause)
        kill(-w->p->pid, SIGKILL); /* what it left behind */
    rcp_clients_end(&w->clients, false);
    w->p->seconds = rcp_seconds_now() - began;
    w->p->pid = 0;
}

static rcp_code run(const rcp_staging *s, rcp_performance *p, struct rcp_run_outcome *outcome) {
    rcp_environment environment;
    rcp_environment_make(&environment, s->command->environment.at, p->directory);
    rcp_tally_count(RCP_TALLY_REPLAYS);
    p->pid = rcp_process_fork();
    if (!p->pid)
        play(s, p->directory, environment.at.at);
    rcp_code code = RCP_OK;
    if (p->pid < 0) {
        p->pid = 0;
        code = rcp_fail(RCP_SYSTEM, "no process could be made: %s", strerror(errno));
    } else {
        if (!s->pause)
            setpgid(p->pid, p->pid); /* whoever is first */
        watch w = {.s = s, .p = p, .outcome = outcome};
        prepare_clients(&w);
        watch_it(&w);
        rcp_clients_finish(&w.clients);
        rcp_release(w.said);
        p->outcome = *outcome;
        for (size_t i = 0; i < s->plan->sides.len; i++)
            rcp_vec_push(&p->seen, ((const struct rcp_run_seen *)(outcome + 1))[i]);
        if (rcp_process_is_interrupted)
            code = rcp_fail(RCP_SYSTEM, "it was interrupted");
        else
            code = rcp_file_read_if_there(p->directory, "output", &p->output);
        if (code == RCP_OK)
            code = rcp_file_read_if_there(p->directory, "errors", &p->errors);
    }
    rcp_environment_finish(&environment);
    return code;
}

rcp_code rcp_stage_perform(const rcp_staging *s, rcp_performance *p) {
    const size_t size = sizeof(struct rcp_run_outcome) + s->plan->sides.len * sizeof(struct rcp_run_seen);
    *p = (rcp_performance){0};
    char *full = realpath(s->recorded, NULL);
    char *directory = rcp_file_take_path(full ? full : s->recorded, "replay.XXXXXX");
    free(full);
    if (!mkdtemp(directory)) {
        rcp_code code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", directory, strerror(errno));
        rcp_release(directory);
        return code;
    }
    p->directory = directory;
    RCP_TRY(write_config(s, directory));
    RCP_TRY(link_recorded(directory));
    char *path = rcp_file_take_path(directory, "outcome");
    void *nothing = rcp_alloc_zero(1, size);
    rcp_code code = rcp_file_make(path, nothing, size);
    rcp_release(nothing);
    if (code != RCP_OK) {
        rcp_release(path);
        return code;
    }
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct rcp_run_outcome *outcome = fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    code = outcome == MAP_FAILED ? rcp_fail(RCP_SYSTEM, "%s: %s", path, strerror(errno)) : RCP_OK;
    if (fd >= 0)
        close(fd);
    rcp_release(path);
    if (code != RCP_OK)
        return code;
    code = run(s, p, outcome);
    munmap(outcome, size);
    return code;
}

void rcp_performance_finish(rcp_performance *p) {
    if (p->pid > 0) {
        kill(p->pid, SIGKILL);
        rcp_process_await(p->pid, NULL);
    }
    if (p->directory)
        rcp_file_remove_tree(p->directory);
    rcp_release(p->directory);
    rcp_vec_finish(&p->seen);
    rcp_text_finish(&p->output);
    rcp_text_finish(&p->errors);
}
