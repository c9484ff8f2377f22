/* SPDX-License-Identifier: Apache-2.0 */
/* A file of the recording that lists paths, a line each and each once: DIR/files (inputs.h), DIR/names (names.h). Where
 * there are more than are kept apart, a last line says "more".
 *
 * By a thread that has the baton. */
#ifndef RECIPE_RUNTIME_PATH_LIST_H
#define RECIPE_RUNTIME_PATH_LIST_H

#include <stdint.h>

enum { RCP_PATH_LIST_MOST = 1 << 12 };

typedef struct rcp_path_list {
    const char *name;                       /* of the file */
    unsigned n;                             /* lines that were written */
    uint64_t known[2 * RCP_PATH_LIST_MOST]; /* hashes of their paths, each at its place or after it; 0: none */
} rcp_path_list;

/* The path of what the descriptor leads to, where it has one. */
void rcp_path_list_add(rcp_path_list *list, int fd);

#endif
