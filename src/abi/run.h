/* SPDX-License-Identifier: Apache-2.0 */
/* How `recipe record` tells the runtime what to do, and what a recorded directory holds.
 *
 * `recipe record` makes DIR, writes DIR/config, sets RECIPE_TRACE to DIR's absolute path, switches address-space
 * randomisation off and executes the program. The first process to create DIR/log (O_EXCL) records there. Every other
 * (a child by fork, a program that was executed) takes the first DIR/process.N (N from 1) that it can make, with the
 * same files and a copy of the config, and records there. Where the program is none of ours and only starts some
 * (RCP_RUN_TREE), every process does. Without RECIPE_TRACE the program runs unrecorded: hooks keep the shadow and
 * nothing else.
 *
 * A replay of a whole command has one process follow the schedule, who is known by `meant`, and by how many of its like
 * began before it; it records in DIR itself. All others run unrecorded.
 *
 * DIR/config    struct rcp_run_config, then its steps, its roles, its handlers, its sides, its watched places, its
 * forks DIR/log       abi/log.h DIR/image     abi/image.h DIR/values    abi/log.h, with RCP_RUN_LOG_VALUES DIR/modules/
 * ID.bc: the bitcode of each module, as in the program (struct rcp_bitcode and what follows); by record. That of
 * DIR/process.N is a link to it, made by the runtime DIR/outcome   struct rcp_run_outcome, then a struct rcp_run_seen
 * per side, with RCP_RUN_WITNESS; or as many as `meetings` says, with RCP_RUN_STEERED; mapped while the program runs
 * DIR/answers   what calls outside answered in the recorded run, for a replay; by whoever makes its events
 * DIR/stdin     what was read from a standard input that can't be read twice, a pipe or a terminal
 * DIR/pieces    what came in from outside, how and when: struct rcp_run_piece
 * DIR/run.json  the command, directory, environment, policy, seed, how it ended; by record
 * DIR/process.N/started  who that is, strings that end with NUL: "executed", its pid, program, working directory and
 *               standard input (record/command.h), a number and so many arguments, a number and so many variables of
 *               the environment; or "forked", its pid, who made it ("": whoever records in DIR, or "process.N"), and
 *               by which of its forks, from 1
 * DIR/met.N     of a replay with `meant`: empty; the Nth process of that identity has begun
 */
#ifndef RECIPE_ABI_RUN_H
#define RECIPE_ABI_RUN_H

#include "abi/log.h"

#include <stdint.h>

#define RCP_RUN_VARIABLE "RECIPE_TRACE"
#define RCP_RUN_MAGIC    UINT64_C(0x31474643504345)
#define RCP_RUN_VERSION  10

enum rcp_policy_kind {
    RCP_POLICY_RR,     /* each runnable thread in turn, as many events each as `quantum`, `first_turn`, `growth` say */
    RCP_POLICY_RANDOM, /* after a random number of events (so many on average) a random runnable thread */
    RCP_POLICY_PCT, /* random priorities, `depth` - 1 random places where the running thread's drops below all others;
                       a thread that spins alone at the top is moved down after `quantum` events without progress */
    RCP_POLICY_FILE /* the schedule; when it is used up or can't be followed, round-robin (and a NOTE) */
};

enum {
    RCP_RUN_LOG_VALUES = 1,
    RCP_RUN_VERBOSE = 2,
    RCP_RUN_WITNESS = 4,      /* the schedule leads to `race`; a run that leaves it ends there */
    RCP_RUN_PAUSE = 8,        /* where the race is reached nobody goes on, for a debugger to look */
    RCP_RUN_FED = 16,         /* time, random numbers and input are the recorded ones; else all of it is real */
    RCP_RUN_OWN_IDS = 32,     /* of one that is fed: ids are this run's */
    RCP_RUN_ALONE = 64,       /* of one that is real: nobody else is there who could talk to the program */
    RCP_RUN_ANY_LENGTH = 128, /* of PCT: nobody knows how long the run is; `length` is its first part's */
    RCP_RUN_TREE = 256,       /* nobody records in DIR itself */
    RCP_RUN_STEERED = 512,    /* threads are held before accesses to `watched` places (runtime/steer.h) */
    RCP_RUN_GUESS = 1024,     /* of a witness that nobody has proven: the run itself is the proof, so nothing but who
                                 runs is decided; no wait ends before its time */
    RCP_RUN_OLDER = 2048,     /* of a witness: the schedule is the recorded one, race[0] a write on its way, and race[1]
                                 a read where it ends (runtime/older.h) */
    RCP_RUN_THROUGH = 4096,   /* of a witness: both accesses are on its way; where it ends nobody is looked at */
    RCP_RUN_LATE = 8192,      /* with RCP_RUN_OLDER: race[0] is a store that comes late, after race[1], any access */
};

/* One of the two accesses of a race: thread `role` stands before its event `position`. */
enum rcp_run_does { RCP_RUN_READS, RCP_RUN_WRITES /* or frees */, RCP_RUN_CHANGES /* in one step */ };
/* By code that is instrumented; within a call outside; or it is the end of the thread, with which its memory goes.
 * Where the last two are made, the run's log tells. */
enum rcp_run_by { RCP_RUN_BY_CODE, RCP_RUN_BY_CALL, RCP_RUN_BY_END };
struct rcp_run_access {
    uint64_t role, position;
    uint64_t address, size; /* as recorded; where it is made here is the program's to say */
    uint32_t does, by, atomic;
    uint32_t handlers; /* so many handlers of its thread's have begun before it: a position may be that of an event and
                          of a handler that comes before it */
};

/* Of a deadlock: thread `role` stands before its event `position`, a call that takes a lock. */
struct rcp_run_stand {
    uint64_t role, position;
};
enum { RCP_RUN_MOST_STANDS = 8 };

/* Whoever writes it knows what is usual: no number of a policy is 0. */
struct rcp_run_config {
    uint64_t magic;
    uint32_t version, abi;
    uint32_t policy, flags;
    uint64_t seed, quantum;
    uint32_t depth;              /* of PCT */
    uint32_t watchdog;           /* microseconds between two looks at who is outside */
    uint64_t length;             /* estimated events of the run, for PCT's places */
    uint64_t first_turn, growth; /* a turn has `first_turn` events, and one more for every `growth` that the run has
                                    had, but `quantum` at most */
    uint64_t steps;              /* struct rcp_run_step that follow */
    uint64_t roles;              /* struct rcp_run_role that follow them; none: steps name threads by their numbers */
    uint64_t handlers;           /* struct rcp_run_handler that follow them, by role, each role's in their order */
    uint64_t signals;     /* a bit each, 1 of the lowest: signals that such handlers had in all of the recorded run */
    uint32_t first;       /* of a race: which of the two accesses is made first. With RCP_RUN_OLDER, 1: the read takes
                             what its bytes held before the write, or the store comes late; 0: all is as it was */
    uint32_t patience;    /* milliseconds until a thread that a schedule waits for, or who is held in a steered run, is
                             taken for one that does not come; 0: as the watchdog thinks, or a moment */
    uint64_t last_events; /* that each thread may have while another is about to end the process */
    uint64_t last_sleep;  /* milliseconds that it waits then for threads that sleep no longer than that */
    uint64_t retired_bytes; /* of freed blocks that nobody is given yet (runtime/retired.h) */
    uint64_t spin_turns;    /* after which a thread that waits by going round is looked at anew; 0: it is not seen */
    uint64_t sides;         /* struct rcp_run_side that follow the roles */
    uint64_t watched;     /* struct rcp_run_place that follow them, ascending, none of which overlap: of a steered run,
                             or of a guess, which is steered from where it misses its end */
    uint64_t met;         /* uint64_t that follow those: places in the code where threads have met in runs before */
    uint64_t meetings;    /* of a steered run: so many are told at most */
    uint64_t hold_events; /* of others, for which a thread is held before such an access */
    uint64_t steered_events; /* of all threads, after which nobody is held any more */
    uint64_t older_step;     /* with RCP_RUN_OLDER: once so many steps are over, a thread stands before the write; with
                                RCP_RUN_LATE it has made it after the next one */
    struct rcp_run_access race[2];
    uint64_t stands; /* of a witness: so many of the following, instead of `race`: it ends with a deadlock */
    struct rcp_run_stand stand[RCP_RUN_MOST_STANDS];
    struct rcp_log_clocks began;    /* of one that is fed: when the recorded run began, */
    int64_t lasted;                 /* and for how long it ran, in nanoseconds; 0: not known */
    struct rcp_log_place output[2]; /* of a witness: what the recorded run printed to */
    uint64_t meant, occurrence;     /* of a witness: the process that follows it is this one (rcp_run_identity()) of its
                                       like     to begin, from 1; meant 0: the first process */
    uint64_t forks; /* uint64_t that follow all these: it goes on in the child of its fork of that number, and so on */
};

/* Who a process is among those of a command: where it works, and its command line. Never 0. */
static inline uint64_t rcp_run_identity(const char *directory, char *const *argv) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (const char *word = directory; word; word = *argv++) {
        for (; *word; word++)
            h = (h ^ (uint8_t)*word) * UINT64_C(0x100000001b3);
        h = (h ^ 256) * UINT64_C(0x100000001b3);
    }
    return h ? h : 1;
}

/* Run `thread` until it is about to have its event `until`, and stops, blocks or has ended there. RCP_RUN_BLOCK: until
 * it blocks, yields or ends, wherever that is. RCP_RUN_END: until it has ended. */
#define RCP_RUN_BLOCK UINT64_MAX
#define RCP_RUN_END   (UINT64_MAX - 1)
struct rcp_run_step {
    uint64_t thread; /* its role; where there are none its number: the order in which threads are created is part of a
                        schedule then */
    uint64_t until;
};

/* Who in this run is the thread that had number i in the recorded one: the nth that `parent` created. The main thread
 * is role 0; RCP_RUN_ANYBODY as parent: the thread that has number i here, too. */
#define RCP_RUN_ANYBODY UINT64_MAX
struct rcp_run_role {
    uint64_t parent, nth;
};

/* A signal's handler that was recorded began on that thread before its event `position`, or within the call that is the
 * event before that. There it begins in the replay, whenever the signal comes. */
struct rcp_run_handler {
    uint64_t role, position, signal;
};

/* Another race that can be seen on the way of a witness: once `step` steps are over, one thread stands before each
 * access. Where it does not, nothing is lost: the run goes on. By step; of code alone. */
struct rcp_run_side {
    struct rcp_run_access access[2];
    uint64_t step;
};

/* Memory that a steered run watches. */
struct rcp_run_place {
    uint64_t address, size;
};

/* How far a run with RCP_RUN_WITNESS came. */
enum rcp_run_verdict {
    RCP_RUN_ON_ITS_WAY,
    RCP_RUN_LOST,    /* it could not be followed: `what` says why */
    RCP_RUN_MISSED,  /* both threads stand where they should, but their accesses do not conflict */
    RCP_RUN_REACHED, /* both accesses are next; of a deadlock: all threads stand before their calls */
    RCP_RUN_FIRST,   /* the first one has been made; all of them wait */
    RCP_RUN_BOTH     /* both have; and each of them for good, for another one */
};

struct rcp_run_met {
    uint64_t number, tid; /* the thread's, in this run and the kernel's */
    uint64_t position;
    uint64_t address, size;
    uint64_t code;                 /* the place in the program; 0: not known */
    uint32_t kind;                 /* RCP_WHAT_… */
    uint32_t known;                /* bytes of the following that could be read */
    uint8_t before[16], after[16]; /* memory there, when the race was reached and once this access was made */
};

#define RCP_RUN_STARVED 2 /* nobody could go on without what was not recorded */
struct rcp_run_outcome {
    uint32_t verdict;
    uint32_t pid;
    uint64_t step;       /* that it is at */
    uint64_t at;         /* LOST: where the thread of that step stands, or is within a call outside; MISSED, at the end
                            of a guess: 1 the first thread is not about to make its access, 2 the second, 3 both */
    uint32_t deadlocked; /* 1: the run was ended where every thread waited for another; or RCP_RUN_STARVED */
    uint32_t awaits;     /* a signal whose handler the schedule has begin now, and which has not come; 0: none */
    struct rcp_run_met met[2];
    char what[2048];     /* for people: lines */
    char waits[1024];    /* where it deadlocked: who waits for what, for people */
    uint64_t met_times;  /* of a steered run: meetings so far, of which the first ones are told; */
    uint64_t held_times; /* and how often a thread was held */
};

struct rcp_run_seen {
    uint32_t is_seen; /* both stood there, about to do what was predicted */
    uint32_t unused;
    struct rcp_run_met met[2]; /* `after` is not known */
};

/* DIR/answers: what calls outside answered in the recorded run, in its order: what they wrote into memory (`size` bytes
 * follow, padded to 8), and what those that answer by their result alone returned. */
struct rcp_run_answer {
    uint64_t role, position; /* of the thread within the call */
    uint64_t callee;         /* the address that instrumented code called; 0: not known */
    uint64_t size;           /* RCP_RUN_RESULT: no bytes, `result` instead */
    uint64_t result;
};
#define RCP_RUN_RESULT UINT64_MAX

/* DIR/pieces: what came in from outside, in the order in which the program was given it: a struct rcp_run_pieces, then
 * a struct rcp_run_piece each, with the bytes of an address and of what came, each padded to 8 (of standard input they
 * are in DIR/stdin). A piece of kind 0 ends it. Whoever sent it may have seen what had gone out (runtime/peer.h). */
#define RCP_RUN_PIECES UINT64_C(0x3253454345495052) /* "RPIECES2" */
struct rcp_run_pieces {
    uint64_t magic;
    uint64_t from_start; /* what goes out was looked at from the beginning on; 0: since the first socket */
};

enum rcp_run_came {
    RCP_RUN_BYTES = 1,  /* `result` of them */
    RCP_RUN_OVER,       /* no more will come */
    RCP_RUN_CONNECTION, /* of a socket that listens: `result` is the new stream's number */
    RCP_RUN_CONNECTED,  /* connect has succeeded */
    RCP_RUN_FAILED,     /* by the error `result` */
    RCP_RUN_NAME,       /* an address, that of the other end where `asked` is 1 */
    RCP_RUN_NOTHING,    /* nothing was there */
    RCP_RUN_POLLED,     /* a struct rcp_run_polled for each descriptor of a call that asks several; no stream's */
    RCP_RUN_UNSHUT,     /* shutdown, in the way `asked`, has failed by the error `result`: nobody was there */
};

#define RCP_RUN_NO_STREAM UINT32_MAX
struct rcp_run_piece {
    uint32_t kind, stream;   /* standard input is 0, all others are counted as they begin */
    uint64_t role, position; /* of the thread in the call */
    uint64_t place;          /* so many pieces came in by that stream before it, but NAMEs and UNSHUTs */
    uint64_t asked;          /* for so many bytes */
    int64_t result;
    uint64_t out, hash;  /* how much had gone out when it came, as far as is known, and what */
    int64_t when;        /* it was read, on CLOCK_MONOTONIC */
    uint32_t is_noticed; /* who sent it may notice that it was read */
    uint32_t address;    /* bytes of it that follow, */
    uint64_t size;       /* and of what came */
};

struct rcp_run_polled {
    uint32_t stream;
    uint16_t wanted, got; /* of poll */
    uint64_t place;
};

#endif
