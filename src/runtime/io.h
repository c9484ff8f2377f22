/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing, as the interceptors do it: for those who are asked for it by another name than the function's,
 * which a program may have defined itself.
 *
 * Invariant: as the functions of the C library; errno is the program's. Owns nothing.
 */
#ifndef RECIPE_RUNTIME_IO_H
#define RECIPE_RUNTIME_IO_H

#include <sys/types.h>
#include <sys/uio.h>

ssize_t rcp_io_read(int fd, void *buffer, size_t size);
ssize_t rcp_io_readv(int fd, const struct iovec *vector, int count);
ssize_t rcp_io_pread(int fd, void *buffer, size_t size, off_t offset);
ssize_t rcp_io_write(int fd, const void *buffer, size_t size);
ssize_t rcp_io_writev(int fd, const struct iovec *vector, int count);
int rcp_io_close(int fd);

#endif
