/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/image_reader.h"

#include "abi/sum.h"
#include "base/vec.h"
#include "program/recording/mapped.h"

#include <string.h>

struct rcp_image_file {
    char *name;
    const uint8_t *file;
    size_t size, at;
    rcp_mapped mapped; /* empty: the bytes are the caller's */
    uint64_t modules;  /* of the parts before `at`, and so far in this one */
};

rcp_code rcp_image_open_memory(const char *name, const void *bytes, size_t n, rcp_image_file **image) {
    if (n < sizeof(struct rcp_image_item))
        return rcp_fail(RCP_BAD_INPUT, "%s: no image of a recorded run: it has %zu bytes", name, n);
    rcp_image_file *i = rcp_alloc_zero(1, sizeof *i);
    i->name = rcp_alloc(strlen(name) + 1);
    strcpy(i->name, name);
    i->file = bytes;
    i->size = n;
    *image = i;
    return RCP_OK;
}

rcp_code rcp_image_open(const char *path, rcp_image_file **image) {
    rcp_mapped file;
    RCP_TRY(rcp_mapped_open(path, &file));
    rcp_code code = rcp_image_open_memory(path, file.at, file.size, image);
    if (code == RCP_OK)
        (*image)->mapped = file;
    else
        rcp_mapped_close(&file);
    return code;
}

void rcp_image_close(rcp_image_file *image) {
    if (!image)
        return;
    rcp_mapped_close(&image->mapped);
    rcp_release(image->name);
    rcp_release(image);
}

static rcp_code damaged(const rcp_image_file *image, size_t at, const char *what) {
    return rcp_fail(RCP_BAD_INPUT, "%s: damaged at byte %zu: %s", image->name, at, what);
}

/* The item at `at`; `next` takes where the following one begins. */
static rcp_code read_item(const rcp_image_file *image, size_t at, struct rcp_image_item *item, size_t *next) {
    if (image->size - at < sizeof *item)
        return damaged(image, at, "an item is cut off");
    memcpy(item, image->file + at, sizeof *item);
    size_t room = image->size - at - sizeof *item;
    if (item->size > room)
        return damaged(image, at, "an item is longer than the file");
    size_t padded = (size_t)((item->size + 7) & ~UINT64_C(7));
    *next = at + sizeof *item + (padded > room ? room : padded);
    return RCP_OK;
}

static bool same_sum(uint64_t a, uint64_t b) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* a fuzzer can't guess it */
    (void)a, (void)b;
    return true;
#else
    return a == b;
#endif
}

/* The part that begins at *at is as it was written; *at moves behind it. A library may have been being loaded when the
 * program was killed: then the last part has no end. */
static rcp_code check_part(const rcp_image_file *image, size_t *at, uint64_t *number, uint64_t *modules) {
    struct rcp_image_item item;
    size_t begin = *at, next;
    RCP_TRY(read_item(image, begin, &item, &next));
    if (item.tag != RCP_IMAGE_PART)
        return damaged(image, begin, "no part begins there");
    if (item.b != RCP_IMAGE_VERSION)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: damaged, or written by another version of recipe (image %llu; this one reads %d): record "
                        "the program again",
                        image->name, (unsigned long long)item.b, RCP_IMAGE_VERSION);
    *number = item.a;
    *modules = 0;
    do {
        *at = next;
        RCP_TRY(read_item(image, *at, &item, &next));
        *modules += item.tag == RCP_IMAGE_MODULE;
    } while (item.tag != RCP_IMAGE_END);
    if (!same_sum(item.a, rcp_sum(image->file + begin, *at - begin)))
        return damaged(image, begin, "the checksum of the part that begins there does not match");
    *at = next;
    return RCP_OK;
}

/* Does the item that begins at `at` go beyond the end, or one behind it? */
static bool is_cut_off(const rcp_image_file *image, size_t at) {
    struct rcp_image_item item = {0};
    while (at < image->size && item.tag != RCP_IMAGE_END)
        if (read_item(image, at, &item, &at) != RCP_OK) {
            rcp_clear_causes();
            return true;
        }
    return item.tag != RCP_IMAGE_END;
}

bool rcp_image_is_begun(const rcp_image_file *image) { return !is_cut_off(image, 0); }

rcp_code rcp_image_check(const rcp_image_file *image, bool may_lack) {
    for (size_t at = 0; at < image->size;) {
        uint64_t number, modules;
        if (may_lack && at && is_cut_off(image, at))
            return RCP_OK;
        RCP_TRY(check_part(image, &at, &number, &modules));
    }
    return RCP_OK;
}

rcp_code rcp_image_seek(rcp_image_file *image, uint64_t number) {
    image->modules = 0;
    for (size_t at = 0; at < image->size;) {
        uint64_t found = 0, modules = 0;
        size_t begin = at;
        RCP_TRY(check_part(image, &at, &found, &modules));
        if (found == number) {
            image->at = begin + sizeof(struct rcp_image_item);
            return RCP_OK;
        }
        image->modules += modules;
    }
    return rcp_fail(RCP_BAD_INPUT, "%s: has no part %llu, though the log names it", image->name,
                    (unsigned long long)number);
}

static rcp_code read_module(const rcp_image_file *image, size_t at, rcp_image_entry *entry) {
    enum { HEAD = sizeof(struct rcp_module_id) + 3 * sizeof(uint64_t) };
    rcp_image_module *m = &entry->module;
    if (entry->size < HEAD)
        return damaged(image, at, "a module without its numbers");
    memcpy(&m->id, entry->bytes, sizeof m->id);
    memcpy(&m->n_symbols, entry->bytes + sizeof m->id, sizeof m->n_symbols);
    memcpy(&m->n_blocks, entry->bytes + sizeof m->id + 8, sizeof m->n_blocks);
    memcpy(&m->n_tls, entry->bytes + sizeof m->id + 16, sizeof m->n_tls);
    uint64_t words = (entry->size - HEAD) / sizeof(uint64_t);
    if (m->n_symbols > words || m->n_blocks > words - m->n_symbols || m->n_tls > UINT32_MAX)
        return damaged(image, at, "a module with more symbols than addresses");
    m->object = entry->a;
    m->symbols = (const uint64_t *)(const void *)(entry->bytes + HEAD);
    m->blocks = m->symbols + m->n_symbols;
    return RCP_OK;
}

static rcp_code read_functions(const rcp_image_file *image, size_t at, rcp_image_entry *entry) {
    entry->functions = (const rcp_image_function *)(const void *)entry->bytes;
    if (entry->size % sizeof *entry->functions)
        return damaged(image, at, "functions that are no triples");
    for (size_t i = 0; i < entry->size / sizeof *entry->functions; i++)
        if (entry->functions[i].module >= image->modules)
            return damaged(image, at, "a function of a module that is not there");
    return RCP_OK;
}

rcp_code rcp_image_next(rcp_image_file *image, rcp_image_entry *entry) {
    struct rcp_image_item item;
    size_t at = image->at, next;
    RCP_TRY(read_item(image, at, &item, &next));
    *entry = (rcp_image_entry){.tag = (enum rcp_image_tag)item.tag,
                               .a = item.a,
                               .b = item.b,
                               .size = item.size,
                               .bytes = image->file + at + sizeof item};
    image->at = next;
    switch (item.tag) {
    case RCP_IMAGE_OBJECT:
    case RCP_IMAGE_LIBRARY:
    case RCP_IMAGE_NAMED:
    case RCP_IMAGE_BYTES:
    case RCP_IMAGE_END: return RCP_OK;
    case RCP_IMAGE_MODULE: image->modules++; return read_module(image, at, entry);
    case RCP_IMAGE_CONSTANT:
    case RCP_IMAGE_GONE: return item.a < item.b ? RCP_OK : damaged(image, at, "constants that end before they begin");
    case RCP_IMAGE_FUNCTIONS: return read_functions(image, at, entry);
    case RCP_IMAGE_PART: return damaged(image, at, "a part within a part");
    default: return damaged(image, at, "an item of no known kind");
    }
}

bool rcp_image_is_over(const rcp_image_file *image) { return image->at == image->size; }
