/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

rcp_code rcp_mapped_open(const char *path, rcp_mapped *file) {
    *file = (rcp_mapped){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat stat;
    if (fd < 0 || fstat(fd, &stat)) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        return rcp_fail(rcp_code_of_errno(error), "%s: %s", path, strerror(error));
    }
    size_t size = (size_t)stat.st_size;
    void *at = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    int error = errno;
    close(fd);
    if (at == MAP_FAILED)
        return rcp_fail(error == ENODEV || error == EACCES ? RCP_BAD_INPUT : RCP_SYSTEM, "%s: can't be mapped: %s",
                        path, strerror(error));
    *file = (rcp_mapped){at, size};
    return RCP_OK;
}

void rcp_mapped_close(rcp_mapped *file) {
    if (file->at)
        munmap((void *)(uintptr_t)file->at, file->size);
    *file = (rcp_mapped){0};
}
