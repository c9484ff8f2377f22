/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/status.h"

#include "runtime/say.h"
#include "runtime/thread.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#define ROOM 8192 /* both files are a page at most */

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static uint64_t number_at(const char *text) {
    uint64_t n = 0;
    for (text += strspn(text, " \t"); *text >= '0' && *text <= '9'; text++)
        n = 10 * n + (uint64_t)(*text - '0');
    return n;
}

static bool is_of_this_process(const char *number) {
    return number_at(number) == (uint64_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

/* Where the number of threads begins; NULL: it is not there, or another process's. */
static char *find_in_status(char *text) {
    static const char group[] = "\nTgid:", threads[] = "\nThreads:";
    char *owner = strstr(text, group), *at = strstr(text, threads);
    return owner && at && is_of_this_process(owner + strlen(group)) ? at + strlen(threads) + 1 : NULL;
}

/* The 20th word; the second is the command's name in parentheses, which may hold anything. */
static char *find_in_stat(char *text) {
    char *at = strrchr(text, ')');
    if (!at || !is_of_this_process(text))
        return NULL;
    for (int word = 2; word < 20; word++) {
        at = strchr(at + 1, ' ');
        if (!at)
            return NULL;
    }
    return at + 1;
}

/* `text` with one less at `number`, in memory that `fd` leads to from here on. */
static void replace(int fd, const char *text, const char *number) {
    RCP_SAY(copy, ROOM);
    const size_t before = (size_t)(number - text);
    memcpy(copy.text, text, before);
    copy.text[before] = 0;
    copy.n = before;
    rcp_say_number(&copy, number_at(number) - 1);
    rcp_say_text(&copy, number + strspn(number, "0123456789"));
    long memory = RCP_SYS2(SYS_memfd_create, "status", MFD_CLOEXEC), flags = RCP_SYS2(SYS_fcntl, fd, F_GETFD);
    if (memory < 0)
        return;
    if (RCP_SYS3(SYS_write, memory, copy.text, copy.n) == (long)copy.n && !RCP_SYS3(SYS_lseek, memory, 0, SEEK_SET))
        RCP_SYS3(SYS_dup3, memory, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0);
    RCP_SYS1(SYS_close, memory);
}

void rcp_status_opened(int fd, const char *path) {
    bool is_stat = ends_with(path, "/stat");
    if (!rcp_baton.watchdog_tid || strncmp(path, "/proc/", 6) || (!is_stat && !ends_with(path, "/status")))
        return;
    char text[ROOM];
    long n = rcp_sys(SYS_pread64, fd, (long)text, ROOM - 1, 0, 0, 0);
    if (n <= 0)
        return;
    text[n] = 0;
    const char *number = is_stat ? find_in_stat(text) : find_in_status(text);
    if (number && number_at(number) > 1)
        replace(fd, text, number);
}
