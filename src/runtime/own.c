/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/own.h"

#include "runtime/sys.h"

#define OWN_AT   (UINT64_C(5) << 43)
#define OWN_PAGE UINT64_C(65536) /* the largest that Linux has on these machines */

void *rcp_own_map(uint64_t size, int flags, int fd, uint64_t offset) {
    static uint64_t next = OWN_AT;
    const uint64_t hint = __atomic_fetch_add(&next, (size + OWN_PAGE - 1) & ~(OWN_PAGE - 1), __ATOMIC_RELAXED);
    long at = rcp_sys(SYS_mmap, (long)hint, (long)size, PROT_READ | PROT_WRITE, flags, fd, (long)offset);
    return at < 0 && at > -4096 ? NULL : (void *)at;
}

void *rcp_own_memory(uint64_t size) { return rcp_own_map(size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); }
