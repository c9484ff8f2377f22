// SPDX-License-Identifier: Apache-2.0
// Workers that fail throw, keep the first exception under a lock, and count failures where no lock is held.
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex lock;
static std::exception_ptr first;
static int failures;

static int parse(const std::string &text) {
    if (text.empty() || text[0] < '0' || text[0] > '9')
        throw std::invalid_argument("not a number: " + text);
    return text[0] - '0';
}

static void work(const std::string &text) {
    try {
        parse(text);
    } catch (const std::exception &) {
        std::unique_lock<std::mutex> held(lock);
        if (!first)
            first = std::current_exception();
#ifndef TWIN
        held.unlock();
#endif
        failures++; // race 1 2
    }
}

int main() {
    std::thread one(work, "seven"), other(work, "eight"), third(work, "9");
    one.join();
    other.join();
    third.join();
    try {
        std::rethrow_exception(first);
    } catch (const std::invalid_argument &) {
        return failures < 1;
    }
    return 1;
}
