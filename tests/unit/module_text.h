/* SPDX-License-Identifier: Apache-2.0 */
/* A module written in the test as LLVM's text, through a stage of the recording pass, and back as text. */
#ifndef RECIPE_TESTS_MODULE_TEXT_H
#define RECIPE_TESTS_MODULE_TEXT_H

#include "instrument/unit.h"

#include "temporary.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AARCH64                                                                                                        \
    "target triple = \"aarch64-unknown-linux-gnu\"\n"                                                                  \
    "target datalayout = \"e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32\"\n"
#define X86_64                                                                                                         \
    "target triple = \"x86_64-unknown-linux-gnu\"\n"                                                                   \
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"

/* The caller finishes the unit and the report's notes. */
static inline void unit_of_text(rcp_pass_unit *unit, rcp_instrument_report *report, const char *target,
                                const char *text) {
    char directory[256], path[300];
    make_temporary(directory, sizeof directory);
    snprintf(path, sizeof path, "%s/module.ll", directory);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%s%s", target, text);
    fclose(file);
    *report = (rcp_instrument_report){0};
    rcp_code code = rcp_unit_init(unit, path, report);
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    ck_assert_int_eq(code, RCP_OK);
    drop_temporary(directory);
}

/* One function of the module as text; the caller frees it with LLVMDisposeMessage. */
static inline char *text_of(rcp_pass_unit *unit, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    ck_assert_msg(function, "there is no function '%s'", name);
    return LLVMPrintValueToString(function);
}

static inline unsigned occurrences(const char *text, const char *words) {
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        n++;
    return n;
}

#define ck_assert_has(text, words)   ck_assert_msg(strstr(text, words), "'%s' is not in:\n%s", words, text)
#define ck_assert_lacks(text, words) ck_assert_msg(!strstr(text, words), "'%s' is in:\n%s", words, text)

#endif
