/* SPDX-License-Identifier: Apache-2.0 */
/* Which of CTest's tests a process is. CTest does not tell its processes: they are known by the directory that CMake
 * has them work in, whose CTestTestfile.cmake has the command of each test.
 */
#ifndef RECIPE_RECORD_CTEST_H
#define RECIPE_RECORD_CTEST_H

#include "base/text.h"

#include <stdbool.h>

/* Was a process with this environment (which ends with NULL) started by CTest? */
bool rcp_ctest_is_there(char *const *environment);
/* The name of the one test of `file`, a CTestTestfile.cmake, whose command is argv (which ends with NULL); nothing
 * where there is none, or several are. */
void rcp_ctest_name(rcp_text *to, const char *file, char *const *argv);
/* The same of the file in a directory, where there is one. */
void rcp_ctest_name_in(rcp_text *to, const char *directory, char *const *argv);

#endif
