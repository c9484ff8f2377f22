// SPDX-License-Identifier: Apache-2.0
// As vptr.cc, with every way by which a destructor comes to a virtual pointer: of a second base, of a virtual one, of a template's,
// and by the table of tables that a destructor is handed while a class derived from it is destroyed.
// twin: Part Both Last Root
#include <atomic>
#include <thread>

std::atomic<long> calls;

struct Root {
    virtual void root() { calls++; }
    virtual ~Root() {}
};
struct Side {
    long value = 1;
    virtual void side() { calls++; }
    virtual ~Side() {}
};
template <typename T> struct Part : virtual Root {
    T part = 0;
    void root() override { calls += 2; }
    ~Part() override {}
};
struct Both : Part<int>, Side {
    void side() override { calls += 3; }
    ~Both() override;
    std::thread thread;
    std::atomic<bool> stop{false};
    void run() {
        Root *root = this;
        Side *side = this;
        do {
            root->root();
            side->side();
        } while (!stop);
    }
    void join() {
        stop = true;
        thread.join();
    }
    void start() {
        thread = std::thread([this] { run(); });
    }
};
Both::~Both() {
#ifdef TWIN
    join();
#endif
}

struct Last : Both {
    void root() override { calls += 4; }
    ~Last() override {
#ifndef TWIN
        join();
#endif
    }
};

int main() {
    Last *last = new Last;
    last->start();
    delete last;
#ifndef TWIN
    struct Local : Both {
        ~Local() override { join(); }
    } local;
    local.start();
#endif
    return calls < 1;
}
