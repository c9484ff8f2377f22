// SPDX-License-Identifier: Apache-2.0
// cout has another buffer by now, which leads to a pipe that the program reads.
// twin: data
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <pthread.h>
#include <unistd.h>

static int data, seen;
static int ends[2];

static void *printer(void *arg) {
    data = 1;
    std::cout << "go" << std::endl;
    return arg;
}

int main() {
    char c;
    if (pipe(ends))
        return 1;
    __gnu_cxx::stdio_filebuf<char> buffer(ends[1], std::ios::out);
    std::streambuf *before = std::cout.rdbuf(&buffer);
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    if (read(ends[0], &c, 1) != 1)
        return 1;
    seen += data;
    pthread_join(thread, NULL);
    std::cout.rdbuf(before);
    return seen < 1;
}
