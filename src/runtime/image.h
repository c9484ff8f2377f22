/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the file `image` (abi/image.h): the program and every library that has instrumented modules, with what their
 * memory holds; the shadow takes the same over. Unrecorded processes get the shadow alone.
 */
#ifndef RECIPE_RUNTIME_IMAGE_H
#define RECIPE_RUNTIME_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Part 0: the program itself. `path` NULL: nothing is written. */
void rcp_image_start(const char *path);
/* In the child of a fork: further parts go to a copy of the file. */
void rcp_image_part_ways(const char *from, const char *to);
/* Where the calling thread has its thread-local variables, in the order of the program's modules; how many. By the
 * holder of the baton; borrowed until the next call. */
uint64_t rcp_image_thread_locals(void *const **addresses);

/* Is it where a recorded function begins, of those that somebody may have the address of? */
bool rcp_image_is_recorded(const void *function);
/* Does recorded code of the program itself know the variable by its name? */
bool rcp_image_names(const void *variable);
/* Is there memory of the program's or a library's file among it that was to be read alone, when the program began? */
bool rcp_image_is_constant(uint64_t from, uint64_t to);
/* A part that says of such memory of another library that it is there, or gone. By the holder of the baton, inside. */
struct rcp_mapped_region;
void rcp_image_tell_constants(const struct rcp_mapped_region *regions, unsigned n, bool are_gone);

#endif
