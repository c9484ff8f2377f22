/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/elf.h"

#include "abi/sum.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool within(const rcp_elf *elf, uint64_t offset, uint64_t n) {
    return offset <= elf->size && n <= elf->size - offset;
}

/* Headers are copied out: nothing in a file need be aligned. */
static Elf64_Ehdr head_of(const rcp_elf *elf) {
    Elf64_Ehdr head;
    memcpy(&head, elf->bytes, sizeof head);
    return head;
}

static Elf64_Shdr section(const rcp_elf *elf, const Elf64_Ehdr *head, uint64_t i) {
    Elf64_Shdr header;
    memcpy(&header, elf->bytes + head->e_shoff + i * sizeof header, sizeof header);
    return header;
}

/* How many sections there are and which one has their names: where they are too many for the ELF header, section 0 says
 * so. False: the table does not lie within the file. */
static bool table(const rcp_elf *elf, const Elf64_Ehdr *head, uint64_t *sections, uint64_t *names) {
    *sections = head->e_shnum;
    *names = head->e_shstrndx;
    if (!head->e_shoff)
        return *sections == 0;
    if (head->e_shentsize != sizeof(Elf64_Shdr) || !within(elf, head->e_shoff, sizeof(Elf64_Shdr)))
        return false;
    Elf64_Shdr first = section(elf, head, 0);
    if (!*sections)
        *sections = first.sh_size;
    if (*names == SHN_XINDEX)
        *names = first.sh_link;
    return *sections <= elf->size / sizeof(Elf64_Shdr) && within(elf, head->e_shoff, *sections * sizeof(Elf64_Shdr)) &&
           *names < *sections;
}

rcp_code rcp_elf_open_memory(const char *name, const void *bytes, size_t size, rcp_elf *elf) {
    *elf = (rcp_elf){.bytes = bytes, .size = size};
    if (size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG))
        return rcp_fail(RCP_BAD_INPUT, "%s: is no ELF file", name);
    Elf64_Ehdr head = head_of(elf);
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB)
        return rcp_fail(RCP_BAD_INPUT, "%s: is an ELF file of a machine that is not 64-bit little-endian", name);
    uint64_t sections, names;
    if (!table(elf, &head, &sections, &names))
        return rcp_fail(RCP_BAD_INPUT, "%s: the ELF file is damaged: its section headers are not within it", name);
    elf->machine = head.e_machine;
    return RCP_OK;
}

rcp_code rcp_elf_open(const char *path, rcp_elf *elf) {
    *elf = (rcp_elf){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat is;
    if (fd < 0 || fstat(fd, &is)) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        return rcp_fail(rcp_code_of_errno(error), "%s: can't be read: %s", path, strerror(error));
    }
    if (!S_ISREG(is.st_mode) || is.st_size <= 0) {
        close(fd);
        return rcp_fail(RCP_BAD_INPUT, "%s: is no ELF file", path);
    }
    void *bytes = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    int error = errno;
    close(fd);
    if (bytes == MAP_FAILED)
        return rcp_fail(RCP_SYSTEM, "%s: can't be mapped: %s", path, strerror(error));
    rcp_code code = rcp_elf_open_memory(path, bytes, (size_t)is.st_size, elf);
    elf->mapped = true;
    if (code != RCP_OK)
        rcp_elf_close(elf);
    return code;
}

void rcp_elf_close(rcp_elf *elf) {
    if (elf->mapped)
        munmap((void *)elf->bytes, elf->size);
    *elf = (rcp_elf){0};
}

const uint8_t *rcp_elf_borrow_section(const rcp_elf *elf, const char *name, size_t *size) {
    Elf64_Ehdr head = head_of(elf);
    uint64_t sections, names;
    if (!table(elf, &head, &sections, &names) || !sections)
        return NULL;
    Elf64_Shdr strings = section(elf, &head, names);
    if (strings.sh_type == SHT_NOBITS || !within(elf, strings.sh_offset, strings.sh_size))
        return NULL;
    size_t n = strlen(name) + 1;
    for (uint64_t i = 1; i < sections; i++) {
        Elf64_Shdr here = section(elf, &head, i);
        if (here.sh_name >= strings.sh_size || strings.sh_size - here.sh_name < n ||
            memcmp(elf->bytes + strings.sh_offset + here.sh_name, name, n))
            continue;
        if (here.sh_type == SHT_NOBITS || !within(elf, here.sh_offset, here.sh_size))
            return NULL;
        *size = here.sh_size;
        return elf->bytes + here.sh_offset;
    }
    return NULL;
}

void rcp_elf_print_build(const rcp_elf *elf, rcp_text *to) {
    enum { NAME = 4 }; /* "GNU" and its NUL */
    size_t size;
    const uint8_t *note = rcp_elf_borrow_section(elf, ".note.gnu.build-id", &size);
    Elf64_Nhdr head = {0};
    if (note && size >= sizeof head + NAME)
        memcpy(&head, note, sizeof head);
    if (head.n_type != NT_GNU_BUILD_ID || head.n_namesz != NAME || !head.n_descsz ||
        head.n_descsz > size - sizeof head - NAME) {
        rcp_text_printf(to, "sum-%016llx", (unsigned long long)rcp_sum(elf->bytes, elf->size));
        return;
    }
    for (size_t i = 0; i < head.n_descsz; i++)
        rcp_text_printf(to, "%02x", note[sizeof head + NAME + i]);
}
