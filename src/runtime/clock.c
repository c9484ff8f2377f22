/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/clock.h"

#include "runtime/sys.h"
#include "runtime/thread.h"

static struct {
    bool fed;
    struct rcp_log_clocks began;
    int64_t last; /* that could be recorded, on the monotonic clock */
    rcp_sys_lock lock;
    int64_t shown, since; /* the latest that was shown, on the monotonic clock, and the system's clock then */
    int64_t coarse;       /* the latest of the clocks that stand between two ticks */
    void (*moved)(int64_t now);
    rcp_own_clock raw;         /* of the clock that nobody corrects, */
    uint64_t counted, counter; /* and of the machine's counter */
    int64_t cpu_of_threads;
    rcp_own_clock cpu; /* the process's */
} is;

static int64_t system_time(clockid_t clock) {
    struct timespec now = {0};
    RCP_SYS2(SYS_clock_gettime, clock, &now);
    return rcp_clock_ns(&now);
}

static uint64_t machine_counter(uint64_t *hertz) {
#ifdef __aarch64__
    uint64_t n;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(*hertz));
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(n));
    return n;
#else
    *hertz = 0;
    return __builtin_ia32_rdtsc();
#endif
}

void rcp_clock_look(struct rcp_log_clocks *clocks) {
    clocks->monotonic = system_time(CLOCK_MONOTONIC);
    clocks->wall = system_time(CLOCK_REALTIME);
    clocks->raw = system_time(CLOCK_MONOTONIC_RAW);
    clocks->boot = system_time(CLOCK_BOOTTIME);
    clocks->tai = system_time(CLOCK_TAI);
    clocks->counter = machine_counter(&clocks->counter_hertz);
}

/* Clocks are read one after the other, so distances are wrong by some time; and time() leaves out up to a second. */
#define SLACK 2000000000

void rcp_clock_feed(const struct rcp_run_config *config) {
    is.began = config->began;
    is.last = config->lasted ? config->began.monotonic + config->lasted + SLACK : INT64_MAX;
    is.shown = config->began.monotonic;
    is.since = system_time(CLOCK_MONOTONIC);
    is.raw = (rcp_own_clock){config->began.raw, system_time(CLOCK_MONOTONIC_RAW)};
    is.counted = config->began.counter;
    is.counter = machine_counter(&(uint64_t){0});
    is.fed = true;
}

bool rcp_clock_is_fed(void) { return is.fed; }
void rcp_clock_end(void) {
    is.fed = false;
    is.lock.word = 0;
}

/* Of a clock that shows what time it is: how far it was ahead of the monotonic one. */
static bool distance_of(clockid_t clock, int64_t *distance) {
    switch (clock) {
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE: *distance = 0; return true;
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM: *distance = is.began.wall - is.began.monotonic; return true;
    case CLOCK_MONOTONIC_RAW: *distance = is.began.raw - is.began.monotonic; return true;
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM: *distance = is.began.boot - is.began.monotonic; return true;
    case CLOCK_TAI: *distance = is.began.tai - is.began.monotonic; return true;
    default: return false;
    }
}

/* Lock held. */
static void show(int64_t at) {
    if (at <= is.shown)
        return;
    is.shown = at;
    is.since = system_time(CLOCK_MONOTONIC);
    if (is.moved)
        is.moved(at);
}

void rcp_clock_on_move(void (*moved)(int64_t now)) { is.moved = moved; }

static int64_t shown(void) {
    rcp_sys_acquire(&is.lock);
    int64_t at = is.shown;
    rcp_sys_release(&is.lock);
    return at;
}

int64_t rcp_clock_now(clockid_t clock) {
    int64_t distance;
    return is.fed && distance_of(clock, &distance) ? shown() + distance : system_time(clock);
}

void rcp_clock_reach(uint64_t deadline) {
    if (!is.fed || deadline > INT64_MAX)
        return;
    rcp_sys_acquire(&is.lock);
    show((int64_t)deadline);
    rcp_sys_release(&is.lock);
}

void rcp_clock_await(uint64_t deadline) {
    struct timespec at = rcp_clock_time((int64_t)deadline);
    while (!is.fed && deadline <= INT64_MAX && (int64_t)deadline > system_time(CLOCK_MONOTONIC))
        RCP_SYS4(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &at, 0);
}

int64_t rcp_clock_real(uint64_t deadline, clockid_t clock) {
    if (!is.fed)
        return (int64_t)deadline + (clock == CLOCK_MONOTONIC ? 0 : system_time(clock) - system_time(CLOCK_MONOTONIC));
    rcp_sys_acquire(&is.lock);
    int64_t left = (int64_t)deadline - is.shown + is.since - system_time(CLOCK_MONOTONIC);
    rcp_sys_release(&is.lock);
    int64_t at;
    return __builtin_add_overflow(left, system_time(clock), &at) ? INT64_MAX : at < 0 ? 0 : at;
}

/* An answer that was given to another question, to another clock, is none. */
static bool is_possible(int64_t at) { return at >= is.began.monotonic - SLACK && at <= is.last; }

/* The recorded time, or what was shown last and what has passed since; on the monotonic clock. Lock held. */
static int64_t time_to_tell(int64_t distance, const int64_t *recorded) {
    return recorded && is_possible(*recorded - distance) ? *recorded - distance
                                                         : is.shown + system_time(CLOCK_MONOTONIC) - is.since;
}

static int64_t tell_time(int64_t distance, const int64_t *recorded) {
    rcp_sys_acquire(&is.lock);
    show(time_to_tell(distance, recorded));
    int64_t at = is.shown + distance;
    rcp_sys_release(&is.lock);
    return at;
}

/* A coarse clock shows the time of the last tick, so time() says the second before to who asks right after one began.
 * The system promises no bound: with ticks of 4 ms, 13 were seen on a busy virtual machine. */
#define LATEST_TICK 100000000

static int64_t tell_coarse(int64_t distance, const int64_t *recorded) {
    rcp_sys_acquire(&is.lock);
    int64_t at = time_to_tell(distance, recorded), least = is.shown - LATEST_TICK;
    at = at < least ? least : at;
    is.coarse = at < is.coarse ? is.coarse : at;
    show(is.coarse);
    at = is.coarse + distance;
    rcp_sys_release(&is.lock);
    return at;
}

/* --- clocks that nobody corrects --- */

/* The raw clock and the machine's counter go with the others, but for what those were corrected by meanwhile: at most
 * 500 millionths. Lock held. */
static int64_t drift(void) { return 100000 + (is.shown - is.began.monotonic) / 2000; }

static int64_t tell_raw(const int64_t *recorded) {
    int64_t distance = is.began.raw - is.began.monotonic, now = system_time(CLOCK_MONOTONIC_RAW);
    rcp_sys_acquire(&is.lock);
    int64_t at = recorded && is_possible(*recorded - distance) ? *recorded : is.raw.shown + now - is.raw.since;
    int64_t least = is.shown + distance - drift();
    at = at < least ? least : at;
    if (at > is.raw.shown)
        is.raw = (rcp_own_clock){at, now};
    show(is.raw.shown - distance - drift());
    at = is.raw.shown;
    rcp_sys_release(&is.lock);
    return at;
}

/* Where the machine does not say how fast it counts, the counter goes alone. */
uint64_t rcp_clock_counter(const uint64_t *recorded, uint64_t now) {
    uint64_t hertz = is.began.counter_hertz, first = is.began.counter;
    rcp_sys_acquire(&is.lock);
    uint64_t at = recorded ? *recorded : is.counted + now - is.counter;
    int64_t passed = is.shown - is.began.monotonic - drift();
    uint64_t least = first + (passed > 0 ? (uint64_t)((unsigned __int128)passed * hertz / 1000000000) : 0);
    at = at < least ? least : at;
    if (at > is.counted) {
        is.counted = at;
        is.counter = now;
    }
    at = is.counted;
    if (hertz)
        show(is.began.monotonic + (int64_t)((unsigned __int128)(at - first) * 1000000000 / hertz) - drift());
    rcp_sys_release(&is.lock);
    return at;
}

/* --- CPU time --- */

static int64_t tell_cpu(rcp_own_clock *cpu, clockid_t clock, const int64_t *recorded, int64_t least) {
    bool known = recorded && (is.last == INT64_MAX || *recorded / 1024 < is.last - is.began.monotonic);
    int64_t now = system_time(clock), at = known ? *recorded : cpu->shown + now - cpu->since;
    if (at < least)
        at = least;
    if (at > cpu->shown) {
        cpu->shown = at;
        cpu->since = now;
    }
    return cpu->shown;
}

/* The kernel's clocks of a process or thread: its id, inverted, and what is counted. */
static rcp_thread *thread_of(rcp_thread *self, clockid_t clock) {
    int tid = (int)~(clock >> 3);
    if (clock == CLOCK_THREAD_CPUTIME_ID || !tid)
        return self;
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->tid == tid)
            return t;
    return NULL;
}

static bool is_process(clockid_t clock) {
    int pid = (int)~(clock >> 3);
    return clock == CLOCK_PROCESS_CPUTIME_ID ||
           (clock < 0 && !(clock & 4) && (!pid || pid == rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0)));
}

static bool answer_cpu(rcp_thread *self, clockid_t clock, const int64_t *recorded, int64_t *answer) {
    if (is_process(clock)) {
        *answer = tell_cpu(&is.cpu, clock, recorded, is.cpu_of_threads);
        return true;
    }
    rcp_thread *t = clock == CLOCK_THREAD_CPUTIME_ID || (clock < 0 && clock & 4) ? thread_of(self, clock) : NULL;
    if (!t)
        return false;
    int64_t before = t->cpu.shown;
    *answer = tell_cpu(&t->cpu, clock, recorded, 0);
    is.cpu_of_threads += *answer - before;
    rcp_clock_reach((uint64_t)(is.began.monotonic + *answer)); /* it can't have worked for longer than it is */
    return true;
}

bool rcp_clock_answer(rcp_thread *self, clockid_t clock, const int64_t *recorded, int64_t *answer) {
    int64_t distance;
    if (!is.fed)
        return false;
    if (clock == CLOCK_MONOTONIC_RAW) {
        *answer = tell_raw(recorded);
        return true;
    }
    if (!distance_of(clock, &distance))
        return answer_cpu(self, clock, recorded, answer);
    bool coarse = clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE;
    *answer = coarse ? tell_coarse(distance, recorded) : tell_time(distance, recorded);
    return true;
}

void rcp_clock_bound(struct timespec *of_file) {
    if (!is.fed)
        return;
    int64_t now = rcp_clock_now(CLOCK_REALTIME);
    if (rcp_clock_ns(of_file) > now)
        *of_file = rcp_clock_time(now);
}
