/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include "base/file.h"
#include "base/vec.h"
#include "cli/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rcp_code refused(const char *path, int error) {
    return rcp_fail(RCP_SYSTEM, "%s: can't be written: %s", path, strerror(error));
}

const char rcp_output_to_stderr[] = "standard error";

rcp_code rcp_output_open(rcp_output *output, const char *path) {
    *output = (rcp_output){.path = path};
    if (path == rcp_output_to_stderr) {
        output->to = stderr;
        return RCP_OK;
    }
    if (!path || !strcmp(path, "-")) {
        output->path = "standard output";
        output->to = stdout;
        return RCP_OK;
    }
    struct stat is;
    bool exists = stat(path, &is) == 0;
    if (!exists && errno != ENOENT)
        return refused(path, errno);
    if (exists && S_ISDIR(is.st_mode))
        return refused(path, EISDIR);
    if (exists && !S_ISREG(is.st_mode)) {
        output->to = fopen(path, "w");
        return output->to ? RCP_OK : refused(path, errno);
    }
    if (exists && access(path, W_OK)) /* rename would replace it all the same */
        return refused(path, errno);
    output->target = exists ? realpath(path, NULL) : strdup(path); /* a link goes on pointing to what it pointed to */
    if (!output->target)
        return refused(path, errno);
    rcp_text name = {0};
    rcp_text_printf(&name, "%s.XXXXXX", output->target);
    int file = rcp_temporary_file(name.at);
    if (file < 0) {
        int error = errno;
        rcp_text_finish(&name);
        free(output->target);
        return refused(path, error);
    }
    output->temporary = name.at;
    if (fchmod(file, exists ? is.st_mode & 0777 : rcp_file_default_mode()) || !(output->to = fdopen(file, "w"))) {
        int error = errno;
        close(file);
        unlink(output->temporary);
        rcp_temporary_forget();
        rcp_release(output->temporary);
        free(output->target);
        return refused(path, error);
    }
    return RCP_OK;
}

static void note(rcp_output *output, int error) {
    if (error == EPIPE || (error == EBADF && output->to == stderr)) /* closed: nobody wanted to read it */
        output->closed = true;
    else if (!output->error)
        output->error = error ? error : EIO;
}

bool rcp_output_put(rcp_output *output, rcp_text *text) {
    if (!output->closed && !output->error && text->len && fwrite(text->at, 1, text->len, output->to) != text->len)
        note(output, errno);
    rcp_text_clear(text);
    return !output->closed && !output->error;
}

rcp_code rcp_output_close(rcp_output *output, bool keep) {
    if (!output->closed && fflush(output->to))
        note(output, errno);
    if (output->temporary && keep && !output->error && fsync(fileno(output->to)))
        note(output, errno);
    if (output->to != stdout && output->to != stderr && fclose(output->to) && !output->closed)
        note(output, errno);
    if (output->temporary) {
        keep = keep && !output->error;
        if (keep && rename(output->temporary, output->target)) {
            note(output, errno);
            keep = false;
        }
        if (!keep)
            unlink(output->temporary);
        rcp_temporary_forget();
        rcp_release(output->temporary);
        free(output->target);
    }
    return output->error ? refused(output->path, output->error) : RCP_OK;
}

/* A pipe is not opened before its time: whoever reads it would see its end. */
rcp_code rcp_output_try(const char *path) {
    rcp_output output;
    struct stat is;
    if (path && path != rcp_output_to_stderr && stat(path, &is) == 0 && !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode))
        return access(path, W_OK) ? refused(path, errno) : RCP_OK;
    RCP_TRY(rcp_output_open(&output, path));
    return rcp_output_close(&output, false);
}

rcp_code rcp_output_all(const char *path, rcp_text *text) {
    rcp_output output;
    RCP_TRY(rcp_output_open(&output, path));
    rcp_output_put(&output, text);
    return rcp_output_close(&output, true);
}
