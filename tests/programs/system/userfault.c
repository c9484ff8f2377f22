/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that another thread resolves (userfaultfd), where the system has that; else it does without. It ends either
 * way. */
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES = 4 };
static long page;
static int fault_fd;

static void *resolve(void *arg) {
    char *from = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < PAGES; i++) {
        struct uffd_msg message;
        CHECK(read(fault_fd, &message, sizeof message) == sizeof message);
        memset(from, 'a' + i, (size_t)page);
        struct uffdio_copy copy = {.src = (unsigned long)from,
                                   .dst = message.arg.pagefault.address & ~(unsigned long)(page - 1),
                                   .len = (unsigned long)page};
        CHECK(!ioctl(fault_fd, UFFDIO_COPY, &copy));
    }
    return arg;
}

static bool begin(char *memory) {
    fault_fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {.range = {(unsigned long)memory, (unsigned long)(PAGES * page)},
                                    .mode = UFFDIO_REGISTER_MODE_MISSING};
    return fault_fd >= 0 && !ioctl(fault_fd, UFFDIO_API, &api) && !ioctl(fault_fd, UFFDIO_REGISTER, &range);
}

int main(void) {
    page = sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, (size_t)(PAGES * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    if (begin(memory)) {
        pthread_t t;
        pthread_create(&t, NULL, resolve, NULL);
        for (int i = 0; i < PAGES; i++)
            CHECK(memory[i * page + 5] == 'a' + i);
        pthread_join(t, NULL);
    }
    puts("done");
    return 0;
}
