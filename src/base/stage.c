/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stage.h"

#include "base/clock.h"

#include <stddef.h>
#include <unistd.h>

static struct {
    rcp_stage_watcher *watcher;
    pid_t pid; /* whom they watch */
    const char *what;
    double began;
    unsigned depth;
} stage;

void rcp_stage_watch(rcp_stage_watcher *watcher) {
    stage.watcher = watcher;
    stage.pid = getpid();
}

void rcp_stage_begin(const char *what) {
    if (stage.depth++)
        return;
    stage.what = what;
    stage.began = rcp_seconds_now();
}

void rcp_stage_at(uint64_t done, uint64_t all) {
    if (stage.watcher && stage.depth && stage.pid == getpid())
        stage.watcher(stage.what, all ? (double)done / (double)all : -1, rcp_seconds_now() - stage.began);
}

void rcp_stage_end(void) {
    if (--stage.depth)
        return;
    if (stage.watcher && stage.pid == getpid())
        stage.watcher(NULL, -1, 0);
}
