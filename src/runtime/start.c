/* SPDX-License-Identifier: Apache-2.0 */
/* How a process begins to be recorded and how it ends: the pipeline is rcp_start below.
 *
 * It runs from .preinit_array, before any constructor, when libc can make system calls and find symbols and not much
 * more: the environment comes as an argument.
 */
#include "runtime/answers.h"
#include "runtime/baton.h"
#include "runtime/clock.h"
#include "runtime/deadlock.h"
#include "runtime/follow.h"
#include "runtime/image.h"
#include "runtime/kept.h"
#include "runtime/lifecycle.h"
#include "runtime/linger.h"
#include "runtime/loaded.h"
#include "runtime/logging.h"
#include "runtime/meeting.h"
#include "runtime/peer.h"
#include "runtime/policy.h"
#include "runtime/process.h"
#include "runtime/real.h"
#include "runtime/retired.h"
#include "runtime/say.h"
#include "runtime/shadow.h"
#include "runtime/shared.h"
#include "runtime/signal.h"
#include "runtime/steer.h"
#include "runtime/streams.h"
#include "runtime/told.h"
#include "runtime/tracer.h"
#include "runtime/values.h"
#include "runtime/vfork.h"
#include "runtime/watchdog.h"
#include "runtime/world.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static char directory[4096]; /* that this process records to */
static char top[4096];       /* RECIPE_TRACE */
static char image_path[4200];
static struct rcp_run_config config;
static struct {
    char **argv, **environment;
    bool is_forked;
    uint64_t forks;       /* that this process has tried */
    const uint64_t *path; /* of a witness: by which of them it goes on */
    uint64_t path_at;
} own;

bool rcp_is_recording(void) { return rcp_baton.on; }

_Noreturn void rcp_refuse(const char *why, const char *what) {
    RCP_SAY(text, 2048);
    rcp_say_text(&text, why);
    if (what) {
        rcp_say_text(&text, ": ");
        rcp_say_text(&text, what);
    }
    rcp_say_print(&text);
    if (rcp_log_is_open())
        rcp_log_refuse(text.text);
    for (;;)
        RCP_SYS1(SYS_exit_group, 125);
}

static const char *variable(char **environment, const char *name) {
    size_t n = strlen(name);
    for (char **e = environment; *e; e++)
        if (!strncmp(*e, name, n) && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}

static void join_path(char *to, size_t size, const char *folder, const char *name) {
    rcp_say say = {to, 0, size};
    to[0] = 0;
    rcp_say_text(&say, folder);
    rcp_say_text(&say, "/");
    rcp_say_text(&say, name);
    if (say.n + 1 >= size)
        rcp_refuse("the path of the trace is too long", folder);
}

static long open_in(const char *folder, const char *name, int flags) {
    char path[4200];
    join_path(path, sizeof path, folder, name);
    return RCP_SYS4(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0666);
}

long rcp_process_open(const char *name, int flags) { return open_in(directory, name, flags); }

void rcp_process_append(const char *name, const void *bytes, size_t n) {
    long fd = rcp_process_open(name, O_WRONLY | O_CREAT | O_APPEND);
    if (fd < 0)
        return;
    RCP_SYS3(SYS_write, fd, bytes, n);
    RCP_SYS1(SYS_close, fd);
}
void rcp_process_path(const char *name, char *path, size_t size) { join_path(path, size, directory, name); }
bool rcp_process_is_executed(void) { return !own.is_forked; }
static bool is_first(void) { return !strcmp(directory, top); }

/* A hint, away from where programs, their mappings and their shadow are (abi/shadow.h): the length of a schedule must
 * not move what is mapped after it. */
#define CONFIG_AT (INT64_C(1) << 45)

static const struct rcp_run_step *read_config(void) {
    long fd = open_in(top, "config", O_RDONLY);
    struct stat st;
    if (fd < 0 || RCP_SYS2(SYS_fstat, fd, &st) < 0)
        rcp_refuse("no configuration in the directory that " RCP_RUN_VARIABLE " names; let `recipe record` make it",
                   top);
    if (RCP_SYS3(SYS_read, fd, &config, sizeof config) != sizeof config || config.magic != RCP_RUN_MAGIC)
        rcp_refuse("damaged configuration", top);
    if (config.version != RCP_RUN_VERSION || config.abi != RCP_ABI_VERSION)
        rcp_refuse("the program was built by another version of recipe than the one that records it; build it again",
                   top);
    bool is_pct = config.policy == RCP_POLICY_PCT;
    if (!config.quantum || !config.first_turn || !config.growth || !config.watchdog ||
        (is_pct && (!config.depth || !config.length)))
        rcp_refuse("damaged configuration: a number is missing", top);
    uint64_t size = sizeof config + config.steps * sizeof(struct rcp_run_step) +
                    config.roles * sizeof(struct rcp_run_role) + config.handlers * sizeof(struct rcp_run_handler) +
                    config.sides * sizeof(struct rcp_run_side) + config.watched * sizeof(struct rcp_run_place) +
                    (config.met + config.forks) * sizeof *own.path;
    uint64_t most = (uint64_t)st.st_size;
    if (config.steps > most || config.roles > most || config.handlers > most || config.sides > most ||
        config.watched > most || config.met > most || config.forks > most || size > most)
        rcp_refuse("damaged configuration: its schedule is cut off", top);
    long at = rcp_sys(SYS_mmap, CONFIG_AT, (long)size, PROT_READ, MAP_PRIVATE, fd, 0);
    RCP_SYS1(SYS_close, fd);
    if (at < 0 && at > -4096)
        rcp_refuse("the configuration can't be mapped into memory", top);
    own.path = (const uint64_t *)(at + (long)size) - config.forks;
    return (const struct rcp_run_step *)(at + (long)sizeof config);
}

/* A copy, so that each process's directory stands for itself; the bitcode, which is large, is kept once. */
static void share_with_top(void) {
    long from = open_in(top, "config", O_RDONLY), to = open_in(directory, "config", O_WRONLY | O_CREAT | O_TRUNC);
    char buffer[4096];
    long n;
    while (from >= 0 && to >= 0 && (n = RCP_SYS3(SYS_read, from, buffer, sizeof buffer)) > 0)
        RCP_SYS3(SYS_write, to, buffer, n);
    RCP_SYS1(SYS_close, from);
    RCP_SYS1(SYS_close, to);
    char link[sizeof directory];
    join_path(link, sizeof link, directory, "modules");
    RCP_SYS3(SYS_symlinkat, "../modules", AT_FDCWD, link);
}

/* --- who this process is --- */

static void put_string(int fd, const char *string) { RCP_SYS3(SYS_write, fd, string, strlen(string) + 1); }

static void put_number(int fd, uint64_t n) {
    RCP_SAY(number, 32);
    rcp_say_number(&number, n);
    put_string(fd, number.text);
}

static void put_strings(int fd, char **strings) {
    uint64_t n = 0;
    while (strings[n])
        n++;
    put_number(fd, n);
    for (uint64_t i = 0; i < n; i++)
        put_string(fd, strings[i]);
}

static void put_link(int fd, const char *link) {
    char path[4096];
    long n = RCP_SYS4(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    put_string(fd, path);
}

/* In the words of record/command.h. */
static void put_input(int fd) {
    struct stat is;
    char path[4096];
    if (RCP_SYS2(SYS_fstat, 0, &is) < 0) {
        put_string(fd, "closed");
    } else if (S_ISREG(is.st_mode)) {
        long n = RCP_SYS4(SYS_readlinkat, AT_FDCWD, "/proc/self/fd/0", path, sizeof path - 1);
        RCP_SAY(words, sizeof path + 64);
        path[n > 0 ? n : 0] = 0;
        rcp_say_text(&words, "file ");
        rcp_say_text(&words, path);
        rcp_say_text(&words, " ");
        rcp_say_number(&words, (uint64_t)RCP_SYS3(SYS_lseek, 0, 0, SEEK_CUR));
        put_string(fd, words.text);
    } else {
        put_string(fd, S_ISCHR(is.st_mode) && is.st_rdev == makedev(1, 3) ? "null" : "kept");
    }
}

/* `maker`: of a child by fork, who made it. What can't be written here can't be replayed, and is recorded. */
static void tell_started(const char *maker, uint64_t nth) {
    long fd = open_in(directory, "started", O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0)
        return;
    put_string((int)fd, own.is_forked ? "forked" : "executed");
    put_number((int)fd, (uint64_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0));
    if (own.is_forked) {
        put_string((int)fd, maker);
        put_number((int)fd, nth);
    } else {
        put_link((int)fd, "/proc/self/exe");
        put_link((int)fd, "/proc/self/cwd");
        put_input((int)fd);
        put_strings((int)fd, own.argv);
        put_strings((int)fd, own.environment);
    }
    RCP_SYS1(SYS_close, fd);
}

static void name_numbered(const char *stem, uint64_t n, char *path, size_t size) {
    RCP_SAY(name, 64);
    rcp_say_text(&name, stem);
    rcp_say_number(&name, n);
    join_path(path, size, top, name.text);
}

static bool is_taken(uint64_t n) {
    char path[sizeof directory];
    name_numbered("process.", n, path, sizeof path);
    return !RCP_SYS4(SYS_faccessat, AT_FDCWD, path, 0, 0);
}

/* A number below which all are taken: whoever is the ten thousandth must not ask for all of them. */
static uint64_t first_free(void) {
    uint64_t low = 0, high = 1; /* low is taken, or 0; high was free */
    while (is_taken(high))
        low = high, high *= 2;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (is_taken(middle))
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The first process gets the directory itself, every other one process.N in it. Returns its log's descriptor. */
static int claim(bool first, const char *maker, uint64_t nth) {
    long fd = -EEXIST;
    if (first) {
        strcpy(directory, top);
        fd = open_in(directory, "log", O_RDWR | O_CREAT | O_EXCL);
    }
    for (uint64_t i = fd == -EEXIST ? first_free() : 0; fd == -EEXIST; i++) {
        name_numbered("process.", i, directory, sizeof directory);
        fd = RCP_SYS3(SYS_mkdirat, AT_FDCWD, directory, 0777);
        if (fd == 0) {
            share_with_top();
            tell_started(maker, nth);
            fd = open_in(directory, "log", O_RDWR | O_CREAT | O_EXCL);
        }
    }
    if (fd < 0)
        rcp_refuse("the trace can't be written to its directory", directory);
    join_path(image_path, sizeof image_path, directory, "image");
    return (int)fd;
}

static int open_values(void) {
    long fd = open_in(directory, "values", O_RDWR | O_CREAT | O_TRUNC);
    if (fd < 0)
        rcp_refuse("the values can't be written to the trace's directory", directory);
    return (int)fd;
}

/* Whoever started the run has made it, and looks at it. */
static void tell_outcome(void) {
    long fd = open_in(directory, "outcome", O_RDWR);
    const uint64_t seen = config.sides + config.meetings;
    long size = (long)(sizeof(struct rcp_run_outcome) + seen * sizeof(struct rcp_run_seen));
    long at = fd < 0 ? fd : rcp_sys(SYS_mmap, CONFIG_AT * 3 / 2, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at < 0 && at > -4096)
        rcp_refuse("the outcome of a replay can't be told: let `recipe replay` make its directory", directory);
    RCP_SYS1(SYS_close, fd);
    struct rcp_run_outcome *outcome = (struct rcp_run_outcome *)at;
    const uint64_t *met = own.path - config.met;
    const struct rcp_run_place *watched = (const struct rcp_run_place *)met - config.watched;
    if (config.flags & RCP_RUN_STEERED) {
        outcome->pid = (uint32_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
        rcp_steer_start(&config, watched, met, outcome);
    } else {
        rcp_follow_tell(outcome, watched);
    }
}

/* What the recorded run was told: time, random numbers, input. */
static void feed(void) {
    rcp_clock_feed(&config);
    if (!(config.flags & RCP_RUN_OWN_IDS))
        rcp_told_feed();
    rcp_world_feed(RCP_WORLD_PROCESSES | RCP_WORLD_SOCKETS | RCP_WORLD_TIME | RCP_WORLD_INPUT | RCP_WORLD_UNKEPT |
                   (config.flags & RCP_RUN_OWN_IDS ? 0 : RCP_WORLD_IDS));
    long fd = open_in(directory, "answers", O_RDONLY);
    rcp_answers_open((int)fd);
    if (fd >= 0)
        RCP_SYS1(SYS_close, fd);
    fd = open_in(directory, "pieces", O_RDONLY);
    rcp_peer_feed((int)fd);
    rcp_kept_feed();
    if (fd >= 0)
        RCP_SYS1(SYS_close, fd);
}

static uint64_t count_events(void) {
    uint64_t n = rcp_baton.events_gone;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        n += t->hot ? t->hot->position : t->at;
    return n;
}

void rcp_finish(enum rcp_ended how, int status) {
    rcp_thread *self = rcp_self;
    if (!rcp_baton.on)
        return;
    if (!self) { /* not one of ours: the log belongs to whoever has the baton */
        rcp_log_say_ended(how);
        return;
    }
    bool inside = self->inside;
    if (!inside)
        rcp_thread_enter(self);
    rcp_values_flush(self);
    rcp_tracer_look();
    rcp_shared_look(true);
    if (how == RCP_ENDED_EXIT)
        rcp_log_exit(status);
    if (how == RCP_ENDED_EXEC) { /* it may fail, and then we go on */
        rcp_log_close(how, count_events());
        if (!inside)
            rcp_thread_leave(self);
        return;
    }
    rcp_sys_acquire(&rcp_baton.lock);
    if (how == RCP_ENDED_EXIT)
        rcp_meeting_exit(self);
    rcp_baton.on = false; /* whoever comes back now waits for a baton that nobody passes on */
    uint64_t events = count_events();
    self->hot->limit = UINT64_MAX;
    rcp_self = NULL;
    rcp_sys_release(&rcp_baton.lock);
    rcp_log_close(how, events);
    rcp_values_close();
    rcp_peer_close();
}

void rcp_end_deadlocked(const struct rcp_log_deadlock *deadlock) {
    rcp_tracer_look();
    rcp_shared_look(true);
    rcp_baton.on = false;
    rcp_log_deadlock(deadlock);
    rcp_log_close(RCP_ENDED_DEADLOCK, count_events());
    rcp_values_close();
    for (;;)
        RCP_SYS1(SYS_exit_group, RCP_DEADLOCK_STATUS);
}

static void on_process_exit(int status, void *unused) {
    (void)unused;
    rcp_linger(); /* for threads that exit handlers have made */
    rcp_finish(RCP_ENDED_EXIT, status);
}

/* --- forks --- */

void rcp_process_divides(void) { own.forks++; }

/* Does the schedule go on in the child of this fork? */
static bool leads_to_child(void) {
    return rcp_follow_is_witness() && own.path_at < config.forks && own.path[own.path_at] == own.forks;
}

void rcp_process_divided(void) {
    if (!leads_to_child())
        return;
    rcp_sys_acquire(&rcp_baton.lock);
    rcp_follow_leave();
    rcp_sys_release(&rcp_baton.lock);
}

void rcp_restart_in_child(void) {
    rcp_thread *self = rcp_self;
    if (!rcp_baton.on || !self)
        return;
    char parents_image[sizeof image_path], maker[64] = "";
    rcp_vfork_forget();
    memcpy(parents_image, image_path, sizeof parents_image);
    if (!is_first() && strlen(directory + strlen(top)) <= sizeof maker)
        strcpy(maker, directory + strlen(top) + 1);
    const uint64_t nth = own.forks;
    rcp_watchdog_forget();
    rcp_steer_end();
    rcp_baton_keep_only(self);
    rcp_policy_linger_end(self);
    if (leads_to_child()) {
        own.path_at++;
        rcp_follow_pass_on();
    } else {
        rcp_follow_end(); /* the schedule is the parent's, and what it is fed */
    }
    own.is_forked = true;
    own.forks = 0;
    rcp_answers_end();
    rcp_clock_end();
    rcp_told_end();
    rcp_world_end();
    rcp_kept_end();
    rcp_peer_part();
    self->tid = (int)rcp_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    rcp_log_disown();
    int fd = claim(false, maker, nth);
    char path[4200];
    join_path(path, sizeof path, directory, "log");
    rcp_log_part_ways(fd, path);
    if (rcp_baton.values) {
        join_path(path, sizeof path, directory, "values");
        rcp_values_part_ways(open_values(), path);
    }
    rcp_image_part_ways(parents_image, image_path);
    rcp_streams_part();
    rcp_log_fork(0);
}

/* Of a whole command that is replayed: is this the process that follows the schedule? All of its like look in the order
 * in which they begin, as they were counted when they were recorded. */
static bool is_meant(void) {
    char path[4200];
    long n = RCP_SYS4(SYS_readlinkat, AT_FDCWD, "/proc/self/cwd", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    if (rcp_run_identity(path, own.argv) != config.meant)
        return false;
    for (uint64_t i = 1;; i++) {
        name_numbered("met.", i, path, sizeof path);
        long fd = RCP_SYS4(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            RCP_SYS1(SYS_close, fd);
        if (fd != -EEXIST)
            return fd >= 0 && i == config.occurrence;
    }
}

/* Is nothing in it the recorded run's, but who runs when? */
static bool is_by_itself(void) { return !(config.flags & RCP_RUN_WITNESS) || config.flags & RCP_RUN_GUESS; }

static void start_recording(void) {
    const struct rcp_run_step *steps = read_config();
    rcp_process_name(top);
    if (config.flags & (RCP_RUN_WITNESS | RCP_RUN_STEERED) && config.meant && !is_meant()) {
        rcp_image_start(NULL);
        return;
    }
    if (RCP_SYS3(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) < 0)
        rcp_refuse("this kernel has no membarrier(PRIVATE_EXPEDITED), which recording needs",
                   "Linux 4.14 or later has it; in a container, its seccomp filter may forbid it");
    int fd = claim(!(config.flags & RCP_RUN_TREE), "", 0);
    char path[4200];
    join_path(path, sizeof path, directory, "log");
    if (is_by_itself())
        rcp_streams_places(config.output);
    rcp_log_open(fd, path, &config);
    if (config.flags & RCP_RUN_LOG_VALUES) {
        join_path(path, sizeof path, directory, "values");
        rcp_values_open(open_values(), path);
        rcp_baton.values = true;
    }
    if (!is_first()) { /* a program that was executed: the schedule is not its own */
        config.policy = config.policy == RCP_POLICY_FILE ? RCP_POLICY_RR : config.policy;
        config.flags &= ~(uint32_t)(RCP_RUN_WITNESS | RCP_RUN_STEERED);
    }
    rcp_policy_start(&config, steps);
    rcp_linger_start(&config);
    rcp_retired_start(config.retired_bytes);
    if (config.flags & (RCP_RUN_WITNESS | RCP_RUN_STEERED))
        tell_outcome();
    if (is_by_itself())
        rcp_kept_start();
    if (config.flags & RCP_RUN_WITNESS && config.flags & RCP_RUN_FED)
        feed();
    rcp_watchdog_set(config.watchdog);
    rcp_image_start(image_path);
    rcp_streams_start();
    if (!is_by_itself())
        rcp_streams_follow(config.output);
    rcp_tracer_start();
    rcp_baton.on = true;
    rcp_thread_start_main();
    rcp_signal_start(); /* now for all that recording needs */
    rcp_process_start();
    on_exit(on_process_exit, NULL); /* the first to be registered is the last to run */
}

static void rcp_start(int argc, char **argv, char **environment) {
    (void)argc;
    own.argv = argv;
    own.environment = environment;
    rcp_shadow_start(argv, environment); /* first: dlsym may call an allocator of the program's own */
    rcp_real_resolve();
    rcp_loaded_start();
    rcp_signal_start(); /* from here on the shadow is mapped by faults, too */
    const char *trace = variable(environment, RCP_RUN_VARIABLE);
    if (!trace || !*trace) {
        rcp_image_start(NULL);
        return;
    }
    if (strlen(trace) >= sizeof top)
        rcp_refuse("the path of the trace is too long", trace);
    strcpy(top, trace);
    start_recording();
}

__attribute__((section(".preinit_array"), used, retain)) static void (*const at_start)(int, char **,
                                                                                       char **) = rcp_start;
