// SPDX-License-Identifier: Apache-2.0
// A handler that is not recorded and calls what is, twice.
#include <signal.h>

void handled(int again);

static void handle(int number) {
    (void)number;
    handled(0);
    handled(1);
}

void install_left_out(int number) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(number, &action, 0);
}
