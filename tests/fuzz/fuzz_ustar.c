/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as members of an archive: refused, or put again and read as the same; where the format has more than one
 * way to write a name, ours may have no room. */
#include "base/ustar.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (; size >= RCP_USTAR_BLOCK; data += RCP_USTAR_BLOCK, size -= RCP_USTAR_BLOCK) {
        rcp_ustar_member member, again;
        rcp_text block = {0};
        bool ends;
        if (!rcp_ustar_read(data, &member, &ends) || ends)
            continue;
        RCP_CHECK(strlen(member.name) < sizeof member.name && strlen(member.target) < sizeof member.target);
        RCP_CHECK(rcp_ustar_room(&member) >= RCP_USTAR_BLOCK + member.size);
        if (rcp_ustar_put(&block, &member)) {
            RCP_CHECK(rcp_ustar_read((const uint8_t *)block.at, &again, &ends) && !ends);
            RCP_CHECK(again.kind == member.kind && again.size == member.size && again.time == member.time);
            RCP_CHECK(!strcmp(again.target, member.target));
            RCP_CHECK(member.kind == RCP_USTAR_DIRECTORY || !strcmp(again.name, member.name));
        }
        rcp_text_finish(&block);
    }
    return 0;
}
