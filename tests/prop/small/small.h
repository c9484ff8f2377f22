/* SPDX-License-Identifier: Apache-2.0 */
/* Small multithreaded programs: the same program as text in C, for the compiler, and as a list of operations, for
 * whoever explores every schedule of it.
 *
 * Memory is a few shared variables, an array and two pointers; each is a cell. A thread has registers (local
 * variables). An operation is visible (it touches a cell or a synchronisation object, or ends the process) or local;
 * a visible one is one atomic step. Each access stands on a line of its own, together with what it does the name of a
 * static location. Local operations are never waited for: a thread always stands before a visible operation, or has
 * ended.
 *
 * Nothing here knows of recipe: no code of the product says what these programs can do.
 *
 * Invariant: a state is compared by its bytes, so what is not used in it is 0. A program owns its text and operations.
 */
#ifndef RECIPE_PROP_SMALL_SMALL_H
#define RECIPE_PROP_SMALL_SMALL_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RCP_SMALL_VARIABLES = 4, /* x0 …: cells 0 … */
    RCP_SMALL_ELEMENTS = 4,  /* a[0] …: the cells after them; a power of two */
    RCP_SMALL_STATIC = RCP_SMALL_VARIABLES + RCP_SMALL_ELEMENTS,
    RCP_SMALL_BLOCKS = 2, /* of the heap: the cells after them, one for each call of malloc in the text */
    RCP_SMALL_CELLS = RCP_SMALL_STATIC + RCP_SMALL_BLOCKS,
    RCP_SMALL_POINTERS = 2, /* p0, p1: the locations after the cells */
    RCP_SMALL_LOCKS = 3,
    RCP_SMALL_THREADS = 4,                /* the first is main */
    RCP_SMALL_NAMED = 4,                  /* registers that have a name, r0 …; the one after them has none */
    RCP_SMALL_BANK = RCP_SMALL_NAMED + 1, /* of a thread's own code; as many for a function that it calls */
    RCP_SMALL_REGISTERS = 2 * RCP_SMALL_BANK,
    RCP_SMALL_ADDRESS_BANK = 2, /* registers that hold a pointer: q0, q1 */
    RCP_SMALL_ADDRESSES = 2 * RCP_SMALL_ADDRESS_BANK,
    RCP_SMALL_NULL = -1
};

typedef enum rcp_small_kind {
    /* local */
    RCP_SMALL_SET,      /* r[to] = value */
    RCP_SMALL_BRANCH,   /* goes on at `target` unless value is true */
    RCP_SMALL_JUMP,     /* to `target` */
    RCP_SMALL_ALLOCATE, /* q[to] = cell `object` */
    RCP_SMALL_END,
    /* accesses */
    RCP_SMALL_LOAD,        /* r[to] = place */
    RCP_SMALL_STORE,       /* place = value */
    RCP_SMALL_ATOMIC_LOAD, /* the same, atomically */
    RCP_SMALL_ATOMIC_STORE,
    RCP_SMALL_SWAP,          /* r[to] = 1 and place = value where place is `expected`, else r[to] = 0: one step */
    RCP_SMALL_FETCH_ADD,     /* r[to] = place, place += value: one step */
    RCP_SMALL_LOAD_POINTER,  /* q[to] = p[object] */
    RCP_SMALL_STORE_POINTER, /* p[object] = the address of place, or NULL where place is none */
    /* synchronisation; object: which */
    RCP_SMALL_LOCK,
    RCP_SMALL_UNLOCK,
    RCP_SMALL_TRYLOCK, /* r[to] = 1 where it has it now */
    RCP_SMALL_WAIT,    /* on the condition, with lock `object`: sleeps, is woken, takes the lock again */
    RCP_SMALL_SIGNAL,
    RCP_SMALL_BROADCAST,
    RCP_SMALL_POST,
    RCP_SMALL_SEM_WAIT,
    RCP_SMALL_SEM_TRY,   /* r[to] = 1 where it has it now */
    RCP_SMALL_READ_LOCK, /* the read-write lock */
    RCP_SMALL_WRITE_LOCK,
    RCP_SMALL_READ_UNLOCK,
    RCP_SMALL_WRITE_UNLOCK,
    RCP_SMALL_FORK,
    RCP_SMALL_JOIN,
    RCP_SMALL_EXIT /* the process ends with code `object` */
} rcp_small_kind;

typedef enum rcp_small_value {
    RCP_SMALL_CONST,    /* c */
    RCP_SMALL_REGISTER, /* r */
    RCP_SMALL_ADD,      /* r + c */
    RCP_SMALL_XOR,      /* r ^ c */
    RCP_SMALL_AND,      /* r & c */
    RCP_SMALL_TIMES,    /* r * c */
    RCP_SMALL_SUM,      /* r + s */
    RCP_SMALL_EQUAL,    /* r == c */
    RCP_SMALL_DIFFERS,  /* r != c */
    RCP_SMALL_BELOW,    /* r < c */
    RCP_SMALL_ABOVE,    /* r > c */
    RCP_SMALL_SAME,     /* r == s */
    RCP_SMALL_LESS,     /* r < s */
    RCP_SMALL_POINTS,   /* q[r] is not NULL */
    RCP_SMALL_POINTS_TO /* q[r] is the address of cell c */
} rcp_small_value;

typedef struct rcp_small_expression {
    uint8_t what; /* rcp_small_value */
    uint8_t r, s;
    int32_t c;
} rcp_small_expression;

typedef enum rcp_small_where { RCP_SMALL_NOWHERE, RCP_SMALL_AT, RCP_SMALL_INDEXED, RCP_SMALL_THROUGH } rcp_small_where;

typedef struct rcp_small_place {
    uint8_t where; /* rcp_small_where: the cell `cell`; a[index & 3]; *q[cell] */
    uint8_t cell;
    uint8_t byte; /* 0: all of the cell; else its byte of number `byte` - 1 */
    rcp_small_expression index;
} rcp_small_place;

typedef struct rcp_small_op {
    uint8_t kind; /* rcp_small_kind */
    uint8_t to;
    bool is_chosen; /* of a lock: which one is the low bit of register `object` */
    bool is_select; /* of a branch: compilers make a value of it, c ? 1 : 2, and no branch */
    int16_t object;
    int16_t expected;
    uint16_t line, target;
    rcp_small_place place;
    rcp_small_expression value;
} rcp_small_op;

typedef struct rcp_small_program {
    uint64_t seed;
    rcp_text text; /* with a function `int program_SEED(void)` that is its main */
    RCP_VEC(rcp_small_op) code[RCP_SMALL_THREADS];
    unsigned late;      /* a thread that another one than main creates, if at all; 0: there is none */
    unsigned threads;   /* main included */
    uint16_t last_line; /* from here on main prints what came of it */
    int32_t initial[RCP_SMALL_CELLS];
    int8_t pointers[RCP_SMALL_POINTERS]; /* initially */
    uint8_t posts;                       /* of the semaphore, initially */
} rcp_small_program;

/* make.c. Depends on seed and attempt alone; the seed is in the names. */
void rcp_small_make(rcp_small_program *program, uint64_t seed, unsigned attempt);
void rcp_small_finish(rcp_small_program *program);

/* --- a state, and what can happen in it (step.c) --- */

typedef enum rcp_small_status {
    RCP_SMALL_UNBORN,
    RCP_SMALL_READY,
    RCP_SMALL_ASLEEP,
    RCP_SMALL_WOKEN, /* and must have the lock before it goes on */
    RCP_SMALL_ENDED
} rcp_small_status;

typedef struct rcp_small_thread {
    uint32_t way;  /* a hash of how its branches went so far */
    uint16_t at;   /* its next operation, a visible one */
    uint16_t done; /* visible steps so far, where somebody counts them (explore.h); else 0 */
    int32_t r[RCP_SMALL_REGISTERS];
    int8_t q[RCP_SMALL_ADDRESSES]; /* a cell, or RCP_SMALL_NULL */
    uint8_t status, unused;
} rcp_small_thread;

typedef enum rcp_small_end {
    RCP_SMALL_GOES_ON,
    RCP_SMALL_RETURNED, /* main did */
    RCP_SMALL_EXITED,
    RCP_SMALL_CRASHED,
    RCP_SMALL_DEADLOCK /* only in outcomes: nobody can go on */
} rcp_small_end;

typedef struct rcp_small_state {
    int32_t cells[RCP_SMALL_CELLS];
    rcp_small_thread threads[RCP_SMALL_THREADS];
    int8_t pointers[RCP_SMALL_POINTERS];
    int8_t owner[RCP_SMALL_LOCKS]; /* -1: nobody */
    int8_t writer;                 /* of the read-write lock; -1: nobody */
    uint8_t readers;               /* of it */
    uint8_t posts, end, code;      /* end: rcp_small_end */
} rcp_small_state;

/* With `ways` states know how their branches went; without, states that differ in nothing else are one. */
void rcp_small_begin(const rcp_small_program *program, rcp_small_state *state, bool ways);

/* The thread's next operation; NULL: it has none. */
const rcp_small_op *rcp_small_next(const rcp_small_program *program, const rcp_small_state *state, unsigned thread);
bool rcp_small_can_step(const rcp_small_program *program, const rcp_small_state *state, unsigned thread);
/* In how many ways: a signal may wake any of those that sleep. */
unsigned rcp_small_choices(const rcp_small_program *program, const rcp_small_state *state, unsigned thread);

/* What a step did, for whoever compares. */
typedef struct rcp_small_done {
    int location;        /* of an access; else -1 */
    int64_t read, wrote; /* of an access to a cell or a pointer (a cell, or RCP_SMALL_NULL) */
    int lock;            /* which lock; else -1 */
    bool failed;         /* trylock, trywait, compare-and-swap */
} rcp_small_done;
void rcp_small_step(const rcp_small_program *program, rcp_small_state *state, unsigned thread, unsigned choice,
                    bool ways, rcp_small_done *done);

typedef struct rcp_small_access {
    int location;  /* a cell, or RCP_SMALL_CELLS + a pointer */
    uint8_t bytes; /* of the location: a bit each */
    uint16_t line;
    char does; /* r: reads, w: writes, u: both in one step; a compare-and-swap as it would now */
    char now;  /* the same, where explore.c goes by what a compare-and-swap did when it was recorded */
    bool is_atomic, is_swap;
} rcp_small_access;
/* Is an access next? One through NULL is none: it ends the process. */
bool rcp_small_is_access(const rcp_small_program *program, const rcp_small_state *state, unsigned thread,
                         rcp_small_access *access);

/* What the program prints and how it ends, given its last state. */
void rcp_small_outcome(const rcp_small_program *program, const rcp_small_state *state, rcp_text *text);

#endif
