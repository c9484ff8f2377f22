// Memory that one thread has freed another one is given. That says nothing of what the two do besides: whoever asks for memory is
// given some. In the trap the second thread is made only once the first one has let go of its block, and has said so.
// twin: plain
// exact: the second thread's memory need not be what the first one has freed
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex m;
static int plain, counted;
static std::atomic<bool> is_over;

static int count() {
    std::lock_guard<std::mutex> held(m);
    return ++counted;
}

static void first() {
    int *mine = static_cast<int *>(std::malloc(40));
    plain = 1;
    *mine = count();
    std::free(mine);
    is_over = true;
}

static void second() {
#ifndef TWIN
    while (!is_over)
        std::this_thread::yield();
#endif
    int *mine = static_cast<int *>(std::malloc(40));
    *mine = count();
    *mine += plain;
    std::free(mine);
}

int main() {
    std::thread one(first); // its closure lies on the heap, too, and is freed by the thread
    std::thread other(second);
    one.join();
    other.join();
    return counted != 2;
}
