/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program: its sections and the bitcode in them are found within it, or refused. */
#include "program/recording/embedded.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_elf elf;
    if (rcp_elf_open_memory("input", data, size, &elf) != RCP_OK)
        return 0;
    rcp_embedded_is_recorded(&elf);
    size_t n;
    const uint8_t *begin = rcp_elf_borrow_section(&elf, "recipe_bitcode", &n);
    for (const uint8_t *at = begin, *end = begin + (begin ? n : 0); at < end;) {
        struct rcp_bitcode head;
        const uint8_t *whole, *before = at;
        size_t bytes;
        if (rcp_embedded_next(begin, &at, end, &head, &whole, &bytes) != RCP_OK)
            break;
        if (at <= before || whole < data || whole + bytes > data + size)
            abort();
    }
    return 0;
}
