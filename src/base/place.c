/* SPDX-License-Identifier: Apache-2.0 */
#include "base/place.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- what is in it --- */

static rcp_code check_link(const char *directory, const FTSENT *entry, size_t root, rcp_place_linker *is_ours) {
    char target[4096];
    ssize_t n = readlink(entry->fts_accpath, target, sizeof target - 1);
    if (n >= 0) {
        target[n] = 0;
        if (is_ours && is_ours(entry->fts_path + root, target))
            return RCP_OK;
    }
    return rcp_fail(RCP_BAD_INPUT,
                    "%s/%s: is a symbolic link, and recipe has not made it: it may lead out of the directory; nothing "
                    "was touched",
                    directory, entry->fts_path + root);
}

static rcp_code check_entry(const char *directory, const FTSENT *entry, size_t root, rcp_place_linker *is_ours) {
    switch (entry->fts_info) {
    case FTS_D:
    case FTS_DP:
    case FTS_F: return RCP_OK;
    case FTS_SL:
    case FTS_SLNONE: return check_link(directory, entry, root, is_ours);
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS: /* what can't be looked into can't be worked in; what has gone meanwhile is no matter */
        return entry->fts_errno == ENOENT ? RCP_OK
                                          : rcp_fail(rcp_code_of_errno(entry->fts_errno), "%s: can't be read: %s",
                                                     entry->fts_path, strerror(entry->fts_errno));
    default:
        return rcp_fail(RCP_BAD_INPUT, "%s/%s: is neither a file nor a directory", directory, entry->fts_path + root);
    }
}

rcp_code rcp_place_check(const char *directory, rcp_place_linker *is_ours) {
    struct stat is;
    if (stat(directory, &is) || !S_ISDIR(is.st_mode))
        return RCP_OK; /* whoever wants a directory says so better */
    rcp_text inside = {0};
    rcp_text_printf(&inside, "%s/.", directory);
    char *const roots[] = {inside.at, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    rcp_code code = walk ? RCP_OK : rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", directory, strerror(errno));
    for (FTSENT *entry; code == RCP_OK && walk && (entry = fts_read(walk));)
        code = check_entry(directory, entry, inside.len + 1, is_ours);
    if (walk)
        fts_close(walk);
    rcp_text_finish(&inside);
    return code;
}

/* --- who works in it --- */

/* The command line of a process, as far as others may see it. */
static void describe(long pid, rcp_text *who) {
    char path[64], words[256];
    snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    FILE *from = fopen(path, "re");
    size_t n = from ? fread(words, 1, sizeof words - 1, from) : 0;
    if (from)
        fclose(from);
    while (n && !words[n - 1])
        n--;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)words[i] < ' ')
            words[i] = ' ';
    rcp_text_printf(who, "process %ld", pid);
    if (n)
        rcp_text_printf(who, " (%.*s)", (int)n, words);
}

/* Whoever holds the lock of the directory: the kernel has a list. */
static void find_holder(int fd, rcp_text *who) {
    struct stat is;
    FILE *locks = fopen("/proc/locks", "re");
    char line[256];
    while (locks && !who->len && !fstat(fd, &is) && fgets(line, sizeof line, locks)) {
        long pid;
        unsigned long inode; /* (the device has another number in some file systems) */
        if (sscanf(line, "%*d: FLOCK %*s %*s %ld %*x:%*x:%lu", &pid, &inode) == 2 && inode == is.st_ino && pid > 0)
            describe(pid, who);
    }
    if (locks)
        fclose(locks);
    if (!who->len)
        rcp_text_puts(who, "another recipe");
}

rcp_code rcp_place_lock(const char *directory, rcp_place_waiter *wait) {
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* is held until the process ends */
    if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
        return RCP_OK; /* what is no directory is refused by whoever opens it */
    rcp_text who = {0};
    find_holder(fd, &who);
    wait(directory, who.at);
    rcp_text_finish(&who);
    while (flock(fd, LOCK_EX))
        if (errno != EINTR)
            return rcp_fail(RCP_SYSTEM, "%s: can't be waited for: %s", directory, strerror(errno));
    return RCP_OK;
}

bool rcp_place_is_foreign(const char *directory, rcp_text *owner) {
    struct stat is;
    if (stat(directory, &is) || is.st_uid == geteuid())
        return false;
    const struct passwd *user = getpwuid(is.st_uid);
    if (user)
        rcp_text_puts(owner, user->pw_name);
    else
        rcp_text_printf(owner, "user %u", (unsigned)is.st_uid);
    return true;
}
