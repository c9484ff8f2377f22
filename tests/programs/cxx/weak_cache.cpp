// SPDX-License-Identifier: Apache-2.0
// A cache of weak pointers. Purging erases under the lock, but counts what it purged in a member that others read freely.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Image {
    std::string pixels;
};

class Cache {
  public:
    std::shared_ptr<Image> get(const std::string &name) {
        std::lock_guard<std::mutex> held(lock);
        if (auto image = images[name].lock())
            return image;
        auto image = std::make_shared<Image>(Image{name + name});
        images[name] = image;
        return image;
    }
    void purge() {
        std::lock_guard<std::mutex> held(lock);
        for (auto i = images.begin(); i != images.end();)
            if (i->second.expired())
                i = images.erase(i), purged++; // race 1
            else
                ++i;
    }
    int count() {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        return purged; // race 2
    }

  private:
    std::mutex lock;
    std::map<std::string, std::weak_ptr<Image>> images;
    int purged = 0;
};

int main() {
    Cache cache;
    int seen = 0;
    auto kept = cache.get("sky");
    cache.get("sea");
    std::thread cleaner([&] { cache.purge(); });
    std::thread viewer([&] {
        cache.get("sky");
        seen = cache.count();
    });
    cleaner.join();
    viewer.join();
    return seen > 1 || kept->pixels != "skysky";
}
