/* SPDX-License-Identifier: Apache-2.0 */
/* Switching stacks by hand: a thread's stack objects are on its recipe stack, which does not follow. Running on would
 * corrupt the program's variables, recorded or not, so it ends here with a word. */
#include "runtime/runtime.h"

#include <ucontext.h>

static _Noreturn void refuse(const char *function) {
    rcp_refuse("a program that switches stacks itself (coroutines, green threads) can't be run with recipe: it called",
               function);
}

RCP_INTERCEPT void makecontext(ucontext_t *context, void (*function)(void), int count, ...) {
    (void)context, (void)function, (void)count;
    refuse("makecontext");
}
RCP_INTERCEPT int swapcontext(ucontext_t *restrict from, const ucontext_t *restrict to) {
    (void)from, (void)to;
    refuse("swapcontext");
}
RCP_INTERCEPT int setcontext(const ucontext_t *context) {
    (void)context;
    refuse("setcontext");
}
