// Threads run while main's variables and what has static storage are still there: nobody finds them destroyed. That it might be so,
// of the text, which nobody waits with, is a race.
#include <cstdio>
#include <string>
#include <thread>

static std::string text = "a text that does not fit into the object itself, so that it is freed";

int main() {
    std::string own = "another one that does not fit, and which main's frame goes with, or would";
    int local = 40;
    std::thread([&local] {
        if (text.size() > 10)
            local += 2;
        std::printf("%d %c\n", local, text[0]);
    }).detach();
    return own.empty();
}
