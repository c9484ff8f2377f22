/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/entry.h"

#include "base/place.h"
#include "cli/command.h"
#include "program/recording/recording.h"
#include "program/recording/sums.h"

static void say_wait(const char *directory, const char *who) {
    rcp_say("%s: %s works there; waiting until it is done", directory, who);
}

rcp_code rcp_enter(const char *directory, rcp_entry entry) {
    if (entry == RCP_ENTRY_NONE)
        return RCP_OK;
    if (entry == RCP_ENTRY_WORK)
        RCP_TRY(rcp_place_lock(directory, say_wait));
    RCP_TRY(rcp_place_check(directory, rcp_recording_has_link));
    RCP_TRY(rcp_sums_check(directory));
    if (entry == RCP_ENTRY_WORK) /* what can't be executed again for damage must not pass for what can't be at all */
        RCP_TRY(rcp_recording_check(directory));
    rcp_text cut = {0};
    rcp_code code = rcp_recording_cut(directory, &cut);
    if (code == RCP_OK && cut.len)
        rcp_say("%s: %s", directory, cut.at);
    rcp_text_finish(&cut);
    return code;
}
