/* SPDX-License-Identifier: Apache-2.0 */
/* Beside another program: when it has ended, a signal is handled. That is on no way to what its threads do. */
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t ended;

static void end(int signal_number) { ended = signal_number; }

__attribute__((destructor)) static void send(void) {
    signal(SIGUSR1, end);
    raise(SIGUSR1);
}
