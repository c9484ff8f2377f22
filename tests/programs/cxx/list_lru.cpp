// SPDX-License-Identifier: Apache-2.0
// A cache that forgets what was used longest ago: a list spliced under a lock. A peek at its newest entry has no lock.
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

class Lru {
  public:
    void put(int key, const std::string &value) {
        std::lock_guard<std::mutex> held(lock);
        auto found = places.find(key);
        if (found != places.end()) {
            order.splice(order.begin(), order, found->second); // race 1
            found->second->second = value;
            return;
        }
        order.emplace_front(key, value); // race 1
        places[key] = order.begin();
        if (order.size() > 3) {
            places.erase(order.back().first);
            order.pop_back(); // race 1
        }
    }
    bool idle() {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        return order.empty(); // race 2
    }

  private:
    std::mutex lock;
    std::list<std::pair<int, std::string>> order;
    std::unordered_map<int, std::list<std::pair<int, std::string>>::iterator> places;
};

int main() {
    Lru cache;
    bool idle = false;
    cache.put(0, "zero");
    std::thread writer([&] {
        for (int i = 1; i < 5; i++)
            cache.put(i % 3, "value");
        cache.put(7, "seven");
    });
    std::thread looker([&] {
        cache.put(1, "one");
        idle = cache.idle();
    });
    writer.join();
    looker.join();
    return idle;
}
