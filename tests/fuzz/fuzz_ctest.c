/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a CTestTestfile.cmake: read to their end, and a name that is found stands there. */
#include "record/ctest.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char program[] = "/b/prog", argument[] = "one";
    char *const argv[] = {program, argument, NULL};
    rcp_text file = {0}, name = {0};
    rcp_text_puts(&file, "");
    rcp_text_add(&file, (const char *)data, size);
    rcp_ctest_name(&name, file.at, argv);
    RCP_CHECK(name.len <= size && (!name.len || strstr(file.at, "add_test(")));
    rcp_text_finish(&file);
    rcp_text_finish(&name);
    return 0;
}
