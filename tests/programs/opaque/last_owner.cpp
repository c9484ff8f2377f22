/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code lets go of a shared object; who is last runs the destructor, which is recorded.
 * expect: none */
#include <memory>
#include <pthread.h>

int X;
static int out;
struct box {
    ~box() { out = X; }
};
static std::shared_ptr<box> owners[2];
__attribute__((noinline)) void m_drop(std::shared_ptr<box> &owner) { owner.reset(); }
static void *first(void *) {
    X = 1;
    m_drop(owners[0]);
    return nullptr;
}
static void *second(void *) {
    m_drop(owners[1]);
    return nullptr;
}

int main() {
    owners[0] = owners[1] = std::make_shared<box>();
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
