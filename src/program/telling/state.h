/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of telling: what a re-execution that looks for events knows beside what is executed, and what they
 * all ask of it.
 *
 *   state.c            questions about a visit and what it was given
 *   calls.c            what a call outside is: its name, its row of the table
 *   telling.c          what changes it: records, calls, effects (telling.h)
 *   telling_objects.c  memory that code outside knows of though nobody gave it to the call in hand
 *   sink*.c            events (sink.h)
 *
 * A visit is a call outside that has not come back, or a signal's handler that runs. Visits of a strand nest as its
 * activations do.
 *
 * Ownership: the telling borrows the machine, the sharing, the sink, the terms and the notes.
 */
#ifndef RECIPE_PROGRAM_TELLING_STATE_H
#define RECIPE_PROGRAM_TELLING_STATE_H

#include "program/machine/machine.h"
#include "program/reach/belongings.h"
#include "program/reach/lives.h"
#include "program/reach/outside_call.h"
#include "program/reach/reachable.h"
#include "program/symbolic/symbolic.h"
#include "program/telling/notes.h"
#include "program/telling/sharing.h"
#include "program/telling/watch.h"

/* What RECIPE_GLOBAL of include/recipe/annotations.h calls. */
#define RCP_GLOBAL_CALL "recipe_global_"

typedef struct rcp_visit {
    size_t depth;               /* activations of its strand when it left; of a handler: its own included */
    const rcp_outside *outside; /* NULL: unknown */
    const char *name;           /* of the callee; borrowed from LLVM */
    rcp_outside_name called;    /* what the name says, whosever function it is */
    uint64_t annotated;         /* of an annotation: where the object is that it speaks of */
    uint64_t annotated_size;
    uint8_t shift;   /* 1: it is called by its number, and its arguments come behind that */
    uint8_t kind;    /* rcp_outside_kind of this call, which is not always the row's */
    uint64_t number; /* of all visits, in their order: the same in both re-executions */
    bool is_handler;
    uint8_t signal;    /* of a handler: whose, where it begins; 0: not known, or it goes on */
    bool has_stranger; /* it calls code that nobody knows, and that may reach everything */
    bool was_told;     /* SYNC: the log had what it did */
    bool has_pair;     /* TERMS: a barrier pair is open for it */
    bool lasts;        /* TERMS: that pair is a stretch of time */
    bool is_vague;     /* how far it writes is not known */
    bool is_reached;   /* what it reaches is known, and less than everything */
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
    const uint8_t *strings, *strings_end; /* that it reads by a va_list, as the log has them; NULL: none are known */
    RCP_VEC(rcp_reached_object) made;     /* blocks that it has allocated, to fill them: no event may show that */
    RCP_VEC(uint32_t) numbers;            /* the first re-execution: descriptors that it uses */
    size_t made_before; /* of those: how many there were when it was looked last whether they are there */
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
    struct rcp_sink *sink;     /* where the second re-execution tells events; NULL: this is the first */
    rcp_symbolic *symbolic;    /* the second: terms */
    rcp_notes *notes;          /* the second: of what is told; NULL: nobody wants them */
    rcp_watches *watches;      /* the first: calls that somebody watches; NULL: none */
    uint64_t own_lo, own_size; /* the first: all memory of threads' own lies there, and other memory */
    rcp_lives lives;
    rcp_reachable reachable;
    rcp_belongings belongings;
    rcp_sharing *sharing;
    rcp_map index; /* thread → its visits */
    RCP_VEC(rcp_visits) visits;
    rcp_map known; /* rcp_call → index into outsides */
    RCP_VEC(const rcp_outside *) outsides;
    RCP_VEC(uint32_t) groups;   /* of the C++ library's objects that the call in hand works on or looks at */
    RCP_VEC(uint64_t) streams;  /* where the C++ library's standard ones are */
    uint64_t input;             /* where that is which is read; 0: no unit names it */
    RCP_VEC(uint64_t) standard; /* where the C library's variables stdout and stderr are */
    RCP_VEC(rcp_lent) lent;     /* to callbacks of code that nobody knows, while they run */
    uint64_t count;             /* visits, so far */
    uint32_t created, ended;    /* threads, so far */
    uint32_t joined;            /* of these: by somebody */
    rcp_map followed;           /* slots of descriptors that recorded code has made → 1 (numbers.h) */
    rcp_map numbers;            /* the first: descriptors → where they lead (descriptors.h) */
    rcp_map ostreams;           /* the std::ostream of a stream that is all the C++ library's → its object's life */
    rcp_map asleep;             /* thread that sleeps on a condition → the number of its wait */
    uint32_t waits;             /* so far: the same in both re-executions */
    rcp_map outsiders;          /* threads whose first function is not recorded → 1 */
    uint64_t zeroed;            /* the block that the last record allocated, where it is zeroed; else 0 */
    uint64_t last_free;         /* the block that the last record freed; else 0 */
    uint64_t last_size;
} rcp_telling;

/* Is this the re-execution that tells events? */
static inline bool rcp_telling_tells(const rcp_telling *telling) { return telling->sink; }

/* One of the C++ library's own streams? Those are made to be used by several threads at a time. */
bool rcp_telling_is_stream(const rcp_telling *telling, uint64_t address);
/* The visit's name, row and kind, of the call that the strand is about to leave by. In the first re-execution also what
 * such calls tell of the run. */
void rcp_telling_classify(rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit);
/* What the call that the strand is about to leave by can reach, where it is not known, or is given what others share:
 * telling->reachable has it. False: everything. */
bool rcp_telling_reach(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit);
/* The same of what it is given besides what its row says. */
bool rcp_telling_reach_besides(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit);
/* How far a function that is given this word may look behind it: a string, or as far as the word after it says. */
uint64_t rcp_telling_given_size(const rcp_telling *telling, const rcp_outside_call *call, size_t i);
/* Does (or did) something else run on the thread while it sleeps on a condition: a signal's handler, or what follows a
 * cancellation? */
bool rcp_telling_is_interrupted(const rcp_telling *telling, uint32_t thread);
/* Is a call that has no pair a fence by the rules of the language: of its thread, or of every thread? */
typedef enum rcp_telling_fence { RCP_FENCE_NONE, RCP_FENCE_OWN, RCP_FENCE_ALL } rcp_telling_fence;
rcp_telling_fence rcp_telling_fence_of(const rcp_visit *visit);
/* Is anything done with what the call of the strand's instruction returns? */
bool rcp_telling_is_result_used(const rcp_strand *strand);
/* May signals come where no recorded code takes them, so that nobody sees what they lead to? */
bool rcp_telling_has_unseen_signals(const rcp_telling *telling);
/* With what of the system the call, which is a pair and not unknown, has to do in this run: rcp_outside_with.
 * `is_whole`: with all of it, whatever it is given. */
uint32_t rcp_telling_shares(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit,
                            bool *is_whole);
/* The name by which the strand, which is at a call that leaves, calls; NULL: it is a pointer. */
const char *rcp_telling_callee(const rcp_telling *telling, const rcp_strand *strand);
/* The visits of a thread, the innermost last. */
rcp_visits *rcp_telling_visits(rcp_telling *telling, uint32_t thread);
/* What the call of the strand's instruction is given, one word per slot: borrowed until the next call. */
rcp_outside_call rcp_telling_call(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit,
                                  uint64_t words[16]);

/* Is there no other thread that can do anything that is not ordered with what the main thread does now? */
bool rcp_telling_is_alone(const rcp_telling *telling);

/* What a record of synchronisation does to its object, as memory: a use is a read, atomic against other uses; who
 * begins or ends the object's life writes it. In front of the record's event: nobody who comes after that by the object
 * itself is unordered with it (docs/semantics.md, 'Objects as memory'). */
typedef enum rcp_object_access { RCP_OBJECT_UNTOUCHED, RCP_OBJECT_USED, RCP_OBJECT_CHANGED } rcp_object_access;
rcp_object_access rcp_telling_access_of(const rcp_log_record *record);

#endif
