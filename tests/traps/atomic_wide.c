// SPDX-License-Identifier: Apache-2.0
// An atomic is read as a whole, however wide it is, and wherever it lies: half of one value and half of another are no value.
// Who finds the second one of the writer comes after what that did between the two. The twin writes once more.
// twin: one
// flags: -latomic
#include <pthread.h>

static _Atomic __int128 wide;
static struct __attribute__((packed, aligned(8))) beside {
    char c[6];
    _Atomic int number; /* over the edge of 8 bytes */
} beside;
static int one, other;

static void *writer(void *unused) {
    wide = ((__int128)1 << 64) + 1;
    one = 1;
    wide = (__int128)1 << 64;
    beside.number = 0x10001;
    other = 1;
    beside.number = 0x10000;
#ifdef TWIN
    one = 3;
#endif
    return unused;
}

static void *reader(void *unused) {
    __int128 now = wide;
    if ((long)now == 0 && (long)(now >> 64) == 1)
        one = 2;
    int number = beside.number;
    if (!(number & 0xffff) && number >> 16 == 1)
        other = 2;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
