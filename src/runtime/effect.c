/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that code outside wrote, into the log and into the shadow: both hold the same afterwards (runtime.h). */
#include "runtime/logging.h"
#include "runtime/shadow.h"

#include <string.h>

void rcp_effect(const void *address, uint64_t size) {
    const uint8_t *from = address;
    rcp_log_count_effect(size);
    while (size) {
        uint64_t piece = size < RCP_LOG_PIECE ? size : RCP_LOG_PIECE;
        /* Through the shadow: somebody outside may be writing there at this moment, and both must hold the same. */
        memcpy(rcp_shadow_of(from), from, piece);
        rcp_log_effect(from, rcp_shadow_of(from), piece);
        from += piece;
        size -= piece;
    }
}

void rcp_effect_fill(const void *address, uint64_t size, uint8_t byte) {
    if (!size)
        return;
    rcp_log_fill((uint64_t)address, size, byte);
    rcp_shadow_fill((uint64_t)address, size, byte);
}

void rcp_effect_copy(const void *to, const void *from, uint64_t size) {
    if (!size)
        return;
    rcp_log_copy((uint64_t)to, (uint64_t)from, size);
    memmove(rcp_shadow_of(to), rcp_shadow_of(from), size);
}
