/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that hand the system a path and have no other reason to be intercepted: what the path holds is looked at
 * (world.h), what the system's answer may have told of others (streams.h), and which names they make or remove
 * (names.h). Each is a call outside, recorded as such, and has a row in src/outside: without one, what is defined here
 * would be taken for code of the program's file, which can reach all that the program has. */
#include "runtime/names.h"
#include "runtime/peer.h"
#include "runtime/streams.h"
#include "runtime/world.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The path is a parameter called `path`; `at`: from where it is looked for; `meant`: what it is in a replay; `changes`:
 * which names it may make or remove. */
#define LOOKS(at, meant, changes, type, name, parameters, arguments)                                                   \
    RCP_REAL_DEFINE(name)                                                                                              \
    RCP_INTERCEPT type name parameters {                                                                               \
        rcp_world_path(path);                                                                                          \
        if (path) /* who looks at it sees what was done */                                                             \
            rcp_peer_out(0, RCP_OUT_PATH, path, strlen(path));                                                         \
        path = meant;                                                                                                  \
        changes;                                                                                                       \
        type result = RCP_REAL(name) arguments;                                                                        \
        changes;                                                                                                       \
        rcp_streams_path(at, path);                                                                                    \
        return result;                                                                                                 \
    }
#define NOTHING               (void)0
#define LOOKS_FROM(at, ...)   LOOKS(at, path, NOTHING, __VA_ARGS__)
#define LOOKS_AT_PATH(...)    LOOKS(AT_FDCWD, path, NOTHING, __VA_ARGS__)
#define LOOKS_AT_FILE(...)    LOOKS(AT_FDCWD, rcp_streams_meant(AT_FDCWD, path), NOTHING, __VA_ARGS__)
#define CHANGES_FROM(at, ...) LOOKS(at, path, rcp_names_changed(at, path), __VA_ARGS__)
#define CHANGES_PATH(...)     CHANGES_FROM(AT_FDCWD, __VA_ARGS__)
#define MOVES(of, at, ...)    LOOKS(at, path, (rcp_names_changed(of, from), rcp_names_changed(at, path)), __VA_ARGS__)

LOOKS_AT_FILE(int, access, (const char *path, int mode), (path, mode))
LOOKS_FROM(at, int, faccessat, (int at, const char *path, int mode, int flags), (at, path, mode, flags))
CHANGES_PATH(int, unlink, (const char *path), (path))
CHANGES_FROM(at, int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
CHANGES_PATH(int, rmdir, (const char *path), (path))
CHANGES_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode))
CHANGES_FROM(at, int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))
CHANGES_PATH(int, mkfifo, (const char *path, mode_t mode), (path, mode))
MOVES(AT_FDCWD, AT_FDCWD, int, rename, (const char *from, const char *path), (from, path))
CHANGES_PATH(int, link, (const char *from, const char *path), (from, path))
CHANGES_PATH(int, symlink, (const char *from, const char *path), (from, path))
LOOKS(AT_FDCWD, rcp_streams_meant(AT_FDCWD, path), rcp_names_changed(AT_FDCWD, path), int, truncate,
      (const char *path, off_t size), (path, size))
LOOKS_AT_PATH(int, chmod, (const char *path, mode_t mode), (path, mode))
CHANGES_PATH(int, remove, (const char *path), (path))
LOOKS_AT_PATH(DIR *, opendir, (const char *path), (path))
LOOKS_AT_FILE(int, statvfs, (const char *restrict path, struct statvfs *restrict facts), (path, facts))
LOOKS_AT_FILE(int, euidaccess, (const char *path, int mode), (path, mode))
MOVES(of, at, int, renameat, (int of, const char *from, int at, const char *path), (of, from, at, path))
CHANGES_FROM(at, int, linkat, (int of, const char *from, int at, const char *path, int flags),
             (of, from, at, path, flags))
CHANGES_FROM(at, int, symlinkat, (const char *from, int at, const char *path), (from, at, path))
LOOKS_AT_FILE(int, inotify_add_watch, (int fd, const char *path, uint32_t what), (fd, path, what))
LOOKS_FROM(at, int, utimensat, (int at, const char *path, const struct timespec times[2], int flags),
           (at, path, times, flags))

/* The path leads elsewhere from here on. */
RCP_REAL_DEFINE(chdir)
RCP_INTERCEPT int chdir(const char *path) {
    rcp_world_path(path);
    int result = RCP_REAL(chdir)(path);
    rcp_streams_path(AT_FDCWD, result ? path : ".");
    return result;
}
