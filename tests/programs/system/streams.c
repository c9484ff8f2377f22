/* SPDX-License-Identifier: Apache-2.0 */
/* Reading streams: files, pipes that another thread fills, and a lock on a stream that guards a counter. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void *feed(void *arg) {
    FILE *f = fdopen(*(int *)arg, "w");
    for (int i = 0; i < 50; i++) {
        fprintf(f, "line %d\n", i);
        if (i % 7 == 0)
            fflush(f);
    }
    fputs("1 2 3 end", f);
    fclose(f);
    return NULL;
}

static FILE *guarded;
static int counter;
static void *count(void *arg) {
    for (int i = 0; i < 300; i++) {
        flockfile(guarded);
        int c = counter;
        fputs_unlocked("x", guarded);
        flockfile(guarded); /* it counts */
        counter = c + 1;
        funlockfile(guarded);
        funlockfile(guarded);
        if (!ftrylockfile(guarded)) {
            counter++;
            counter--;
            funlockfile(guarded);
        }
    }
    return arg;
}

int main(void) {
    int p[2];
    CHECK(!pipe(p));
    pthread_t t, u;
    pthread_create(&t, NULL, feed, &p[1]);
    FILE *in = fdopen(p[0], "r");
    char *line = NULL, text[64];
    size_t room = 0;
    int n;
    for (int i = 0; i < 50; i++) {
        if (i % 3 == 0) {
            CHECK(getline(&line, &room, in) > 0 && sscanf(line, "line %d", &n) == 1 && n == i);
        } else if (i % 3 == 1) {
            CHECK(fgets(text, sizeof text, in) && sscanf(text, "line %d", &n) == 1 && n == i);
        } else {
            CHECK(fgetc(in) == 'l' && getc(in) == 'i' && getc_unlocked(in) == 'n' && fscanf(in, "e %d\n", &n) == 1);
            CHECK(n == i);
        }
    }
    int a, b, c;
    CHECK(fscanf(in, "%d%d%d", &a, &b, &c) == 3 && a + b + c == 6);
    CHECK(getdelim(&line, &room, 'n', in) == 3 && !strcmp(line, " en"));
    CHECK(getc(in) == 'd' && getc(in) == EOF && feof(in));
    fclose(in);
    free(line);
    pthread_join(t, NULL);

    FILE *f = tmpfile();
    for (int i = 0; i < 1000; i++)
        fwrite(&i, sizeof i, 1, f);
    rewind(f);
    int numbers[1000];
    CHECK(fread(numbers, sizeof *numbers, 1000, f) == 1000);
    for (int i = 0; i < 1000; i++)
        CHECK(numbers[i] == i);
    CHECK(fread(numbers, 1, 1, f) == 0 && feof(f));
    CHECK(!fseek(f, 4, SEEK_SET) && fread_unlocked(&n, sizeof n, 1, f) == 1 && n == 1);
    fclose(f);

    guarded = tmpfile();
    pthread_create(&t, NULL, count, NULL);
    pthread_create(&u, NULL, count, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    printf("streams: %d\n", counter);
    fclose(guarded);
}
