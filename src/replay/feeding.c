/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/feeding.h"

#include "base/file.h"
#include "program/recording/recording.h"
#include "record/inputs.h"

#include <string.h>
#include <unistd.h>

/* Did it read something that can't be read again? */
static bool has_kept_input(const char *directory, const rcp_recorded_command *command) {
    char *path = rcp_file_take_path(directory, "stdin");
    bool kept = !strcmp(command->input, "kept") && rcp_file_is_there(path);
    rcp_release(path);
    return kept;
}

rcp_code rcp_feeding_decide(rcp_feeding *feeding, const char *directory, const rcp_recorded_command *command) {
    rcp_recording recording;
    rcp_code code = rcp_recording_read(directory, &recording);
    uint64_t world = recording.header.world;
    *feeding = (rcp_feeding){
        .is_fed =
            recording.header.began.monotonic && !(world & (RCP_WORLD_PROCESSES | RCP_WORLD_SOCKETS | RCP_WORLD_TIME)),
        .own_ids = world & RCP_WORLD_IDS,
        .made_processes = world & RCP_WORLD_PROCESSES,
        .was_kept = has_kept_input(directory, command),
        .was_answered = world & RCP_WORLD_PRINTS,
        .began = recording.header.began,
        .lasted = (int64_t)(rcp_inputs_seconds(directory) * 1e9),
        .output = {recording.header.output[0], recording.header.output[1]},
    };
    feeding->may_be_real = feeding->is_fed && world & RCP_WORLD_PEERS && !feeding->was_kept;
    feeding->is_lost = world & RCP_WORLD_UNKEPT;
    if (feeding->is_lost)
        feeding->why_not = "its standard input was a pipe or a terminal, and scanf or the like read it, which does not "
                           "say what it took: what was read is not there any more. Record it with the input in a file "
                           "(< FILE)";
    else if (feeding->was_kept) {
        if (world & RCP_WORLD_INPUT)
            feeding->why_not = "its standard input was a pipe or socket that it may have written itself";
        else if (!feeding->is_fed)
            feeding->why_not =
                "its standard input was no file and is over, and other processes or timers took part, so "
                "that the recorded input can't be given to it either";
    }
    rcp_recording_finish(&recording);
    return code;
}
