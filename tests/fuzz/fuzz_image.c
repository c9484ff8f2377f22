/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an image: every item lies within them or is refused. */
#include "program/recording/image_reader.h"

#include "base/vec.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t touch(const rcp_image_entry *e) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < e->size; i++)
        sum += e->bytes[i];
    if (e->tag == RCP_IMAGE_MODULE) {
        for (uint64_t i = 0; i < e->module.n_symbols; i++)
            sum += e->module.symbols[i];
        for (uint64_t i = 0; i < e->module.n_blocks; i++)
            sum += e->module.blocks[i];
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint64_t *aligned = rcp_alloc(size + 8); /* as a mapped file is */
    if (size)
        memcpy(aligned, data, size);
    rcp_image_file *image;
    volatile uint64_t sum = 0;
    if (rcp_image_open_memory("input", aligned, size, &image) == RCP_OK) {
        for (uint64_t part = 0; part < 3; part++) {
            rcp_image_entry entry = {.tag = RCP_IMAGE_PART};
            if (rcp_image_seek(image, part) != RCP_OK)
                break;
            while (entry.tag != RCP_IMAGE_END && rcp_image_next(image, &entry) == RCP_OK)
                sum += touch(&entry);
        }
        rcp_image_close(image);
    }
    rcp_release(aligned);
    return 0;
}
