/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/packed.h"

#include "base/file.h"
#include "base/vec.h"
#include "cli/scratch.h"
#include "program/recording/recording.h"
#include "trace/store/pack.h"

#include <string.h>

/* Below the scratch directory, one for each pack. */
static const char *scratch;
static RCP_VEC(char *) opened;

rcp_code rcp_packed_unpack(const char *pack, const char *directory) {
    static const char says[] = "This directory was unpacked: somebody else may have written the command in it.\n"
                               "'recipe replay' runs that only with --force.\n";
    RCP_TRY(rcp_pack_read(pack, directory, rcp_recording_has_link));
    char *mark = rcp_file_take_path(directory, RCP_PACKED_MARK);
    rcp_code code = rcp_file_replace(mark, says, strlen(says));
    rcp_release(mark);
    return code;
}

rcp_code rcp_packed_open(const char **path) {
    if (!rcp_pack_is(*path))
        return RCP_OK;
    if (!scratch)
        RCP_TRY(rcp_scratch_make(NULL, &scratch));
    rcp_text directory = {0};
    rcp_text_printf(&directory, "%s/%zu", scratch, opened.len + 1);
    rcp_vec_push(&opened, directory.at);
    RCP_TRY(rcp_file_make_directory(directory.at));
    RCP_TRY(rcp_packed_unpack(*path, directory.at));
    *path = directory.at;
    return RCP_OK;
}

void rcp_packed_close(void) {
    rcp_scratch_remove();
    scratch = NULL;
    for (size_t i = 0; i < opened.len; i++)
        rcp_release(opened.at[i]);
    rcp_vec_finish(&opened);
}
