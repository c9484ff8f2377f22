// SPDX-License-Identifier: Apache-2.0
// Two threads read the lines of one string stream: that is a race where they do without a lock, on the stream, though none of
// its memory is touched but by the library.
// twin: lines
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

[[maybe_unused]] static std::mutex lock;
static std::istringstream lines("one\ntwo\nthree\nfour\nand a last one that is so long that it has memory of its own\n");

static void take() {
    std::string line;
    for (int i = 0; i < 2; i++) {
#ifndef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        std::getline(lines, line);
    }
}

int main() {
    std::thread one(take), other(take);
    one.join();
    other.join();
    std::string rest;
    return !std::getline(lines, rest);
}
