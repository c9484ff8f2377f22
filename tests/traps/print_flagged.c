// SPDX-License-Identifier: Apache-2.0
// Whoever started the program reads what it prints, and answers by a file.
// twin: data
// stdout: answered read -r line && touch "$line"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int data, seen;
static char answer[64];

static void *printer(void *arg) {
    data = 1;
    printf("%s\n", answer);
    fflush(stdout);
    return arg;
}

int main(void) {
    snprintf(answer, sizeof answer, "print_flagged.answer");
    unlink(answer);
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    int answered = 0;
    for (int n = 0; n < 1000 && !answered; n++) {
        usleep(1000);
        answered = !access(answer, F_OK);
    }
    if (answered)
        seen += data;
    pthread_join(thread, NULL);
    unlink(answer);
    return 0;
}
