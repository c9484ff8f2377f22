// SPDX-License-Identifier: Apache-2.0
// Work is stolen from the other's deque under its lock; whether there is any is looked at before.
#include <deque>
#include <mutex>
#include <thread>

struct Worker {
    std::mutex lock;
    std::deque<int> jobs;
    int done = 0;
};

static Worker workers[2];

static bool take(Worker &from, int &job) {
    std::lock_guard<std::mutex> held(from.lock);
    if (from.jobs.empty())
        return false;
    job = from.jobs.front();
    from.jobs.pop_front(); // race 1
    return true;
}

static void work(int self) {
    int job;
    while (take(workers[self], job))
        workers[self].done += job;
    Worker &other = workers[1 - self];
#ifdef TWIN
    if (take(other, job))
#else
    if (!other.jobs.empty() && take(other, job)) // race 2
#endif
        workers[self].done += job;
}

int main() {
    for (int i = 1; i <= 4; i++)
        workers[i % 2].jobs.push_back(i);
    std::thread one(work, 0), other(work, 1);
    one.join();
    other.join();
    return workers[0].done + workers[1].done != 10;
}
