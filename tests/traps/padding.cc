// SPDX-License-Identifier: Apache-2.0
// A class keeps its flag in the tail padding of its base. Whoever copies the base copies the padding with it, by a variable, a
// result, an argument, a member, a new object, a reference; the flag is another's all the while. In the twin what is copied is
// written meanwhile, too.
// twin: shared
#include <cstdio>
#include <pthread.h>
#include <vector>

class Place {
public:
    Place(long at, char unit) : at(at), unit(unit) {}
    long at;
    char unit;
};
class Named : public Place {
public:
    Named(long at, char unit) : Place(at, unit), length(3) {}
    short length;
    char letter = 'n';
};
struct Watched : Named {
    Watched() : Named(40, 2) {}
    char flag = 0; // in the padding of Named
};
static_assert(sizeof(Watched) == sizeof(Named), "the flag is in the padding");
struct Small : Place {
    Small() : Place(5, 1) {}
    char flag = 0;
};
struct Holder {
    int count;
    Named named;
    Holder(const Watched &from) : count(1), named(from) {}
};

static Watched shared;
static Small small_shared;
static long sum;

__attribute__((noinline)) static Named result(const Watched *from) { return *from; }
__attribute__((noinline)) static long argument(Named named) { return named.at + named.length; }
__attribute__((noinline)) static long variable(const Watched *from) {
    Named named = *from;
    return argument(named) + named.letter;
}
__attribute__((noinline)) static long kept(const Place *from) {
    Place place = *from;
    asm volatile("" : : "r"(&place) : "memory");
    return place.at;
}
__attribute__((noinline)) static long fresh(const Named &from) {
    Named *named = new Named(from);
    std::vector<Named> all;
    all.push_back(from);
    long at = named->at + all[0].at;
    delete named;
    return at;
}

static void *flags(void *arg) {
    for (int i = 0; i < 5; i++) {
        shared.flag = (char)i;
        small_shared.flag = (char)i;
    }
#ifdef TWIN
    shared.letter = 'm';
#endif
    return arg;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, NULL, flags, NULL);
    sum += result(&shared).at;
    sum += argument(shared);
    sum += variable(&shared);
    sum += kept(&shared) + kept(&small_shared);
    sum += Holder(shared).named.at;
    sum += fresh(shared);
    pthread_join(thread, NULL);
    std::printf("%ld\n", sum);
    return 0;
}
