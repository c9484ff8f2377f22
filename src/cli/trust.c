/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/trust.h"

#include "base/file.h"
#include "base/place.h"
#include "cli/command.h"
#include "cli/packed.h"
#include "record/command.h"

#include <unistd.h>

rcp_code rcp_trust_check(const char *directory, const char *says) {
    rcp_text owner = {0};
    char *mark = rcp_file_take_path(directory, RCP_PACKED_MARK);
    rcp_code code = RCP_OK;
    if (rcp_place_is_foreign(directory, &owner))
        code = rcp_fail(RCP_BAD_INPUT, "%s: belongs to %s, %s", directory, owner.at, says);
    else if (rcp_file_is_there(mark))
        code = rcp_fail(RCP_BAD_INPUT, "%s: was packed, perhaps by somebody else, %s", directory, says);
    rcp_text_finish(&owner);
    rcp_release(mark);
    return code;
}

rcp_code rcp_trust_say_command(const char *directory) {
    rcp_text text = {0};
    rcp_recorded_command command;
    rcp_code code = rcp_command_read(&command, directory);
    if (code == RCP_OK) {
        rcp_command_show(&text, &command);
        rcp_say("runs: %s", text.at);
    }
    rcp_command_finish(&command);
    rcp_text_finish(&text);
    return code;
}
