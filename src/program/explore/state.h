/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of the explorer:
 *
 *   explore.c          a variant: beginning, plan, and on from there
 *   interpret.c        the interpreter of such a run
 *   explore/notes.c    the recorded run, executed once: records by thread, calls and what they were asked
 *   explore/calls.c    calls outside: which recorded answer fits
 *   explore/models.c   calls outside that were not recorded so: what they do, where that is known
 *   explore/heap.c     the same for the heap and strings
 *   explore/rounds.c   who waits by going round
 *   explore/sync.c     who may go on: locks, semaphores, conditions, joins, and the recorded order of all else
 *   explore/objects.c  what memory there is
 */
#ifndef RECIPE_PROGRAM_EXPLORE_STATE_H
#define RECIPE_PROGRAM_EXPLORE_STATE_H

#include "base/map.h"
#include "base/ranges.h"
#include "program/explore/plan.h"
#include "program/machine/run.h"
#include "program/reach/outside_call.h"
#include "program/recording/log_writer.h"

/* --- what the recorded run was --- */

/* Of a record of a thread's own. */
typedef struct rcp_noted_record {
    rcp_log_record record;
    uint64_t path;       /* of the thread when the record was taken */
    uint32_t rank;       /* SYNC: how many came before on the same object, of all threads */
    uint32_t made;       /* SYNC: how many calls came before that have a state of their own behind them */
    uint32_t end;        /* CALLBACK: its thread's record that is next when it returns */
    uint64_t result;     /* CALLBACK: a hash of what it returned */
    uint64_t returns_at; /* CALLBACK: the position then */
    uint64_t changed;    /* MISS: the bytes of its line that were others before it, a bit each */
    uint64_t was;        /* MISS: a hash of what these held */
} rcp_noted_record;

/* A call that left. */
typedef struct rcp_asked {
    uint32_t first; /* its thread's record that is next then */
    uint32_t ins, depth;
    uint64_t function, position, path;
    uint64_t at;        /* where its thread stands before it */
    uint64_t flow;      /* a hash of what it was given */
    uint64_t besides;   /* the same, without what it hands on to the thread that it creates */
    uint32_t rank;      /* of those that have a state of their own behind them: how many came before */
    uint32_t returned;  /* the same, when it returned */
    bool lasts;         /* it takes time (docs/semantics.md, 'Points of time') */
    uint8_t kind;       /* rcp_outside_kind; UNKNOWN where nothing is known */
    uint8_t outcome;    /* rcp_explore_outcome */
    bool may_be_missed; /* nobody notices where it is not made */
    uint64_t ended;     /* which threads had ended: a sum over hashes of their numbers */
    bool sees_ends;     /* by its row */
    bool has_waited;    /* others ran before it returned: it may have waited for what they did */
    uint64_t turn;      /* machine->turns when it was made */
} rcp_asked;

typedef struct rcp_course { /* a recorded thread's */
    RCP_VEC(rcp_noted_record) records;
    RCP_VEC(rcp_asked) asked;
} rcp_course;

typedef struct rcp_explorer {
    char *directory;
    rcp_map course_index; /* thread → courses */
    RCP_VEC(rcp_course *) courses;
    rcp_map foreign;    /* instruction → 1: it touched memory that is no object that we know */
    rcp_map unseen;     /* line → 1: outside code changed it without a word */
    rcp_ranges guarded; /* memory that calls have made accessible, or the contrary */
    rcp_ranges divided; /* synchronisation objects, their first byte: other processes came to use them */
    bool writes_seen;   /* some thread writes what others than the process can see, or there is a thread of code that
                           is not recorded */
    bool is_answered;   /* what is printed may come back, or be answered */
    bool names_threads; /* somebody may look by a file which threads there are, or be told of their ends */
    rcp_cut until;      /* the run is taken to end there (program/telling/recorded_events.h) */
    rcp_log *log;       /* what records borrow their bytes from */
    uint64_t heap;      /* past the last of the blocks that were thought out already (explore/heap.c) */
    uint64_t events;    /* of the recorded run */
} rcp_explorer;

rcp_course *rcp_explorer_course(rcp_explorer *explorer, uint32_t thread);

/* Blocks that no recorded run had lie here: no kernel maps anything at this place by itself. */
#define RCP_EXPLORE_HEAP      (UINT64_C(1) << 45)
#define RCP_EXPLORE_HEAP_SIZE (UINT64_C(1) << 40)
/* And here, when the same is done once more with blocks elsewhere, from top to bottom. */
#define RCP_EXPLORE_MIRROR (UINT64_C(1) << 46)

/* --- a run --- */

typedef struct rcp_explore_lane {
    uint32_t thread;
    rcp_course *course;
    size_t next_record, next_call; /* of the course */
    RCP_VEC(rcp_log_record) queue; /* records of a call that is modelled; they come first */
    size_t queued;
    RCP_VEC(uint32_t) callbacks; /* the CALLBACK records of its active ones */
    uint64_t path, shift;        /* shift: position here less that of the recorded run */
    uint64_t trail;              /* as `path`, and of the whole way: no answer that fits puts it back */
    uint64_t error;              /* where the thread's errno is; 0: it was not asked */
    bool asks_error;             /* it is asking */
    uint64_t way;                /* after the plan: a hash of what it does, wherever new blocks lie */
    uint64_t mixed;              /* 1 + position of the event that `path` has last */
    bool is_off;                 /* it is not known to be where the recorded run was */
    bool is_asking;              /* it has left, and no answer has been looked for */
    bool has_begun;
    bool is_timed, is_late; /* it waits with a deadline; and that has come */
    bool is_in_line;        /* its call has a state behind it, and others come first */
    bool has_lost_errno;    /* a call that is modelled has set it */
    bool is_given;          /* its thread's function is about to be given something else than in the recorded run: */
    uint64_t given;
    uint64_t asleep_since; /* x->clock at its WAIT */
    /* explore/rounds.c: the branch that it went round by last, with which registers, and x->acts then; 1 + the position
     * at which it gave way; and whether nobody has done anything since */
    const rcp_ins *round;
    uint64_t round_state, round_acts, waited;
    bool is_waiting;
    rcp_explore_end end;
    uint64_t limit;         /* it does not go past this position */
    uint64_t bottom, depth; /* of its stack; and how far calls nested as recorded */
    char why[256];
    char callee[RCP_EXPLORE_NAME]; /* of the call at which it ended; "": it was none, or has no name */
} rcp_explore_lane;

/* A lock, a semaphore or a condition. */
typedef struct rcp_explore_lock {
    uint8_t kind;    /* rcp_sync_object */
    bool is_dead;    /* destroyed */
    bool is_counted; /* of a semaphore: its count is known */
    uint32_t owner;  /* 1 + thread that holds it alone */
    uint32_t depth;  /* how often */
    uint64_t shared; /* how many hold it in common; a semaphore's count */
    /* A signal wakes any one that sleeps then; as in trace/check/sync.c, who that was is said by whoever wakes. */
    uint64_t broadcast;        /* when the last one was */
    RCP_VEC(uint64_t) signals; /* when those were that nobody has taken */
} rcp_explore_lock;

/* An object in memory. */
typedef struct rcp_explore_extent {
    uint64_t lo, hi;
    bool is_heap;     /* free() may have it */
    bool is_constant; /* nobody may write it */
    bool is_foreign;  /* a variable of code outside, which may change it at any time */
} rcp_explore_extent;

enum { RCP_EXPLORE_FOUND = 64 };

typedef enum rcp_explore_phase {
    RCP_PHASE_NOTING,   /* the recorded run, for notes */
    RCP_PHASE_RECORDED, /* the variant's beginning */
    RCP_PHASE_PLAN,
    RCP_PHASE_FREE
} rcp_explore_phase;

typedef struct rcp_exploring {
    rcp_explorer *explorer;
    rcp_explore_phase phase;
    const rcp_explore_plan *plan;
    rcp_explored *explored;
    rcp_run *run;
    rcp_map lane_index;
    RCP_VEC(rcp_explore_lane *) lanes;
    rcp_explore_lane *lane;   /* the current strand's */
    rcp_explore_lane *lately; /* that was looked up last */
    uint64_t until;           /* the position before which it stops */
    bool gives_way;           /* who waits by going round does */
    uint64_t acts;            /* events that may change what somebody waits for, so far */
    rcp_log_writer writer;
    bool has_record;   /* machine->record is one that will have been taken when the next is asked for */
    const char *trap;  /* what was done since the last event that is not defined; NULL */
    uint32_t pairs;    /* calls with a state of their own behind them, so far */
    rcp_map made;      /* which ones: their ranks */
    uint32_t all_made; /* of the recorded run: all of a lower rank have been */
    uint32_t any_made; /* none of this rank or a higher one has been */
    bool is_ahead;     /* time went by as it did not in the recorded run: what it is now nobody knows */
    rcp_map lock_index;
    RCP_VEC(rcp_explore_lock) locks;
    uint64_t clock;     /* of conditions: operations so far */
    rcp_map done_index; /* object → done: operations so far */
    RCP_VEC(uint32_t) done;
    rcp_map created, ended; /* threads */
    RCP_VEC(rcp_explore_extent) extents;
    rcp_ranges written;         /* by calls outside → a hash of the call that wrote there last */
    RCP_VEC(uint64_t) standard; /* where the variables stdout and stderr are */
    rcp_ranges objects, freed;  /* address → extents: what is alive but for stacks; what was freed, and not given out */
    rcp_ranges seen;            /* what others than the process can see */
    bool is_twofold;            /* memory has two addresses: what is written at one is not seen at the other here */
    rcp_map blocks;             /* where a block begins that is alive → extents */
    rcp_explore_extent found[RCP_EXPLORE_FOUND]; /* by address: where accesses were, as long as nothing changes */
    size_t units;                                /* whose globals are in objects */
    uint64_t heap;    /* where the next block begins that no recorded run had; 0: not known yet */
    bool is_mirrored; /* such blocks lie elsewhere, in another order, and where one was that is free again */
    RCP_VEC(rcp_explore_extent) placed; /* these blocks, in the order in which they were given out */
    rcp_explore_extent last_freed;      /* of these; hi 0: none */
    uint64_t way;                       /* of all lanes, in the end */
    RCP_VEC(uint8_t *) bytes;           /* that queued records borrow */
    uint64_t changed, was;              /* of the miss at hand, as in rcp_noted_record */
    uint8_t line[64];                   /* the same, as it is here: machine->record borrows it */
} rcp_exploring;

/* explore.c */
rcp_explore_lane *rcp_explore_lane_of(rcp_exploring *x, uint32_t thread);
void rcp_explore_stop(rcp_exploring *x, rcp_explore_end end, const char *format, ...) RCP_PRINTF(3, 4);
/* The lane's next record is at hand. */
void rcp_explore_present(rcp_exploring *x);
/* Of the recorded run: a line of memory is found changed. */
void rcp_explore_note_miss(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint8_t bytes[64]);
static inline uint64_t rcp_explore_mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* explore/calls.c. The call at the strand's instruction: its name, "" where that is not known; its arguments. */
const char *rcp_explore_callee(const rcp_exploring *x, const rcp_strand *strand);
/* The row of that one; NULL: there is none. */
const rcp_outside *rcp_explore_row(const rcp_exploring *x, const rcp_strand *strand);
uint64_t rcp_explore_argument(const rcp_strand *strand, size_t i);
bool rcp_explore_is_result_used(const rcp_strand *strand);
/* Of the recorded run: what the call says of all of it. */
void rcp_explore_note_call(rcp_exploring *x, const rcp_strand *strand);
/* It is made, with this flowing into it: what it writes, and may not be told of, is its. */
void rcp_explore_note_written(rcp_exploring *x, const rcp_strand *strand, const rcp_asked *asked);
/* Has a call outside written there, and nobody looked? */
bool rcp_explore_is_written(const rcp_exploring *x, uint64_t address, uint64_t size);
/* What is there is known; `partly`: also of what is only partly within. */
void rcp_explore_forget_written(rcp_exploring *x, uint64_t address, uint64_t size);
/* What it is. */
void rcp_explore_ask(rcp_exploring *x, const rcp_strand *strand, rcp_asked *asked);
/* An answer for the current lane, which is asking. False: it waits for others, or its end is set. */
bool rcp_explore_answer(rcp_exploring *x);
/* May the call that the thread is in have to wait for what others do? Nobody can say when it ends, but the plan. */
bool rcp_explore_may_wait(const rcp_exploring *x);
/* A recorded call has been made. */
void rcp_explore_made(rcp_exploring *x, const rcp_asked *asked);
/* The record is about to be taken: has a wait ended by its time, and could it have by now? */
void rcp_explore_pass_time(rcp_exploring *x, const rcp_log_record *record);
/* May records up to `to` be left out? */
bool rcp_explore_may_skip(const rcp_explore_lane *lane, size_t to);

/* explore/models.c. What the lane's call does, which has no recorded answer; its records are queued. `is_near`: the
 * same call was recorded, but with something else flowing into it. False: it waits, or its end is set. */
bool rcp_explore_model(rcp_exploring *x, const rcp_strand *strand, const rcp_asked *asked, bool is_near);
/* Of an address in a block that was thought out: which block, and where in it. Any other is itself. */
uint64_t rcp_explore_place_of(const rcp_exploring *x, uint64_t address);
/* explore/heap.c. The same for the heap and strings; false: it is none of them. *done: as rcp_explore_model(). */
bool rcp_explore_model_memory(rcp_exploring *x, const rcp_strand *strand, const rcp_outside *row, bool *done);
/* Does the function's result say what others are about? rcp_explore_outcome. */
uint8_t rcp_explore_outcome_of(const rcp_outside *row);

/* explore/rounds.c. The event is about to happen. */
void rcp_explore_acts(rcp_exploring *x, const rcp_ins *ins, const uint64_t *registers);
/* Before it: is it one by which the thread waits, and does it give way here? */
bool rcp_explore_waits(rcp_exploring *x, rcp_explore_lane *lane, const rcp_strand *strand, const rcp_ins *ins,
                       const uint64_t *registers, uint64_t position);
/* Has nobody done anything since? */
bool rcp_explore_still_waits(const rcp_exploring *x, rcp_explore_lane *lane);

/* explore/sync.c */
bool rcp_explore_is_enabled(const rcp_exploring *x, const rcp_explore_lane *lane, const rcp_log_record *record,
                            uint32_t rank);
/* Does it wait for its turn in the recorded order, which has not come? */
bool rcp_explore_waits_in_line(const rcp_exploring *x, const rcp_log_record *record, uint32_t rank);
/* Is the object destroyed that it uses? */
/* Did other processes come to use the object? Then nothing is known of it but the recorded order. */
bool rcp_explore_is_divided(const rcp_exploring *x, uint64_t object);
bool rcp_explore_is_dead(const rcp_exploring *x, const rcp_log_record *record);
/* The record has been taken. */
void rcp_explore_sync_done(rcp_exploring *x, const rcp_log_record *record);
rcp_explore_lock *rcp_explore_lock_of(rcp_exploring *x, uint64_t address);
uint64_t rcp_explore_object_key(const rcp_log_record *record);

/* explore/objects.c */
void rcp_explore_objects_part(rcp_exploring *x);
void rcp_explore_objects_done(rcp_exploring *x, const rcp_log_record *record);
/* A variable of code outside? What it holds now is known to those alone who look. */
bool rcp_explore_is_foreign(const rcp_exploring *x, uint64_t address);
bool rcp_explore_is_constant(const rcp_exploring *x, uint64_t address);
bool rcp_explore_is_object(rcp_exploring *x, uint64_t address, uint64_t size);
/* Is the access within the object that its pointer was made from, as far as that is known? */
bool rcp_explore_is_within_base(const rcp_exploring *x, const rcp_strand *strand, const rcp_ins *ins, unsigned stretch,
                                uint64_t address, uint64_t size);
/* May free() have it? */
bool rcp_explore_is_block(const rcp_exploring *x, uint64_t address);
/* Is any of it in a block that was freed? */
bool rcp_explore_is_freed(const rcp_exploring *x, uint64_t address, uint64_t size);
/* Bytes that malloc() gave out and nobody has written. */
void rcp_explore_set_fresh(rcp_exploring *x, uint64_t address, uint64_t size, bool fresh);
bool rcp_explore_is_fresh(const rcp_exploring *x, uint64_t address, uint64_t size);
void rcp_explore_copy_fresh(rcp_exploring *x, uint64_t to, uint64_t from, uint64_t size);
uint64_t rcp_explore_block_size(const rcp_exploring *x, uint64_t address);
/* Is the block's memory nobody's now? */
bool rcp_explore_is_free(const rcp_exploring *x, uint64_t address, uint64_t size);

#endif
