/* SPDX-License-Identifier: Apache-2.0 */
/* What instrumented code and the runtime share: the thread's hot words and the hooks. Version RCP_ABI_VERSION.
 *
 * The naive model: before each event the code asks 'may I?', and after each load it reports the value. What is emitted
 * instead: one reservation per segment (a straight run of events without a call between them),
 *     precise = (position += n) > limit
 * and `precise` is tested before each event of the segment; it is false unless somebody wants the thread to stop within
 * it, or --log-values wants to see every event. A load is compared with its shadow in the same test.
 *
 * `left` is how many events of the segment remain, this one included: the event's position is `position - left`.
 *
 * Leaving and coming back. Before a call that may leave instrumented code, `outside` takes the callee's address. An
 * instrumented function that finds its own address there was called from instrumented code: it clears the word and goes
 * on. One that finds another was called back from outside. After the call, `outside` still set means that the callee
 * was not instrumented. So nobody needs to know at compile time who is.
 *
 * Stack objects. Every alloca that outlives `sroa` is on the thread's recipe stack (`stack`, growing down, 16-aligned
 * sizes in the order of the allocas), so their addresses follow from the program alone. Who catches an exception or
 * returns a second time from setjmp puts back `stack` and `depth` as they were in its own frame.
 *
 * Regions. A loop whose iterations and addresses are known in front of it has a copy without hooks (src/instrument/
 * regions.h). It is taken where all of its events are below `limit` and the bytes that it will load are as their shadow
 * has them; it reads the shadow and writes both, and `position` is what it would be after the loop. While it is being
 * decided on or runs, `region` is beyond `position`, which is still that of the loop's beginning: a fault there is of
 * one of the events between. Nothing else can happen within: nobody else has the baton, and signals wait. A program
 * that handles faults itself must find memory as it is before the event that faults; there copies are not taken
 * (`__recipe_careful`), and neither are they with --log-values, where `limit` is 0.
 *
 * Invariant: every word but `limit` is written by its own thread alone; `limit` may be set to 0 by anybody.
 */
#ifndef RECIPE_ABI_HOOKS_H
#define RECIPE_ABI_HOOKS_H

#include <stdint.h>

#define RCP_ABI_VERSION 7

struct rcp_hot {
    uint64_t position; /* events reserved so far */
    uint64_t limit;    /* events whose position is below may run without asking */
    uint64_t outside;  /* 0: in instrumented code; else the callee by which it was left, or RCP_OUTSIDE_… */
    uint64_t stack;    /* top of the recipe stack */
    uint64_t depth;    /* callbacks (instrumented code entered from outside) that are active */
    uint64_t region;   /* beyond `position`: what that will be after the region that is being run */
};

#define RCP_OUTSIDE_ASM    1 /* inline assembly */
#define RCP_OUTSIDE_RESUME 2 /* the unwinder, by `resume` (which is no event) */
/* Stopped before an event, as the log says, because a signal's handler is due; and that one has run since, so that the
 * log must say so anew before the next. */
#define RCP_OUTSIDE_STOPPED       3
#define RCP_OUTSIDE_STOPPED_AGAIN 4

extern __thread struct rcp_hot __recipe_thread __attribute__((tls_model("initial-exec")));

extern uint32_t __recipe_careful; /* not 0: no region's copy may be taken */

/* Mutexes under which objects are atomic that are too large for the machine: by the object's address, in steps of
 * 2^RCP_ATOMIC_LOCKS_APART bytes. */
#define RCP_ATOMIC_LOCKS       "__recipe_atomic_locks"
#define RCP_ATOMIC_LOCKS_N     256
#define RCP_ATOMIC_LOCKS_BYTES 64 /* each */
#define RCP_ATOMIC_LOCKS_APART 4

/* What an event is, for the slow paths: kind, log2 of the size, whether it is atomic, left. */
enum {
    RCP_WHAT_LOAD,
    RCP_WHAT_STORE,
    RCP_WHAT_RMW,
    RCP_WHAT_FENCE,  /* the address is 0 */
    RCP_WHAT_BRANCH, /* the address is the condition: 0, 1; of a switch its value; of an indirect branch its target */
    RCP_WHAT_TICK,   /* the address is 0 */
    RCP_WHAT_CALL,   /* the address is the callee's */
    RCP_WHAT_COPY,
    RCP_WHAT_FILL,
    RCP_WHAT_EXCHANGE, /* a compare-and-exchange: where it would fail it only reads */
    RCP_WHAT_END,      /* no event, and no hook's: the end of the thread, before which a replay can stop it */
};
#define RCP_WHAT_WIDE                   7 /* instead of log2 of the size: not 1, 2, 4 or 8 bytes */
#define RCP_WHAT_ATOMIC                 (UINT32_C(1) << 7)
#define RCP_WHAT(kind, log2_size, left) ((uint32_t)(kind) | (uint32_t)(log2_size) << 4 | (uint32_t)(left) << 8)
#define RCP_WHAT_KIND(what)             ((what) & 15)
#define RCP_WHAT_LOG2(what)             ((what) >> 4 & 7)
#define RCP_WHAT_LEFT(what)             ((what) >> 8)

/* The four that hot code calls from its middle. They are ordinary functions; hot code calls NAME_keep of them, which
 * keeps every register but the result's and those that stubs of the linker use, so that what is rare costs the code
 * around it nothing. aarch64: arguments in x0, x1, x2, the result in x0, x16 and x17 are lost. x86_64: LLVM's
 * 'preserve_most', arguments in rdi, rsi, edx, the result in rax, r11 and the vector registers are lost. */
#define RCP_HOOK_COLD __attribute__((cold))
extern const char __recipe_load_slow_keep[], __recipe_stop_keep[], __recipe_stop_detail_keep[]; /* code */

/* `precise`, or the loaded value differs from its shadow: stops the thread here if it must, loads again, logs what the
 * shadow lacked. Returns the value that the load has. */
uint64_t __recipe_load_slow(uint64_t address, uint64_t value, uint32_t what) RCP_HOOK_COLD;
/* `precise`, before a store, an atomic, a fence, a branch, a tick, a call or a wide load. */
void __recipe_stop(uint64_t address, uint32_t what) RCP_HOOK_COLD;
/* The same where one word more is needed to know what is about to happen. `detail`: of a wide access its size; of a
 * compare-and-exchange what it compares with, or, where it is wide (16 bytes), where that is. */
void __recipe_stop_detail(uint64_t address, uint64_t detail, uint32_t what) RCP_HOOK_COLD;
/* The old value of an atomic operation differs from its shadow. */
void __recipe_miss(uint64_t address, uint64_t value, uint32_t what) RCP_HOOK_COLD;

/* Sizes that are not 1, 2, 4 or 8: after a load with the loaded value in memory, before a store. `left` as above. While
 * `precise`, __recipe_stop_detail came first (RCP_WHAT_WIDE) and these always follow; else code may do the same inline.
 * An atomic one is __recipe_stop_detail, the operation, then load_wide of the old value and store_wide of the new. */
void __recipe_load_wide(uint64_t address, const void *value, uint64_t size, uint32_t left);
void __recipe_store_wide(uint64_t address, const void *value, uint64_t size);

/* In front of a region: not 0 where memory and its shadow differ; `rows` times `size` bytes, `step` apart. */
uint64_t __recipe_differ(const void *memory, const void *shadow, uint64_t size);
uint64_t __recipe_differ_rows(const void *memory, const void *shadow, uint64_t size, uint64_t step, uint64_t rows);

/* Before the operation itself. They count their own events and stop where they must. */
void __recipe_copy(uint64_t to, uint64_t from, uint64_t size); /* memcpy, memmove */
void __recipe_fill(uint64_t to, uint64_t byte, uint64_t size); /* memset */

/* After a call, `outside` still being set: what it returned (0 for void; integers and pointers extended with zeros,
 * floats as their bits). */
void __recipe_returned(uint64_t value);
void __recipe_returned_wide(const void *value, uint64_t size);
/* Between assembly that asks the machine for what is another answer each time (a clock, a random number) and its
 * __recipe_returned: in a replay the recorded answer takes the place of `value`. Of a number 8 bytes. */
void __recipe_clock(void *value, uint64_t size);
#define RCP_CLOCK_RANDOM (UINT64_C(1) << 32) /* beside the size: it is a random number */
#define RCP_CLOCK_SYSTEM (UINT64_C(1) << 33) /* no value: assembly that calls the system comes next */
/* After a call of the functions that return twice, in both cases, with the frame's own stack and depth. */
void __recipe_setjmp_returned(uint64_t buffer, uint64_t value, uint64_t stack, uint64_t depth);

/* At the head of a function, `outside` being neither 0 nor `self`: called back. Then its arguments one by one, in order
 * (byval ones as the bytes they point to), then __recipe_entered; where it returns, __recipe_exited. */
void __recipe_callback(uint64_t self, uint32_t arguments);
void __recipe_argument(uint64_t value);
void __recipe_argument_wide(const void *value, uint64_t size);
void __recipe_entered(void);
void __recipe_exited(void);

/* At the head of a landing pad. `pad`: its number in its function, and the function's address. */
void __recipe_landed(uint64_t self, uint32_t pad, uint64_t exception, uint64_t selector, uint64_t stack,
                     uint64_t depth);

/* Waiting by going round (program/ir/spins.h). __recipe_round: before the branch that goes round, of which `what` is as
 * for __recipe_stop; `function` and `loop` are the loop's name, the lowest bit of `loop` is set where it ends only once
 * something that it reads has changed. __recipe_busy: the round did something that memory does not show.
 * __recipe_pause: before an instruction by which a processor is told that somebody waits. No events: who is stopped is
 * so before the next one. */
void __recipe_round(uint64_t function, uint32_t loop, uint32_t what) RCP_HOOK_COLD;
void __recipe_busy(void) RCP_HOOK_COLD;
void __recipe_pause(void) RCP_HOOK_COLD;
#define RCP_ROUND_ENDLESS 1u

/* A branch that is no event, in modules compiled with -frecipe-log-branches: for --log-values. The condition as for
 * __recipe_stop. */
void __recipe_branch(uint64_t condition);

/* A value that re-execution can't derive: frame and return addresses, llvm.eh.typeid.for, the address of a thread-local
 * variable in a module that was loaded late. One that is wider than 8 bytes: once for each 8 bytes of it in memory, the
 * last ones extended with zeros. */
void __recipe_value(uint64_t value);

#endif
