/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A switch, and a function by its pointer. */
#include "frame.h"

static int mode = 2;

static int plain(void) { return 1; }
static int looks(void) { return v; }
static int (*const functions[])(void) = {plain, looks};

static void T1(void) {
    v = 1;
    set(&mode, 0);
}

static void T2(void) {
    int (*chosen)(void) = plain;
    switch (get(&mode)) {
    case 0: break;
    case 2: chosen = functions[1]; break;
    default: printed = 3;
    }
    printed = chosen();
}
