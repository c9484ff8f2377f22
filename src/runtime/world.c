/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/world.h"

#include "runtime/follow.h"
#include "runtime/streams.h"
#include "runtime/thread.h"
#include "runtime/told.h"

#include <string.h>

static uint64_t forbidden;

void rcp_world_feed(uint64_t bits) { forbidden = bits; }
void rcp_world_end(void) { forbidden = 0; }

void rcp_world_meets(uint64_t bits, const char *what) {
    rcp_log_world(bits);
    if (bits & RCP_WORLD_PROCESSES)
        rcp_streams_forked();
    if (bits & (RCP_WORLD_SOCKETS | RCP_WORLD_PEERS))
        rcp_streams_tied();
    if (!(forbidden & bits) || !rcp_follow_is_on())
        return;
    rcp_sys_acquire(&rcp_baton.lock);
    rcp_follow_abandon(what);
    rcp_sys_release(&rcp_baton.lock);
}

void rcp_world_ids(void) {
    if (rcp_told_any())
        rcp_world_meets(RCP_WORLD_IDS, "an id of a process or thread reaches the system");
    else
        rcp_log_world(RCP_WORLD_IDS);
    rcp_told_end(); /* from here on it is told what the system is told */
}

/* Below /proc, what has neither ids nor times in it. */
static bool is_timeless(const char *path) {
    static const char *const plain[] = {"cpuinfo",      "meminfo",   "sys/",         "mounts",      "filesystems",
                                        "version",      "self/maps", "self/exe",     "self/mounts", "self/mountinfo",
                                        "self/cmdline", "self/auxv", "self/environ", "self/cgroup", "self/limits",
                                        "self/fd",      "self/smaps"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!strncmp(path, plain[i], strlen(plain[i])))
            return true;
    return false;
}

void rcp_world_path(const char *path) {
    if (!path || !rcp_is_recording())
        return;
    if (!strncmp(path, "/proc/", 6) && (!is_timeless(path + 6) || strstr(path, "fdinfo")))
        rcp_streams_answered(); /* other processes are there, and how far a file was written */
    if (!strncmp(path, "/proc/", 6) && !is_timeless(path + 6)) {
        rcp_world_meets(RCP_WORLD_TIME, "it looks into /proc, where the time of the system is");
        rcp_world_ids();
    }
    if (rcp_told_is_in(path))
        rcp_world_ids();
}
