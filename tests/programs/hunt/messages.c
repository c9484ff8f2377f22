/* SPDX-License-Identifier: Apache-2.0 */
/* A server that takes messages of two clients from one pipe, and believes that a client who has said hello has sent his
 * text, too, before another one says the end: that order nobody keeps. When the end comes it hands its text over, and
 * appends to it afterwards. An order violation, as in Lu and others, Learning from mistakes, ASPLOS 2008, between
 * messages.
 * Reachable: the first client says hello; the second says hello and the end; the server has heard both, and hands the
 * text to the archive; the first client's text comes, and is appended while the archive reads.
 */
/* expect: race text.length append/archive */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { HELLO = 'h', TEXT = 't', END = 'e', CLIENTS = 2, MESSAGES = 4 };

static int ends[2]; /* of the pipe */
static sem_t closed;
static struct {
    int length;
    char bytes[MESSAGES];
} text;

static void say(char what) {
    if (write(ends[1], &what, 1) != 1)
        perror("write");
}

static void *writer(void *unused) {
    say(HELLO);
    say(TEXT);
    return unused;
}

static void *closer(void *unused) {
    say(HELLO);
    say(END);
    return unused;
}

static void append(char what) { text.bytes[text.length++] = what; }

static void *server(void *unused) {
    int hellos = 0, is_closed = 0;
    for (int i = 0; i < MESSAGES; i++) {
        char what;
        if (read(ends[0], &what, 1) != 1)
            break;
        if (what == HELLO)
            hellos++;
#ifdef CLEAN
        if (what == TEXT && !is_closed)
            append(what);
#else
        if (what == TEXT)
            append(what);
#endif
        if (what == END && hellos == CLIENTS) {
            is_closed = 1;
            sem_post(&closed);
        }
    }
    if (!is_closed)
        sem_post(&closed);
    return unused;
}

static void *archive(void *length) {
    while (sem_wait(&closed))
        ;
    *(int *)length = text.length;
    return NULL;
}

int main(void) {
    void *(*parts[])(void *) = {archive, server, writer, closer};
    pthread_t threads[4];
    int length = 0;
    if (pipe(ends))
        return 1;
    sem_init(&closed, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, parts[i], &length);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", length <= 1);
}
