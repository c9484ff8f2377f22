/* SPDX-License-Identifier: Apache-2.0 */
/* The source around the places that a report names, for whoever reads it where the source is not.
 *
 * A file is looked for by the name that the compiler wrote into the program, as it is now. The names of a trace are
 * what somebody else may have made up, and the excerpt may be shown to others: only what by its name is source of C or
 * C++, and is a plain file, is opened.
 *
 * A directory that was packed elsewhere (trace/store/pack.h) has the lines that its report shows with it, below
 * RCP_EXCERPTS_KEPT, a file each by the hash of its name; they are as old as the files were. Then these are looked at
 * and no others.
 *
 * Invariant: none. Names of files are borrowed, and must outlive the excerpts.
 */
#ifndef RECIPE_REPORT_EXCERPTS_H
#define RECIPE_REPORT_EXCERPTS_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_excerpt {
    const char *file;
    uint32_t line;
} rcp_excerpt;

typedef RCP_VEC(rcp_excerpt) rcp_excerpts;

/* A line that is to be seen, with what is around it. Nothing where either is not known. */
void rcp_excerpts_want(rcp_excerpts *excerpts, const char *file, uint32_t line);
/* A JSON list: an object per file that is there, `file` and `parts`; of a part `from`, its first line, and `lines`. */
void rcp_excerpts_print(rcp_text *to, rcp_excerpts *excerpts);

#define RCP_EXCERPTS_KEPT "sources"
/* From now on sources are those that the directory has with it, where it has any. NULL: as it was. */
void rcp_excerpts_look_in(const char *directory);
/* The same lines as members of an archive (base/ustar.h) below `root`: of each file that is there its lines up to the
 * last one that is shown, of which the others are empty. How many files that is. */
size_t rcp_excerpts_keep(rcp_text *to, rcp_excerpts *excerpts, const char *root);

/* The one line, as it is; false: it is not there, or the file has changed after `recorded` (seconds since 1970), so
 * that it may be another line by now. */
bool rcp_excerpts_line(rcp_text *to, const char *file, uint32_t line, int64_t recorded);

#endif
