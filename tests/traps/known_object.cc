// A function of the C++ library works on a string that two threads share. It is known what it looks at: the string, what belongs to
// it, and what it is given, directly or in memory of the caller's own. All of that is as it was recorded, wherever the call is. In
// the trap the second thread's way hangs on what the library made of the flag, so it comes after the first one's write. In the twin
// it has read the flag, too, but hands nothing of it to the library.
// twin: plain
// exact: what the library does not look at may be something else
#include <mutex>
#include <pthread.h>
#include <string>

static std::mutex m, n;
static std::string *text;
static int flag, plain, seen;

static void *first(void *) {
    plain = 1;
    std::lock_guard<std::mutex> held(m);
    flag = 40;
    return nullptr;
}

static int look() {
    std::lock_guard<std::mutex> held(m);
    return flag;
}

static bool add(int count) {
    std::string mine(3, 'a');
#ifndef TWIN
    mine[0] = (char)('a' + count); // what the library reads, and nobody else knows of
#endif
    std::lock_guard<std::mutex> held(n);
    text->append(mine);
#ifdef TWIN
    seen = count;
    return true;
#else
    return text->at(text->size() - 3) == (char)('a' + 40);
#endif
}

static void *second(void *) {
    if (add(look()))
        seen += plain;
    return nullptr;
}

int main() {
    text = new std::string;
    pthread_t one, other;
    pthread_create(&one, nullptr, first, nullptr);
    pthread_create(&other, nullptr, second, nullptr);
    {
        std::lock_guard<std::mutex> held(n);
        text->append(5, '.');
    }
    pthread_join(one, nullptr);
    pthread_join(other, nullptr);
    return text->empty() || seen < 0;
}
