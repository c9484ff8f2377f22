// SPDX-License-Identifier: Apache-2.0
// What a library can only read is constant, unless it has made it writable: who finds it changed comes after who did that.
// The twin's library does not, and its threads have to do with each other only by what streams have in common: tables of
// the library, which recorded code looks at, too.
// twin: data
// exact: nothing orders the two
// library: constant_table.cc
#include <pthread.h>
#include <sched.h>
#include <sstream>
#include <string>

extern "C" const int *library_constant(void);
extern "C" int library_publish(void);

static const int *place;
static int data, sum;
static std::string texts[2];

/* Where a stream's base is says a table of the library. */
__attribute__((noinline)) static bool is_plain(std::ostream &stream) { return !static_cast<std::ios_base &>(stream).width(); }

static void *writer(void *unused) {
    std::ostringstream out;
    data = 1;
#ifdef TWIN
    if (is_plain(out))
        texts[0] = "a text that is too long for the string itself";
    return unused;
#else
    return library_publish() ? unused : &data;
#endif
}

static void *reader(void *unused) {
    std::ostringstream out;
    for (int i = 0; i < 40; i++) /* most likely the other one has come so far; if not, nothing is found */
        sched_yield();
    if (is_plain(out))
        texts[1] = "another text that is too long for the string itself";
#ifndef TWIN
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE))
#endif
        sum += data;
    return unused;
}

int main() {
    pthread_t threads[2];
    place = library_constant();
    pthread_create(&threads[0], nullptr, writer, nullptr);
    pthread_create(&threads[1], nullptr, reader, nullptr);
    const bool is_there = library_constant() == place; /* somebody who is left out has been told of nothing */
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], nullptr);
    return texts[1].empty() || !is_there;
}
