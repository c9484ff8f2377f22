/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin's thread calls its host, which also calls itself: under a lock that nobody sees, the twin without. */
#include <stdio.h>

void beside_lock(void);
void beside_unlock(void);
void plugin_start(void (*say)(const char *));
void plugin_end(void);

static int lines;
static const char *last;

static void say(const char *what) {
#ifndef TWIN
    beside_lock();
#endif
    lines++;
    last = what;
#ifndef TWIN
    beside_unlock();
#endif
}

int main(void) {
    plugin_start(say);
    for (int i = 0; i < 3; i++)
        say("host");
    plugin_end();
    printf("%d\n", lines > 0 && last);
    return 0;
}
