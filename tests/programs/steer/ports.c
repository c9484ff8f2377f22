/* SPDX-License-Identifier: Apache-2.0 */
/* What a socket says is kept with the recording: a steered run, whose socket says it again, must leave that as it is. */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

int apart(void *given);

static int asked;

static void *ask(void *arg) {
    char byte;
    int port = socket(AF_INET, SOCK_DGRAM, 0);
    apart(&asked);
    asked += recv(port, &byte, 1, MSG_DONTWAIT) < 0;
    apart(&asked);
    close(port);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, ask, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
