/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of checksums for the files of a recorded directory that have none of their own.
 *
 * DIR/sums         config, command, run.json, inputs, stdin, pieces, modules/: by `recipe record`, once before the
 * program starts and once when it has ended DIR/events.sums  answers, moments, opaque: by whoever made DIR/events.rcp;
 * without that it means nothing The log, the image, the trace, the sharing and the results check themselves.
 *
 * A line each: the sum (abi/sum.h) in hexadecimal, the size, the name; the last line has the sum of those before, and
 * no name. A name that is there twice may be either: so a file is replaced after its list, and whoever is killed
 * between the two leaves nothing that contradicts itself.
 */
#ifndef RECIPE_PROGRAM_RECORDING_SUMS_H
#define RECIPE_PROGRAM_RECORDING_SUMS_H

#include "base/text.h"

/* A line for directory/name as it is now; nothing where there is no such file. */
rcp_code rcp_sums_add_file(rcp_text *list, const char *directory, const char *name) RCP_MUST_USE;
/* The same for every file of directory/name/, which is there. */
rcp_code rcp_sums_add_files(rcp_text *list, const char *directory, const char *name) RCP_MUST_USE;
/* The same for what it will be. */
void rcp_sums_add(rcp_text *list, const char *name, const void *bytes, size_t n);
/* Ends the list and makes it directory/name, which may be there. */
rcp_code rcp_sums_write(rcp_text *list, const char *directory, const char *name) RCP_MUST_USE;

/* Are all files of the directory's lists as they should be? RCP_BAD_INPUT names the one that is not. */
rcp_code rcp_sums_check(const char *directory) RCP_MUST_USE;

#endif
