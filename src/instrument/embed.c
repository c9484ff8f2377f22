/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/embed.h"

#include "base/file.h"
#include "base/vec.h"

#include <errno.h>
#include <llvm-c/BitWriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

/* Bitcode is compressed once per build and read once per analysis. */
enum { COMPRESSION = 3 };

static rcp_code write_file(const char *path, const struct rcp_bitcode *head, const void *frame) {
    static const char padding[16];
    rcp_text bytes = {0};
    rcp_text_add(&bytes, (const char *)head, sizeof *head);
    rcp_text_add(&bytes, frame, head->compressed);
    rcp_text_add(&bytes, padding, -bytes.len & 15);
    rcp_code code = rcp_file_replace(path, bytes.at, bytes.len);
    rcp_text_finish(&bytes);
    return code;
}

/* As the assembler's strings have it: whatever a file's name holds. */
static void quote(rcp_text *to, const char *at, size_t n) {
    rcp_text_puts(to, "\"");
    for (size_t i = 0; i < n; i++)
        if (at[i] == '"' || at[i] == '\\' || (unsigned char)at[i] < ' ' || at[i] == 0x7f)
            rcp_text_printf(to, "\\%03o", (unsigned char)at[i]);
        else
            rcp_text_add(to, at + i, 1);
    rcp_text_puts(to, "\"");
}

/* The flags M and S: the linker keeps one of equal strings (a header's functions are noted by all who include it). */
void rcp_embed_notes(rcp_pass_unit *unit) {
    rcp_text text = {0};
    const char *line = unit->report->notes.at;
    if (!line || !*line)
        return;
    rcp_text_puts(&text, ".pushsection recipe_notes,\"aMSR\",@progbits,1\n");
    for (size_t n; *line; line += n + (line[n] == '\n')) {
        n = strcspn(line, "\n");
        rcp_text_puts(&text, ".asciz ");
        quote(&text, line, n);
        rcp_text_puts(&text, "\n");
    }
    rcp_text_puts(&text, ".popsection\n");
    LLVMAppendModuleInlineAsm(unit->module, text.at, text.len);
    rcp_text_finish(&text);
}

/* The flag R (retain): --gc-sections finds no reference to the section. */
static void include_file(rcp_pass_unit *unit, const char *path) {
    rcp_text text = {0};
    rcp_text_puts(&text, ".pushsection recipe_bitcode,\"aR\",@progbits\n.balign 16\n.incbin \"");
    for (const char *c = path; *c; c++)
        rcp_text_printf(&text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    rcp_text_puts(&text, "\"\n.popsection\n");
    LLVMAppendModuleInlineAsm(unit->module, text.at, text.len);
    rcp_text_finish(&text);
}

static rcp_code embed_buffer(rcp_pass_unit *unit, const char *scratch, const void *bytes, size_t size,
                             struct rcp_module_id *id) {
    XXH128_hash_t hash = XXH3_128bits(bytes, size);
    *id = (struct rcp_module_id){hash.low64, hash.high64};
    size_t room = ZSTD_compressBound(size);
    void *frame = malloc(room);
    RCP_CHECK(frame);
    size_t compressed = ZSTD_compress(frame, room, bytes, size, COMPRESSION);
    RCP_CHECK(!ZSTD_isError(compressed));
    struct rcp_bitcode head = {.magic = RCP_BITCODE_MAGIC, .id = *id, .size = size, .compressed = compressed};
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/%016llx%016llx.bitcode", scratch, (unsigned long long)id->high,
                    (unsigned long long)id->low);
    rcp_code code = write_file(path.at, &head, frame);
    if (code == RCP_OK)
        include_file(unit, path.at);
    unit->report->bitcode = compressed;
    free(frame);
    rcp_text_finish(&path);
    return code;
}

rcp_code rcp_embed_bitcode(rcp_pass_unit *unit, const char *scratch, rcp_embedding *embedding) {
    *embedding = (rcp_embedding){0};
    rcp_symbols_init(&embedding->symbols, unit->module);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(unit->module);
    rcp_code code = embed_buffer(unit, scratch, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), &embedding->id);
    LLVMDisposeMemoryBuffer(buffer);
    if (unit->shared) {
        embedding->late = LLVMAddGlobal(unit->module, unit->i8, "recipe_late");
        LLVMSetLinkage(embedding->late, LLVMInternalLinkage);
        LLVMSetInitializer(embedding->late, LLVMConstNull(unit->i8));
    }
    return code;
}

void rcp_embedding_finish(rcp_embedding *embedding) { rcp_symbols_finish(&embedding->symbols); }
