/* SPDX-License-Identifier: Apache-2.0 */
/* A balance is checked in one section and drawn from in the next: an account that is closed in between is overdrawn.
 * CLEAN: it is checked again. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int has(int amount) {
    pthread_mutex_lock(&lock);
    int is = balance >= amount;
    pthread_mutex_unlock(&lock);
    return is;
}

static void *withdraw(void *unused) {
    if (!has(80))
        return unused;
    pthread_mutex_lock(&lock);
#ifdef CLEAN
    if (balance >= 80)
#endif
        balance -= 80;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *close_account(void *unused) {
    pthread_mutex_lock(&lock);
    balance = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, withdraw, NULL);
    pthread_create(&threads[1], NULL, close_account, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return balance > 100;
}
