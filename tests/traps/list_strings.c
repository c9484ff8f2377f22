// SPDX-License-Identifier: Apache-2.0
// What a format reads by a va_list is read: the second thread goes on only where the name is long, which the first one
// sees to after it has counted. In the twin each thread prints a name of its own, and counts.
// twin: counter
// exact: calls with a list are known, and order nothing
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char name[32] = "a", own[2][32] = {"first", "second"};
static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static int print(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, size, format, list);
    va_end(list);
    return n;
}

static void *first(void *unused) {
    char text[64];
#ifdef TWIN
    print(text, sizeof text, "%d %.*s", 1, 3, own[0]);
    counter++;
    print(text, sizeof text, "%d %s", 1, own[0]);
#else
    counter++;
    pthread_mutex_lock(&lock);
    strcpy(name, "longer name");
    pthread_mutex_unlock(&lock);
    print(text, sizeof text, "%s", own[0]);
#endif
    return unused;
}

static void *second(void *unused) {
    char text[64];
#ifdef TWIN
    print(text, sizeof text, "%d %s", 2, own[1]);
    counter++;
    print(text, sizeof text, "%d %s", 2, own[1]);
#else
    pthread_mutex_lock(&lock);
    int n = print(text, sizeof text, "%*d %.9s %f %s", 2, 1, name, 1.5, own[1]);
    pthread_mutex_unlock(&lock);
    if (n > 22)
        counter++;
#endif
    return unused;
}

int main(void) {
    pthread_t one, two;
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return counter > 2;
}
