/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings of the runtime's own that come and go with what the run does: windows of the log, tables that grow. They lie
 * far from where the kernel puts the program's, which so have the same addresses in every run, however much is logged:
 * a steered run watches places by their addresses. (Where the address space is too small, anywhere.)
 */
#ifndef RECIPE_RUNTIME_OWN_H
#define RECIPE_RUNTIME_OWN_H

#include <stdint.h>

/* As mmap, readable and writable; NULL where the kernel refuses. */
void *rcp_own_map(uint64_t size, int flags, int fd, uint64_t offset);
/* Empty memory. */
void *rcp_own_memory(uint64_t size);

#endif
