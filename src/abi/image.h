/* SPDX-License-Identifier: Apache-2.0 */
/* The file `image` of a recorded run: where everything is, and what memory held, when recording began; further parts
 * where libraries were loaded later. A sequence of items, each 8-aligned: struct rcp_image_item, then `size` bytes.
 *
 * PART       a part begins; `a` is its number, `b` RCP_IMAGE_VERSION. Part 0 is written before anything instrumented
 *            runs.
 * OBJECT     `a` its load bias, `b` its number from 0; bytes: its path. The program is object 0.
 * MODULE     `a` its object; bytes: struct rcp_module_id, uint64_t n_symbols, n_blocks, n_tls, then n_symbols +
 * n_blocks addresses. Modules are numbered from 0 in the order in which they come. FUNCTIONS  `a` its object; bytes:
 * triples of uint64_t: address, module number, index. BYTES      `a` address; bytes: memory there. What no item covers
 * was zero, or is learnt by a MISS. LIBRARY    bytes: the path of a library that is none of the C library's kin; `a`: 0
 * where the loader asks it for functions before it asks the C library (LD_PRELOAD), else 1; part 0 has them. CONSTANT
 * from `a` up to `b`: memory of a file that can be read alone, now that the loader is through with it; part 0 has those
 * of the program and of all libraries that are there, a part of its own those of one that was loaded later. GONE
 * from `a` up to `b`: one of those is none any more; a part of its own, too. NAMED      a library of the C++ library's
 * whose functions are called by pointers; `a` its load bias; bytes: its build id, in hexadecimal digits, a space, its
 * path; part 0 has them. END        the part is whole; `a` is the sum (abi/sum.h) of all its bytes before this item.
 */
#ifndef RECIPE_ABI_IMAGE_H
#define RECIPE_ABI_IMAGE_H

#include <stdint.h>

#define RCP_IMAGE_VERSION 6

enum rcp_image_tag {
    RCP_IMAGE_PART = 1,
    RCP_IMAGE_OBJECT,
    RCP_IMAGE_MODULE,
    RCP_IMAGE_FUNCTIONS,
    RCP_IMAGE_BYTES,
    RCP_IMAGE_END,
    RCP_IMAGE_LIBRARY,
    RCP_IMAGE_CONSTANT,
    RCP_IMAGE_GONE,
    RCP_IMAGE_NAMED
};

struct rcp_image_item {
    uint64_t tag, size, a, b; /* size without the padding to 8 */
};

#endif
