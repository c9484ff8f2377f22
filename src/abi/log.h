/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a run: all that re-execution can't derive, in the order in which it happened.
 *
 * One stream for all threads, written by whoever holds the baton. The file is mapped while the program runs, so that
 * what is in it survives any death of the program; `mark` says how far it is whole.
 *
 * Numbers are LEB128; `signed` ones zigzag first. `position` stands for the difference to the last position that was
 * logged for the same thread. Records belong to the thread of the last SLICE.
 *
 * `address` of a synchronisation object goes through a table of 64 slots, the same in writer and reader:
 * RCP_LOG_SLOT(address) is the byte that follows if the slot holds the address; else the byte is 255, followed by the
 * address and its rcp_sync_object, and the slot takes both (so too where the slot has the address as another kind).
 */
#ifndef RECIPE_ABI_LOG_H
#define RECIPE_ABI_LOG_H

#include "abi/sum.h"

#include <stddef.h>
#include <stdint.h>

#define RCP_LOG_MAGIC   UINT64_C(0x31474f4c50434552) /* "RECPLOG1" */
#define RCP_LOG_VERSION 9

/* Clocks of the system at one moment, in nanoseconds; all 0: not known. And the machine's counter, with how often it
 * counts in a second where the machine says that. */
struct rcp_log_clocks {
    int64_t monotonic, wall, raw, boot, tai;
    uint64_t counter, counter_hertz;
};

/* A file. inode 0: none. */
struct rcp_log_place {
    uint64_t device, inode;
};

/* What was met in a run by which others could tell that its time, its ids or its input are those of another run: bits
 * of `world`. */
enum {
    RCP_WORLD_PROCESSES = 1, /* it made processes */
    RCP_WORLD_SOCKETS = 2,   /* it talked, or could have talked, to processes that it did not make, and not all of what
                                came is kept */
    RCP_WORLD_TIME = 4,      /* time reached the system, or came from it, where nobody can step between */
    RCP_WORLD_IDS = 8,       /* ids of processes or threads reached a path or the system, or came from it otherwise */
    RCP_WORLD_INPUT = 16,    /* who writes what it read on standard input is not known to be another */
    RCP_WORLD_UNKEPT = 32,   /* what it read on standard input, which can't be read twice, was not kept */
    RCP_WORLD_PRINTS = 64,   /* what is printed on a standard stream may come back, or be answered */
    RCP_WORLD_PEERS = 128,   /* it talked to processes that it did not make; all that came is kept (DIR/pieces) */
};

/* Bits of `unseen`. */
enum {
    RCP_UNSEEN_SIGNALS = 1,     /* some may come where no recorded code takes them */
    RCP_UNSEEN_CONSTANTS = 2,   /* what could be read alone was made writable, or is elsewhere */
    RCP_UNSEEN_DESCRIPTORS = 4, /* descriptors of the process's own may be others', too */
    RCP_UNSEEN_ENDS = 8,        /* what threads do when they end may be code that is not recorded, or the system's */
    RCP_UNSEEN_ROUNDING = 16    /* recorded code was entered while floating point was computed in another way than as
                                   the language has it when a program starts */
};

/* Each of its parts is checked by itself, because each is written at another time: the first once, `mark` with every
 * record, `ended` by whoever ends the run, `world` and `unseen` by whoever meets it, the counts when the log is
 * closed. */
struct rcp_log_header { /* 4096 bytes, then the records */
    uint64_t magic;
    uint32_t version, abi;
    uint32_t machine; /* e_machine of the program: EM_AARCH64, EM_X86_64 */
    uint32_t pid;
    uint64_t seed;
    uint32_t policy; /* enum rcp_policy_kind, abi/run.h */
    uint32_t flags;  /* RCP_RUN_* */
    uint64_t quantum;
    struct rcp_log_clocks began;
    struct rcp_log_place output[2]; /* what descriptors 1 and 2 led to when it began */
    uint64_t sum;                   /* of what stands before */
    uint64_t mark;                  /* RCP_LOG_MARK: how far it is whole, and a checksum of that */
    uint64_t ended;                 /* RCP_LOG_EIGHT(RCP_ENDED_*) */
    uint64_t world;                 /* RCP_LOG_EIGHT(RCP_WORLD_*): how the run and the world were tied together */
    uint64_t unseen;                /* RCP_LOG_EIGHT(RCP_UNSEEN_*): what may be done where nobody sees it */
    /* Counted for --stats and the bounds in docs/benchmarks/recording.md; all 0 where the log was not closed. */
    uint64_t length; /* bytes of records: what `mark` has, too */
    uint64_t switches, syncs, outside_calls, effects, effect_bytes, misses, miss_bytes, callbacks, steals;
    uint64_t events;     /* of all threads that have ended, and of all at the end */
    uint64_t threads;    /* that were created, the main one included */
    uint64_t notes;      /* NOTE records: where there are none, nobody need look for them */
    uint64_t counts_sum; /* from `length` on */
};
#define RCP_LOG_HEADER_SIZE 4096

/* Of RCP_ENDED_REFUSED, at that place of the header: why, for people, ended by 0. It stands in a page that is there
 * already, because it may be for want of space that the program is refused. */
struct rcp_log_refusal {
    uint64_t sum; /* of what follows */
    char why[504];
};
#define RCP_LOG_REFUSAL 2048

/* A word at that place of the header: RCP_LOG_EIGHT(1) once somebody could talk to the program, because it listens on a
 * socket. While it runs, for whoever starts those who will. */
#define RCP_LOG_LISTENS 3072

/* Of RCP_ENDED_DEADLOCK, at that place of the header: who waits for what. */
struct rcp_log_wait {
    uint64_t address; /* of the object; THREAD: that thread's number */
    uint32_t thread;  /* its number */
    uint32_t kind;    /* enum rcp_sync_object, RCP_LOG_WAIT_… */
    uint32_t holder;  /* the number of the thread that has it, RCP_LOG_NOBODY, RCP_LOG_GONE */
    uint32_t unused;
};
enum { RCP_LOG_WAIT_WORD = 64, RCP_LOG_WAIT_STREAM }; /* a futex, a stream's lock */
#define RCP_LOG_NOBODY UINT32_MAX                     /* nobody, or it is not known who */
#define RCP_LOG_GONE   (UINT32_MAX - 1)               /* one that is not there any more */
enum { RCP_LOG_WAITS = 40 };
struct rcp_log_deadlock {
    uint64_t sum;             /* of what follows */
    uint32_t threads, listed; /* all of them; and those that there is room for */
    struct rcp_log_wait wait[RCP_LOG_WAITS];
};
#define RCP_LOG_DEADLOCK 3088
_Static_assert(RCP_LOG_REFUSAL + sizeof(struct rcp_log_refusal) <= RCP_LOG_LISTENS &&
                   RCP_LOG_LISTENS + sizeof(uint64_t) <= RCP_LOG_DEADLOCK &&
                   RCP_LOG_DEADLOCK + sizeof(struct rcp_log_deadlock) <= RCP_LOG_HEADER_SIZE,
               "they have their places in the header");

static inline uint64_t rcp_log_deadlock_sum(const struct rcp_log_deadlock *d) {
    return rcp_sum(&d->threads, sizeof *d - offsetof(struct rcp_log_deadlock, threads));
}

/* Bytes of whole records, and the upper part of their sum: one word, so that whatever moment a program dies at leaves
 * both or neither. */
#define RCP_LOG_MARK(length, sum) ((uint64_t)(length) | ((sum) & ~RCP_LOG_MARK_MASK))
#define RCP_LOG_MARK_MASK         ((UINT64_C(1) << 40) - 1)
#define RCP_LOG_MARK_LENGTH(mark) ((mark) & RCP_LOG_MARK_MASK)
/* Eight times the same byte: its own checksum, written at once. */
#define RCP_LOG_EIGHT(byte) ((uint64_t)(byte) * UINT64_C(0x0101010101010101))
#define RCP_LOG_ONE(eight)  ((uint8_t)(eight))

static inline uint64_t rcp_log_head_sum(const struct rcp_log_header *h) {
    return rcp_sum(h, offsetof(struct rcp_log_header, sum));
}
static inline uint64_t rcp_log_counts_sum(const struct rcp_log_header *h) {
    return rcp_sum(&h->length, offsetof(struct rcp_log_header, counts_sum) - offsetof(struct rcp_log_header, length));
}

enum rcp_log_tag {
    RCP_LOG_END,      /* (what the mapped file is filled with) */
    RCP_LOG_SLICE,    /* thread, position of the one that had it before (0: nobody): it has the baton from here. So the
                         log has the schedule: who had the baton, and up to which event */
    RCP_LOG_STOP,     /* position: the thread was stopped before that event (then SLICE, CALLBACK of a signal handler,
                         or it goes on). Also where the baton was taken from it in a call outside */
    RCP_LOG_RETURN,   /* value check: the outermost call outside returned */
    RCP_LOG_RETURN_0, /* check: the same with 0, or void */
    RCP_LOG_RETURN_BYTES, /* n bytes check */
    RCP_LOG_MISS,         /* position, signed (line/64 - the last one's), 64 bytes: memory when that event began */
    RCP_LOG_MISS_ZERO,    /* the same, all zero */
    RCP_LOG_EFFECT,       /* address n bytes: written from outside, known at this place */
    RCP_LOG_FILL,         /* address n byte */
    RCP_LOG_COPY,         /* to from n */
    RCP_LOG_CALLBACK,     /* function n, then n arguments: each 0 value, or 1 n bytes. `n` stands for 2 n; 2 n + 1: a
                             signal's handler, or called by one that is not recorded; then the signal's number
                             comes first, or RCP_LOG_SAME_SIGNAL where that handler has called before */
    RCP_LOG_LANDING,      /* function pad exception selector check */
    RCP_LOG_JUMP,         /* buffer value: setjmp returned a second time */
    RCP_LOG_VALUE,        /* value */
    RCP_LOG_THREAD, /* parent nth top room native-top native-size n, n addresses: the thread of this SLICE begins; its
                       recipe stack, which has `room` bytes below the top; the system's stack for it, where code
                       that is not recorded has its variables (0: not known); its thread-local variables in the
                       order of modules and of their tls tables */
    RCP_LOG_THREAD_END, /* position: it has had its last event */
    RCP_LOG_PART,       /* number: a part of the image file was added here (a library was loaded, or is about to go) */
    RCP_LOG_ALLOC,      /* signed (address - the last ALLOC's or FREE's), size, rcp_alloc */
    RCP_LOG_FREE,       /* signed (address - the last ALLOC's or FREE's) */
    RCP_LOG_FAULT, /* signal address position-of-the-segment's-end n: an instruction of this thread faulted; n other
                      than 0: in the first of the n events from that position on that touches the address (a region
                      of abi/hooks.h); signal 0: it is cancelled before the event of that position */
    RCP_LOG_FORK,  /* pid of the child, which has a trace of its own: that begins with a copy of all records up to
                      the fork, then FORK 0, after which this thread is the only one */
    RCP_LOG_NOTE,  /* n bytes: what could not be recorded, for people */
    RCP_LOG_ALIAS, /* address other n: the n bytes there and those at the other address are one memory, mapped twice;
                      other 0: one that others than this process can see, and change */
    RCP_LOG_SIGN,  /* rcp_sign thread (DESCRIPTORS: a number): what the program can't be seen to do, or that something
                      acted on a thread */
    RCP_LOG_EXIT,  /* status: exit, _exit or the end of main; nothing follows but SUM */
    RCP_LOG_SUM,   /* 8 bytes: the sum of all bytes of records before this one. One every RCP_LOG_CHUNK bytes or so: a
                      file that has lost its end is read up to the last of them. It belongs to no thread */
    RCP_LOG_LEFT,  /* n: the innermost n callbacks of the thread have ended otherwise than by returning: an exception or
                      a  jump has gone past them, to code that is not recorded */
    RCP_LOG_STRINGS,   /* n, then n times address most: the strings that the call outside which begins here reads by a
                          va_list, as rcp_log_string has them: all of them */
    RCP_LOG_SYNC = 64, /* + rcp_sync_op: address [second address] [number] outcome, as rcp_sync_shape says */
};

/* A byte over what both sides know, so that a divergence is seen near its cause. */
#define RCP_LOG_CHECK(position, stack)                                                                                 \
    ((uint8_t)((position) ^ (position) >> 8 ^ (position) >> 16 ^ (stack) >> 4 ^ (stack) >> 12))

/* `nth` of a THREAD that nobody created: from the first on; from the second on it is a thread that has ended, whose
 * last words in libc called the program. */
#define RCP_LOG_ADOPTED   1000000
#define RCP_LOG_AFTERLIFE 2000000

/* No signal's number. */
#define RCP_LOG_SAME_SIGNAL 127

enum rcp_ended {
    RCP_ENDED_NOT,
    RCP_ENDED_EXIT,
    RCP_ENDED_SIGNAL,
    RCP_ENDED_EXEC,
    RCP_ENDED_REFUSED,
    RCP_ENDED_DEADLOCK /* every thread waited for another: the runtime ended it */
};

enum rcp_sign {
    RCP_SIGN_CANCELS,   /* the thread is asked to end, by whomever */
    RCP_SIGN_CANCELLED, /* it acts on that, between two instructions */
    RCP_SIGN_SIGNALLED, /* a signal ends what it waits in */
    RCP_SIGN_SIGNALS,   /* it calls a function that has to do with handlers of signals, or with timers that send some */
    RCP_SIGN_TAKES,     /* its call has taken something in from outside, and nobody there can notice that */
    RCP_SIGN_DESCRIPTORS, /* a pipe of the process's own, or the like, is closed, gets another number or is handed on:
                             that one, or RCP_LOG_ANY_DESCRIPTOR */
    RCP_SIGNS
};

/* A string that a format reads. `most`: 0, or one more than the bytes that it has at most. */
struct rcp_log_string {
    uint64_t address, most;
};

enum rcp_alloc { RCP_ALLOC_HEAP, RCP_ALLOC_ZEROED, RCP_ALLOC_MAP, RCP_ALLOC_MAP_FILE };

enum rcp_sync_object {
    RCP_SYNC_MUTEX,
    RCP_SYNC_RECURSIVE,
    RCP_SYNC_SPIN,
    RCP_SYNC_RWLOCK,
    RCP_SYNC_COND,
    RCP_SYNC_SEM,
    RCP_SYNC_BARRIER,
    RCP_SYNC_ONCE,  /* pthread_once, call_once, guards of static variables */
    RCP_SYNC_THREAD /* the address is the thread's number */
};

enum rcp_sync_op { /* in the order of the trace's events (trace/model/event.h); `n`: a number follows; `2`: a second
                      object */
                   RCP_SYNC_CREATE,  /* thread: the child's number (given at creation) */
                   RCP_SYNC_JOIN,    /* thread, outcome */
                   RCP_SYNC_DETACH,  /* thread */
                   RCP_SYNC_ACQUIRE, /* exclusive; outcome */
                   RCP_SYNC_ACQUIRE_SHARED,
                   RCP_SYNC_RELEASE,
                   RCP_SYNC_RELEASE_SHARED,
                   RCP_SYNC_WAIT, /* 2: cond, mutex: released and asleep */
                   RCP_SYNC_WAKE, /* 2: outcome: DONE, TIMEOUT, SPURIOUS */
                   RCP_SYNC_SIGNAL,
                   RCP_SYNC_BROADCAST,
                   RCP_SYNC_SEM_POST,
                   RCP_SYNC_SEM_WAIT, /* outcome */
                   RCP_SYNC_SEM_GET,  /* n: sem_getvalue saw this count */
                   RCP_SYNC_BARRIER_ENTER,
                   RCP_SYNC_BARRIER_LEAVE, /* outcome: DONE, SERIAL */
                   RCP_SYNC_ONCE_BEGIN,
                   RCP_SYNC_ONCE_END,
                   RCP_SYNC_ONCE_SKIP,
                   RCP_SYNC_ONCE_ABORT, /* the initialiser threw: the next one runs it again */
                   RCP_SYNC_INIT,       /* n: count of a semaphore, members of a barrier, else 0 */
                   RCP_SYNC_DESTROY,    /* before the life of its memory ends */
                   RCP_SYNC_DIVIDE,     /* other processes may use it from here on. Nothing more need be said of it */
                   RCP_SYNC_SPARED,     /* who wanted to destroy it was told that somebody has it */
                   RCP_SYNC_OPS
};

enum rcp_sync_outcome { RCP_SYNC_DONE, RCP_SYNC_FAILED, RCP_SYNC_TIMEOUT, RCP_SYNC_SPURIOUS, RCP_SYNC_SERIAL };

/* A semaphore that begins with so many may come to SEM_VALUE_MAX, where a post fails; no run posts as often as it would
 * take from below. */
#define RCP_SYNC_SEM_HIGH (UINT64_C(1) << 30)

enum { RCP_SYNC_HAS_SECOND = 1, RCP_SYNC_HAS_NUMBER = 2, RCP_SYNC_HAS_OUTCOME = 4 };

static inline unsigned rcp_sync_shape(unsigned op) {
    switch (op) {
    case RCP_SYNC_WAIT: return RCP_SYNC_HAS_SECOND;
    case RCP_SYNC_WAKE: return RCP_SYNC_HAS_SECOND | RCP_SYNC_HAS_OUTCOME;
    case RCP_SYNC_JOIN:
    case RCP_SYNC_ACQUIRE:
    case RCP_SYNC_ACQUIRE_SHARED:
    case RCP_SYNC_SEM_WAIT:
    case RCP_SYNC_BARRIER_LEAVE: return RCP_SYNC_HAS_OUTCOME;
    case RCP_SYNC_SEM_GET:
    case RCP_SYNC_INIT: return RCP_SYNC_HAS_NUMBER;
    default: return 0;
    }
}

#define RCP_LOG_ANY_DESCRIPTOR UINT32_MAX

#define RCP_LOG_CHUNK (UINT64_C(1) << 16)

#define RCP_LOG_SLOTS         64
#define RCP_LOG_SLOT(address) ((unsigned)(((address) >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 58))

/* The file `values` of --log-values: every event in the order in which they happened, as three words. */
struct rcp_logged_value {
    uint64_t what;    /* RCP_WHAT kind in bits 0-7, bytes in bits 8-39, thread in bits 40-63 */
    uint64_t address; /* of COPY: where it copies to; of BRANCH: the condition, as for __recipe_stop */
    uint64_t value;   /* of LOAD: loaded; STORE, RMW: afterwards in memory, both up to 8 bytes; wider: a hash;
                         COPY, FILL: a hash of what was written */
};
/* FNV-1a over the bytes, for what is wider than 8. */
static inline uint64_t rcp_logged_hash(const uint8_t *bytes, uint64_t n) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < n; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h;
}

#endif
