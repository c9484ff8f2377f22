// SPDX-License-Identifier: Apache-2.0
// Each thread parses its own text with an istringstream, and adds to a total that belongs to all.
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;
static long total;
static int texts;

static void parse(std::string text) {
    std::istringstream in(text);
    long sum = 0, n;
    while (in >> n)
        sum += n;
    {
        std::lock_guard<std::mutex> held(lock);
        texts++;
#ifdef TWIN
        total += sum;
#endif
    }
#ifndef TWIN
    total += sum; // race 1 2
#endif
}

int main() {
    std::thread one(parse, "1 2 3 4"), other(parse, "10 20 30");
    one.join();
    other.join();
    return texts != 2 || total < 10;
}
