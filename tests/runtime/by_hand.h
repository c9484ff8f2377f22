/* SPDX-License-Identifier: Apache-2.0 */
/* Instrumented code written by hand: what the pass would emit, for tests of the runtime alone.
 *
 * Every function that begins with BY_HAND_ENTRY may be called from outside and ends with BY_HAND_RETURN.
 */
#ifndef RECIPE_TESTS_BY_HAND_H
#define RECIPE_TESTS_BY_HAND_H

#include "abi/hooks.h"
#include "abi/shadow.h"

#include <stdbool.h>

static inline bool by_hand_reserve(uint64_t n) {
    __recipe_thread.position += n;
    return __recipe_thread.position > __recipe_thread.limit;
}

static inline uint64_t by_hand_load(volatile uint64_t *address, uint32_t left, bool precise) {
    uint64_t value = *address, shadow = *(uint64_t *)((uint64_t)address ^ RCP_SHADOW_KEY);
    if ((shadow != value) | precise)
        value = __recipe_load_slow((uint64_t)address, value, RCP_WHAT(RCP_WHAT_LOAD, 3, left));
    return value;
}

static inline void by_hand_store(volatile uint64_t *address, uint64_t value, uint32_t left, bool precise) {
    if (precise)
        __recipe_stop((uint64_t)address, RCP_WHAT(RCP_WHAT_STORE, 3, left));
    *(uint64_t *)((uint64_t)address ^ RCP_SHADOW_KEY) = value;
    *address = value;
}

static inline void by_hand_tick(void) {
    if (by_hand_reserve(1))
        __recipe_stop(0, RCP_WHAT(RCP_WHAT_TICK, 0, 1));
}

static inline void by_hand_leave(const void *callee) {
    if (by_hand_reserve(1))
        __recipe_stop((uint64_t)callee, RCP_WHAT(RCP_WHAT_CALL, 0, 1));
    __recipe_thread.outside = (uint64_t)callee;
}

/* `call`: an expression that is an integer or a pointer. */
#define BY_HAND_CALL(function, call)                                                                                   \
    ({                                                                                                                 \
        by_hand_leave((const void *)(function));                                                                       \
        __typeof__(call) by_hand_value = (call);                                                                       \
        if (__recipe_thread.outside)                                                                                   \
            __recipe_returned((uint64_t)by_hand_value);                                                                \
        by_hand_value;                                                                                                 \
    })

#define BY_HAND_ENTRY(self, argument)                                                                                  \
    bool by_hand_called_back = false;                                                                                  \
    if (__recipe_thread.outside == (uint64_t)(self)) {                                                                 \
        __recipe_thread.outside = 0;                                                                                   \
    } else if (__recipe_thread.outside) {                                                                              \
        by_hand_called_back = true;                                                                                    \
        __recipe_callback((uint64_t)(self), 1);                                                                        \
        __recipe_argument((uint64_t)(argument));                                                                       \
        __recipe_entered();                                                                                            \
    }

#define BY_HAND_RETURN(value)                                                                                          \
    do {                                                                                                               \
        if (by_hand_called_back)                                                                                       \
            __recipe_exited();                                                                                         \
        return value;                                                                                                  \
    } while (0)

#endif
