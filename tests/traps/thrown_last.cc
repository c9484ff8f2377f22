// SPDX-License-Identifier: Apache-2.0
// An exception that two threads have goes with the one that lets go of it last, whether that has caught it or kept it; the
// library counts. No recorded code touches its memory.
// twin: data
#include <exception>
#include <pthread.h>

static int data, seen;
static std::exception_ptr kept[2];

struct token {
    token() {}
    token(const token &) {}
    ~token() { seen += data; }
};

static void *first(void *arg) {
    try {
        std::exception_ptr mine;
        mine.swap(kept[0]);
        std::rethrow_exception(static_cast<std::exception_ptr &&>(mine));
    } catch (const token &) {
        data = 1;
    }
    return arg;
}

static void *second(void *arg) {
#ifdef TWIN
    if (data > 1)
        return nullptr;
#endif
    kept[1] = nullptr;
    return arg;
}

int main() {
    try {
        throw token();
    } catch (...) {
        kept[0] = kept[1] = std::current_exception();
    }
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return seen < 1;
}
