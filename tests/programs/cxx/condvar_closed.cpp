// SPDX-License-Identifier: Apache-2.0
// A queue is closed by a flag that is set without its lock.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

class Channel {
  public:
    void send(std::string text) {
        std::lock_guard<std::mutex> held(lock);
        texts.push_back(std::move(text));
        changed.notify_one();
    }
    void close() {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
        closed = true;
#else
        closed = true; // race 1
        std::lock_guard<std::mutex> held(lock); // whoever waits has begun to
#endif
        changed.notify_all();
    }
    bool receive(std::string &text) {
        std::unique_lock<std::mutex> held(lock);
        while (texts.empty()) {
            if (closed) // race 2
                return false;
            changed.wait(held);
        }
        text = std::move(texts.front());
        texts.pop_front();
        return true;
    }

  private:
    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::string> texts;
    bool closed = false;
};

int main() {
    Channel channel;
    size_t letters = 0;
    std::thread receiver([&] {
        for (std::string text; channel.receive(text);)
            letters += text.size();
    });
    channel.send("hello");
    channel.send("a text of more than fifteen letters");
    channel.close();
    receiver.join();
    return letters != 40;
}
