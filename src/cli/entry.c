/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/entry.h"

#include "base/file.h"
#include "base/place.h"
#include "cli/command.h"
#include "program/recording/recording.h"
#include "program/recording/sums.h"
#include "replay/stage.h"
#include "trace/store/pack.h"

#include <unistd.h>

static void say_wait(const char *directory, const char *who) {
    rcp_say("%s: %s works there; waiting until it is done", directory, who);
}

static rcp_code check(const char *directory, rcp_entry entry) {
    RCP_TRY(rcp_place_check(directory, rcp_recording_has_link));
    RCP_TRY(rcp_sums_check(directory));
    if (entry == RCP_ENTRY_WORK) /* and it leads nowhere else, as was seen */
        rcp_stage_remove_left(directory);
    /* what can't be executed again for damage must not pass for what can't be at all */
    return entry == RCP_ENTRY_WORK ? rcp_recording_check(directory) : RCP_OK;
}

/* Other processes of the run have directories of their own in there. One that has no sums could not be recorded: who
 * reports says so. */
static rcp_code check_processes(const char *directory, rcp_entry entry) {
    rcp_text path = {0};
    rcp_code code = RCP_OK;
    for (unsigned n = 1; code == RCP_OK; n++) {
        rcp_text_clear(&path);
        rcp_text_printf(&path, "%s/process.%u", directory, n);
        if (!rcp_file_is_there(path.at))
            break;
        char *sums = rcp_file_take_path(path.at, "sums");
        code = check(path.at, rcp_file_is_there(sums) ? entry : RCP_ENTRY_READ);
        rcp_release(sums);
    }
    rcp_text_finish(&path);
    return code;
}

rcp_code rcp_enter(const char *directory, rcp_entry entry) {
    if (entry == RCP_ENTRY_NONE)
        return RCP_OK;
    if (rcp_pack_is(directory))
        return rcp_fail(RCP_BAD_INPUT, "%s: is a pack, and this works in a directory: 'recipe unpack %s' makes one",
                        directory, directory);
    if (entry == RCP_ENTRY_WORK)
        RCP_TRY(rcp_place_lock(directory, say_wait));
    RCP_TRY(check(directory, entry));
    RCP_TRY(check_processes(directory, entry));
    rcp_text cut = {0};
    rcp_code code = rcp_recording_cut(directory, &cut);
    if (code == RCP_OK && cut.len)
        rcp_say("%s: %s", directory, cut.at);
    rcp_text_finish(&cut);
    return code;
}
