/* SPDX-License-Identifier: Apache-2.0 */
/* A call that fails may change something: the second shutdown of a socket that listened says that it is not connected,
 * and lets poll say that there is something to read. T2 waits for that, and T1 has written `v` before it. */
#include "trap.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

static int listener;

__attribute__((constructor)) static void begin(void) {
    const struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (const struct sockaddr *)&at, sizeof at) || listen(listener, 1) ||
        shutdown(listener, SHUT_RDWR))
        exit(1);
}

static void T1(void) {
    v = 1;
    printed = shutdown(listener, SHUT_RDWR);
}

static void T2(void) {
    struct pollfd one;
    do {
        one = (struct pollfd){.fd = listener, .events = POLLIN};
        poll(&one, 1, -1);
    } while (!(one.revents & POLLIN) ONLY_RACY(&& 0));
    v = 2;
}
