// SPDX-License-Identifier: Apache-2.0
// A destructor joins the thread that calls the object's virtual functions. It begins by storing the virtual pointer that is there
// already: no write. In the twin a base's destructor joins, and the object has become a base by then.
// twin: Worker
#include <atomic>
#include <pthread.h>
#include <unistd.h>

std::atomic<long> calls;

struct Worker {
    pthread_t thread;
    std::atomic<bool> stop{false};
    virtual void step() { calls++; }
    void run() {
        do
            step();
        while (!stop);
    }
    void join() {
        stop = true;
        pthread_join(thread, NULL);
    }
    virtual ~Worker();
};

static void *run(void *worker) {
    static_cast<Worker *>(worker)->run();
    return NULL;
}

Worker::~Worker() {
#ifdef TWIN
    join();
#endif
}

struct Counter : Worker {
    Counter() { pthread_create(&thread, NULL, ::run, this); }
    void step() override { calls += 2; }
    ~Counter() override;
};

Counter::~Counter() {
#ifndef TWIN
    join();
#endif
}

int main() {
    Worker *counter = new Counter;
    delete counter;
    return calls < 1;
}
