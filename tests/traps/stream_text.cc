// SPDX-License-Identifier: Apache-2.0
// What is written into a stream of strings comes out of it again, by whichever way it went in, and so does the text of an
// exception: who has read another value has another text, and does not come to the write. In the twin nobody looks at the text.
// twin: z
#include <cstdio>
#include <iomanip>
#include <pthread.h>
#include <sstream>
#include <stdexcept>
#include <string>

#ifdef TWIN
#define LOOKS(is) ((is) || 1)
#else
#define LOOKS(is) (is)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int v = 7, z[8];

static int taken() {
    pthread_mutex_lock(&lock);
    int x = v;
    pthread_mutex_unlock(&lock);
    return x;
}

static bool number() {
    std::ostringstream out;
    out << taken();
    return out.str() == "10";
}

static bool letter() {
    std::ostringstream out;
    out.put((char)('0' + taken()));
    return out.str()[0] == '0' + 10;
}

static bool both_ways() {
    std::stringstream stream;
    int n = 0;
    stream << taken();
    stream >> n;
    return n == 10;
}

static bool width() {
    std::ostringstream out;
    out << std::setw(taken()) << "x";
    return out.str().size() == 10;
}

static bool text_of_number(int which) {
    char text[3] = {(char)('0' + taken() / 10), (char)('0' + taken() % 10), 0};
    std::string string(text);
    int n = 0;
    if (which == 0) {
        std::istringstream in(string);
        in >> n;
    } else if (which == 1) {
        std::ostringstream out;
        out.str(string);
        n = out.str() == "10" ? 10 : 0;
    } else if (which == 2) {
        std::runtime_error error(string);
        n = error.what()[0] == '1' ? 10 : 0;
    } else {
        std::ostringstream out;
        out << std::quoted(string);
        n = out.str()[1] == '1' ? 10 : 0;
    }
    return n == 10;
}

static void *reads(void *arg) {
    bool is[8] = {number(),          letter(),          both_ways(),       width(),
                  text_of_number(0), text_of_number(1), text_of_number(2), text_of_number(3)};
    for (int i = 0; i < 8; i++)
        if (LOOKS(is[i]))
            z[i] = 2;
    return arg;
}

static void *writes(void *arg) {
#ifndef TWIN
    for (int i = 0; i < 8; i++)
        z[i] = 1;
#endif
    pthread_mutex_lock(&lock);
    v = 10;
    pthread_mutex_unlock(&lock);
#ifdef TWIN
    for (int i = 0; i < 8; i++)
        z[i] = 1;
#endif
    return arg;
}

int main() {
    pthread_t first, second;
    pthread_create(&first, nullptr, writes, nullptr);
    pthread_create(&second, nullptr, reads, nullptr);
    pthread_join(first, nullptr);
    pthread_join(second, nullptr);
    std::printf("%d\n", z[0]);
    return 0;
}
