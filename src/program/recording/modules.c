/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/modules.h"

#include "base/text.h"
#include "base/vec.h"
#include "program/recording/mapped.h"

#include <inttypes.h>
#include <llvm-c/BitReader.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

void rcp_module_name(struct rcp_module_id id, char name[RCP_MODULE_NAME]) {
    snprintf(name, RCP_MODULE_NAME, "%016" PRIx64 "%016" PRIx64, id.high, id.low);
}

/* What bitcode can be at most: beyond it a size is damage. */
#define SIZE_MAX_OF_MODULE (UINT64_C(1) << 32)

static rcp_code unpack(const char *path, const rcp_mapped *file, struct rcp_module_id id, char **bytes, size_t *size) {
    struct rcp_bitcode head;
    if (file->size < sizeof head)
        return rcp_fail(RCP_BAD_INPUT, "%s: no bitcode of a module: it has %zu bytes", path, file->size);
    memcpy(&head, file->at, sizeof head);
    if (head.magic != RCP_BITCODE_MAGIC || head.compressed > file->size - sizeof head || head.size > SIZE_MAX_OF_MODULE)
        return rcp_fail(RCP_BAD_INPUT, "%s: no bitcode of a module, or a damaged one", path);
    *size = (size_t)head.size;
    *bytes = rcp_alloc(*size ? *size : 1);
    size_t got = ZSTD_decompress(*bytes, *size, file->at + sizeof head, (size_t)head.compressed);
    XXH128_hash_t hash = XXH3_128bits(*bytes, ZSTD_isError(got) ? 0 : got);
    if (ZSTD_isError(got) || got != *size || hash.low64 != id.low || hash.high64 != id.high) {
        rcp_release(*bytes);
        return rcp_fail(RCP_BAD_INPUT, "%s: damaged: its bitcode is not the one of that name", path);
    }
    return RCP_OK;
}

/* LLVM would print errors and exit; causes are ours to say. */
static void swallow(LLVMDiagnosticInfoRef info, void *context) { (void)info, (void)context; }

static rcp_code parse(const char *path, char *bytes, size_t size, LLVMContextRef context, LLVMModuleRef *module) {
    LLVMContextSetDiagnosticHandler(context, swallow, NULL);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, "module");
    LLVMBool failed = LLVMParseBitcodeInContext2(context, buffer, module);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed)
        return rcp_fail(RCP_BAD_INPUT, "%s: LLVM can't read its bitcode; is it from another version?", path);
    return RCP_OK;
}

rcp_code rcp_module_load(const char *dir, struct rcp_module_id id, LLVMContextRef context, LLVMModuleRef *module) {
    char name[RCP_MODULE_NAME];
    rcp_module_name(id, name);
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/modules/%s.bc", dir, name);
    rcp_mapped file;
    rcp_code code = rcp_mapped_open(path.at, &file);
    if (code == RCP_OK) {
        char *bytes = NULL;
        size_t size = 0;
        code = unpack(path.at, &file, id, &bytes, &size);
        if (code == RCP_OK) {
            code = parse(path.at, bytes, size, context, module);
            rcp_release(bytes);
        }
        rcp_mapped_close(&file);
    }
    rcp_text_finish(&path);
    return code;
}
