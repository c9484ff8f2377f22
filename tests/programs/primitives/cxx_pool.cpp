// SPDX-License-Identifier: Apache-2.0
// A pool of threads that is a static object: its threads end, and are joined, while the program exits.
#include "check.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class pool {
  public:
    explicit pool(int n) {
        for (int i = 0; i < n; i++)
            threads.emplace_back([this] { work(); });
    }
    ~pool() {
        {
            std::lock_guard hold(lock);
            stop = true;
        }
        changed.notify_all();
        for (auto &t : threads)
            t.join();
        printf("done %d\n", done);
    }
    void add(std::function<void()> f) {
        std::lock_guard hold(lock);
        todo.push_back(std::move(f));
        changed.notify_one();
    }

  private:
    void work() {
        std::unique_lock hold(lock);
        for (;;) {
            changed.wait(hold, [this] { return stop || !todo.empty(); });
            if (todo.empty())
                return;
            auto f = std::move(todo.front());
            todo.pop_front();
            hold.unlock();
            f();
            hold.lock();
            done++;
        }
    }
    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::function<void()>> todo;
    std::vector<std::thread> threads;
    bool stop = false;
    int done = 0;
};

static std::vector<long> results(100);
static pool everybody(4);

int main() {
    for (int i = 0; i < 100; i++)
        everybody.add([i] {
            auto p = std::make_unique<long>(i);
            results[i] = *p * *p;
        });
    puts("added");
}
