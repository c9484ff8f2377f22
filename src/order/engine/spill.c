/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/spill.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 2 }; /* words of a section before its clock */

void rcp_spill_init(rcp_spill *spill) { *spill = (rcp_spill){.file = -1}; }

void rcp_spill_finish(rcp_spill *spill) {
    if (spill->open)
        close(spill->file);
    rcp_vec_finish(&spill->in);
    rcp_vec_finish(&spill->out);
    rcp_spill_init(spill);
}

/* Makes the file where there is none. */
static bool ready(rcp_spill *spill) {
    if (spill->open || spill->refused)
        return !spill->refused;
    const char *base = getenv("TMPDIR");
    char name[4096];
    int n = snprintf(name, sizeof name, "%s/recipe-XXXXXX", base && *base ? base : P_tmpdir);
    spill->file = n > 0 && (size_t)n < sizeof name ? mkstemp(name) : -1;
    spill->open = spill->file >= 0;
    spill->refused = !spill->open;
    if (spill->open)
        unlink(name);
    return spill->open;
}

bool rcp_spill_write(rcp_spill *spill, rcp_spill_list *list, const rcp_spilled *sections, uint32_t n) {
    if (!n || !ready(spill))
        return !n;
    rcp_spill_block block = {.offset = spill->end, .first = sections[0].acquired, .n = n};
    for (uint32_t i = 0; i < n; i++)
        block.width = sections[i].width > block.width ? sections[i].width : block.width;
    size_t words = (size_t)n * (HEAD + block.width);
    spill->out.len = 0;
    uint32_t *at = rcp_vec_extend(&spill->out, words);
    memset(at, 0, words * sizeof *at);
    for (uint32_t i = 0; i < n; i++, at += HEAD + block.width) {
        at[0] = sections[i].acquired;
        at[1] = sections[i].released;
        if (sections[i].width)
            memcpy(at + HEAD, sections[i].clock, sections[i].width * sizeof *at);
    }
    if (!rcp_file_put_at(spill->file, spill->out.at, words * sizeof *at, spill->end)) {
        spill->refused = true;
        return false;
    }
    spill->end += words * sizeof *at;
    spill->sections += n;
    rcp_vec_push(list, block);
    return true;
}

bool rcp_spill_load(rcp_spill *spill, const rcp_spill_block *block) {
    size_t words = (size_t)block->n * (HEAD + block->width), bytes = words * sizeof(uint32_t);
    spill->in.len = 0;
    char *to = (char *)rcp_vec_extend(&spill->in, words);
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(spill->file, to + done, bytes - done, (off_t)(block->offset + done));
        if (got <= 0) {
            spill->failed = true;
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

rcp_spilled rcp_spill_at(const rcp_spill *spill, const rcp_spill_block *block, uint32_t i) {
    const uint32_t *at = spill->in.at + (size_t)i * (HEAD + block->width);
    return (rcp_spilled){at[0], at[1], at + HEAD, block->width};
}

bool rcp_spill_find(rcp_spill *spill, const rcp_spill_list *list, uint32_t known, rcp_spilled *section) {
    size_t low = 0, high = list->len; /* the first block that begins past `known` */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->at[middle].first <= known)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || !rcp_spill_load(spill, &list->at[low - 1]))
        return false;
    const rcp_spill_block *block = &list->at[low - 1];
    uint32_t i = block->n;
    while (i > 1 && rcp_spill_at(spill, block, i - 1).acquired > known)
        i--;
    *section = rcp_spill_at(spill, block, i - 1);
    return true;
}
