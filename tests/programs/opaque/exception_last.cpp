/* SPDX-License-Identifier: Apache-2.0 */
/* The last std::exception_ptr to go runs the exception's destructor; the count is the library's.
 * expect: none */
#include <exception>
#include <pthread.h>

int X, out;
struct error {
    int code;
    ~error() {
        if (code == 5)
            out = X;
    }
};
static std::exception_ptr kept[2];

static void *first(void *) {
    X = 1;
    kept[0] = nullptr;
    return nullptr;
}

static void *second(void *) {
    kept[1] = nullptr;
    return nullptr;
}

int main() {
    pthread_t a, b;
    try {
        throw error{5};
    } catch (error &) {
        kept[0] = kept[1] = std::current_exception();
    }
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return out != 1;
}
