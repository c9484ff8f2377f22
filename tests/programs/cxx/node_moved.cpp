// SPDX-License-Identifier: Apache-2.0
// Orders move between two maps as nodes, under both locks. A status line reads the second map's size under the first lock alone.
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex open_lock, done_lock;
static std::map<int, std::string> open_, done;
static size_t shown;

static void finish(int id) {
    std::scoped_lock held(open_lock, done_lock);
    auto node = open_.extract(id);
    if (node.empty())
        return;
    node.mapped() += ", done";
    done.insert(std::move(node)); // race 1
}

static void show() {
#ifdef TWIN
    std::scoped_lock held(open_lock, done_lock);
#else
    std::unique_lock<std::mutex> held(open_lock);
    size_t waiting = open_.size();
    held.unlock();
    shown = waiting;
#endif
    shown += done.size(); // race 2
}

int main() {
    for (int i = 0; i < 4; i++)
        open_[i] = "order " + std::to_string(i);
    std::thread clerk([] {
        finish(1);
        finish(3);
    });
    std::thread display(show);
    clerk.join();
    display.join();
    return done.size() != 2 || shown > 6;
}
