/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/exports.h"

#include "suite.h"

#include <dlfcn.h>
#include <stdlib.h>

/* A library that is loaded here: where, and its build. */
static uint64_t find(const void *function, rcp_text *text) {
    Dl_info in;
    rcp_elf elf;
    ck_assert(dladdr(function, &in) != 0);
    ck_assert_int_eq(rcp_elf_open(in.dli_fname, &elf), RCP_OK);
    rcp_elf_print_build(&elf, text);
    rcp_elf_close(&elf);
    rcp_text_printf(text, " %s", in.dli_fname);
    return (uint64_t)in.dli_fbase;
}

static uint64_t address_of(const char *name) { return (uint64_t)dlsym(RTLD_DEFAULT, name); }

START_TEST(by_address) {
    rcp_exports exports;
    rcp_text text = {0};
    uint64_t bias = find((const void *)address_of("qsort"), &text), qsort_at = address_of("qsort");
    rcp_exports_init(&exports);
    rcp_exports_read(&exports, text.at, bias);
    const rcp_exported *found = rcp_exports_at(&exports, qsort_at);
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found->name, "qsort");
    ck_assert_ptr_eq(found->called.row, rcp_outside_find("qsort"));
    ck_assert(rcp_exports_has_code(&exports, qsort_at) && rcp_exports_has_code(&exports, qsort_at + 1));
    ck_assert_ptr_null(rcp_exports_at(&exports, qsort_at + 1));
    ck_assert_ptr_null(rcp_exports_at(&exports, (uint64_t)by_address));
    ck_assert(!rcp_exports_has_code(&exports, (uint64_t)by_address));
    rcp_exports_finish(&exports);
    rcp_text_finish(&text);
}
END_TEST

/* Another build has other functions there. */
START_TEST(another_build) {
    rcp_exports exports;
    rcp_text text = {0};
    uint64_t bias = find((const void *)address_of("qsort"), &text);
    rcp_exports_init(&exports);
    text.at[0] = text.at[0] == '0' ? '1' : '0';
    rcp_exports_read(&exports, text.at, bias);
    rcp_exports_read(&exports, "00 /nowhere", bias);
    rcp_exports_read(&exports, "no path", bias);
    ck_assert_ptr_null(rcp_exports_at(&exports, address_of("qsort")));
    ck_assert(!rcp_exports_has_code(&exports, address_of("qsort")));
    rcp_exports_finish(&exports);
    rcp_text_finish(&text);
}
END_TEST

int main(void) { return rcp_suite_run("exports", by_address, another_build, NULL); }
