/* SPDX-License-Identifier: Apache-2.0 */
/* A handler that mends the cause of a fault and returns: the instruction is executed again. */
#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <sys/mman.h>

static char *volatile page;
static volatile int mended;
static void mend(int signal, siginfo_t *info, void *context) {
    (void)context;
    CHECK(signal == SIGSEGV && (char *)info->si_addr == page + 10);
    mended++;
    CHECK(!mprotect(page, 4096, PROT_READ | PROT_WRITE));
}

int main(void) {
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    page[10] = 'm'; /* faults once, and is executed again */
    CHECK(page[10] == 'm' && mended == 1);
    puts("signal_mend: fine");
}
