/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of one thread's own, whose buffer's virtual functions are left out: they wait for Y.
 * expect: none */
#include <ostream>
#include <pthread.h>
#include <streambuf>

int X;
volatile int Y;

struct m_buffer : std::streambuf {
    __attribute__((noinline)) std::streamsize xsputn(const char *, std::streamsize n) override {
        while (Y != 1)
            ;
        return n;
    }
};

static void *first(void *) {
    X = 1;
    Y = 1;
    return nullptr;
}

static void *second(void *) {
    auto *out = new std::ostream(new m_buffer);
    out->write("abc", 3);
    return reinterpret_cast<void *>(static_cast<long>(X));
}

int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
