// SPDX-License-Identifier: Apache-2.0
// An answer comes as optional<string>; the one who asked polls it without the lock.
#include <mutex>
#include <optional>
#include <string>
#include <thread>

static std::mutex lock;
static std::optional<std::string> answer;
static int questions, early;

static void reply() {
    std::string text = "forty-two";
    std::lock_guard<std::mutex> held(lock);
    if (questions >= 0)
        answer.emplace(text); // race 1
}

static void ask() {
    {
        std::lock_guard<std::mutex> held(lock);
        questions++;
    }
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    if (!answer.has_value()) // race 2
        early = 1;
}

int main() {
    std::thread replier(reply), asker(ask);
    replier.join();
    asker.join();
    return answer->size() != 9;
}
