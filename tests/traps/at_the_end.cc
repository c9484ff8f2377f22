// SPDX-License-Identifier: Apache-2.0
// What a thread has left to be done at its end comes after all that it did, also where code does it that is not recorded: the
// destructor of a key, of a thread-local object, a promise that is kept then; and so it is with what exit() calls. The twin's
// threads look at the data before they were told.
// twin: data
// library: at_the_end.cc
#include <atomic>
#include <future>
#include <pthread.h>
#include <sched.h>
#include <thread>

void library_key(std::atomic<int> *flag);
void library_local(std::atomic<int> *flag);
void library_exit(std::atomic<int> *flag, pthread_t thread);

static std::atomic<int> flags[3];
static int data[4];

static int await(int which) {
#ifdef TWIN
    if (data[which] > 1)
        return 0;
#endif
    while (!flags[which])
        sched_yield();
    return data[which];
}

static void *last(void *unused) { return await(2) ? unused : &data; }

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread key([] {
        library_key(&flags[0]);
        data[0] = 1;
    });
    std::thread local([] {
        library_local(&flags[1]);
        data[1] = 1;
    });
    std::thread kept([&promise] {
        promise.set_value_at_thread_exit(1);
        data[3] = 1;
    });
    const int sum = await(0) + await(1) + future.get() + data[3];
    key.join();
    local.join();
    kept.join();
    pthread_t thread;
    pthread_create(&thread, nullptr, last, nullptr);
    library_exit(&flags[2], thread);
    data[2] = 1;
    return sum != 4;
}
