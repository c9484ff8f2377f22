/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/run_json.h"

#include "base/file.h"
#include "base/vec.h"

rcp_code rcp_run_json_read(const char *directory, rcp_run_json *run) {
    *run = (rcp_run_json){0};
    rcp_arena_init(&run->arena);
    RCP_TRY(rcp_file_read_if_there(directory, "run.json", &run->text));
    if (!run->text.at)
        return RCP_OK;
    char *path = rcp_file_take_path(directory, "run.json");
    rcp_code code = rcp_json_parse(path, run->text.at, run->text.len, &run->arena, &run->all);
    rcp_release(path);
    return code;
}

void rcp_run_json_finish(rcp_run_json *run) {
    rcp_arena_finish(&run->arena);
    rcp_text_finish(&run->text);
    run->all = NULL;
}
