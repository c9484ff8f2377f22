/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/stage.h"

#include "base/limits.h"
#include "abi/hooks.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/tally.h"
#include "program/recording/recording.h"
#include "record/client.h"
#include "record/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LOOK_SECONDS 0.002

/* Nobody who could talk to the program is there, but itself. */
static bool is_alone(const rcp_staging *s) {
    return !s->feeding->is_fed && !s->is_whole && s->command->clients.len < 2 && !s->feeding->made_processes;
}

static const rcp_plan no_plan;

/* Who runs when, where nobody is led. Who waits for timers waits for whole parts of the program, too. */
enum { LONG_HOLDS = 16 };
static void steer(struct rcp_run_config *config, const rcp_stage_steering *steering) {
    config->policy = steering->seed ? RCP_POLICY_RANDOM : RCP_POLICY_RR;
    config->seed = steering->seed;
    config->flags = RCP_RUN_STEERED | (config->flags & RCP_RUN_ALONE);
    config->patience = steering->patience;
    config->watched = steering->n;
    config->met = steering->n_met;
    config->meetings = rcp_limit(RCP_LIMIT_STEER_MEETINGS);
    config->hold_events = rcp_limit(RCP_LIMIT_STEER_HOLD) * (steering->patience ? LONG_HOLDS : 1);
    config->steered_events = rcp_limit(RCP_LIMIT_STEER_EVENTS);
}

/* What is led along a guess goes on so, where it does not end as that says. */
static void steer_on(struct rcp_run_config *config) {
    config->watched = 1;
    config->meetings = rcp_limit(RCP_LIMIT_STEER_MEETINGS);
    config->hold_events = rcp_limit(RCP_LIMIT_STEER_HOLD) * LONG_HOLDS;
    config->steered_events = rcp_limit(RCP_LIMIT_STEER_EVENTS);
}

/* The bytes of both accesses of a guess. */
static struct rcp_run_place place_of(const struct rcp_run_access race[2]) {
    const uint64_t lo = race[0].address < race[1].address ? race[0].address : race[1].address;
    const uint64_t one = race[0].address + race[0].size, other = race[1].address + race[1].size;
    return (struct rcp_run_place){lo, (one > other ? one : other) - lo};
}

static rcp_code write_config(const rcp_staging *s, const char *directory) {
    const rcp_plan *plan = s->plan ? s->plan : &no_plan;
    struct rcp_run_config config = {
        .magic = RCP_RUN_MAGIC,
        .version = RCP_RUN_VERSION,
        .abi = RCP_ABI_VERSION,
        .policy = RCP_POLICY_FILE,
        .flags = RCP_RUN_WITNESS | (plan->older_step ? RCP_RUN_OLDER : 0u) | (plan->is_late ? RCP_RUN_LATE : 0u) |
                 (plan->is_through ? RCP_RUN_THROUGH : 0u) | (s->pause ? RCP_RUN_PAUSE : 0u) |
                 (s->feeding->is_fed ? RCP_RUN_FED : 0u) | (s->feeding->own_ids ? RCP_RUN_OWN_IDS : 0u) |
                 (is_alone(s) ? RCP_RUN_ALONE : 0u),
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
        .last_sleep = rcp_limit(RCP_LIMIT_LAST_SLEEP),
        .retired_bytes = rcp_limit(RCP_LIMIT_RETIRED_BYTES),
        .spin_turns = rcp_limit(RCP_LIMIT_SPIN_TURNS),
        .older_step = plan->older_step,
        .race = {plan->race[0], plan->race[1]},
        .stands = plan->stands.len,
        .began = s->feeding->began,
        .lasted = s->feeding->lasted,
        .output = {s->feeding->output[0], s->feeding->output[1]},
        .meant = s->is_whole ? s->meant->identity : 0,
        .occurrence = s->is_whole ? s->meant->occurrence : 0,
        .forks = s->meant ? s->meant->forks.len : 0,
    };
    RCP_CHECK(plan->stands.len <= RCP_RUN_MOST_STANDS);
    for (size_t i = 0; i < plan->stands.len; i++)
        config.stand[i] = plan->stands.at[i];
    if (s->steering)
        steer(&config, s->steering);
    if (s->is_guess) {
        config.flags |= RCP_RUN_GUESS;
        config.patience = (uint32_t)rcp_limit(RCP_LIMIT_GUESS_PATIENCE);
        config.patience = s->patience > config.patience ? s->patience : config.patience;
        steer_on(&config);
    }
    const struct rcp_run_place place = place_of(plan->race), *watched = s->steering ? s->steering->watched : &place;
    rcp_text bytes = {0};
    rcp_text_add(&bytes, (const char *)&config, sizeof config);
    rcp_text_add(&bytes, (const char *)plan->schedule.steps.at, config.steps * sizeof *plan->schedule.steps.at);
    rcp_text_add(&bytes, (const char *)plan->roles.at, config.roles * sizeof *plan->roles.at);
    rcp_text_add(&bytes, (const char *)plan->handlers.at, config.handlers * sizeof *plan->handlers.at);
    rcp_text_add(&bytes, (const char *)plan->sides.at, config.sides * sizeof *plan->sides.at);
    if (config.watched)
        rcp_text_add(&bytes, (const char *)watched, config.watched * sizeof *watched);
    if (config.met)
        rcp_text_add(&bytes, (const char *)s->steering->met, config.met * sizeof *s->steering->met);
    if (config.forks)
        rcp_text_add(&bytes, (const char *)s->meant->forks.at, config.forks * sizeof *s->meant->forks.at);
    char *path = rcp_file_take_path(directory, "config");
    rcp_code code = rcp_file_make(path, bytes.at, bytes.len);
    rcp_release(path);
    rcp_text_finish(&bytes);
    return code;
}

/* The replay's directory is within the recorded one: bitcode and rules for its log, answers for the run. A steered one
 * is fed nothing, and writes down itself what comes in. */
static rcp_code link_recorded(const char *directory, bool is_steered) {
    static const char *const names[] = {"modules", "opaque", "answers", "pieces"};
    const size_t n = is_steered ? 2 : sizeof names / sizeof *names;
    rcp_code code = RCP_OK;
    for (size_t i = 0; i < n && code == RCP_OK; i++) {
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

static bool redirect(const rcp_staging *s, const char *directory, const char *name, int fd) {
    char path[4200] = "/dev/null";
    if (!s->prints_to_nobody)
        snprintf(path, sizeof path, "%s/%s", directory, name);
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    return to >= 0 && dup2(to, fd) == fd && (to == fd || !close(to));
}

/* What is confirmed by such a run hangs on nothing that was recorded: nothing is fed. */
static bool is_proof(const rcp_staging *s) { return s->steering || s->is_guess; }

/* A pipe or a terminal of which nothing was read. In a run that is steered it is there, and nobody writes to it. */
static bool is_silent(const rcp_staging *s) { return is_proof(s) && !strcmp(s->command->input, "kept"); }

/* Standard input as it was: at the same place of the same file, or the bytes that were read. */
static bool open_input(const rcp_staging *s, const int silence[2]) {
    const char *input = s->command->input;
    char path[4200];
    long long offset = 0;
    if (!strcmp(input, "closed"))
        return !close(0) || true;
    if (is_silent(s))
        return dup2(silence[0], 0) == 0;
    if (!strncmp(input, "file ", 5)) {
        const char *blank = strrchr(input, ' ');
        snprintf(path, sizeof path, "%.*s", (int)(blank - input - 5), input + 5);
        offset = strtoll(blank + 1, NULL, 10);
    } else {
        snprintf(path, sizeof path, "%s/stdin", s->recorded);
        if (!strcmp(input, "null") || !rcp_file_is_there(path))
            strcpy(path, "/dev/null");
    }
    int from = open(path, O_RDONLY);
    return from >= 0 && (!offset || lseek(from, offset, SEEK_SET) >= 0) && dup2(from, 0) == 0 &&
           (from == 0 || !close(from));
}

/* Says so to who made us: what the program prints is its own. */
static _Noreturn void give_up(int tells, const char *what) {
    rcp_text why = {0};
    rcp_text_printf(&why, "%s: %s", what, strerror(errno));
    _exit(rcp_file_put(tells, why.at, why.len) ? 125 : 126); /* of the child alone */
}

static _Noreturn void play(const rcp_staging *s, const char *directory, char *const *environment, const int silence[2],
                           int tells) {
    const rcp_recorded_command *c = s->command;
    const char *failed = NULL;
    if (!s->pause)
        setpgid(0, 0);
    else
        prctl(PR_SET_PTRACER,
              PR_SET_PTRACER_ANY); /* where the system lets parents alone debug, any gdb of the user's */
    personality(ADDR_NO_RANDOMIZE);
    if (!open_input(s, silence))
        failed = "its standard input";
    else if (!redirect(s, directory, "output", 1) || !redirect(s, directory, "errors", 2))
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
    give_up(tells, failed ? failed : c->program);
}

/* Has the program begun? Its end of the pipe is closed by that. */
static rcp_code hear_begin(int heard, rcp_performance *p) {
    char why[256];
    ssize_t n;
    while ((n = read(heard, why, sizeof why)) < 0 && errno == EINTR)
        continue;
    if (!n)
        return RCP_OK;
    rcp_code code = rcp_fail(RCP_SYSTEM, "the program can't be set up again: %.*s", n < 0 ? 0 : (int)n, why);
    if (n < 0) {
        code = rcp_because(code, "whether it has begun can't be heard (%s)", strerror(errno));
        kill(p->pid, SIGKILL);
    }
    rcp_process_await(p->pid, &p->status);
    p->pid = 0;
    return code;
}

/* --- the parent: all that the program started --- */

/* Whoever has left the group is ours, as long as this lasts: so nobody is left behind. */
typedef RCP_VEC(int) pids;

static void list_children(pids *to) {
    char path[64];
    int pid;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *from = fopen(path, "re");
    while (from && fscanf(from, "%d", &pid) == 1)
        rcp_vec_push(to, pid);
    if (from)
        fclose(from);
}

static bool has(const pids *list, int pid) {
    for (size_t i = 0; i < list->len; i++)
        if (list->at[i] == pid)
            return true;
    return false;
}

/* Kills our children, but for those that were there before, and who becomes ours by that, until there are none. */
static void end_all(const pids *before) {
    bool is_over = false;
    while (!is_over) {
        pids now = {0};
        list_children(&now);
        is_over = true;
        for (size_t i = 0; i < now.len; i++)
            if (!has(before, now.at[i])) {
                kill(now.at[i], SIGKILL);
                is_over &= !rcp_process_await(now.at[i], NULL);
            }
        rcp_vec_finish(&now);
    }
}

/* --- the parent: what becomes of it --- */

typedef struct watch {
    const rcp_staging *s;
    rcp_performance *p;
    struct rcp_run_outcome *outcome;
    const pids *before; /* children that are none of this run's */
    rcp_clients clients;
    char *said; /* where they print to */
} watch;

static bool is_reached(const watch *w) {
    return __atomic_load_n(&w->outcome->verdict, __ATOMIC_ACQUIRE) == RCP_RUN_REACHED;
}

/* The command is over; the process that is meant may have outlived whoever started it. */
static bool is_still_led(const watch *w) {
    pid_t pid = (pid_t)__atomic_load_n(&w->outcome->pid, __ATOMIC_ACQUIRE);
    uint32_t verdict = __atomic_load_n(&w->outcome->verdict, __ATOMIC_ACQUIRE);
    bool is_led = verdict == RCP_RUN_ON_ITS_WAY || verdict == RCP_RUN_REACHED || verdict == RCP_RUN_FIRST;
    return w->s->is_whole && is_led && rcp_process_is_there(pid);
}

static bool has_ended(watch *w, bool *is_over) {
    if (!*is_over)
        *is_over = rcp_process_await_for(w->p->pid, LOOK_SECONDS, &w->p->status);
    else if (is_still_led(w)) /* it is ours now, or a child of one that is */
        rcp_process_await_for((pid_t)w->outcome->pid, LOOK_SECONDS, NULL);
    return *is_over && !is_still_led(w);
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

/* The signal that ended the recorded run: where the schedule waits for its handler, or once the race was shown; in a
 * steered one after as long. */
static bool is_end_due(const watch *w, double reached) {
    bool is_awaited = __atomic_load_n(&w->outcome->awaits, __ATOMIC_ACQUIRE) == (uint32_t)w->s->end_signal;
    bool is_long = is_proof(w->s) && w->p->seconds > rcp_inputs_seconds(w->s->recorded);
    return w->s->end_signal && (is_awaited || is_long || (reached > 0 && rcp_seconds_now() - reached > 1));
}

static void watch_it(watch *w) {
    double began = rcp_seconds_now(), reached = 0, sent = 0;
    bool is_over = false;
    while (!has_ended(w, &is_over)) {
        w->p->seconds = rcp_seconds_now() - began;
        if (w->s->pause && is_reached(w))
            return;
        if (!reached && __atomic_load_n(&w->outcome->verdict, __ATOMIC_ACQUIRE) == RCP_RUN_BOTH)
            reached = rcp_seconds_now();
        rcp_clients_look(&w->clients, w->p->pid, w->p->seconds);
        if (!sent && !is_over && is_end_due(w, reached)) {
            kill(w->p->pid, w->s->end_signal);
            sent = rcp_seconds_now();
        }
        if (sent > 0 && (reached > 0 || is_proof(w->s)) && !is_over &&
            rcp_seconds_now() - sent > (double)rcp_limit(RCP_LIMIT_END_GRACE))
            kill(w->p->pid, SIGKILL);
        if (rcp_process_is_interrupted || (w->s->limit > 0 && w->p->seconds > w->s->limit)) {
            w->p->was_late = true;
            kill(w->s->pause ? w->p->pid : -w->p->pid, SIGKILL);
            if (!is_over)
                rcp_process_await(w->p->pid, &w->p->status);
            break;
        }
    }
    rcp_clients_end(&w->clients, false);
    if (!w->s->pause) {
        kill(-w->p->pid, SIGKILL); /* what it left behind */
        end_all(w->before);
    }
    w->p->seconds = rcp_seconds_now() - began;
    w->p->pid = 0;
}

/* Who follows in the child of a fork has recorded beside the others. */
static void find_log(const rcp_staging *s, rcp_performance *p) {
    rcp_text path = {0};
    rcp_text_puts(&path, p->directory);
    for (unsigned n = 1; s->meant && s->meant->forks.len; n++) {
        rcp_recording recording;
        rcp_text next = {0};
        rcp_text_printf(&next, "%s/process.%u", p->directory, n);
        bool is_there = rcp_recording_is_there(next.at);
        bool is_it =
            is_there && rcp_recording_read(next.at, &recording) == RCP_OK && recording.header.pid == p->outcome.pid;
        if (is_there)
            rcp_recording_finish(&recording);
        rcp_clear_causes();
        if (is_it) {
            rcp_text_finish(&path);
            path = next;
            break;
        }
        rcp_text_finish(&next);
        if (!is_there)
            break;
    }
    p->log = path.at;
}

/* How many struct rcp_run_seen the outcome has room for. */
static size_t rooms(const rcp_staging *s) {
    const size_t meetings = is_proof(s) ? (size_t)rcp_limit(RCP_LIMIT_STEER_MEETINGS) : 0;
    return (s->plan ? s->plan->sides.len : 0) + meetings;
}

static rcp_code run(const rcp_staging *s, rcp_performance *p, struct rcp_run_outcome *outcome) {
    rcp_environment environment;
    rcp_environment_make(&environment, s->command->environment.at, p->directory);
    rcp_tally_count(RCP_TALLY_REPLAYS);
    pids before = {0};
    int silence[2] = {-1, -1}, begin[2] = {-1, -1};
    list_children(&before);
    rcp_process_adopt(!s->pause);
    bool is_ready = !pipe2(begin, O_CLOEXEC) && (!is_silent(s) || !pipe2(silence, O_CLOEXEC));
    p->pid = is_ready ? rcp_process_fork() : -1;
    if (!p->pid)
        play(s, p->directory, environment.at.at, silence, begin[1]);
    rcp_code code = p->pid < 0 ? rcp_fail(RCP_SYSTEM, "no process could be made: %s", strerror(errno)) : RCP_OK;
    if (begin[1] >= 0)
        close(begin[1]);
    if (p->pid < 0)
        p->pid = 0;
    else
        code = hear_begin(begin[0], p);
    if (begin[0] >= 0)
        close(begin[0]);
    if (code == RCP_OK) {
        if (!s->pause)
            setpgid(p->pid, p->pid); /* whoever is first */
        watch w = {.s = s, .p = p, .outcome = outcome, .before = &before};
        prepare_clients(&w);
        watch_it(&w);
        rcp_process_adopt(false);
        rcp_clients_finish(&w.clients);
        rcp_release(w.said);
        p->outcome = *outcome;
        find_log(s, p);
        const size_t sides = s->plan ? s->plan->sides.len : 0;
        for (size_t i = 0; i < rooms(s); i++)
            if (i < sides || i - sides < outcome->met_times)
                rcp_vec_push(&p->seen, ((const struct rcp_run_seen *)(outcome + 1))[i]);
        if (rcp_process_is_interrupted)
            code = rcp_fail(RCP_SYSTEM, "it was interrupted");
        else
            code = rcp_file_read_if_there(p->directory, "output", &p->output);
        if (code == RCP_OK)
            code = rcp_file_read_if_there(p->directory, "errors", &p->errors);
    }
    for (int i = 0; i < 2; i++)
        if (silence[i] >= 0)
            close(silence[i]);
    rcp_vec_finish(&before);
    rcp_environment_finish(&environment);
    return code;
}

double rcp_stage_limit(double asked, const char *directory) {
    double took = rcp_inputs_seconds(directory) * (double)rcp_limit(RCP_LIMIT_REPLAY_FACTOR);
    double least = (double)rcp_limit(RCP_LIMIT_REPLAY_SECONDS); /* 0: no end */
    return asked > 0 ? asked : least > 0 && took > least ? took : least;
}

/* As mkdtemp(3) names them. */
static const char place_of_one[] = "replay.XXXXXX";

static void remove_left_in(const char *recorded) {
    DIR *dir = opendir(recorded);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *path = rcp_file_take_path(recorded, entry->d_name);
        const size_t stem = strcspn(place_of_one, "X");
        if (!strncmp(entry->d_name, place_of_one, stem) && strlen(entry->d_name) == sizeof place_of_one - 1)
            rcp_file_remove_tree(path);
        rcp_release(path);
    }
    if (dir)
        closedir(dir);
}

/* Of the recorded run, and of those that were thought out from it. */
void rcp_stage_remove_left(const char *recorded) {
    char *home = rcp_file_take_path(recorded, "variants");
    DIR *dir = opendir(home);
    remove_left_in(recorded);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *path = rcp_file_take_path(home, entry->d_name);
        if (entry->d_name[0] != '.')
            remove_left_in(path);
        rcp_release(path);
    }
    if (dir)
        closedir(dir);
    rcp_release(home);
}

rcp_code rcp_stage_perform(const rcp_staging *s, rcp_performance *p) {
    const size_t size = sizeof(struct rcp_run_outcome) + rooms(s) * sizeof(struct rcp_run_seen);
    *p = (rcp_performance){0};
    char *full = realpath(s->recorded, NULL); /* the program has a working directory of its own */
    if (!full)
        return rcp_fail(RCP_SYSTEM, "%s: can't be found: %s", s->recorded, strerror(errno));
    char *directory = rcp_file_take_path(full, place_of_one);
    free(full);
    if (!mkdtemp(directory)) {
        rcp_code code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", directory, strerror(errno));
        rcp_release(directory);
        return code;
    }
    p->directory = directory;
    RCP_TRY(write_config(s, directory));
    RCP_TRY(link_recorded(directory, is_proof(s)));
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
    rcp_release(p->log);
    rcp_vec_finish(&p->seen);
    rcp_text_finish(&p->output);
    rcp_text_finish(&p->errors);
}
