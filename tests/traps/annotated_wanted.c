// SPDX-License-Identifier: Apache-2.0
// Races on a counter are wanted, and the program says so: by the header of recipe's own, and by the function that others have.
// The twin says it of another one.
// twin: lost
#include "../../include/recipe/annotations.h"

#include <pthread.h>
#include <stddef.h>

void AnnotateBenignRaceSized(const char *file, int line, const volatile void *at, size_t size, const char *why);

static long hits, lost, other;

static void *counts(void *unused) {
    for (int i = 0; i < 3; i++) {
        hits++;
        lost++;
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    RECIPE_BENIGN_RACE(hits);
#ifdef TWIN
    AnnotateBenignRaceSized(__FILE__, __LINE__, &other, sizeof other, "a rough number will do");
#else
    AnnotateBenignRaceSized(__FILE__, __LINE__, &lost, sizeof lost, "a rough number will do");
#endif
    if (pthread_create(&first, NULL, counts, NULL) || pthread_create(&second, NULL, counts, NULL))
        return 1;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return other != 0;
}
