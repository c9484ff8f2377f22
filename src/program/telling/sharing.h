/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory is shared: touched by two threads, and written by one, within one life (docs/semantics.md).
 *
 * The first re-execution finds out; the second one tells events of shared memory alone. Kept per granule
 * (program/machine/space.h): while the first runs, its mark is who touched it. Two variables of one granule may so be
 * called shared though neither is: more events, no other meaning.
 *
 * Where a life ends (program/reach/lives.h), what was shared in it is kept under its number, and the marks are
 * cleared. Who frees memory writes it: in the life that ends, and in the one that begins there.
 */
#ifndef RECIPE_PROGRAM_TELLING_SHARING_H
#define RECIPE_PROGRAM_TELLING_SHARING_H

#include "base/vec.h"
#include "program/machine/space.h"
#include "trace/model/defs.h"

typedef struct rcp_sharing rcp_sharing;

/* A mark: 0 untouched; else who (thread number + 1, or RCP_TOUCHED_BY_MANY, which is also who has a number too large
 * for it), which of its 8 bytes, which of these were written, and whether any was. */
enum { RCP_TOUCH_WRITTEN = 1, RCP_TOUCH_SHARED = 2, RCP_TOUCH_BYTES = 2, RCP_TOUCH_WROTE = 10, RCP_TOUCH_SHIFT = 18 };
#define RCP_TOUCHED_BY_MANY (UINT32_MAX >> RCP_TOUCH_SHIFT)

/* The rare part of rcp_sharing_touch: a first touch, another thread's, more than one granule. */
void rcp_sharing_touch_slow(rcp_space *space, uint32_t thread, uint64_t address, uint64_t size, bool writes);

/* A block that ends was copied to where another one has begun, which is touched already: what nobody has written there
 * nobody has written here. */
void rcp_sharing_touch_moved(rcp_space *space, uint64_t to, uint64_t from, uint64_t size);

/* `at` is the place of the bytes; NULL where they are not within one page. */
static inline void rcp_sharing_touch(rcp_space *space, uint8_t *at, uint32_t thread, uint64_t address, uint64_t size,
                                     bool writes) {
    if (__builtin_expect(at && address % RCP_SPACE_GRANULE + size <= RCP_SPACE_GRANULE, 1)) {
        uint32_t mark = *rcp_space_mark(at, address);
        uint32_t bytes = ((1u << size) - 1) << (address % RCP_SPACE_GRANULE + RCP_TOUCH_BYTES);
        bytes |= writes ? bytes << (RCP_TOUCH_WROTE - RCP_TOUCH_BYTES) : 0;
        bool is_new = (mark & bytes) != bytes;
        if (!is_new && (mark & RCP_TOUCH_SHARED || mark >> RCP_TOUCH_SHIFT == thread + 1))
            return;
    }
    rcp_sharing_touch_slow(space, thread, address, size, writes);
}

struct rcp_life_change;
struct rcp_lives;

rcp_sharing *rcp_sharing_create(void);
void rcp_sharing_destroy(rcp_sharing *sharing);

/* Before the first re-execution: every variable and block that is touched counts as shared. Runs of one program, told
 * so, have the same events as long as a thread goes the same way, whoever else was there. */
void rcp_sharing_tell_all(rcp_sharing *sharing);

/* While the first re-execution runs: `lives` still has what ends. */
void rcp_sharing_change(rcp_sharing *sharing, rcp_space *space, const struct rcp_lives *lives,
                        const struct rcp_life_change *change);
/* Memory whose contents are known from the beginning. */
void rcp_sharing_known(rcp_sharing *sharing, uint64_t address, uint64_t size);
/* A line that outside code wrote at an unknown moment is about to be in memory: 64 bytes at `address`.
 * `objects`: of its bytes those that change and are known objects of the program's, so that somebody must have had a
 * way there. */
void rcp_sharing_miss(rcp_sharing *sharing, rcp_space *space, const struct rcp_lives *lives, uint64_t address,
                      const uint8_t *bytes, uint64_t objects);
/* Of the line of a miss of the thread's the bytes, a bit each, that recorded code has seen to be otherwise, and that no
 * known function has written since: who changed them is not known. (On its own system's stack are arguments.) To be
 * asked before rcp_sharing_miss(). */
uint64_t rcp_sharing_changed(const rcp_sharing *sharing, rcp_space *space, const struct rcp_lives *lives,
                             uint32_t thread, uint64_t address, const uint8_t *bytes);
/* The memory can be seen, and changed, by others than the process: what is found there is theirs, also at the first
 * look. */
void rcp_sharing_see(rcp_sharing *sharing, uint64_t address, uint64_t size);
bool rcp_sharing_is_seen(const rcp_sharing *sharing, uint64_t address, uint64_t size);
bool rcp_sharing_next_seen(const rcp_sharing *sharing, uint64_t from, rcp_span *seen);
/* Other processes came to use the synchronisation object: what is recorded of it is not all that was done with it, and
 * what was done when is asked of nobody. */
void rcp_sharing_divide(rcp_sharing *sharing, uint64_t object);
bool rcp_sharing_is_divided(const rcp_sharing *sharing, uint64_t object);
/* A synchronisation object: the thread uses it (locks it, posts it …), or begins or ends its life (`writes`). */
void rcp_sharing_object(rcp_sharing *sharing, uint32_t thread, uint64_t address, bool writes);
/* A call changes what may be done with the memory there; or with all that others can see, as far as that is known. */
void rcp_sharing_guard(rcp_sharing *sharing, uint64_t address, uint64_t size);
void rcp_sharing_guard_seen(rcp_sharing *sharing);
bool rcp_sharing_next_guarded(const rcp_sharing *sharing, uint64_t from, rcp_span *guarded);
/* The thread's errno, which its own calls change. */
void rcp_sharing_errno(rcp_sharing *sharing, uint64_t address, uint64_t size);
/* Outside code wrote these bytes at a known moment, but what is not known yet. */
void rcp_sharing_unsure(rcp_sharing *sharing, uint64_t address, uint64_t size);
/* What the second re-execution must know of a visit (program/telling/telling.h) when it begins. */
typedef enum rcp_oddity {
    RCP_ODD_SILENT,      /* the log should have what it did, and has not */
    RCP_ODD_INTERRUPTED, /* of a wait, by its number: something ran on its thread while it slept on a condition */
    RCP_ODD_SIGNALLED,   /* a signal has ended it */
    RCP_ODD_CANCELLED,   /* of a thread, by its number: it was asked to end */
    RCP_ODD_CHANGED,     /* of a miss, by its record's place: rcp_sharing_changed() */
    RCP_ODD_FIRST,       /* likewise: rcp_sharing_is_first() */
    RCP_ODD_ASTRAY,      /* a descriptor that it uses came to lead elsewhere meanwhile */
    RCP_ODD_SIGNALS,     /* it has to do with handlers of signals, or with timers, though nobody knows the function */
    RCP_ODD_TAKES,       /* it has taken something in from outside, and nobody there can notice that */
    RCP_ODD_REPLACED,    /* the number that it was given leads elsewhere since: it has not failed (dup2) */
    RCP_ODDITIES
} rcp_oddity;
void rcp_sharing_note(rcp_sharing *sharing, uint64_t visit, rcp_oddity oddity);
/* Is what a miss shows no change, as far as anybody can tell: has no recorded code touched any byte
 * that is another now, and can no call have written there? Then it may always have been so. Only of memory that is
 * there from the beginning, such as a library's variables; to be asked before rcp_sharing_miss(). */
bool rcp_sharing_is_first(const rcp_sharing *sharing, rcp_space *space, const struct rcp_lives *lives, uint64_t address,
                          const uint8_t *bytes);
/* What the second re-execution must know of the run. */
typedef enum rcp_run_fact {
    RCP_RUN_SETTINGS = 1,    /* locale or environment were changed when there was more than one thread */
    RCP_RUN_STREAMS = 2,     /* what is printed may come back, or be answered */
    RCP_RUN_FILES = 4,       /* it has C++ streams that lead to files */
    RCP_RUN_THROWN = 8,      /* exceptions may go from one thread to another */
    RCP_RUN_HANDLERS = 16,   /* a signal has a handler that is left out */
    RCP_RUN_ENDS = 32,       /* threads run code that is left out when they end */
    RCP_RUN_WAKES = 64,      /* somebody looks at how many threads a futex has woken */
    RCP_RUN_TASKS = 128,     /* somebody may look by a file which threads there are */
    RCP_RUN_TRACED = 256,    /* its calls of the system may be stopped and answered by others: seccomp, ptrace */
    RCP_RUN_SIGNALS = 512,   /* signals may come where no recorded code takes them */
    RCP_RUN_ZONE = 1024,     /* it chooses the time zone, which may be a file of its own */
    RCP_RUN_HANDED = 2048,   /* descriptors of its own may be others', too, and nobody knows which */
    RCP_RUN_LEFT = 4096,     /* it calls code that nobody knows */
    RCP_RUN_EXITS = 8192,    /* that may run at the program's end, while threads are there still */
    RCP_RUN_RAISED = 16384,  /* an exception came out of code that nobody knows, or may be one of its own */
    RCP_RUN_SOURCES = 32768, /* a stream of C++ may be read from a buffer that it was given */
    RCP_RUN_COUNTED = 65536  /* exceptions were copied, or locales made with facets: threads may have them in common */
} rcp_run_fact;
void rcp_sharing_learn(rcp_sharing *sharing, rcp_run_fact fact);
bool rcp_sharing_has_learnt(const rcp_sharing *sharing, rcp_run_fact fact);
/* What a signal's handler that is left out may change, at any moment. */
void rcp_sharing_handled(rcp_sharing *sharing, uint64_t lo, uint64_t hi);
bool rcp_sharing_is_handled(const rcp_sharing *sharing, uint64_t address);
/* What a visit returned; the first few million are kept. False: it is not known. */
void rcp_sharing_result(rcp_sharing *sharing, uint64_t visit, uint64_t result);
bool rcp_sharing_result_of(const rcp_sharing *sharing, uint64_t visit, uint64_t *result);
/* May code outside have written there since memory was seen? In the first re-execution. */
bool rcp_sharing_may_differ(const rcp_sharing *sharing, uint64_t lo, uint64_t hi);
/* So far, is memory there as the program has it? */
bool rcp_sharing_is_sure(const rcp_sharing *sharing, uint64_t lo, uint64_t hi);
/* A call of code that nobody knows; `is_known`: but what it reaches, which rcp_sharing_reached() says. */
/* `is_alone`: while it ran there was no other thread, or all others had ended. */
void rcp_sharing_call(rcp_sharing *sharing, uint32_t thread, const char *callee, bool is_known, bool is_alone);
/* There is a variable: who may reach everything may reach it. */
void rcp_sharing_variable(rcp_sharing *sharing, uint64_t address, uint64_t size);
/* What is a thread's own, its stack and its thread-local variables: [lo, hi). Others know of what was exposed there
 * alone: its address was stored in memory, or given to code that is not recorded. */
void rcp_sharing_own(rcp_sharing *sharing, uint64_t lo, uint64_t hi);
/* Memory of a file that can be read alone, from here on; and no longer. What was there before is another's. */
void rcp_sharing_constant(rcp_sharing *sharing, rcp_space *space, const struct rcp_lives *lives, rcp_span span);
void rcp_sharing_constant_end(rcp_sharing *sharing, rcp_space *space, const struct rcp_lives *lives, rcp_span span);
/* The C library has a pointer to one of its tables of characters there, which are nobody's to write. */
void rcp_sharing_table(rcp_sharing *sharing, uint64_t slot);
bool rcp_sharing_is_own(const rcp_sharing *sharing, uint64_t address);
void rcp_sharing_expose(rcp_sharing *sharing, uint64_t lo, uint64_t hi);
bool rcp_sharing_is_exposed(const rcp_sharing *sharing, uint64_t address);
/* The system's stack of a thread: code that is not recorded has its variables there. What other threads touch of it
 * they were told of by such code, and any call of such code may touch it, too; so it is with all memory that is no
 * object of the program's. */
void rcp_sharing_native(rcp_sharing *sharing, uint32_t thread, uint64_t lo, uint64_t hi);
void rcp_sharing_native_end(rcp_sharing *sharing, rcp_space *space, uint64_t lo, uint64_t hi);
/* The process was started with what lies from there on: its arguments, its environment. Nobody's object either, but
 * functions that are known do not write there unless they are given it; and where recorded code does, it is as any
 * other such memory. */
void rcp_sharing_arguments(rcp_sharing *sharing, uint64_t address);
/* One memory that is mapped twice has these bytes: whoever touches it there touches it elsewhere, too. All of it. */
void rcp_sharing_alias(rcp_sharing *sharing, uint64_t address, uint64_t size);
bool rcp_sharing_is_alias(const rcp_sharing *sharing, uint64_t address);
bool rcp_sharing_next_alias(const rcp_sharing *sharing, uint64_t from, rcp_span *alias);
/* `lasts`: who was called has the system or a library in reach, too, so that what it was given may change when it is
 * over. */
void rcp_sharing_reached(rcp_sharing *sharing, uint64_t lo, uint64_t hi, bool lasts);
/* The call of that visit turned out to reach these bytes, too, when it was over. */
void rcp_sharing_further(rcp_sharing *sharing, uint64_t visit, uint64_t lo, uint64_t hi);
/* It is over: what is shared in the lives that have not ended. */
void rcp_sharing_end(rcp_sharing *sharing, rcp_space *space, const struct rcp_lives *lives);

/* Before the second one begins: the C library's tables are there before the first who reads them. */
void rcp_sharing_put_tables(const rcp_sharing *sharing, rcp_space *space);
/* Afterwards: what is shared in a life, ascending, whole granules. NULL and 0: nothing. Borrowed. */
const rcp_span *rcp_sharing_borrow(const rcp_sharing *sharing, uint32_t life, size_t *n);
/* Of the shared granule at `address`: which bytes were read in that life, and nobody has written them in all of it: a
 * bit each. rcp_sharing_has_bare(): there are such bytes somewhere. */
bool rcp_sharing_has_bare(const rcp_sharing *sharing);
uint8_t rcp_sharing_bare(const rcp_sharing *sharing, uint32_t life, uint64_t address);
bool rcp_sharing_has_noted(const rcp_sharing *sharing, uint64_t visit, rcp_oddity oddity);
/* What rcp_sharing_further() said of a visit: any order. NULL and 0: nothing. Borrowed. */
const rcp_span *rcp_sharing_borrow_further(const rcp_sharing *sharing, uint64_t visit, size_t *n);
/* Memory changed that no call reached, as far as was known, after this one had been called: who did it is not known, so
 * what any of them reaches is not. */
bool rcp_sharing_is_suspect(const rcp_sharing *sharing, const char *callee);
/* The shared memory, of any life, that changed without anybody's knowing when, or that is no object: ascending; where
 * that is in many places, with what lies between them. */
const rcp_span *rcp_sharing_borrow_restless(const rcp_sharing *sharing, size_t *n);
/* Of what the process was started with, what code that is not known may have in reach beside. hi 0: nothing. */
rcp_span rcp_sharing_touched_arguments(const rcp_sharing *sharing);

#endif
