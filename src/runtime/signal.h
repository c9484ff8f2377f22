/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: when the program's handlers run, and with which mask.
 *
 * The kernel calls our handler for every signal that the program handles, and for those faults that end it. A handler
 * of the program's is a callback like any other, so it runs where code outside could have called it: at once while its
 * thread is outside; else, deferred, before the thread's next event or when it leaves the runtime. Deferred, the mask
 * that the kernel would have set is set by hand. From its arrival until then every other signal stays with the kernel,
 * so that one place per thread is enough to keep it and nothing is reordered or lost.
 *
 * A fault (SIGSEGV and kin, raised by an instruction) can't wait: its handler runs at once, after a FAULT record. If
 * the program has none, the trace is finished and the signal does what it does.
 *
 * Other signals that end the program by default are left to the kernel: the log is whole at any moment.
 *
 * SIGSEGV is never blocked for real, because the shadow is mapped on demand; the program is told what it expects.
 *
 * Invariant: what the program believes its handlers to be is in the table here, whatever the kernel has.
 */
#ifndef RECIPE_RUNTIME_SIGNAL_H
#define RECIPE_RUNTIME_SIGNAL_H

#include "runtime/runtime.h"

#include <signal.h>

/* In every process, recorded or not. */
void rcp_signal_start(void);
/* A recorded thread gets a stack for handlers of stack overflows, and gives it back. */
void rcp_signal_thread_begin(void);
void rcp_signal_thread_end(void);

/* The calling thread's mask as the program set it, `kernel` being the one that is in force. */
uint64_t rcp_signal_mask(uint64_t kernel);

/* A mask of the program's without what must not be blocked, in `room`; NULL for NULL. */
const sigset_t *rcp_signal_allowed(const sigset_t *mask, sigset_t *room);

/* The signal whose handler runs on the calling thread, which is not recorded (yet); 0: none. */
uint32_t rcp_signal_unowned(void);

/* Has the program a handler of any signal? */
bool rcp_signal_is_handled(void);

/* Before the calling thread sends this signal to itself or to its process; 0: that is over. The whole body of an
 * interceptor of such a call: */
void rcp_signal_sends(int signal);
#define RCP_SIGNAL_SENDS(signal, call)                                                                                 \
    do {                                                                                                               \
        rcp_signal_used();                                                                                             \
        rcp_signal_sends(signal);                                                                                      \
        int sent_ = (call);                                                                                            \
        rcp_signal_sends(0);                                                                                           \
        return sent_;                                                                                                  \
    } while (0)

/* By every interceptor of a function that has to do with handlers or timers of signals and is not inside: the log has
 * it, so that of code that is not recorded it is known who did such a thing. */
void rcp_signal_used(void);

/* sigaction without the log. */
int rcp_signal_act(int signal, const struct sigaction *action, struct sigaction *old);

#endif
