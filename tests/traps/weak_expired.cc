// SPDX-License-Identifier: Apache-2.0
// Counts of shared_ptr: headers of the C++ library look at a word of the C library's that says whether there is one
// thread alone, and count without atomics then. It changes when the first thread is made, which no code of the program
// does; on ways that were not recorded it has changed, too. The twin lets go of the owner without the lock.
// twin: owner shared_ptr weak_expired.cc
#include <memory>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::shared_ptr<int> owner = std::make_shared<int>(1);
static std::weak_ptr<int> watcher = owner;

static void watch() {
    std::shared_ptr<int> own;
    std::lock_guard<std::mutex> hold(lock);
#ifdef TWIN
    own = owner;
#else
    own = watcher.lock();
#endif
}

static void end() {
#ifndef TWIN
    std::lock_guard<std::mutex> hold(lock);
#endif
    owner.reset();
}

int main() {
    std::thread one(watch), two(watch);
    end();
    one.join();
    two.join();
    return 0;
}
