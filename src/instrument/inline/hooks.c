/* SPDX-License-Identifier: Apache-2.0 */
/* The hot part of every hook. Compiled to bitcode for each architecture (lib/recipe/inline-<arch>.bc), linked into
 * every instrumented module and inlined there, because a call per event costs several times the event
 * (docs/benchmarks/recording.md).
 *
 * Each function here is called by src/instrument/ alone; a name without its prefix there is the name here. All that is
 * rare is a call of abi/hooks.h. tests/cli/hooks.sh bounds the fast paths.
 *
 * What is volatile: `limit`, because anybody may set it at any time and a loop must see that; the stores of `position`
 * and `outside`, because a fault's handler and the watchdog read them. Loads of `position` are not, so that straight
 * code keeps it in a register.
 */
#include "abi/hooks.h"

#define HOOK(type, name)    type recipe_inline_##name
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

typedef uint8_t any8;
typedef uint16_t any16 __attribute__((aligned(1), may_alias));
typedef uint32_t any32 __attribute__((aligned(1), may_alias));
typedef uint64_t any64 __attribute__((aligned(1), may_alias));

#define VOLATILE(field) (*(volatile uint64_t *)&__recipe_thread.field)

/* abi/hooks.h: NAME_keep. A call as C knows it would claim half of the registers at every event: that doubles the time
 * to compile some functions, and the code. The loader binds these at once (.variant_pcs; by way of the global offset
 * table): its stub for later keeps fewer registers. */
#if defined __aarch64__
#define CALL_KEEP(name) ".variant_pcs " #name "_keep\n\tbl " #name "_keep"
#define LOST            "x16", "x17", "x30", "memory", "cc"

static inline uint64_t load_slow(uint64_t address, uint64_t value, uint32_t what) {
    register uint64_t first __asm__("x0") = address, second __asm__("x1") = value, third __asm__("x2") = what;
    __asm__ volatile(CALL_KEEP(__recipe_load_slow) : "+r"(first) : "r"(second), "r"(third) : LOST);
    return first;
}

static inline void stop(uint64_t address, uint32_t what) {
    register uint64_t first __asm__("x0") = address, second __asm__("x1") = what;
    __asm__ volatile(CALL_KEEP(__recipe_stop) : : "r"(first), "r"(second) : LOST);
}

static inline void stop_detail(uint64_t address, uint64_t detail, uint32_t what) {
    register uint64_t first __asm__("x0") = address, second __asm__("x1") = detail, third __asm__("x2") = what;
    __asm__ volatile(CALL_KEEP(__recipe_stop_detail) : : "r"(first), "r"(second), "r"(third) : LOST);
}

static inline void miss(uint64_t address, uint64_t value, uint32_t what) {
    register uint64_t first __asm__("x0") = address, second __asm__("x1") = value, third __asm__("x2") = what;
    __asm__ volatile(CALL_KEEP(__recipe_miss) : : "r"(first), "r"(second), "r"(third) : LOST);
}
#elif defined __x86_64__
/* Not inline assembly: LLVM looks up each of the fifty registers that are lost by its name, at every event, which took
 * half of the time to compile <regex>. Not a tail call: where it returns to is where the event is. */
#define KEEP(name) __asm__("__recipe_" #name "_keep") __attribute__((preserve_most, nothrow, not_tail_called))
uint64_t load_slow(uint64_t address, uint64_t value, uint32_t what) KEEP(load_slow);
void stop(uint64_t address, uint32_t what) KEEP(stop);
void stop_detail(uint64_t address, uint64_t detail, uint32_t what) KEEP(stop_detail);
void miss(uint64_t address, uint64_t value, uint32_t what) KEEP(miss);
#endif

/* Is any event of the segment to be asked for? */
HOOK(uint64_t, reserve)(uint64_t events) {
    uint64_t position = __recipe_thread.position + events;
    VOLATILE(position) = position;
    return position > VOLATILE(limit);
}

HOOK(void, stop_if)(uint64_t precise, uint64_t address, uint32_t what) {
    if (UNLIKELY(precise))
        stop(address, what);
}

HOOK(void, stop_detail_if)(uint64_t precise, uint64_t address, uint64_t detail, uint32_t what) {
    if (UNLIKELY(precise))
        stop_detail(address, detail, what);
}

/* `value` was loaded from `address`; the result takes its place. */
#define LOAD(name, value_type, bits, as_bits, from_bits)                                                               \
    HOOK(value_type, load_##name)                                                                                      \
    (uint64_t address, const any##bits *shadow, value_type value, uint64_t precise, uint32_t what) {                   \
        if (UNLIKELY((uint64_t)(*shadow ^ as_bits(value)) | precise))                                                  \
            value = from_bits(load_slow(address, as_bits(value), what));                                               \
        return value;                                                                                                  \
    }
#define STORE(name, value_type, bits, as_bits)                                                                         \
    HOOK(void, store_##name)                                                                                           \
    (uint64_t address, any##bits *shadow, value_type value, uint64_t precise, uint32_t what) {                         \
        if (UNLIKELY(precise))                                                                                         \
            stop(address, what);                                                                                       \
        *shadow = as_bits(value);                                                                                      \
    }

#define BITS_OF_PTR(value) ((uint64_t)(value))
#define PTR_OF_BITS(bits)  ((void *)(bits))
static inline uint32_t bits_of_float(float value) {
    union {
        float value;
        uint32_t bits;
    } u = {.value = value};
    return u.bits;
}
static inline float float_of_bits(uint64_t bits) {
    union {
        uint32_t bits;
        float value;
    } u = {.bits = (uint32_t)bits};
    return u.value;
}
static inline uint64_t bits_of_double(double value) {
    union {
        double value;
        uint64_t bits;
    } u = {.value = value};
    return u.bits;
}
static inline double double_of_bits(uint64_t bits) {
    union {
        uint64_t bits;
        double value;
    } u = {.bits = bits};
    return u.value;
}

LOAD(8, uint8_t, 8, (uint8_t), (uint8_t))
LOAD(16, uint16_t, 16, (uint16_t), (uint16_t))
LOAD(32, uint32_t, 32, (uint32_t), (uint32_t))
LOAD(64, uint64_t, 64, (uint64_t), (uint64_t))
LOAD(ptr, void *, 64, BITS_OF_PTR, PTR_OF_BITS)
LOAD(f32, float, 32, bits_of_float, float_of_bits)
LOAD(f64, double, 64, bits_of_double, double_of_bits)
STORE(8, uint8_t, 8, (uint8_t))
STORE(16, uint16_t, 16, (uint16_t))
STORE(32, uint32_t, 32, (uint32_t))
STORE(64, uint64_t, 64, (uint64_t))
STORE(ptr, void *, 64, BITS_OF_PTR)
STORE(f32, float, 32, bits_of_float)
STORE(f64, double, 64, bits_of_double)

/* After an atomic operation that found `old` and left `new`. */
#define EXCHANGED(bits)                                                                                                \
    HOOK(void, exchanged_##bits)                                                                                       \
    (uint64_t address, any##bits *shadow, uint##bits##_t old, uint##bits##_t new, uint32_t what) {                     \
        if (UNLIKELY(*shadow != old))                                                                                  \
            miss(address, old, what);                                                                                  \
        *shadow = new;                                                                                                 \
    }
EXCHANGED(8)
EXCHANGED(16)
EXCHANGED(32)
EXCHANGED(64)

/* 16 bytes are common enough (vectors, pairs, __int128) to stay inline; `value` points to a temporary. */
HOOK(void, load_wide)
(uint64_t address, const any64 *shadow, const void *value, uint64_t size, uint64_t precise, uint32_t left) {
    if (size == 16) {
        const any64 *words = value;
        if (__builtin_expect(!((shadow[0] ^ words[0]) | (shadow[1] ^ words[1]) | precise), 1))
            return;
    }
    __recipe_load_wide(address, value, size, left);
}

HOOK(void, store_wide)
(uint64_t address, any64 *shadow, const void *value, uint64_t size, uint64_t precise) {
    if (size == 16 && __builtin_expect(!precise, 1)) {
        const any64 *words = value;
        shadow[0] = words[0];
        shadow[1] = words[1];
        return;
    }
    __recipe_store_wide(address, value, size);
}

/* Regions (abi/hooks.h). The position after `events` more; may they all be passed at once? */
HOOK(uint64_t, ahead)(uint64_t events) { return __recipe_thread.position + events; }
HOOK(_Bool, may_pass)(uint64_t whole) { return whole <= VOLATILE(limit) && !__recipe_careful; }

/* What comes after the one and before the other stays there: a fault's handler relies on it. */
HOOK(void, enter_region)(uint64_t whole) {
    VOLATILE(region) = whole;
    __asm__ volatile("" ::: "memory");
}
/* After the comparison: the copy loads what it wants as it wants it, not parts of what was compared, which would keep
 * LLVM from making vectors of it. */
HOOK(void, begin_region)(void) { __asm__ volatile("" ::: "memory"); }
HOOK(void, pass)(uint64_t whole) {
    __asm__ volatile("" ::: "memory");
    VOLATILE(position) = whole;
}

/* A row of a picture, a short string: not worth a call. The last 8 bytes may be among those before. */
HOOK(uint64_t, differ)(const uint8_t *memory, const uint8_t *shadow, uint64_t size) {
    uint64_t last = size - 8, differs = 0;
    if (__builtin_expect(last > 56, 0))
        return __recipe_differ(memory, shadow, size);
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint64_t at = 0; at < last; at += 8)
        differs |= *(const any64 *)(memory + at) ^ *(const any64 *)(shadow + at);
    return differs | (*(const any64 *)(memory + last) ^ *(const any64 *)(shadow + last));
}
HOOK(uint64_t, differ_rows)
(const void *memory, const void *shadow, uint64_t size, uint64_t step, uint64_t rows) {
    return __recipe_differ_rows(memory, shadow, size, step, rows);
}

/* Waiting by going round. A round is watched only where `limit` is 0. */
HOOK(void, round_if)(uint64_t goes_round, uint64_t function, uint32_t loop, uint32_t what) {
    if (goes_round)
        __recipe_round(function, loop, what);
}
HOOK(void, busy)(void) {
    if (UNLIKELY(!VOLATILE(limit)))
        __recipe_busy();
}

/* Before a call that may leave; an event of its own. */
HOOK(void, leave)(uint64_t callee) {
    uint64_t position = __recipe_thread.position + 1;
    VOLATILE(position) = position;
    if (UNLIKELY(position > VOLATILE(limit)))
        stop(callee, RCP_WHAT(RCP_WHAT_CALL, 0, 1));
    VOLATILE(outside) = callee;
}

HOOK(void, back)(uint64_t value) {
    if (UNLIKELY(__recipe_thread.outside))
        __recipe_returned(value);
}

HOOK(void, back_wide)(const void *value, uint64_t size) {
    if (UNLIKELY(__recipe_thread.outside))
        __recipe_returned_wide(value, size);
}

/* Before `resume`: the unwinder goes on. No event. */
HOOK(void, resume)(void) { VOLATILE(outside) = RCP_OUTSIDE_RESUME; }

/* At the head of a function that may be called from anywhere: was it called back from outside? */
HOOK(_Bool, enter)(uint64_t self) {
    uint64_t outside = __recipe_thread.outside;
    if (__builtin_expect(!outside, 1))
        return 0;
    if (outside != self)
        return 1;
    VOLATILE(outside) = 0;
    return 0;
}

HOOK(void, exit_if)(_Bool called_back) {
    if (UNLIKELY(called_back))
        __recipe_exited();
}

HOOK(void *, stack)(void) { return (void *)__recipe_thread.stack; }
HOOK(void, set_stack)(void *top) { VOLATILE(stack) = (uint64_t)top; }
HOOK(uint64_t, depth)(void) { return __recipe_thread.depth; }

/* The address of a thread-local variable, in a module that may have been loaded late. */
HOOK(void, late)(uint64_t address, const uint8_t *late) {
    if (UNLIKELY(*late))
        __recipe_value(address);
}

/* An integer division that faults. aarch64 has none: prepare.c gave each its value there. */
HOOK(void, divide)(_Bool faults) {
#ifdef __x86_64__
    if (UNLIKELY(faults))
        __asm__ volatile("xorl %%ecx, %%ecx\n\tdivl %%ecx" ::: "eax", "ecx", "edx", "cc");
#else
    (void)faults;
#endif
}
