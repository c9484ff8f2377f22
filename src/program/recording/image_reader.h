/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the image of a run (abi/image.h): which modules are where, and what memory held.
 *
 * The items of a part are handed out one by one, checked: an item lies within the file, a module's numbers fit its
 * bytes, functions come in whole triples and name a module that came before. Everything is borrowed from the mapped
 * file.
 */
#ifndef RECIPE_PROGRAM_RECORDING_IMAGE_READER_H
#define RECIPE_PROGRAM_RECORDING_IMAGE_READER_H

#include "abi/image.h"
#include "abi/module.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rcp_image_module {
    struct rcp_module_id id;
    uint64_t object;
    uint64_t n_symbols, n_blocks, n_tls;
    const uint64_t *symbols, *blocks;
} rcp_image_module;

typedef struct rcp_image_function {
    uint64_t address, module, index;
} rcp_image_function;

/* An item that was read; which fields are set depends on the tag. */
typedef struct rcp_image_entry {
    enum rcp_image_tag tag;
    uint64_t a, b, size;
    const uint8_t *bytes;
    rcp_image_module module;             /* of MODULE */
    const rcp_image_function *functions; /* of FUNCTIONS: size / 24 of them */
} rcp_image_entry;

typedef struct rcp_image_file rcp_image_file;

rcp_code rcp_image_open(const char *path, rcp_image_file **image) RCP_MUST_USE;
/* The bytes are the caller's and 8-aligned. */
rcp_code rcp_image_open_memory(const char *name, const void *bytes, size_t n, rcp_image_file **image) RCP_MUST_USE;
void rcp_image_close(rcp_image_file *image);

/* Has the first part an end? Else nothing of the program has run yet. */
bool rcp_image_is_begun(const rcp_image_file *image);
/* Is every part as it was written? `may_lack`: but for the end of the last one, if that is not the first. */
rcp_code rcp_image_check(const rcp_image_file *image, bool may_lack) RCP_MUST_USE;
/* Makes the items of part `number` the next ones. Every part up to it is as it was written. */
rcp_code rcp_image_seek(rcp_image_file *image, uint64_t number) RCP_MUST_USE;
/* The next item of the part; END when it is over. */
rcp_code rcp_image_next(rcp_image_file *image, rcp_image_entry *entry) RCP_MUST_USE;
/* Was that the last item of the file? */
bool rcp_image_is_over(const rcp_image_file *image);

#endif
