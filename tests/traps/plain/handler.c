// SPDX-License-Identifier: Apache-2.0
// A handler that is not recorded, and does nothing but end what a thread waits in.
#include <signal.h>
#include <string.h>

static void handle(int signal) { (void)signal; }

void catch_signal(int signal) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigaction(signal, &action, 0);
}
