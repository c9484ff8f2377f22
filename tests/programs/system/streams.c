/* SPDX-License-Identifier: Apache-2.0 */
/* Reading streams: files, pipes that another thread fills, and a lock on a stream that guards a counter. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

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

/* What is found in a string, of every size. */
static void scan(void) {
    signed char tiny;
    short small;
    int number, upto = -1, n;
    long large;
    float half;
    double real;
    long double longer;
    void *pointer;
    char word[8], set[8], three[3] = "", *made;
    wchar_t wide[8];
    CHECK(sscanf("1 2 3 4", "%hhd%hd%d%ld", &tiny, &small, &number, &large) == 4);
    CHECK(tiny == 1 && small == 2 && number == 3 && large == 4);
    CHECK(sscanf("0.5 0.25 0.125 0x10", "%f%lf%Lf%p", &half, &real, &longer, &pointer) == 4);
    CHECK(half == 0.5F && real == 0.25 && longer == 0.125L && pointer == (void *)16);
    CHECK(sscanf("word ]a- abc", "%7s%*[ ]%7[]a-]%3c", word, set, three) == 3);
    CHECK(!strcmp(word, "word") && !strcmp(set, "]a-") && three[0] == ' ' && three[2] == 'b');
    CHECK(sscanf("made wide", "%ms%7ls%n", &made, wide, &upto) == 2 && !strcmp(made, "made") && wide[3] == 'e' && upto == 9);
    CHECK(sscanf("7%8", "%2$d%%%1$d", &number, &n) == 2 && number == 8 && n == 7);
    upto = -1;
    CHECK(sscanf("x", "y%n", &upto) == 0 && upto == -1 && sscanf("", "%d", &n) == EOF && n == 7);
    CHECK(sscanf("12 x", "%d%*d%n", &n, &upto) == 1 && n == 12 && upto == -1);
    free(made);
}

int main(void) {
    scan();
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
