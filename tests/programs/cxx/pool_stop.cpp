// SPDX-License-Identifier: Apache-2.0
// A pool of workers with a queue of functions. Who submits looks whether the pool is stopping without the pool's lock.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
  public:
    explicit Pool(int n) {
        for (int i = 0; i < n; i++)
            workers.emplace_back([this] { work(); });
    }
    ~Pool() {
        for (auto &worker : workers)
            worker.join();
    }
    bool submit(std::function<void()> task) {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
        if (stopping)
            return false;
#else
        if (stopping) // race 1
            return false;
        std::lock_guard<std::mutex> held(lock);
#endif
        tasks.push(std::move(task));
        ready.notify_one();
        return true;
    }
    void stop() {
        std::lock_guard<std::mutex> held(lock);
        stopping = true; // race 2
        ready.notify_all();
    }

  private:
    void work() {
        for (;;) {
            std::unique_lock<std::mutex> held(lock);
            ready.wait(held, [this] { return stopping || !tasks.empty(); });
            if (tasks.empty())
                return;
            auto task = std::move(tasks.front());
            tasks.pop();
            held.unlock();
            task();
        }
    }
    std::mutex lock;
    std::condition_variable ready;
    std::queue<std::function<void()>> tasks;
    std::vector<std::thread> workers;
    bool stopping = false;
};

int main() {
    Pool pool(2);
    std::thread client([&pool] {
        for (int i = 0; i < 3; i++)
            pool.submit([] {});
    });
    pool.submit([] {});
    pool.stop();
    client.join();
    return 0;
}
