/* A wait that tells the processor so: by the compiler's intrinsic, by assembly (-DASSEMBLY), in a loop that counts its rounds and
 * yields when they are over (-DFEW), by sched_yield (-DYIELD), by sleeping (-DSLEEP). The twin does not wait. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static atomic_int flag;
static int data;
static void pass(void) {
#if defined SLEEP
    usleep(0);
#elif defined YIELD
    sched_yield();
#elif defined ASSEMBLY && defined __aarch64__
    __asm__ volatile("yield" ::: "memory");
#elif defined ASSEMBLY
    __asm__ volatile("rep; nop" ::: "memory");
#elif defined __aarch64__
    __builtin_arm_yield();
#else
    __builtin_ia32_pause();
#endif
}
static void *work(void *arg) {
#ifndef TWIN
#ifdef FEW
    for (int i = 0; !flag; i = i < 1000 ? i + 1 : 0) {
        if (i < 1000)
            pass();
        else
            sched_yield();
    }
#else
    while (!flag)
        pass();
#endif
#endif
    data++;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    unsigned long x = 1;
    for (int i = 0; i < 3000000; i++)
        x = x * 6364136223846793005u + 1;
    data += 1 + (x == 7);
    flag = 1;
    pthread_join(t, NULL);
    printf("%d\n", data);
}
