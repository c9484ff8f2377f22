/* Much to tell: four threads that work on one matrix, and race. long ROUNDS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 256, THREADS = 4 };
static double a[N][N];
static int rounds;
static void *work(void *arg) {
    long me = (long)arg;
    for (int r = 0; r < rounds; r++)
        for (long i = me; i < N; i += THREADS)
            for (int j = 0; j < N; j++)
                a[i][j] += a[j][i] * 1e-3 + (double)i;
    return arg;
}
int main(int argc, char **argv) {
    pthread_t t[THREADS];
    rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    printf("%f\n", a[3][3]);
}
