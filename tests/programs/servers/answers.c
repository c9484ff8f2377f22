/* SPDX-License-Identifier: Apache-2.0 */
/* A server: a thread per connection, which reads a line, answers it, closes, and then counts without a lock. Port: in
 * the file `port` before it listens. Arguments: how many connections it takes (0: until a signal), and what it makes of
 * SIGTERM: nothing (default), "handles" (says so and ends well), "ignores". */
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int served; /* racy */
static volatile sig_atomic_t is_over;

static void end(int signal_number) {
    (void)signal_number;
    is_over = 1;
}

static void *serve(void *argument) {
    int fd = (int)(long)argument;
    char line[64];
    ssize_t n = read(fd, line, sizeof line);
    if (n > 0 && write(fd, line, (size_t)n) != n)
        perror("write");
    close(fd);
    served++;
    return NULL;
}

static int listen_somewhere(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || getsockname(fd, (struct sockaddr *)&at, &length))
        exit(2);
    FILE *file = fopen("port", "w");
    if (!file || fprintf(file, "%d\n", ntohs(at.sin_port)) < 0 || fclose(file) || listen(fd, 16))
        exit(2);
    return fd;
}

int main(int argc, char **argv) {
    int most = argc > 1 ? atoi(argv[1]) : 0, n = 0;
    pthread_t threads[64];
    const char *what = argc > 2 ? argv[2] : "";
    struct sigaction action = {.sa_handler = !strcmp(what, "ignores") ? SIG_IGN : end};
    if (*what)
        sigaction(SIGTERM, &action, NULL);
    int fd = listen_somewhere();
    while (!is_over && n < 64 && (!most || n < most)) {
        int peer = accept(fd, NULL, NULL);
        if (peer >= 0 && !pthread_create(&threads[n], NULL, serve, (void *)(long)peer))
            n++;
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    puts(is_over ? "was asked to end" : "has served all");
    return 0;
}
