// SPDX-License-Identifier: Apache-2.0
// As print_rebuffered.cc, by code that is not recorded.
// twin: data
// plain: rebuffer.cc
#include <iostream>
#include <pthread.h>
#include <unistd.h>

void lead_cout_to(int fd);

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
    lead_cout_to(ends[1]);
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    if (read(ends[0], &c, 1) != 1)
        return 1;
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
