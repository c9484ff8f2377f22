/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of the generator of small programs: text and operations are made side by side, statement by
 * statement.
 *
 *   make.c         the program, its threads, functions and main
 *   make_access.c  values, places and accesses
 *   make_sync.c    synchronisation
 *   make_flow.c    branches, loops, calls, ends
 *
 * Locks nest in one order, mostly; loops have a bound; so most programs end under every schedule. Whether one does is
 * not decided here.
 */
#ifndef RECIPE_PROP_SMALL_MAKER_H
#define RECIPE_PROP_SMALL_MAKER_H

#include "prop/random.h"
#include "prop/small/small.h"

enum {
    RCP_MAKE_COUNTER = RCP_SMALL_NAMED - 1, /* of loops; who asks for a free register and gets this one has none */
    RCP_MAKE_HIDDEN = RCP_SMALL_NAMED,      /* the register that has no name */
    RCP_MAKE_UNGUARDED = -1,
    RCP_MAKE_ATOMIC = -2,
    RCP_MAKE_FUNCTIONS = 2,
    RCP_MAKE_NAME = 64
};

/* Operations of a thread or function. */
typedef RCP_VEC(rcp_small_op) rcp_make_code;

typedef struct rcp_maker {
    rcp_small_program *program;
    rcp_random random;
    rcp_make_code code;        /* of what is being made */
    RCP_VEC(uint16_t) returns; /* jumps of it to its end */
    rcp_make_code functions[RCP_MAKE_FUNCTIONS];
    bool locks[RCP_MAKE_FUNCTIONS]; /* whether they synchronise */
    unsigned made_functions;
    unsigned line, depth, blocks;
    bool in_function, in_main;
    bool may_return;                                 /* early */
    bool may_fork;                                   /* the late thread, which is made once */
    int budget;                                      /* visible operations that the thread may still have */
    unsigned held;                                   /* locks, a bit each */
    unsigned frozen;                                 /* registers that must stay as they are, a bit each */
    int guard[RCP_SMALL_CELLS + RCP_SMALL_POINTERS]; /* the lock of a location, or RCP_MAKE_UNGUARDED, _ATOMIC */
} rcp_maker;

static inline unsigned rcp_make_below(rcp_maker *m, unsigned n) { return rcp_random_below(&m->random, n); }
static inline bool rcp_make_percent(rcp_maker *m, unsigned n) { return rcp_random_percent(&m->random, n); }

/* One line of text; its number. */
uint16_t rcp_make_say(rcp_maker *m, const char *format, ...) RCP_PRINTF(2, 3);
void rcp_make_put(rcp_maker *m, rcp_small_op op);
static inline uint16_t rcp_make_here(const rcp_maker *m) { return (uint16_t)m->code.len; }
/* The branch or jump there goes on here. */
static inline void rcp_make_land(rcp_maker *m, uint16_t from) { m->code.at[from].target = rcp_make_here(m); }
/* Up to `n` statements. */
void rcp_make_block(rcp_maker *m, unsigned n);

/* make_access.c */
const char *rcp_make_value_text(rcp_small_expression e, char to[RCP_MAKE_NAME]);
const char *rcp_make_place_text(rcp_small_place place, char to[RCP_MAKE_NAME]);
uint8_t rcp_make_register(rcp_maker *m);
/* One that may be written; RCP_MAKE_COUNTER: there is none. */
uint8_t rcp_make_free_register(rcp_maker *m);
rcp_small_expression rcp_make_value(rcp_maker *m);
rcp_small_expression rcp_make_condition(rcp_maker *m, uint8_t r);
uint8_t rcp_make_cell(rcp_maker *m);
void rcp_make_load(rcp_maker *m, rcp_small_place place, uint8_t to, bool atomically);
void rcp_make_store(rcp_maker *m, rcp_small_place place, rcp_small_expression value, bool atomically);
/* Which register has it; RCP_MAKE_COUNTER: none was free. */
uint8_t rcp_make_guarded_load(rcp_maker *m);
void rcp_make_fetch(rcp_maker *m);
void rcp_make_guarded_store(rcp_maker *m);
void rcp_make_increase(rcp_maker *m);
void rcp_make_swap(rcp_maker *m);
void rcp_make_pointer_store(rcp_maker *m);
void rcp_make_publish(rcp_maker *m);
void rcp_make_dereference(rcp_maker *m);

/* make_sync.c */
bool rcp_make_may_lock(rcp_maker *m, int which);
void rcp_make_lock(rcp_maker *m, int which);
void rcp_make_unlock(rcp_maker *m, int which);
void rcp_make_section(rcp_maker *m);
void rcp_make_chosen_section(rcp_maker *m);
void rcp_make_maybe_section(rcp_maker *m);
void rcp_make_try_section(rcp_maker *m);
void rcp_make_read_section(rcp_maker *m);
void rcp_make_semaphore(rcp_maker *m);
void rcp_make_wait(rcp_maker *m);
void rcp_make_announce(rcp_maker *m);
void rcp_make_late_thread(rcp_maker *m);

/* make_flow.c */
/* The condition's side, and the other one where `both`. */
void rcp_make_branch(rcp_maker *m, rcp_small_expression condition, bool both);
void rcp_make_decide(rcp_maker *m);
void rcp_make_switch(rcp_maker *m);
void rcp_make_loop(rcp_maker *m);
void rcp_make_compute(rcp_maker *m);
void rcp_make_choose(rcp_maker *m);
void rcp_make_call(rcp_maker *m);
void rcp_make_return(rcp_maker *m);
void rcp_make_exit(rcp_maker *m);

#endif
