/* SPDX-License-Identifier: Apache-2.0 */
/* Who holds which locks, and the critical sections so far.
 *
 * The naive model: per lock the list of all its critical sections (thread, mode, acquire, release with its clock), and
 * for rule (b) per thread a queue of those that it has not passed. What differs: an event's position says by itself
 * whether an acquire comes before (its number is known or not), so a section needs no clock of its acquire; and of one
 * thread's sections on one lock the latest whose acquire is known stands for all before it, so that nobody needs a
 * queue of his own: he looks for it from the end. A section is kept once, for all threads, and let go when nothing
 * that is kept anywhere stands for a position inside it (rcp_locks_sweep()): then nobody can come to know its acquire
 * without its release. Where more are needed than memory should hold, all but the newest go to disk
 * (rcp_locks_spill()).
 *
 * Sections of a rwlock that are both shared do not exclude each other: neither rule speaks of them. A recursive lock
 * has one section from its outermost acquire to the release of that.
 *
 * A lockset is a number; equal sets have equal numbers; 0 is the empty set.
 *
 * Invariant: of one (lock, thread, mode) sections are disjoint and in order; only the last can be open. Owns all; the
 * clocks stay the pool's.
 */
#ifndef RECIPE_ORDER_ENGINE_LOCKS_H
#define RECIPE_ORDER_ENGINE_LOCKS_H

#include "base/map.h"
#include "order/engine/clock.h"
#include "order/engine/spill.h"
#include "trace/model/event.h"

typedef struct rcp_section {
    uint32_t acquired, released; /* counts as in rcp_stamp; released 0: open */
    rcp_clock clock;             /* of the release */
} rcp_section;

/* One thread's sections on one lock. */
typedef struct rcp_sections {
    uint32_t tid;
    uint32_t last[RCP_MODES]; /* `released` of the last section; 0 where there is none */
    RCP_VEC(rcp_section) by[RCP_MODES];
    rcp_spill_list old[RCP_MODES]; /* before those */
} rcp_sections;

typedef struct rcp_lock_hold {
    uint32_t lock, depth;
    rcp_mode mode;
} rcp_lock_hold;

typedef struct rcp_lock_holder {
    RCP_VEC(rcp_lock_hold) at;
    uint32_t set;
    uint32_t released; /* its last release that ended a section: a count as in rcp_stamp */
} rcp_lock_holder;

typedef struct rcp_lock_state {
    RCP_VEC(rcp_sections) owners;
    rcp_map index; /* thread → in `owners`, where there are many */
} rcp_lock_state;

typedef struct rcp_lockset {
    uint32_t first, n; /* in `members`, sorted: lock * 2 + mode */
    bool excludes;     /* one of them is held exclusively */
} rcp_lockset;

typedef struct rcp_locks {
    rcp_clocks *clocks;
    RCP_VEC(rcp_lock_state) at;
    RCP_VEC(rcp_lock_holder) threads;
    RCP_VEC(rcp_lockset) sets;
    RCP_VEC(uint32_t) members, scratch;
    rcp_map by_hash;
    uint64_t sections, live, peak; /* made, kept now, kept at most; those on disk included */
    rcp_spill spill;
    uint64_t spilled_peak;      /* on disk at most */
    RCP_VEC(rcp_clock) fetched; /* clocks that stamps of this event were read with */
} rcp_locks;

void rcp_locks_init(rcp_locks *locks, rcp_clocks *clocks);
void rcp_locks_finish(rcp_locks *locks);
size_t rcp_locks_bytes(const rcp_locks *locks);

void rcp_locks_acquire(rcp_locks *locks, const rcp_runner *runner, uint32_t lock, rcp_mode mode);
/* Does this release end a section (the outermost one)? Nothing changes yet. */
bool rcp_locks_ends(const rcp_locks *locks, uint32_t tid, uint32_t lock, rcp_mode mode);
/* The runner's release; where it ends a section, that has the runner's clock as it is now. */
void rcp_locks_release(rcp_locks *locks, const rcp_runner *runner, uint32_t lock, rcp_mode mode);

/* Rule (b): an acquire that comes before this release (`runner`, of `lock` in `mode`) brings its own release before it.
 * Joins those into what the order knows, until nothing is new. */
void rcp_locks_pass(rcp_locks *locks, rcp_runner *runner, uint32_t lock, rcp_mode mode);
/* Stamps of sections are borrowed until this. Called before each event for which `fetched` is not empty. */
void rcp_locks_next(rcp_locks *locks);
/* The release of the latest section of `tid` on `lock` in `mode` whose acquire is among its first `known` events, and
 * which is closed; count 0: there is none. */
rcp_stamp rcp_locks_latest(rcp_locks *locks, uint32_t lock, uint32_t tid, rcp_mode mode, uint32_t known);

/* Does whoever knows the first `knows` events of `tid` know all of its sections, on whatever lock? */
static inline bool rcp_locks_knows_all(const rcp_locks *locks, uint32_t tid, uint32_t knows) {
    return tid < locks->threads.len && !locks->threads.at[tid].at.len && locks->threads.at[tid].released <= knows;
}

/* The same, unless whoever knows the first `knows` events of `tid` knows all closed sections of it already. */
rcp_stamp rcp_locks_news(rcp_locks *locks, uint32_t lock, uint32_t tid, rcp_mode mode, uint32_t known, uint32_t knows);

static inline uint32_t rcp_locks_set(const rcp_locks *locks, uint32_t tid) {
    return tid < locks->threads.len ? locks->threads.at[tid].set : 0;
}
/* Can't two threads be inside both at once: a lock in common that one of them holds exclusively? */
bool rcp_locks_exclude(const rcp_locks *locks, uint32_t a, uint32_t b);

/* Calls `each` with the stamp of every release that ends a section, on a lock that set `mine` excludes, in which the
 * event (tid, count) under set `theirs` stood. */
#define RCP_LOCKS_EACH_COMMON(locks, mine, theirs, lock, their_mode)                                                   \
    for (size_t i_ = 0, j_ = 0, lock = 0, their_mode = 0;                                                              \
         rcp_locks_next_common(locks, mine, theirs, &i_, &j_, &lock, &their_mode);)
bool rcp_locks_next_common(const rcp_locks *locks, uint32_t mine, uint32_t theirs, size_t *i, size_t *j, size_t *lock,
                           size_t *their_mode);

/* Positions of a thread that somebody may come to know: counts as in rcp_stamp. */
typedef RCP_VEC(uint32_t) rcp_position_list;

/* Adds the position that a stamp stands for, those that a channel does, and all that stand in clocks. */
static inline void rcp_stamp_position(rcp_stamp stamp, rcp_position_list *of, size_t n) {
    if (stamp.tid < n && stamp.count)
        rcp_vec_push(&of[stamp.tid], stamp.count);
}
void rcp_channel_positions(const rcp_channel *channel, rcp_position_list *of, size_t n);
void rcp_clocks_positions(const rcp_clocks *clocks, rcp_position_list *of, size_t n);

/* Lets go of the closed sections inside which none of the positions stands; `of` has one list per thread, `n` of them,
 * which are sorted and added to. The last section of each thread and lock stays. */
void rcp_locks_sweep(rcp_locks *locks, rcp_position_list *of, size_t n);
/* Moves closed sections to disk, but for the `newest` ones of each thread, lock and mode, 1 at least. */
void rcp_locks_spill(rcp_locks *locks, size_t newest);
static inline uint64_t rcp_locks_in_memory(const rcp_locks *locks) { return locks->live - locks->spill.sections; }

#endif
