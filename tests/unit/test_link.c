/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/link.h"

#include "instrument/compile.h"
#include "suite.h"

#include <string.h>

/* One line of words, blanks between them. */
static char storage[4096];
static rcp_words split(const char *line) {
    rcp_words words = {0};
    snprintf(storage, sizeof storage, "%s", line);
    for (char *word = strtok(storage, " "); word; word = strtok(NULL, " "))
        rcp_words_add(&words, word);
    return words;
}

static void expect(rcp_words *words, const char *line) {
    rcp_text text = {0};
    for (size_t i = 0; i < words->len; i++)
        rcp_text_printf(&text, "%s%s", i ? " " : "", words->at[i]);
    ck_assert_str_eq(text.at, line);
    rcp_text_finish(&text);
    rcp_vec_finish(words);
}

#define EXPORTS                                                                                                        \
    "--export-dynamic-symbol=__recipe_* --export-dynamic-symbol=__cxa_guard_* --export-dynamic-symbol=__atomic_* "
#define RUNTIME EXPORTS "--push-state --whole-archive rt.a --pop-state"

static void expect_link(const char *job, const char *runtime, const char *line) {
    rcp_words from = split(job), to = {0};
    rcp_link_words(&from, runtime, NULL, &to);
    expect(&to, line);
    rcp_vec_finish(&from);
}

START_TEST(recorded_code_of_the_cxx_library_stands_before_it) {
    rcp_words from = split("ld -shared -o p a.o -lstdc++ -lm b.o -lstdc++ -lc"), to = {0};
    ck_assert(rcp_link_uses_stdcxx(&from));
    rcp_link_words(&from, NULL, "cxx.a", &to);
    expect(&to, "ld -shared -o p a.o cxx.a -lstdc++ -lm b.o -lstdc++ -lc");
    rcp_vec_finish(&from);
    from = split("ld -dynamic-linker l -o p a.o -Bstatic -lstdc++ -Bdynamic -lc");
    to = (rcp_words){0};
    rcp_link_words(&from, "rt.a", "cxx.a", &to);
    expect(&to, "ld -dynamic-linker l -o p a.o " RUNTIME " cxx.a -lstdc++ -lc");
    rcp_vec_finish(&from);
    from = split("ld -r -o p a.o -lstdc++");
    ck_assert(!rcp_link_uses_stdcxx(&from));
    rcp_vec_finish(&from);
}
END_TEST

START_TEST(headers_of_ours_are_found_first_by_cxx_alone) {
    rcp_words job = split("clang -cc1 -emit-obj -isystem u -internal-isystem a -internal-isystem b -x c++ a.cpp");
    rcp_compile_add_headers(&job, "ours");
    expect(
        &job,
        "clang -cc1 -emit-obj -isystem u -internal-isystem ours -internal-isystem a -internal-isystem b -x c++ a.cpp");
    job = split("clang -cc1 -emit-obj -internal-isystem a -x c a.c");
    rcp_compile_add_headers(&job, "ours");
    expect(&job, "clang -cc1 -emit-obj -internal-isystem a -x c a.c");
    job = split("clang -cc1 -emit-obj -x c++ a.cpp");
    rcp_compile_add_headers(&job, "ours");
    expect(&job, "clang -cc1 -emit-obj -x c++ a.cpp");
}
END_TEST

START_TEST(the_runtime_stands_before_the_system_libraries) {
    expect_link("ld -pie -dynamic-linker l -o p crt1.o a.o -lz -lm -lgcc --as-needed -lgcc_s --no-as-needed -lc "
                "crtend.o crtn.o",
                "rt.a",
                "ld -pie -dynamic-linker l -o p crt1.o a.o -lz " RUNTIME
                " -lm -lgcc --as-needed -lgcc_s --no-as-needed -lc crtend.o crtn.o");
}
END_TEST

START_TEST(without_libc_it_brings_its_own) {
    expect_link("ld -dynamic-linker l -o p a.o", "rt.a",
                "ld -dynamic-linker l -o p a.o " RUNTIME
                " --push-state -Bdynamic --as-needed -lc -lgcc -lgcc_s --pop-state");
}
END_TEST

START_TEST(programs_export_the_hooks) {
    expect_link("ld -dynamic-linker l --exclude-libs ALL a.o --exclude-libs=x.a -lc", "rt.a",
                "ld -dynamic-linker l a.o " RUNTIME " -lc");
}
END_TEST

START_TEST(the_runtime_starts_before_those_of_clang) {
    expect_link("ld -dynamic-linker l --whole-archive /x/libclang_rt.ubsan_standalone.a --no-whole-archive a.o -lc",
                "rt.a",
                "ld -dynamic-linker l " RUNTIME
                " --whole-archive /x/libclang_rt.ubsan_standalone.a --no-whole-archive a.o -lc");
}
END_TEST

START_TEST(tsan_is_for_the_source_alone) {
    expect_link("ld -dynamic-linker l --whole-archive /x/libclang_rt.tsan-x86_64.a --no-whole-archive "
                "--dynamic-list=/x/libclang_rt.tsan-x86_64.a.syms a.o -lc",
                "rt.a", "ld -dynamic-linker l a.o " RUNTIME " -lc");
    rcp_words job = split("clang -cc1 -triple aarch64-linux -emit-obj -fsanitize=null,thread,shift -o a.o -x c a.c");
    rcp_arena arena;
    rcp_compile c;
    rcp_arena_init(&arena);
    ck_assert(rcp_compile_refuse(&job) == RCP_OK);
    rcp_compile_init(&c, &job, "t/0", &arena);
    ck_assert(c.spares);
    expect(&c.back, "clang -cc1 -triple aarch64-linux -emit-obj -fsanitize=null,shift -w -o a.o -x ir t/0.recipe.bc");
    expect(&c.front, "clang -cc1 -triple aarch64-linux -fsanitize=null,thread,shift -debug-info-kind=limited "
                     "-dwarf-version=5 -emit-llvm-bc -disable-llvm-passes -disable-O0-optnone -o t/0.bc -x c a.c");
    rcp_vec_finish(&job);
    rcp_arena_finish(&arena);
}
END_TEST

START_TEST(libraries_may_leave_the_hooks_undefined) {
    const char *job = "ld -shared -o l.so a.o -z defs -lc";
    rcp_words from = split(job), check = {0};
    ck_assert(rcp_link_wants_check(&from) && !rcp_link_makes_program(&from));
    rcp_link_check_words(&from, "rt.a", "out/c", &check);
    expect(&check,
           "ld -pie -e 0 --allow-shlib-undefined -o out/c a.o -z defs rt.a -lc --push-state -Bdynamic --as-needed -lc "
           "-lgcc -lgcc_s --pop-state");
    rcp_vec_finish(&from);
    expect_link(job, NULL, "ld -shared -o l.so a.o -lc");
}
END_TEST

START_TEST(who_links_and_what_comes_out) {
    static const struct {
        const char *job;
        bool links, program, refused;
    } rows[] = {
        {"/usr/bin/ld -dynamic-linker l a.o", true, true, false},
        {"/usr/bin/x86_64-linux-gnu-ld -dynamic-linker l a.o", true, true, false},
        {"ld.lld -dynamic-linker l a.o", true, true, false},
        {"ld -shared a.o", true, false, false},
        {"ld -r a.o", true, false, false},
        {"ld -static a.o", true, true, true},
        {"ld -pie --no-dynamic-linker a.o", true, true, true},
        {"ld -dynamic-linker l -plugin x -plugin-opt=mcpu=generic a.o", true, true, true},
        {"ld -dynamic-linker l /x/libclang_rt.tsan-x86_64.a a.o", true, true, false},
        {"ld -dynamic-linker l /x/libclang_rt.asan-x86_64.a a.o", true, true, true},
        {"/usr/bin/as a.s", false, true, false},
        {"/usr/bin/aarch64-linux-gnu-as a.s", false, true, false},
        {"/usr/bin/clang -cc1as a.s", false, true, false},
        {"/usr/bin/objcopy --split a.o", false, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rcp_words job = split(rows[i].job);
        ck_assert_msg(rcp_link_is_link(&job) == rows[i].links, "%s", rows[i].job);
        if (rows[i].links) {
            ck_assert_msg(rcp_link_makes_program(&job) == rows[i].program, "%s", rows[i].job);
            ck_assert_msg((rcp_link_refuse(&job) == RCP_BAD_INPUT) == rows[i].refused, "%s", rows[i].job);
        }
        rcp_vec_finish(&job);
    }
}
END_TEST

START_TEST(one_compilation_becomes_two) {
    rcp_words job =
        split("clang -cc1 -triple aarch64-linux -emit-obj -main-file-name a.c -O2 -ffast-math -ffp-contract=fast "
              "-dependency-file a.d -MT a.o -I inc -Wall -v -o a.o -x c a.c");
    rcp_arena arena;
    rcp_compile c;
    rcp_arena_init(&arena);
    ck_assert(rcp_compile_makes_code(&job) && rcp_compile_refuse(&job) == RCP_OK);
    rcp_compile_init(&c, &job, "t/0", &arena);
    ck_assert(c.drop_debug && !c.assembly);
    expect(&c.front,
           "clang -cc1 -triple aarch64-linux -main-file-name a.c -O2 -ffast-math -ffp-contract=fast -dependency-file "
           "a.d -MT a.o -I inc -Wall -v -debug-info-kind=limited -dwarf-version=5 -emit-llvm-bc "
           "-disable-llvm-passes -disable-O0-optnone -o t/0.bc -x c a.c");
    expect(&c.back,
           "clang -cc1 -triple aarch64-linux -emit-obj -main-file-name a.c -O2 -I inc -w -o a.o -x ir t/0.recipe.bc");
    rcp_vec_finish(&job);
    rcp_arena_finish(&arena);
}
END_TEST

int main(void) {
    return rcp_suite_run(
        "link", the_runtime_stands_before_the_system_libraries, without_libc_it_brings_its_own,
        programs_export_the_hooks, tsan_is_for_the_source_alone, the_runtime_starts_before_those_of_clang,
        libraries_may_leave_the_hooks_undefined, who_links_and_what_comes_out, one_compilation_becomes_two,
        recorded_code_of_the_cxx_library_stands_before_it, headers_of_ours_are_found_first_by_cxx_alone, NULL);
}
