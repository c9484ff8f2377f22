// SPDX-License-Identifier: Apache-2.0
// clean
// A static variable is initialised by whoever comes first; strings and streams of the library.
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::string> lines;

static const std::string &prefix() {
    static std::string once = std::string("line ") + std::to_string(1);
    return once;
}

static void work(int me) {
    for (int i = 0; i < 5; i++) {
        std::ostringstream line;
        line << prefix() << ":" << me << ":" << i;
        std::lock_guard<std::mutex> hold(lock);
        lines.push_back(line.str());
    }
}

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(work, i);
    for (auto &t : threads)
        t.join();
    std::cout << lines.size() << "\n";
    return lines.size() != 15;
}
