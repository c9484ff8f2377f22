/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime without the pass: tests/runtime/by_hand.c is run as a recorded program, and its log is read. */
#include "abi/hooks.h"
#include "base/limits.h"
#include "abi/run.h"
#include "program/recording/log_reader.h"
#include "suite.h"
#include "temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct run {
    char directory[256];
    char output[256]; /* of the program, standard output or error */
    int status;
    rcp_log *log;
} run;

static void path_in(const run *r, const char *name, char *path, size_t room) {
    ck_assert_int_lt(snprintf(path, room, "%s/%s", r->directory, name), (int)room);
}

static void write_config(const run *r, struct rcp_run_config config, const struct rcp_run_step *steps) {
    char path[300];
    path_in(r, "config", path, sizeof path);
    FILE *f = fopen(path, "wb");
    config.quantum = config.quantum ? config.quantum : rcp_limit(RCP_LIMIT_QUANTUM);
    config.first_turn = config.first_turn ? config.first_turn : config.quantum;
    config.growth = config.growth ? config.growth : 1;
    config.watchdog = config.watchdog ? config.watchdog : (uint32_t)rcp_limit(RCP_LIMIT_WATCHDOG);
    config.depth = config.depth ? config.depth : (uint32_t)rcp_limit(RCP_LIMIT_PCT_DEPTH);
    config.length = config.length ? config.length : rcp_limit(RCP_LIMIT_PCT_LENGTH);
    config.magic = config.magic ? config.magic : RCP_RUN_MAGIC;
    config.version = config.version ? config.version : RCP_RUN_VERSION;
    config.abi = config.abi ? config.abi : RCP_ABI_VERSION;
    ck_assert_uint_eq(fwrite(&config, sizeof config, 1, f), 1);
    if (config.steps)
        ck_assert_uint_eq(fwrite(steps, sizeof *steps, config.steps, f), config.steps);
    fclose(f);
}

static _Noreturn void become(const run *r, const char *scenario, int to, int from_fd) {
    dup2(to, from_fd);
    setenv(RCP_RUN_VARIABLE, r->directory, 1);
    personality(ADDR_NO_RANDOMIZE);
    execl(BY_HAND, BY_HAND, scenario, (char *)NULL);
    _exit(127);
}

/* Runs the scenario; `fd` of it is read into `output`. */
static void run_program(run *r, const char *scenario, int fd) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (!pid)
        become(r, scenario, ends[1], fd);
    close(ends[1]);
    size_t n = 0;
    ssize_t got;
    while (n + 1 < sizeof r->output && (got = read(ends[0], r->output + n, sizeof r->output - n - 1)) > 0) {
        n += (size_t)got;
        r->output[n] = 0;
    }
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, &r->status, 0), pid);
    char path[300];
    path_in(r, "log", path, sizeof path);
    if (!access(path, R_OK))
        ck_assert_int_eq(rcp_log_open(path, &r->log), RCP_OK);
}

static run record_with(const char *scenario, struct rcp_run_config config, const struct rcp_run_step *steps) {
    run r = {0};
    make_temporary(r.directory, sizeof r.directory);
    write_config(&r, config, steps);
    run_program(&r, scenario, 1);
    return r;
}

static run record(const char *scenario, uint32_t policy, uint64_t seed) {
    return record_with(scenario, (struct rcp_run_config){.policy = policy, .seed = seed, .quantum = 50}, NULL);
}

static void drop(run *r) {
    if (r->log)
        rcp_log_close(r->log);
    drop_temporary(r->directory);
}

static const struct rcp_log_header *ended_well(const run *r, const char *output) {
    ck_assert_int_eq(r->status, 0);
    ck_assert_str_eq(r->output, output);
    const struct rcp_log_header *h = rcp_log_borrow_header(r->log);
    ck_assert_uint_eq(h->ended, RCP_ENDED_EXIT);
    return h;
}

/* Every record can be read, and the records say the same as the header. Returns how many have the tag. */
static uint64_t count_records(run *r, enum rcp_log_tag tag) {
    rcp_log_record record;
    uint64_t n = 0, slices = 0;
    do {
        ck_assert_int_eq(rcp_log_next(r->log, &record), RCP_OK);
        n += record.tag == tag;
        slices += record.tag == RCP_LOG_SLICE;
    } while (record.tag != RCP_LOG_END);
    if (rcp_log_borrow_header(r->log)->ended != RCP_ENDED_NOT)
        ck_assert_uint_eq(slices, rcp_log_borrow_header(r->log)->switches);
    return n;
}

START_TEST(a_run_is_recorded_to_its_end) {
    run r = record("counter", RCP_POLICY_RR, 0);
    const struct rcp_log_header *h = ended_well(&r, "1\n");
    ck_assert_uint_eq(h->threads, 4);
    ck_assert_uint_eq(h->syncs, 6); /* three creations, three joins */
    ck_assert_uint_gt(h->switches, 100);
    ck_assert_uint_gt(h->events, 6000);
    ck_assert_uint_eq(count_records(&r, RCP_LOG_THREAD_END), 3);
    drop(&r);
}
END_TEST

/* Every record, header aside: by memcmp, since a schedule is nothing but a part of it. */
static bool same_records(const run *a, const run *b) {
    size_t n[2];
    char *bytes[2];
    const run *both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        char path[300];
        path_in(both[i], "log", path, sizeof path);
        FILE *f = fopen(path, "rb");
        bytes[i] = malloc(1 << 22);
        fseek(f, RCP_LOG_HEADER_SIZE, SEEK_SET);
        n[i] = fread(bytes[i], 1, 1 << 22, f);
        fclose(f);
    }
    bool same = n[0] == n[1] && n[0] && !memcmp(bytes[0], bytes[1], n[0]);
    free(bytes[0]);
    free(bytes[1]);
    return same;
}

START_TEST(the_seed_decides_the_schedule) {
    static const struct {
        uint32_t policy;
        bool seeded;
    } cases[] = {{RCP_POLICY_RR, false}, {RCP_POLICY_RANDOM, true}, {RCP_POLICY_PCT, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run first = record("counter", cases[i].policy, 1), again = record("counter", cases[i].policy, 1);
        run other = record("counter", cases[i].policy, 2);
        ck_assert_msg(same_records(&first, &again), "policy %u", cases[i].policy);
        ck_assert_msg(same_records(&first, &other) == !cases[i].seeded, "policy %u", cases[i].policy);
        drop(&first);
        drop(&again);
        drop(&other);
    }
}
END_TEST

START_TEST(a_schedule_is_followed) {
    /* Main creates all; then the second counter alone, then the first, the spinning one before its end. */
    static const struct rcp_run_step steps[] = {{0, 3}, {3, 1500}, {1, 10}, {3, 3000}, {2, 3000}};
    run r =
        record_with("counter", (struct rcp_run_config){.policy = RCP_POLICY_FILE, .quantum = 50, .steps = 5}, steps);
    ended_well(&r, "1\n");
    rcp_log_record record;
    size_t step = 0;
    while (step < 5) {
        ck_assert_int_eq(rcp_log_next(r.log, &record), RCP_OK);
        ck_assert_int_ne(record.tag, RCP_LOG_END);
        if (record.tag == RCP_LOG_SLICE)
            ck_assert_uint_eq(record.thread, steps[step].thread);
        bool ends = record.tag == RCP_LOG_STOP || record.tag == RCP_LOG_THREAD_END;
        if (ends)
            ck_assert_uint_eq(record.position, steps[step].until);
        step += ends;
    }
    drop(&r);
}
END_TEST

START_TEST(a_schedule_that_cant_be_followed_is_noted) {
    static const struct rcp_run_step steps[] = {{0, 3}, {9, 10}};
    run r =
        record_with("counter", (struct rcp_run_config){.policy = RCP_POLICY_FILE, .quantum = 50, .steps = 2}, steps);
    ck_assert_uint_eq(ended_well(&r, "1\n")->notes, 1);
    drop(&r);
}
END_TEST

START_TEST(a_thousand_threads) {
    run r = record("many", RCP_POLICY_RR, 0);
    ck_assert_uint_eq(ended_well(&r, "")->threads, 1001);
    ck_assert_uint_eq(count_records(&r, RCP_LOG_THREAD_END), 1000);
    drop(&r);
}
END_TEST

START_TEST(the_watchdog_takes_the_baton_from_an_unknown_blocking_call) {
    run r = record("outside", RCP_POLICY_RR, 0);
    ck_assert_uint_ge(ended_well(&r, "1\n")->steals, 1);
    count_records(&r, RCP_LOG_STOP);
    drop(&r);
}
END_TEST

START_TEST(first_come_first_woken) {
    run r = record("wakes", RCP_POLICY_RR, 0);
    ended_well(&r, "3 123\n");
    drop(&r);
}
END_TEST

START_TEST(a_deadlock_ends_the_run) {
    run r = {0};
    make_temporary(r.directory, sizeof r.directory);
    write_config(&r, (struct rcp_run_config){.quantum = 50}, NULL);
    run_program(&r, "deadlock", 2);
    ck_assert(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 1);
    ck_assert_ptr_nonnull(strstr(r.output, "thread 0 waits for the end of thread 0.1"));
    ck_assert_ptr_nonnull(strstr(r.output, "thread 0.1 waits for the word at 0x4d"));
    ck_assert_uint_eq(rcp_log_borrow_header(r.log)->ended, RCP_ENDED_DEADLOCK);
    const struct rcp_log_deadlock *deadlock = rcp_log_borrow_deadlock(r.log);
    ck_assert_ptr_nonnull(deadlock);
    ck_assert_uint_eq(deadlock->threads, 2);
    ck_assert_uint_eq(deadlock->wait[0].kind, RCP_SYNC_THREAD);
    ck_assert_uint_eq(deadlock->wait[0].holder, 1);
    ck_assert_uint_eq(deadlock->wait[1].address, 0x4d);
    ck_assert_uint_eq(count_records(&r, RCP_LOG_NOTE), 3);
    drop(&r);
}
END_TEST

START_TEST(callbacks_and_misses) {
    run r = record("callbacks", RCP_POLICY_RR, 0);
    const struct rcp_log_header *h = ended_well(&r, "100\n");
    ck_assert_uint_eq(count_records(&r, RCP_LOG_CALLBACK), h->callbacks);
    drop(&r);
    r = record("misses", RCP_POLICY_RR, 0);
    ended_well(&r, "1\n");
    ck_assert_uint_eq(count_records(&r, RCP_LOG_MISS), 1);
    drop(&r);
}
END_TEST

START_TEST(a_thread_from_elsewhere_is_adopted) {
    run r = record("strange", RCP_POLICY_RR, 0);
    const struct rcp_log_header *h = ended_well(&r, "0\n");
    ck_assert_uint_eq(h->threads, 2);
    ck_assert_uint_eq(h->notes, 1);
    drop(&r);
}
END_TEST

START_TEST(a_forked_process_has_a_trace_of_its_own) {
    run r = record("forks", RCP_POLICY_RR, 0), child = r;
    ended_well(&r, "");
    path_in(&r, "process.1/log", child.directory, sizeof child.directory);
    ck_assert_int_eq(rcp_log_open(child.directory, &child.log), RCP_OK);
    const struct rcp_log_header *h = rcp_log_borrow_header(child.log);
    ck_assert_uint_eq(h->ended, RCP_ENDED_EXIT);
    ck_assert_uint_eq(h->threads, 2); /* the spinning one had not begun */
    ck_assert_uint_eq(count_records(&child, RCP_LOG_FORK), 1);
    rcp_log_close(child.log);
    drop(&r);
}
END_TEST

START_TEST(every_event_is_in_the_values) {
    run r = record_with("counter", (struct rcp_run_config){.quantum = 50, .flags = RCP_RUN_LOG_VALUES}, NULL);
    const struct rcp_log_header *h = ended_well(&r, "1\n");
    char path[300];
    path_in(&r, "values", path, sizeof path);
    FILE *f = fopen(path, "rb");
    struct rcp_logged_value v;
    uint64_t n = 0, kinds[16] = {0}, last = 0;
    while (fread(&v, sizeof v, 1, f) == 1) {
        n++;
        kinds[v.what & 15]++;
        if ((v.what & 255) == RCP_WHAT_STORE && v.what >> 40 == 2) /* what the thread loaded before, plus 1 */
            ck_assert_uint_eq(v.value, last + 1);
        if (v.what >> 40 == 2)
            last = v.value;
    }
    fclose(f);
    ck_assert_uint_eq(n, h->events);
    ck_assert_uint_eq(kinds[RCP_WHAT_STORE], 2001);
    drop(&r);
}
END_TEST

static void refused(struct rcp_run_config config, const char *why) {
    run r = {0};
    make_temporary(r.directory, sizeof r.directory);
    write_config(&r, config, NULL);
    run_program(&r, "counter", 2);
    ck_assert(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 125);
    ck_assert_msg(strstr(r.output, why) != NULL, "%s", r.output);
    drop(&r);
}

START_TEST(another_version_is_refused) {
    refused((struct rcp_run_config){.version = 99}, "another version of recipe");
    refused((struct rcp_run_config){.abi = 99}, "another version of recipe");
    refused((struct rcp_run_config){.magic = 99}, "damaged configuration");
}
END_TEST

int main(void) {
    return rcp_suite_run("runtime", a_run_is_recorded_to_its_end, the_seed_decides_the_schedule, a_schedule_is_followed,
                         a_schedule_that_cant_be_followed_is_noted, a_thousand_threads,
                         the_watchdog_takes_the_baton_from_an_unknown_blocking_call, first_come_first_woken,
                         a_deadlock_ends_the_run, callbacks_and_misses, a_thread_from_elsewhere_is_adopted,
                         a_forked_process_has_a_trace_of_its_own, every_event_is_in_the_values,
                         another_version_is_refused, NULL);
}
