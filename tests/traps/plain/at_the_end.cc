// SPDX-License-Identifier: Apache-2.0
// A library that says, when a thread or the process ends, that it has.
#include <atomic>
#include <cstdlib>
#include <pthread.h>

static std::atomic<int> *at_exit;
static pthread_t waiting;

static void say(void *flag) {
    static_cast<std::atomic<int> *>(flag)->store(1);
}

static void leave() {
    at_exit->store(1);
    pthread_join(waiting, nullptr);
}

struct last {
    std::atomic<int> *flag = nullptr;
    ~last() {
        if (flag)
            flag->store(1);
    }
};
static thread_local last own;

void library_key(std::atomic<int> *flag);
void library_key(std::atomic<int> *flag) {
    static pthread_key_t key;
    pthread_key_create(&key, say);
    pthread_setspecific(key, flag);
}

void library_local(std::atomic<int> *flag);
void library_local(std::atomic<int> *flag) {
    own.flag = flag;
}

void library_exit(std::atomic<int> *flag, pthread_t thread);
void library_exit(std::atomic<int> *flag, pthread_t thread) {
    at_exit = flag;
    waiting = thread;
    atexit(leave);
}
