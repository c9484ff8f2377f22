/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/embedded.h"

#include "base/file.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { ALIGN = 16 };

bool rcp_embedded_is_recorded(const rcp_elf *elf) {
    size_t size;
    return rcp_elf_borrow_section(elf, "recipe_modules", &size) && size >= sizeof(struct rcp_module);
}

void rcp_embedded_name(struct rcp_module_id id, char name[RCP_EMBEDDED_NAME]) {
    snprintf(name, RCP_EMBEDDED_NAME, "%016" PRIx64 "%016" PRIx64 ".bc", id.high, id.low);
}

rcp_code rcp_embedded_next(const uint8_t *begin, const uint8_t **at, const uint8_t *end, struct rcp_bitcode *head,
                           const uint8_t **whole, size_t *size) {
    size_t left = (size_t)(end - *at);
    if (left < sizeof *head)
        return rcp_fail(RCP_BAD_INPUT, "recipe_bitcode is cut off at byte %zu", (size_t)(*at - begin));
    memcpy(head, *at, sizeof *head);
    if (head->magic != RCP_BITCODE_MAGIC)
        return rcp_fail(RCP_BAD_INPUT, "recipe_bitcode is damaged at byte %zu: no module begins there",
                        (size_t)(*at - begin));
    if (head->compressed > left - sizeof *head)
        return rcp_fail(RCP_BAD_INPUT, "recipe_bitcode is damaged at byte %zu: the module is longer than the section",
                        (size_t)(*at - begin));
    *whole = *at;
    *size = sizeof *head + head->compressed;
    size_t padded = (*size + ALIGN - 1) / ALIGN * ALIGN;
    *at += padded < left ? padded : left;
    return RCP_OK;
}

static rcp_code save_section(const uint8_t *begin, const uint8_t *end, const char *modules, size_t *saved) {
    rcp_text path = {0};
    rcp_code code = RCP_OK;
    for (const uint8_t *at = begin; code == RCP_OK && at < end;) {
        struct rcp_bitcode head;
        const uint8_t *whole;
        size_t size;
        char name[RCP_EMBEDDED_NAME];
        code = rcp_embedded_next(begin, &at, end, &head, &whole, &size);
        if (code != RCP_OK)
            break;
        rcp_embedded_name(head.id, name);
        rcp_text_clear(&path);
        rcp_text_printf(&path, "%s/%s", modules, name);
        if (access(path.at, F_OK))
            code = rcp_file_replace(path.at, whole, size);
        *saved += 1;
    }
    rcp_text_finish(&path);
    return code;
}

rcp_code rcp_embedded_save(const char *path, const char *modules, size_t *saved) {
    rcp_elf elf;
    size_t size;
    *saved = 0;
    RCP_TRY(rcp_elf_open(path, &elf));
    const uint8_t *begin = rcp_elf_borrow_section(&elf, "recipe_bitcode", &size);
    rcp_code code = begin ? save_section(begin, begin + size, modules, saved) : RCP_OK;
    rcp_elf_close(&elf);
    return code == RCP_OK ? code : rcp_because(code, "%s: its bitcode can't be saved", path);
}

rcp_code rcp_embedded_notes(const char *path, rcp_embedded_noter *each, void *context) {
    rcp_elf elf;
    size_t size;
    RCP_TRY(rcp_elf_open(path, &elf));
    const char *at = (const char *)rcp_elf_borrow_section(&elf, "recipe_notes", &size);
    for (const char *end = at ? at + size : at; at < end;) {
        size_t n = strnlen(at, (size_t)(end - at));
        if (n && at + n < end) /* one that is cut off has no NUL */
            each(context, at);
        at += n + 1;
    }
    rcp_elf_close(&elf);
    return RCP_OK;
}
