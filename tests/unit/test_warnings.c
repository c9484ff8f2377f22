/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/warnings.h"
#include "base/text.h"
#include "suite.h"

#include <string.h>

static void read_corpus(const char *name, rcp_warnings *warnings) {
    const char *root = getenv("RECIPE_SOURCE_DIR");
    char path[4096];
    rcp_text text = {0};
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/fuzz_warnings/%s", root ? root : ".", name);
    if (rcp_text_read_file(&text, path) != RCP_OK || rcp_warnings_parse(name, text.at, text.len, warnings) != RCP_OK)
        ck_abort_msg("%s", rcp_borrow_cause(0));
    rcp_text_finish(&text);
}

static void expect(const rcp_warnings *warnings, size_t i, const char *file0, unsigned line0, const char *file1,
                   unsigned line1) {
    ck_assert_uint_lt(i, warnings->at.len);
    const rcp_warning *w = &warnings->at.at[i];
    ck_assert_str_eq(w->place[0].file, file0);
    ck_assert_uint_eq(w->place[0].line, line0);
    ck_assert_str_eq(w->place[1].file, file1);
    ck_assert_uint_eq(w->place[1].line, line1);
}

START_TEST(three_forms) {
    rcp_warnings pairs, tsan, helgrind;
    rcp_warnings_init(&pairs);
    rcp_warnings_init(&tsan);
    rcp_warnings_init(&helgrind);
    read_corpus("pairs", &pairs);
    ck_assert_uint_eq(pairs.at.len, 2);
    expect(&pairs, 0, "a.c", 12, "src/b.c", 7);
    expect(&pairs, 1, "a.c", 12, "/home/me/b.c", 7);
    read_corpus("tsan", &tsan);
    ck_assert_uint_eq(tsan.at.len, 1);
    expect(&tsan, 0, "/src/my file.c", 17, "dir/a.c", 9);
    read_corpus("helgrind", &helgrind);
    ck_assert_uint_eq(helgrind.at.len, 1);
    expect(&helgrind, 0, "a.c", 13, "src/b.c", 6);
    ck_assert_uint_eq(helgrind.reports, 2);
    ck_assert_uint_eq(helgrind.incomplete, 1);
    rcp_warnings_finish(&pairs);
    rcp_warnings_finish(&tsan);
    rcp_warnings_finish(&helgrind);
}
END_TEST

START_TEST(again_is_one) {
    rcp_warnings w;
    rcp_warnings_init(&w);
    const char *text = "a.c:1 b.c:2\nb.c:2 a.c:1\na.c:1 b.c:3\n";
    ck_assert_int_eq(rcp_warnings_parse("w", text, strlen(text), &w), RCP_OK);
    ck_assert_uint_eq(w.at.len, 2);
    ck_assert_uint_eq(w.at.at[1].line, 3);
    rcp_warnings_finish(&w);
}
END_TEST

START_TEST(refused) {
    const char *const texts[] = {"",           "# nothing\n", "a.c:1\n", "a.c:1 b.c\n", "a.c:1 b.c:0\n",
                                 "a.c:1 :2\n", "one two\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rcp_warnings w;
        rcp_warnings_init(&w);
        ck_assert_msg(rcp_warnings_parse("w", texts[i], strlen(texts[i]), &w) == RCP_BAD_INPUT, "taken: %s", texts[i]);
        rcp_warnings_finish(&w);
    }
}
END_TEST

START_TEST(ends_of_paths) {
    rcp_defs defs;
    rcp_defs_init(&defs);
    rcp_str file = rcp_defs_string(&defs, "src/a.c", 7);
    rcp_loc loc = rcp_defs_location(&defs, (rcp_location){.file = file, .line = 12, .column = 3});
    const struct {
        const char *file;
        unsigned line;
        bool is;
    } places[] = {{"a.c", 12, true},
                  {"src/a.c", 12, true},
                  {"/home/me/src/a.c", 12, true},
                  {"a.c", 13, false},
                  {"/home/xsrc/a.c", 12, false},
                  {"ba.c", 12, false},
                  {"./src/a.c", 12, true},
                  {".c", 12, false}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        rcp_warned_place place = {places[i].file, places[i].line};
        ck_assert_msg(rcp_warned_place_is(&defs, loc, &place) == places[i].is, "%s:%u", place.file, place.line);
    }
    rcp_defs_finish(&defs);
}
END_TEST

int main(void) { return rcp_suite_run("warnings", three_forms, again_is_one, refused, ends_of_paths, NULL); }
