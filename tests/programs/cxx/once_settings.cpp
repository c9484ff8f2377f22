// SPDX-License-Identifier: Apache-2.0
// Settings are loaded once, by whoever comes first. The status page reads one of them without asking.
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::once_flag loaded;
static std::map<std::string, std::string> settings;
static int verbosity;

static void load() {
    settings["name"] = "server";
    settings["level"] = "3";
    verbosity = std::stoi(settings["level"]); // race 1
}

static const std::string &setting(const std::string &key) {
    std::call_once(loaded, load);
    return settings.at(key);
}

int main() {
    int seen = 0;
    std::thread worker([] {
        if (setting("name") != "server")
            std::terminate();
    });
    std::thread status([&] {
#ifdef TWIN
        std::call_once(loaded, load);
#endif
        seen = verbosity; // race 2
    });
    worker.join();
    status.join();
    return seen != 0 && seen != 3;
}
