/* SPDX-License-Identifier: Apache-2.0 */
/* What a call of code that is not recorded can reach (seed 004's set D): the objects that its arguments point into,
 * whatever words of those point to, and so on; the variables that its body names; what has been in reach together with
 * any of that when such code could keep a pointer; its library's state.
 *
 * Objects are blocks of the heap, global variables and stack objects. A word that points to none of them, and to no
 * code, is a pointer to memory that nobody has told of: all such memory counts as one object.
 *
 * Both re-executions compute the same. Ownership: borrows the machine and its telling.
 */
#ifndef RECIPE_PROGRAM_REACH_REACHABLE_H
#define RECIPE_PROGRAM_REACH_REACHABLE_H

#include "base/map.h"
#include "base/ranges.h"
#include "program/reach/bodies.h"
#include "program/reach/lives.h"
#include "program/machine/machine.h"
#include "program/reach/opaque_file.h"
#include "program/reach/trees.h"

/* An object, as long as it is the same one: its key is never used again. */
typedef struct rcp_reached_object {
    uint64_t lo, hi, key;
} rcp_reached_object;

typedef struct rcp_cluster {
    uint32_t parent; /* itself: it is the root */
    RCP_VEC(rcp_reached_object) objects;
} rcp_cluster;

/* What is kept for a thread by a key of its own. */
typedef struct rcp_specific {
    uint32_t thread;
    uint64_t word;
} rcp_specific;

typedef struct rcp_reachable {
    const rcp_machine *machine;
    const rcp_lives *lives;
    const rcp_opaque_file *file; /* the user's word on functions; NULL: none */
    rcp_bodies bodies;
    rcp_ranges globals; /* address → index into variables */
    RCP_VEC(rcp_reached_object) variables;
    RCP_VEC(rcp_reached_object) libraries; /* variables that libraries define, or can name */
    bool has_strangers;                    /* libraries can call code of the program's that nobody knows */
    bool spares_signals;                   /* the call in hand has nothing to do with handlers and timers of signals */
    rcp_ranges locals;                     /* address → index into thread_locals, of threads that have not ended */
    RCP_VEC(rcp_reached_object) thread_locals;
    RCP_VEC(uint32_t) local_of; /* whose they are */
    rcp_map handles;            /* what a thread is known by (pthread_t) → its number */
    rcp_map cluster_of;         /* key → clusters */
    RCP_VEC(rcp_cluster) clusters;
    RCP_VEC(rcp_specific) specific;
    uint64_t lowest;        /* no variable lies below it; nor does the heap */
    RCP_VEC(rcp_span) said; /* by RECIPE_GLOBAL, for the next call of the thread `said_by` */
    uint32_t said_by;
    RCP_VEC(rcp_span) belongings; /* of what the call in hand is given; until it is looked for */
    RCP_VEC(uint64_t) handed;     /* words that recorded code has handed to the call in hand; until it is looked for */
    rcp_trees trees;              /* where the user asked for them */
    /* of the call in hand */
    rcp_map seen; /* key → 1 */
    RCP_VEC(rcp_reached_object) found;
    RCP_VEC(rcp_reached_object) constants; /* that lead on, and do not change */
    RCP_VEC(uint32_t) threads;             /* whose end it can see: numbers */
    const rcp_strand *strand;
    uint64_t regions[1024]; /* of 4 GiB, a bit each: has it objects? Where `has_regions` says that it is known */
    bool keeps, follows, is_everything, has_regions; /* rcp_body's */
    bool is_system, is_library, is_foreign;
    bool sees_ends;                    /* of any thread: by its number, or in a file */
    bool calls_pointers, has_function; /* that it finds; there is one, of a library's, of which that is not excluded */
    bool is_called_back, was_called_back; /* functions that are left out may be called back; they are in */
    bool is_handleless;                   /* of the run: what some thread is known by is not known */
} rcp_reachable;

void rcp_reachable_init(rcp_reachable *reachable, const rcp_machine *machine, const rcp_lives *lives);
void rcp_reachable_finish(rcp_reachable *reachable);
/* The units from `first` on have been loaded. */
void rcp_reachable_part(rcp_reachable *reachable, size_t first);
/* The THREAD record of the thread says where its thread-local variables are; at its end they are gone. */
void rcp_reachable_thread(rcp_reachable *reachable, const rcp_log_record *record);
void rcp_reachable_thread_end(rcp_reachable *reachable, uint32_t thread);
/* The thread `number` is known by this word. */
void rcp_reachable_handle(rcp_reachable *reachable, uint64_t word, uint32_t number);
/* The thread says that its next call reaches these bytes, too. */
void rcp_reachable_say(rcp_reachable *reachable, uint32_t thread, uint64_t lo, uint64_t hi);

/* Recorded code that the next call to be looked for has called back returned this word to it, or was lent it: then what
 * was left there is in reach, too. */
void rcp_reachable_hand(rcp_reachable *reachable, uint64_t word);

/* The thread keeps this word for itself (pthread_setspecific). */
void rcp_reachable_keep(rcp_reachable *reachable, uint32_t thread, uint64_t word);

/* The call of `name` from `unit` by the strand, given these words: fills what is above. `pointer`: by which it is
 * called; 0: by its name. False: it may reach everything. */
bool rcp_reachable_find(rcp_reachable *reachable, const rcp_unit *unit, const char *name, uint64_t pointer,
                        const rcp_strand *strand, const uint64_t *words, size_t n);
/* What belongs to what the next call of rcp_reachable_given() is given. */
void rcp_reachable_belongs(rcp_reachable *reachable, rcp_span member);
/* As rcp_reachable_find(), of a call of a function of the C++ library that is known to work on what it is given, on
 * what belongs to that, and on what both lead to, and to keep nothing. `is_stream`: and may do what a file does. */
bool rcp_reachable_given(rcp_reachable *reachable, const rcp_strand *strand, const uint64_t *words, size_t n,
                         bool is_stream);
/* As rcp_reachable_given(), of one that goes nowhere by the words that it finds: it works on what belongs to what it is
 * given, which rcp_reachable_belongs() has said, and on what these words point to, from there on. */
bool rcp_reachable_alone(rcp_reachable *reachable, const rcp_strand *strand, const uint64_t *words, size_t n);
/* What the call in hand is known by to rcp_reachable_made(); 0: it reaches nothing. */
uint64_t rcp_reachable_key(const rcp_reachable *reachable);
/* The call with that key has allocated the block at `address`: it stays in reach of whoever reaches the same. */
void rcp_reachable_made(rcp_reachable *reachable, uint64_t key, uint64_t address);
/* Is the object still there, and the same one? */
bool rcp_reachable_is_same(const rcp_reachable *reachable, const rcp_reached_object *object);
/* The object that holds the byte. False: none does. */
bool rcp_reachable_object_at(const rcp_reachable *reachable, uint64_t address, rcp_reached_object *object);
/* Do the words of [lo, hi) lead to code that is left out, in so many steps (a virtual function takes two)? */
bool rcp_reachable_leads_out(const rcp_reachable *reachable, uint64_t lo, uint64_t hi, int steps);
/* Is the byte part of an object, and of none on the strand's own stack? */
bool rcp_reachable_is_object(const rcp_reachable *reachable, const rcp_strand *strand, uint64_t address);
/* Where the object ends that the byte is part of; 0: it is part of none. */
uint64_t rcp_reachable_end(const rcp_reachable *reachable, uint64_t address);
/* Is it part of a global constant? */
bool rcp_reachable_is_constant(const rcp_reachable *reachable, uint64_t address);
/* Is it where a function begins that is not recorded, though its body is there? */
bool rcp_reachable_is_left_out(const rcp_reachable *reachable, uint64_t address);

#endif
