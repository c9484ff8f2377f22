// SPDX-License-Identifier: Apache-2.0
// Each thread filters its lines by a regular expression of its own, and shares a count of those that match.
#include <mutex>
#include <regex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::string> matches;
static int matched;

static void filter(const std::regex &expression, const std::vector<std::string> &lines) {
    for (auto &line : lines) {
        std::smatch found;
        if (!std::regex_search(line, found, expression))
            continue;
        std::unique_lock<std::mutex> held(lock);
        matches.push_back(found.str());
#ifndef TWIN
        held.unlock();
#endif
        matched++; // race 1 2
    }
}

int main() {
    std::regex number("[0-9]+"), name("[a-z]="); // in one thread: making them is no business of several in libstdc++
    std::vector<std::string> first{"id 17", "none"}, second{"x=3", "y"};
    std::thread one([&] { filter(number, first); }), other([&] { filter(name, second); });
    one.join();
    other.join();
    return matches.size() != 2 || matched < 1;
}
