// SPDX-License-Identifier: Apache-2.0
// Each thread has a stream of its own, and hands it a manipulator: the library calls that, and it is code that is not recorded, by which
// one thread waits for the other.
// twin: data
// plain: manipulator.cc
#include <pthread.h>
#include <sstream>

std::ostream &post(std::ostream &stream);
std::ostream &await(std::ostream &stream);

static int data, seen;

static void *writer(void *arg) {
    std::ostringstream mine;
    data = 1;
    mine << "one" << post;
    return arg;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    std::ostringstream mine;
#ifdef TWIN
    seen = data;
#endif
    mine << await << "two";
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
