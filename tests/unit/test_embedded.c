/* SPDX-License-Identifier: Apache-2.0 */
/* elf.c and embedded.c, on files that are made here. */
#include "suite.h"
#include "temporary.h"

#include "program/recording/embedded.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

static const char names[] = "\0.shstrtab\0recipe_modules\0recipe_bitcode";
enum { STRINGS = 1, MODULES = 11, BITCODE = 26 };

typedef struct file {
    Elf64_Ehdr head;
    Elf64_Shdr section[4];
    char names[sizeof names];
    struct rcp_module module;
    _Alignas(16) struct rcp_bitcode first;
    char first_bytes[8];
    struct rcp_bitcode second; /* 48 bytes after the first: 40 and 5, padded to 16 */
    char second_bytes[8];
} file;

static file whole(void) {
    file f = {.head = {.e_machine = EM_AARCH64,
                       .e_shoff = offsetof(file, section),
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = 4,
                       .e_shstrndx = 1},
              .section = {[1] = {.sh_name = STRINGS,
                                 .sh_type = SHT_STRTAB,
                                 .sh_offset = offsetof(file, names),
                                 .sh_size = sizeof names},
                          [2] = {.sh_name = MODULES,
                                 .sh_type = SHT_PROGBITS,
                                 .sh_offset = offsetof(file, module),
                                 .sh_size = sizeof(struct rcp_module)},
                          [3] = {.sh_name = BITCODE,
                                 .sh_type = SHT_PROGBITS,
                                 .sh_offset = offsetof(file, first),
                                 .sh_size = 96}},
              .first = {RCP_BITCODE_MAGIC, {1, 2}, 100, 5},
              .first_bytes = "first",
              .second = {RCP_BITCODE_MAGIC, {3, 4}, 100, 6},
              .second_bytes = "second"};
    memcpy(f.head.e_ident, ELFMAG, SELFMAG);
    f.head.e_ident[EI_CLASS] = ELFCLASS64;
    f.head.e_ident[EI_DATA] = ELFDATA2LSB;
    memcpy(f.names, names, sizeof names);
    return f;
}

static rcp_code open_file(const file *f, rcp_elf *elf) { return rcp_elf_open_memory("f", f, sizeof *f, elf); }

START_TEST(sections) {
    file f = whole();
    rcp_elf elf;
    size_t size;
    ck_assert_int_eq(open_file(&f, &elf), RCP_OK);
    ck_assert_uint_eq(elf.machine, EM_AARCH64);
    ck_assert(rcp_embedded_is_recorded(&elf));
    ck_assert_ptr_eq(rcp_elf_borrow_section(&elf, "recipe_bitcode", &size), &f.first);
    ck_assert_uint_eq(size, 96);
    ck_assert_ptr_null(rcp_elf_borrow_section(&elf, "recipe", &size));
    ck_assert_ptr_null(rcp_elf_borrow_section(&elf, "recipe_bitcode2", &size));
    /* too many for the header: section 0 has the numbers */
    f.head.e_shnum = 0, f.section[0].sh_size = 4;
    f.head.e_shstrndx = SHN_XINDEX, f.section[0].sh_link = 1;
    ck_assert_int_eq(open_file(&f, &elf), RCP_OK);
    ck_assert_ptr_nonnull(rcp_elf_borrow_section(&elf, "recipe_bitcode", &size));
    f.section[2].sh_type = SHT_NOBITS;
    ck_assert(!rcp_embedded_is_recorded(&elf));
    f = whole();
    f.head.e_shoff = 0, f.head.e_shnum = 0; /* stripped of everything */
    ck_assert_int_eq(open_file(&f, &elf), RCP_OK);
    ck_assert(!rcp_embedded_is_recorded(&elf));
}
END_TEST

START_TEST(damage) {
    rcp_elf elf;
    size_t size;
    file f = whole();
    f.head.e_ident[EI_CLASS] = ELFCLASS32;
    ck_assert_int_eq(open_file(&f, &elf), RCP_BAD_INPUT);
    f = whole(), f.head.e_shoff = sizeof f - 10;
    ck_assert_int_eq(open_file(&f, &elf), RCP_BAD_INPUT);
    f = whole(), f.head.e_shoff = UINT64_MAX - 3;
    ck_assert_int_eq(open_file(&f, &elf), RCP_BAD_INPUT);
    f = whole(), f.head.e_shnum = 0, f.section[0].sh_size = UINT64_MAX / sizeof(Elf64_Shdr);
    ck_assert_int_eq(open_file(&f, &elf), RCP_BAD_INPUT);
    f = whole(), f.head.e_shstrndx = 9;
    ck_assert_int_eq(open_file(&f, &elf), RCP_BAD_INPUT);
    f = whole(), f.section[1].sh_size = UINT64_MAX - 1;
    ck_assert_int_eq(open_file(&f, &elf), RCP_OK);
    ck_assert_ptr_null(rcp_elf_borrow_section(&elf, "recipe_bitcode", &size));
    f = whole(), f.section[3].sh_size = sizeof f;
    ck_assert_ptr_null(rcp_elf_borrow_section(&elf, "recipe_bitcode", &size));
    ck_assert_int_eq(rcp_elf_open_memory("f", "\177ELF", 4, &elf), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_elf_open("/nonexistent/file", &elf), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_elf_open("/", &elf), RCP_BAD_INPUT);
}
END_TEST

static char directory[256], path[512];

static void save(const file *f, rcp_code want, size_t blobs) {
    make_temporary(directory, sizeof directory);
    snprintf(path, sizeof path, "%s/program", directory);
    FILE *to = fopen(path, "w");
    ck_assert_uint_eq(fwrite(f, sizeof *f, 1, to), 1);
    fclose(to);
    size_t saved;
    for (int again = 0; again < 2; again++) {
        ck_assert_int_eq(rcp_embedded_save(path, directory, &saved), want);
        if (want == RCP_OK)
            ck_assert_uint_eq(saved, blobs);
    }
}

START_TEST(saving) {
    file f = whole();
    save(&f, RCP_OK, 2);
    snprintf(path, sizeof path, "%s/00000000000000040000000000000003.bc", directory);
    FILE *from = fopen(path, "r");
    char bytes[64];
    ck_assert_ptr_nonnull(from);
    ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, from), sizeof f.second + 6);
    ck_assert(!memcmp(bytes, &f.second, sizeof f.second + 6));
    fclose(from);
    drop_temporary(directory);
    f.second.magic++;
    save(&f, RCP_BAD_INPUT, 0);
    ck_assert_msg(strstr(rcp_borrow_cause(0), "damaged at byte 48"), "%s", rcp_borrow_cause(0));
    drop_temporary(directory);
    f = whole(), f.second.compressed = 9;
    save(&f, RCP_BAD_INPUT, 0);
    drop_temporary(directory);
    f = whole(), f.section[3].sh_size = 60;
    save(&f, RCP_BAD_INPUT, 0);
    drop_temporary(directory);
}
END_TEST

int main(void) { return rcp_suite_run("embedded", sections, damage, saving, NULL); }
