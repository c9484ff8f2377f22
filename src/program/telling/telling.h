/* SPDX-License-Identifier: Apache-2.0 */
/* What a recorded run says beside what is executed: lives of memory, calls outside and what they touched, effects of
 * outside code, synchronisation. Both re-executions that look for events go through here (rcp_pass), so that both see
 * the same: the first one notes who touched what, the second one tells events (program/telling/sink.h).
 *
 * A visit is a call outside that has not come back, or a signal's handler that runs. Visits of a strand nest as its
 * activations do.
 *
 * Ownership: borrows the machine, the sharing and the sink.
 */
#ifndef RECIPE_PROGRAM_TELLING_TELLING_H
#define RECIPE_PROGRAM_TELLING_TELLING_H

#include "program/reach/lives.h"
#include "program/machine/machine.h"
#include "program/reach/outside.h"
#include "program/reach/belongings.h"
#include "program/reach/reachable.h"
#include "program/telling/sharing.h"

/* What RECIPE_GLOBAL of include/recipe/annotations.h calls. */
#define RCP_GLOBAL_CALL "recipe_global_"

typedef struct rcp_visit {
    size_t depth;               /* activations of its strand when it left; of a handler: its own included */
    const rcp_outside *outside; /* NULL: unknown */
    const char *name;           /* of the callee; borrowed from LLVM */
    uint8_t kind;               /* rcp_outside_kind of this call, which is not always the row's */
    uint64_t number;            /* of all visits, in their order: the same in both re-executions */
    bool is_handler;
    bool was_told;   /* SYNC: the log had what it did */
    bool has_pair;   /* TERMS: a barrier pair is open for it */
    bool is_vague;   /* how far it writes is not known */
    bool is_reached; /* what it reaches is known, and less than everything */
    rcp_reach reach;
    rcp_str callee;
    uint32_t child;  /* the thread that it has created */
    uint64_t turn;   /* machine->turns when it began */
    bool was_alone;  /* no other thread was there when it began */
    uint64_t key;    /* not known: rcp_reachable_key() */
    uint32_t looks;  /* not known: how often it was looked what it reaches, because recorded code that it called has
                        returned */
    uint32_t group;  /* of the C++ library's objects that it works on; RCP_BELONGINGS_NONE: none */
    bool has_shared; /* TERMS: something that belongs to what it is given is shared */
} rcp_visit;

typedef RCP_VEC(rcp_visit) rcp_visits;

/* A word that a callback was given. */
typedef struct rcp_lent {
    uint32_t thread;
    size_t depth; /* activations, its own included */
    uint64_t word;
} rcp_lent;

typedef struct rcp_telling {
    rcp_machine *machine;
    rcp_lives lives;
    rcp_reachable reachable;
    rcp_belongings belongings;
    rcp_sharing *sharing;
    rcp_map index; /* thread → its visits */
    RCP_VEC(rcp_visits) visits;
    rcp_map known; /* rcp_call → index into outsides */
    RCP_VEC(const rcp_outside *) outsides;
    RCP_VEC(uint64_t) streams;  /* where the C++ library's standard ones are */
    RCP_VEC(uint64_t) standard; /* where the C library's variables stdout and stderr are */
    RCP_VEC(rcp_lent) lent;     /* to callbacks of code that nobody knows, while they run */
    uint64_t count;             /* visits, so far */
    uint32_t created, ended;    /* threads, so far */
    rcp_map asleep;             /* thread that sleeps on a condition → the number of its wait */
    uint32_t waits;             /* so far: the same in both re-executions */
    rcp_map outsiders;          /* threads whose first function is not recorded → 1 */
    uint64_t moved;             /* the block that was freed before the one that was allocated last: realloc; else 0 */
    uint64_t zeroed;            /* the block that the last record allocated, where it is zeroed; else 0 */
    uint64_t last_free;         /* the block that the last record freed; else 0 */
    uint64_t last_size;
} rcp_telling;

/* The machine's program is loaded, nothing is executed yet. */
void rcp_telling_init(rcp_telling *telling, rcp_machine *machine, rcp_sharing *sharing);
/* The log is at its end. */
void rcp_telling_end(rcp_telling *telling);
void rcp_telling_finish(rcp_telling *telling);

/* The next record is about to be followed; it is the current strand's. */
void rcp_telling_record(rcp_telling *telling);
/* One of the C++ library's own streams? Those are made to be used by several threads at a time. */
bool rcp_telling_is_stream(const rcp_telling *telling, uint64_t address);
/* The units from `first` on have been loaded: all of them before anything is executed, then those of a library. */
void rcp_telling_part(rcp_telling *telling, size_t first);
/* An EFFECT, FILL or COPY is in memory now. */
void rcp_telling_effect(rcp_telling *telling, const rcp_log_record *record);
/* A MISS or MISS_ZERO is not in memory yet. `ins` is the event that wants it. */
void rcp_telling_miss(rcp_telling *telling, rcp_strand *strand, const rcp_ins *ins, uint64_t address,
                      const uint8_t bytes[64]);
/* The strand is about to leave by the call at its instruction, has come back with `result` (the instruction is the
 * call still), or has lost its activations past `keep` by a jump or an exception. */
void rcp_telling_leave(rcp_telling *telling, rcp_strand *strand);
void rcp_telling_return(rcp_telling *telling, rcp_strand *strand, uint64_t result);
void rcp_telling_unwind(rcp_telling *telling, rcp_strand *strand, size_t keep);
/* A callback is about to begin (its activation is there, `state` is what the strand was), and has returned. */
void rcp_telling_callback(rcp_telling *telling, rcp_strand *strand, rcp_strand_state state);
void rcp_telling_callback_end(rcp_telling *telling, rcp_strand *strand);

/* The visit's name, row and kind, of the call that the strand is about to leave by. In the first re-execution also what
 * such calls tell of the run. */
void rcp_telling_classify(rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit);
/* Is the name one of these? */
bool rcp_telling_is_named(const char *name, const char *const *names, size_t n);
/* What the call that the strand is about to leave by can reach: telling->reachable has it. False: everything. */
bool rcp_telling_reach(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit);
/* Of a call that is given objects of the C++ library: what belongs to them. */
void rcp_telling_objects(rcp_telling *telling, rcp_strand *strand, rcp_visit *visit);
/* What is done with a member of a group: rcp_belongings_visitor. */
bool rcp_telling_member(void *telling, rcp_span member, uint32_t who, bool writes);
/* How far a function that is given this word may look behind it: a string, or as far as the word after it says. */
uint64_t rcp_telling_given_size(const rcp_telling *telling, const rcp_outside_call *call, size_t i);
/* How far memory says that a call goes is not sure: it may go to the end of the object. */
void rcp_telling_note_farther(rcp_telling *telling, const rcp_strand *strand, const rcp_outside_touch *touch);
/* The first re-execution: the THREAD record says what is the thread's own. */
void rcp_telling_owns(rcp_telling *telling, const rcp_log_record *record);
/* The first re-execution: the word goes into memory, or to code that is not recorded. Where it points to what is a
 * thread's own, others know of that from now on. */
void rcp_telling_expose(rcp_telling *telling, uint64_t word);
/* The same of the words of memory at [address, address + size). */
void rcp_telling_expose_words(rcp_telling *telling, uint64_t address, uint64_t size);
/* Does (or did) something else run on the thread while it sleeps on a condition: a signal's handler, or what follows a
 * cancellation? */
bool rcp_telling_is_interrupted(const rcp_telling *telling, uint32_t thread);
/* Is anything done with what the call of the strand's instruction returns? */
bool rcp_telling_is_result_used(const rcp_strand *strand);
/* The visits of a thread, the innermost last. */
rcp_visits *rcp_telling_visits(rcp_telling *telling, uint32_t thread);
/* What the call of the strand's instruction is given, one word per slot: borrowed until the next call. */
rcp_outside_call rcp_telling_call(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit,
                                  uint64_t words[16]);

#endif
