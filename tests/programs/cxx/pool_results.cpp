// SPDX-License-Identifier: Apache-2.0
// A pool whose tasks put their results in a map under a lock, and count themselves outside of it.
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

static std::mutex tasks_lock, results_lock;
static std::condition_variable ready;
static std::queue<std::function<void()>> tasks;
static bool closed;
static std::map<std::string, int> results;
static int finished;

static void count(const std::string &word) {
    int letters = 0;
    for (char c : word)
        letters += c != ' ';
    std::unique_lock<std::mutex> held(results_lock);
    results[word] = letters;
#ifndef TWIN
    held.unlock();
#endif
    finished++; // race 1 2
}

static void work() {
    for (;;) {
        std::function<void()> task;
        {
            std::unique_lock<std::mutex> held(tasks_lock);
            ready.wait(held, [] { return closed || !tasks.empty(); });
            if (tasks.empty())
                return;
            task = std::move(tasks.front());
            tasks.pop();
        }
        task();
    }
}

int main() {
    std::vector<std::thread> workers;
    for (int i = 0; i < 2; i++)
        workers.emplace_back(work);
    for (std::string word : {"a pool of threads", "counts", "letters"}) {
        std::lock_guard<std::mutex> held(tasks_lock);
        tasks.push([word] { count(word); });
        ready.notify_one();
    }
    {
        std::lock_guard<std::mutex> held(tasks_lock);
        closed = true;
        ready.notify_all();
    }
    for (auto &worker : workers)
        worker.join();
    return results.size() != 3;
}
