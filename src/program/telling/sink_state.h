/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the sink: what they share, and what program/telling/telling.h calls.
 *
 *   sink.c          the store, threads, what is told of a shared granule
 *   sink_places.c   source locations, stacks, memory orders, names of variables
 *   sink_sync.c     synchronisation objects and their events
 *   sink_memory.c   lives, initial contents, variables, effects, what changed unseen
 *   sink_outside.c  calls outside: pins, barrier pairs
 *   sink_answers.c  what calls outside answered, for a replay
 *   sink_annotations.c  what the program says of races itself
 *   sink_deadlock.c who waits for what, where that ended the run
 *   sink_beyond.c   whether something else than the order of threads may decide what happens
 */
#ifndef RECIPE_PROGRAM_TELLING_SINK_STATE_H
#define RECIPE_PROGRAM_TELLING_SINK_STATE_H

#include "base/map.h"
#include "base/ranges.h"
#include "base/spool.h"
#include "program/ir/declarations.h"
#include "program/telling/moments.h"
#include "program/telling/state.h"
#include "trace/check/barriers.h"
#include "trace/check/sync.h"
#include "trace/store/writer.h"

typedef struct rcp_sink rcp_sink;

/* Where an instruction is. */
typedef struct rcp_place {
    rcp_loc loc;
    uint8_t order;         /* rcp_order of what it does */
    uint8_t if_failed;     /* the same, where it is a compare-and-swap that fails */
    bool is_spared;        /* its function is not to be reported */
    bool stands_in;        /* its function is the compiler's, and stands for a call (instrument/stand_in.h) */
    uint32_t first, count; /* in sink_places: the calls that were inlined around it, the outermost first */
} rcp_place;

/* The stack of an activation, as long as its id is the same. */
typedef struct rcp_known_stack {
    uint64_t id;
    rcp_stack stack;
} rcp_known_stack;

/* A global variable of the program. */
typedef struct rcp_sink_variable {
    const char *name; /* mangled; borrowed from LLVM */
    uint64_t addr, size;
    bool is_defined; /* by instrumented code: the image has what it held */
    bool was_told;
} rcp_sink_variable;

/* A program is at few places at a time. */
enum { RCP_PLACES_RECENT = 1 << 10 };
typedef struct rcp_recent_place {
    const rcp_ins *ins;
    uint32_t index; /* in places */
} rcp_recent_place;

/* The calls that were inlined around a place, on top of a stack. */
typedef struct rcp_recent_stack {
    uint32_t first, count; /* rcp_place's; count 0: none */
    rcp_stack under, is;
} rcp_recent_stack;

typedef struct rcp_sink_places {
    rcp_map index;            /* rcp_ins → places */
    rcp_recent_place *recent; /* some of these, each where its address's hash says */
    rcp_recent_stack *stacks; /* likewise */
    rcp_map blocks;           /* address → location where the program allocated what is there, of what no event tells */
    RCP_VEC(rcp_place) places;
    RCP_VEC(rcp_loc) inlined;
    rcp_declarations declared;
    rcp_ranges variables; /* address → names */
    RCP_VEC(rcp_sink_variable) named;
} rcp_sink_places;

typedef struct rcp_sink_thread {
    rcp_tid tid;
    uint32_t number;
    bool has_begun, has_ended;
    bool has_fork; /* somebody has created it, as the trace tells */
    bool is_owed;  /* what its last access found has a cause that is not known: its next event comes after all others */
    uint64_t caused; /* of sink->causes: its own */
    uint64_t after;  /* how many the others had when its last event came that is after all of them */
    bool is_asleep;  /* between WAIT and WAKE, on: */
    rcp_obj cond, lock;
    uint32_t spares[2];              /* stretches that are open in which its reads, its writes are not to be reported */
    RCP_VEC(rcp_known_stack) stacks; /* one per activation */
} rcp_sink_thread;

typedef struct rcp_sink_object {
    rcp_obj id;
    uint64_t address;
    uint8_t kind;   /* rcp_object_kind */
    bool is_broken; /* something was done with it that the rules of objects do not allow: barrier pairs instead */
    bool is_gone;
} rcp_sink_object;

/* What has been told of a shared granule in its life. */
typedef struct rcp_sink_cell {
    uint8_t told;         /* a bit per byte: there was an event */
    uint8_t unsure;       /* written from outside, and not seen since */
    uint8_t bare;         /* nobody writes it in all of its life, which says nothing of its contents */
    uint32_t born, borns; /* `pairs` and `alls` of the sink when that was */
    uint32_t pairs, alls; /* how many opaque events there had been, and such that reach everything, at the last event */
} rcp_sink_cell;

typedef struct rcp_sink_annotations {
    rcp_map objects; /* address → number, of which there are n */
    uint32_t n;
    rcp_ranges wanted;        /* races there are */
    uint64_t told;            /* accesses of that memory */
    rcp_map spared;           /* 2 * location, + 1 of writes → 1 */
    RCP_VEC(uint64_t) places; /* the same, in the order in which they came */
} rcp_sink_annotations;

struct rcp_sink {
    bool has_forked, is_beyond; /* a thread has made another; the fact RCP_BEYOND_FACT was told */
    rcp_writer *writer;         /* NULL: events are counted, and not kept */
    rcp_terms *terms;
    rcp_moments_writer *moments; /* both NULL: of a trace that nobody will carry out */
    rcp_spool *answers;
    rcp_defs *defs;
    rcp_code code; /* of the first failure */
    uint64_t count;
    rcp_kind last_kind; /* of the event that was told last, whosever it is */
    rcp_tid last_tid;
    rcp_reach last_reach;
    rcp_machine *machine;
    rcp_telling *telling; /* borrowed from rcp_sink_begin() on */
    const rcp_sharing *sharing;
    const rcp_thread_names *names;
    rcp_map thread_index; /* number → threads */
    RCP_VEC(rcp_sink_thread) threads;
    uint32_t last_thread; /* index of the one that was asked for last: most events are of the thread before them */
    rcp_sink_places places;
    rcp_sync *sync;
    rcp_map object_index; /* address → objects */
    RCP_VEC(rcp_sink_object) objects;
    rcp_map cell_index; /* granule → cells */
    RCP_VEC(rcp_sink_cell) cells;
    uint32_t pairs, alls;
    uint32_t stirred;   /* `pairs` when the last of them came that reaches what is restless */
    uint64_t causes;    /* opaque events, writes that others can see, ends of threads: what may have caused something */
    rcp_ranges stale;   /* code outside wrote there, and memory has not been seen since: it may hold something else */
    rcp_ranges reached; /* by calls of which that is known → `pairs` then */
    rcp_map suspects;   /* name's hash → 1: it was said */
    rcp_map callees;    /* name's hash → how the trace calls it */
    rcp_map reach_index;   /* hash of spans → reach */
    rcp_reach reach_alias; /* all memory that is mapped twice; 0: not asked yet */
    rcp_reach reach_known; /* of known functions: what is restless, and what the system keeps */
    rcp_reach reach_all;   /* 0 where nobody has needed it */
    uint8_t outside_order; /* rcp_order of what is told in the name of outside code */
    bool is_moving;        /* realloc moves a block */
    bool is_state;      /* it is what a call does to a state of the library, and begins with, whatever else it does */
    bool is_object;     /* what is told now is done to a synchronisation object, before the event that names it. What is
                           read shows recorded code nothing */
    bool reads_outside; /* what is read now is read by code outside: memory may hold what it no longer is */
    bool has_exited;
    bool is_between; /* what is told now is of no instruction: it is before the one that the strand goes on with */
    uint8_t signal;  /* what is told now begins the handler of this signal; 0: it does not */
    rcp_sink_annotations annotations;
};

/* sink.c */
rcp_sink_thread *rcp_sink_thread_of(rcp_sink *sink, uint32_t number);
/* An event of the strand's where it is now. Returns its number. */
rcp_eid rcp_sink_tell(rcp_sink *sink, const rcp_strand *strand, rcp_event event);
/* What is there is known to the trace. */
void rcp_sink_note_told(rcp_sink *sink, uint64_t lo, uint64_t hi);
rcp_sink_cell *rcp_sink_cell_of(rcp_sink *sink, uint64_t granule);

/* sink_places.c */
void rcp_sink_places_init(rcp_sink_places *places);
void rcp_sink_places_finish(rcp_sink_places *places);
/* Borrowed until the next call. */
const rcp_place *rcp_sink_place_of(rcp_sink *sink, const rcp_routine *routine, const rcp_ins *ins);
rcp_stack rcp_sink_stack_of(rcp_sink *sink, const rcp_strand *strand, const rcp_place *place);
/* The strand is within a function that stands for a call: that call is the place, for people. */
void rcp_sink_place_call(rcp_sink *sink, const rcp_strand *strand, rcp_place *place);
/* The program's own place where the strand is. */
rcp_loc rcp_sink_own_place(rcp_sink *sink, const rcp_strand *strand);
/* Takes in the global variables of the units from `first` on. */
void rcp_sink_variables_add(rcp_sink *sink, size_t first);
/* The same of what is called, as the trace has it. */
rcp_str rcp_sink_callee(rcp_sink *sink, const char *name);
/* "name" or "name+8", where a global variable is there; else the text stays empty. */
void rcp_sink_name_of(const rcp_sink *sink, uint64_t address, char name[128]);

/* sink_annotations.c */
void rcp_sink_annotations_init(rcp_sink_annotations *annotations);
void rcp_sink_annotations_finish(rcp_sink_annotations *annotations);
/* What stands for the object of which annotations speak, in a pair's reach. */
rcp_span rcp_sink_annotated(rcp_sink *sink, uint64_t address);
/* The access has all but its number: it becomes an atomic one where races are wanted, or its place is one that is not
 * to be reported. */
void rcp_sink_annotate(rcp_sink *sink, const rcp_sink_thread *thread, const rcp_place *place, rcp_event *event);
/* Into the trace's facts. */
void rcp_sink_annotations_tell(rcp_sink *sink);

/* sink_answers.c: for a replay (abi/run.h) */
void rcp_sink_answer_effect(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record);
/* Of inline assembly that asks a clock, as the log has what it returned. */
void rcp_sink_answer_assembly(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record);
void rcp_sink_answer_result(rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit, uint64_t result);

/* What is before it in its thread is over, and it is not before its time: of a wait that has ended by that. */
void rcp_sink_time_out(rcp_sink *sink, const rcp_strand *strand);
/* It is not after its time: of one that was woken before its own had come. */
void rcp_sink_in_time(rcp_sink *sink, const rcp_strand *strand);

/* sink_sync.c */
void rcp_sink_sync(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record);
/* What the call that the strand is at does to an object or a state of the library, before the event that it is: reads
 * or writes its first byte, if that is shared. `name`: what the trace calls it, where it is no variable; NULL: nothing.
 */
void rcp_sink_touch(rcp_sink *sink, const rcp_strand *strand, uint64_t address, bool writes, const char *name);
/* What is freed from here on, by the call that the strand is at, is that slot; 0: it has been. */
void rcp_sink_slot_ends(rcp_sink *sink, uint64_t slot, const char *name);
/* Memory's life ends: so do the objects in it. */
void rcp_sink_sync_end(rcp_sink *sink, const rcp_strand *strand, uint64_t lo, uint64_t hi);

/* sink_memory.c */
void rcp_sink_memory_begin(rcp_sink *sink);
/* The units from `unit` on have been loaded. */
void rcp_sink_memory_part(rcp_sink *sink, size_t unit);
void rcp_sink_change(rcp_sink *sink, const rcp_life_change *change);
void rcp_sink_effect(rcp_sink *sink, rcp_strand *strand, const rcp_log_record *record);
void rcp_sink_miss(rcp_sink *sink, rcp_strand *strand, const rcp_ins *ins, uint64_t address, const uint8_t bytes[64]);
bool rcp_sink_any_shared(const rcp_sink *sink, uint64_t address, uint64_t size);
/* A block [lo, hi) was allocated by code outside: what its ALLOC says of its contents is known to the trace, and
 * whoever finds something else finds a change. */
void rcp_sink_made(rcp_sink *sink, uint64_t lo, uint64_t hi);
/* Is every byte as the trace has told it; or nobody else's, and known? */
bool rcp_sink_is_sure(rcp_sink *sink, uint64_t lo, uint64_t hi);
/* Which bytes of the shared granule at `address` are bare (program/symbolic/teller.h). */
uint8_t rcp_sink_bare(rcp_sink *sink, uint64_t address);
/* A block [lo, hi) was allocated by a call that fills it. */
void rcp_sink_filled(rcp_sink *sink, uint64_t lo, uint64_t hi);
/* Outside code has written these bytes; what, is not known. */
void rcp_sink_wrote_unseen(rcp_sink *sink, rcp_strand *strand, uint64_t address, uint64_t size);
/* Events need not tell of the next change of these bytes: an opaque event reaches them. */
void rcp_sink_unsure(rcp_sink *sink, uint64_t address, uint64_t size);
/* The same of memory of any kind, which calls that look at it go by; is there such memory within [lo, hi)? */
void rcp_sink_stale(rcp_sink *sink, uint64_t lo, uint64_t hi);
bool rcp_sink_is_stale(const rcp_sink *sink, uint64_t lo, uint64_t hi);

/* sink_outside.c */
void rcp_sink_outsider(rcp_sink *sink, const rcp_strand *strand, bool begins);
void rcp_sink_visit(rcp_sink *sink, rcp_strand *strand, rcp_visit *visit);
void rcp_sink_visit_returns(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit, uint64_t result);
/* What a known function has allocated and filled, and has no pair to show it by: when it is over, by an exception, too.
 */
void rcp_sink_visit_fills(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit);
void rcp_sink_visit_end(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit);
/* All that has no address of its own: whoever reaches it is ordered with every pair. */
extern const rcp_span rcp_sink_beyond;
/* What is restless, and these. Takes the spans in any order. */
rcp_reach rcp_sink_everything(rcp_sink *sink);
rcp_reach rcp_sink_reach(rcp_sink *sink, const rcp_span *more, size_t n);
/* Something has happened to the thread whose cause is not known: what was called, or written for others to see, before,
 * comes before. `changed`: what else it comes after, shared memory that has changed; {0, 0}: nothing. */
void rcp_sink_cause(rcp_sink *sink, const rcp_strand *strand, const char *what, rcp_span changed);
/* Would that tell anything? Not where nothing has come in between. */
bool rcp_sink_is_cause_told(rcp_sink *sink, const rcp_strand *strand);
/* The same before its next event. */
void rcp_sink_owe_cause(rcp_sink *sink, const rcp_strand *strand);
/* A barrier pair for something that has no event of its own. */
void rcp_sink_pair(rcp_sink *sink, const rcp_strand *strand, const char *callee, rcp_reach reach);

/* The thread acts on a cancellation, in front of an instruction that it does not come to. */
void rcp_sink_cancelled(rcp_sink *sink, const rcp_strand *strand);

/* sink.c: THREAD, THREAD_END, SYNC, EXIT, NOTE, PART. */
void rcp_sink_record(rcp_sink *sink, const rcp_log_record *record);

/* Of a call that is about to be made. */
void rcp_sink_note_beyond(rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit, rcp_outside_kind kind);

#endif
