// SPDX-License-Identifier: Apache-2.0
// A loader keeps its promise, and only then writes down how long the text was.
#include <future>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

struct Loaded {
    std::vector<int> numbers;
};

static int length;

static void load(std::promise<Loaded> promise) {
    Loaded loaded;
    loaded.numbers.resize(16);
    std::iota(loaded.numbers.begin(), loaded.numbers.end(), 1);
#ifdef TWIN
    length = (int)loaded.numbers.size();
    promise.set_value(std::move(loaded));
#else
    int n = (int)loaded.numbers.size();
    promise.set_value(std::move(loaded));
    length = n; // race 1
#endif
}

int main() {
    std::promise<Loaded> promise;
    std::future<Loaded> future = promise.get_future();
    std::thread loader(load, std::move(promise));
    Loaded loaded = future.get();
    int sum = std::accumulate(loaded.numbers.begin(), loaded.numbers.end(), 0);
    bool odd = length > 16; // race 2
    loader.join();
    return sum != 136 || odd;
}
