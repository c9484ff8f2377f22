// A main that is not recorded: compiled by another compiler than recipe's. Exit handlers come after the threads.
#include <stdio.h>
#include <stdlib.h>

void begin(const char *how);

static void handler(void) {
    puts("handler");
    fflush(stdout);
}

int main(int argc, char **argv) {
    atexit(handler);
    begin(argc > 1 ? argv[1] : "");
    return 3;
}
