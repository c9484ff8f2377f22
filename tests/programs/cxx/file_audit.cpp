// SPDX-License-Identifier: Apache-2.0
// An audit is written to a file under a lock; how much was written is counted after it was let go.
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::ofstream audit("/dev/null");
static size_t written;

static void note(const std::string &who, int what) {
    std::string line = who + " did " + std::to_string(what);
    std::unique_lock<std::mutex> held(lock);
    audit << line << '\n' << std::flush;
#ifndef TWIN
    held.unlock();
#endif
    written += line.size(); // race 1 2
}

int main() {
    std::thread one(note, "alice", 1), other(note, "bob", 2);
    one.join();
    other.join();
    return !audit || written == 0;
}
