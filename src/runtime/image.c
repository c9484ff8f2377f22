/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/image.h"

#include "abi/image.h"
#include "abi/module.h"
#include "abi/sum.h"
#include "runtime/logging.h"
#include "runtime/regions.h"
#include "runtime/say.h"
#include "runtime/shadow.h"
#include "runtime/stack.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#define PAGE UINT64_C(4096)

#define TABLE(type, name)                                                                                              \
    extern const type __start_##name[] __attribute__((weak, visibility("hidden")));                                    \
    extern const type __stop_##name[] __attribute__((weak, visibility("hidden")));
TABLE(struct rcp_module, recipe_modules)
TABLE(struct rcp_function, recipe_functions)
TABLE(char, recipe_bitcode)

static const char *path;
static int fd;
static uint64_t n_parts, n_objects, n_modules;
static struct rcp_sum sum; /* of the part that is being written */
static void **thread_locals;
/* Libraries with recorded functions, those of the first few alone: of a function of another one nothing is claimed.
 * (The loader calls one constructor at a time.) */
enum { LIBRARIES = 64 };
static struct rcp_object_tables libraries[LIBRARIES];
static unsigned n_libraries;

static void put(const void *bytes, uint64_t n) {
    const char *p = bytes;
    if (path)
        rcp_sum_add(&sum, bytes, n);
    while (n && path) {
        long w = RCP_SYS3(SYS_write, fd, p, n);
        if (w == -EINTR)
            continue;
        if (w <= 0)
            rcp_refuse("no room for the trace: free some space, or record to another file system with -o", path);
        p += w;
        n -= (uint64_t)w;
    }
}

static void head(uint64_t tag, uint64_t size, uint64_t a, uint64_t b) {
    struct rcp_image_item item = {tag, size, a, b};
    put(&item, sizeof item);
}

static void pad(uint64_t size) {
    static const char zeros[8];
    put(zeros, -size & 7);
}

static void put_module(const struct rcp_module *m, uint64_t object) {
    uint64_t counts[3] = {m->n_symbols, m->n_blocks, m->n_tls};
    head(RCP_IMAGE_MODULE, sizeof m->id + sizeof counts + (counts[0] + counts[1]) * 8, object, 0);
    put(&m->id, sizeof m->id);
    put(counts, sizeof counts);
    put(m->symbols, counts[0] * 8);
    put(m->blocks, counts[1] * 8);
    n_modules++;
}

static void put_functions(const struct rcp_object_tables *t, uint64_t object, uint64_t first_module) {
    uint64_t n = (uint64_t)(t->functions_end - t->functions);
    head(RCP_IMAGE_FUNCTIONS, n * 24, object, 0);
    for (const struct rcp_function *f = t->functions; f < t->functions_end; f++) {
        uint64_t triple[3] = {(uint64_t)f->address, first_module + (uint64_t)(f->module - t->modules), f->index};
        put(triple, sizeof triple);
    }
}

/* A run of pages, or parts of them. From the shadow: code that is not recorded may change the memory meanwhile, and
 * file, shadow and sum must have the same. */
static void put_run(uint64_t from, uint64_t to) {
    if (from == to)
        return;
    const void *shadow = memcpy((void *)(from ^ RCP_SHADOW_KEY), (const void *)from, to - from);
    head(RCP_IMAGE_BYTES, to - from, from, 0);
    put(shadow, to - from);
    pad(to - from);
}

static bool is_zero(uint64_t from, uint64_t to) {
    const char *p = (const char *)from;
    return !*p && !memcmp(p, p + 1, to - from - 1);
}

static void put_memory(uint64_t from, uint64_t to) {
    uint64_t run = from;
    for (uint64_t at = from, next; at < to; at = next) {
        next = (at & ~(PAGE - 1)) + PAGE;
        if (next > to)
            next = to;
        if (is_zero(at, next)) {
            put_run(run, at);
            run = next;
        }
    }
    put_run(run, to);
}

struct search {
    const struct rcp_object_tables *tables;
    uint64_t within; /* an address in the object */
    bool is_behind;  /* find_library: the C library has come */
    char name[4096];
};

static bool holds(const struct dl_phdr_info *info, uint64_t address) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && address - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
            return true;
    }
    return false;
}

extern const char etext[] __attribute__((weak)); /* the linker's: where the program's code ends */

/* What can be read, without the bitcode, which nobody touches. Constants may lie in the segment of the code, behind it
 * (GNU ld on aarch64): the program's own code is left out, a library's is not, because nobody says where it ends. */
static void put_segments(const struct dl_phdr_info *info, const struct rcp_object_tables *t) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_R))
            continue;
        uint64_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        if (p->p_flags & PF_X && (uint64_t)etext - from < to - from)
            from = (uint64_t)etext;
        uint64_t hole = (uint64_t)t->bitcode, hole_end = (uint64_t)t->bitcode_end;
        if (hole < hole_end && hole >= from && hole_end <= to) {
            put_memory(from, hole);
            from = hole_end;
        }
        put_memory(from, to);
    }
}

static int find_object(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    struct search *s = data;
    if (!holds(info, s->within))
        return 0;
    uint64_t n = strlen(info->dlpi_name);
    if (n) {
        n = n < sizeof s->name ? n : sizeof s->name;
        memcpy(s->name, info->dlpi_name, n);
    } else { /* the program itself */
        long l = RCP_SYS4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", s->name, sizeof s->name);
        n = l > 0 ? (uint64_t)l : 0;
    }
    head(RCP_IMAGE_OBJECT, n, info->dlpi_addr, n_objects);
    put(s->name, n);
    pad(n);
    put_segments(info, s->tables);
    return 1;
}

/* The loader looks for a function in the objects in their order: whatever comes before the C library may have one of
 * its name. The compiler's own libraries have none. What comes behind it may make buffers for streams, too. */
static int find_library(struct dl_phdr_info *info, size_t size, void *data) {
    static const char *const kin[] = {"ld-linux",      "libdl.so",     "libgcc_s.so",  "libm.so",
                                      "libpthread.so", "librt.so",     "libstdc++.so", "linux-vdso",
                                      "libc++.so",     "libc++abi.so", "libunwind.so"};
    (void)size;
    struct search *s = data;
    const char *slash = strrchr(info->dlpi_name, '/'), *base = slash ? slash + 1 : info->dlpi_name;
    uint64_t n = strlen(info->dlpi_name), before = 0;
    bool is_kin = !n || !strncmp(base, "libc.so", 7);
    s->is_behind |= !strncmp(base, "libc.so", 7);
    for (unsigned i = 0; i < sizeof kin / sizeof *kin; i++)
        is_kin |= !strncmp(base, kin[i], strlen(kin[i]));
    if (is_kin || 2 * n >= sizeof s->name)
        return 0;
    if (*info->dlpi_name != '/') { /* from where the program was started */
        long l = RCP_SYS2(SYS_getcwd, s->name, sizeof s->name - n - 1);
        before = l > 0 ? (uint64_t)l : 1;
        s->name[before - 1] = '/';
    }
    memcpy(s->name + before, info->dlpi_name, n);
    head(RCP_IMAGE_LIBRARY, before + n, s->is_behind, 0);
    put(s->name, before + n);
    pad(before + n);
    return 0;
}

/* The build id of a library, in hexadecimal digits; 0: it has none. */
static uint64_t print_build(const struct dl_phdr_info *info, char *to, uint64_t room) {
    static const char digits[] = "0123456789abcdef";
    enum { NAME = 4 }; /* "GNU" and its NUL */
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const char *note = (const char *)(info->dlpi_addr + p->p_vaddr);
        for (uint64_t at = 0; p->p_type == PT_NOTE && at + sizeof(ElfW(Nhdr)) + NAME <= p->p_memsz;) {
            ElfW(Nhdr) head;
            memcpy(&head, note + at, sizeof head);
            uint64_t bytes = at + sizeof head + ((head.n_namesz + 3) & ~UINT64_C(3));
            if (bytes > p->p_memsz || head.n_descsz > p->p_memsz - bytes)
                break;
            if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == NAME && 2 * (uint64_t)head.n_descsz <= room) {
                for (uint64_t k = 0; k < head.n_descsz; k++) {
                    const uint8_t byte = (uint8_t)note[bytes + k];
                    to[2 * k] = digits[byte >> 4];
                    to[2 * k + 1] = digits[byte & 15];
                }
                return 2 * (uint64_t)head.n_descsz;
            }
            at = bytes + ((head.n_descsz + 3) & ~UINT64_C(3));
        }
    }
    return 0;
}

/* The C++ library has functions that nobody calls by name, because they are virtual: where it is, and which build. */
static int find_named(struct dl_phdr_info *info, size_t size, void *data) {
    static const char *const named[] = {"libstdc++.so", "libc++.so", "libc++abi.so"};
    (void)size;
    struct search *s = data;
    const char *slash = strrchr(info->dlpi_name, '/'), *base = slash ? slash + 1 : info->dlpi_name;
    uint64_t n = strlen(info->dlpi_name), build;
    bool is_named = false;
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++)
        is_named |= !strncmp(base, named[i], strlen(named[i]));
    if (!is_named || *info->dlpi_name != '/' || 2 * n >= sizeof s->name ||
        !(build = print_build(info, s->name, sizeof s->name / 2)))
        return 0;
    s->name[build] = ' ';
    memcpy(s->name + build + 1, info->dlpi_name, n);
    n += build + 1;
    head(RCP_IMAGE_NAMED, n, info->dlpi_addr, 0);
    put(s->name, n);
    pad(n);
    return 0;
}

/* Vtables, tables of constants, of libraries and of the program: the loader has written what it relocates there, and
 * nobody does any more. Calls `found` for each such piece until it returns true. */
struct constants {
    bool (*found)(const struct constants *sought, uint64_t from, uint64_t to);
    uint64_t page, from, to;
};

static int find_constants(struct dl_phdr_info *info, size_t size, void *data) {
    const struct constants *sought = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        if (p->p_type == PT_GNU_RELRO) /* whole pages */
            to &= ~(sought->page - 1);
        else if (p->p_type != PT_LOAD || (p->p_flags & (PF_R | PF_W)) != PF_R)
            continue;
        if (from < to && sought->found(sought, from, to))
            return 1;
    }
    return 0;
}

/* Those of part 0: who maps and unmaps asks for them, and must not wait for the loader's lock. */
enum { CONSTANTS = 1024 };
static uint64_t constants[CONSTANTS][2];
static unsigned n_constants;

static bool put_constants(const struct constants *sought, uint64_t from, uint64_t to) {
    (void)sought;
    if (n_constants == CONSTANTS)
        return true; /* nothing is claimed of the rest */
    constants[n_constants][0] = from;
    constants[n_constants++][1] = to;
    head(RCP_IMAGE_CONSTANT, 0, from, to);
    return false;
}

static bool overlap(const struct constants *sought, uint64_t from, uint64_t to) {
    return sought->from < to && from < sought->to;
}

bool rcp_image_is_constant(uint64_t from, uint64_t to) {
    const uint64_t page = getauxval(AT_PAGESZ); /* of which the kernel takes whole ones */
    struct constants sought = {overlap, page, from & ~(page - 1), (to + page - 1) & ~(page - 1)};
    if (!n_parts) /* before the start: a library's constructor */
        return dl_iterate_phdr(find_constants, &sought);
    for (unsigned i = 0; i < n_constants; i++)
        if (overlap(&sought, constants[i][0], constants[i][1]))
            return true;
    return false;
}

static void begin_part(void) {
    if (path) {
        fd = (int)RCP_SYS4(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (fd < 0)
            rcp_refuse("the trace's image can't be written", path);
    }
    sum = (struct rcp_sum)RCP_SUM_BEGIN;
    head(RCP_IMAGE_PART, 0, n_parts, RCP_IMAGE_VERSION);
}

static void end_part(void) {
    head(RCP_IMAGE_END, 0, rcp_sum_end(&sum), 0);
    if (path)
        RCP_SYS1(SYS_close, fd);
    n_parts++;
}

static void put_part(const struct rcp_object_tables *t, const void *within) {
    begin_part();
    static struct search search; /* constructors run one at a time */
    search.tables = t;
    search.within = (uint64_t)within;
    search.is_behind = false;
    dl_iterate_phdr(find_object, &search);
    if (!n_parts) {
        struct constants all = {.found = put_constants, .page = getauxval(AT_PAGESZ)};
        dl_iterate_phdr(find_library, &search);
        dl_iterate_phdr(find_named, &search);
        dl_iterate_phdr(find_constants, &all);
    }
    uint64_t first = n_modules;
    for (const struct rcp_module *m = t->modules; m < t->modules_end; m++) {
        if (m->abi != RCP_ABI_VERSION)
            rcp_refuse("the program has modules that another version of recipe compiled", "build all of it again");
        put_module(m, n_objects);
    }
    put_functions(t, n_objects, first);
    end_part();
    n_objects++;
}

void rcp_image_tell_constants(const rcp_mapped_region *regions, unsigned n, bool are_gone) {
    begin_part();
    for (unsigned i = 0; i < n; i++)
        head(are_gone ? RCP_IMAGE_GONE : RCP_IMAGE_CONSTANT, 0, regions[i].lo, regions[i].hi);
    end_part();
    rcp_log_part(n_parts - 1);
}

static struct rcp_object_tables own_tables(void) {
    return (struct rcp_object_tables){__start_recipe_modules,  __stop_recipe_modules,  __start_recipe_functions,
                                      __stop_recipe_functions, __start_recipe_bitcode, __stop_recipe_bitcode};
}

void rcp_image_start(const char *to) {
    path = to;
    struct rcp_object_tables own = own_tables();
    uint64_t n = 0;
    for (const struct rcp_module *m = own.modules; m < own.modules_end; m++)
        n += m->n_tls;
    thread_locals = rcp_stack_allocate((n + 1) * sizeof *thread_locals);
    put_part(&own, &n_parts); /* the program may have no modules, only its libraries */
}

void rcp_image_part_ways(const char *from, const char *to) {
    char buffer[16384];
    long in = RCP_SYS4(SYS_openat, AT_FDCWD, from, O_RDONLY | O_CLOEXEC, 0), n;
    path = to;
    fd = (int)RCP_SYS4(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (in < 0 || fd < 0)
        rcp_refuse("the trace's image can't be copied for a forked process", to);
    while ((n = RCP_SYS3(SYS_read, in, buffer, sizeof buffer)) > 0)
        put(buffer, (uint64_t)n); /* whole parts, each with its sum */
    RCP_SYS1(SYS_close, in);
    RCP_SYS1(SYS_close, fd);
}

uint64_t rcp_image_thread_locals(void *const **addresses) {
    uint64_t n = 0;
    for (const struct rcp_module *m = __start_recipe_modules; m < __stop_recipe_modules; m++)
        if (m->n_tls) {
            m->tls(thread_locals + n);
            n += m->n_tls;
        }
    *addresses = thread_locals;
    return n;
}

bool rcp_image_names(const void *variable) {
    for (const struct rcp_module *m = __start_recipe_modules; m < __stop_recipe_modules; m++)
        for (uint64_t i = 0; i < m->n_symbols; i++)
            if ((const void *)m->symbols[i] == variable)
                return true;
    return false;
}

static bool is_among(const struct rcp_function *f, const struct rcp_function *end, const void *function) {
    while (f < end && f->address != function)
        f++;
    return f < end;
}

bool rcp_image_is_recorded(const void *function) {
    if (is_among(__start_recipe_functions, __stop_recipe_functions, function))
        return true;
    unsigned n = __atomic_load_n(&n_libraries, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < n && i < LIBRARIES; i++)
        if (is_among(libraries[i].functions, libraries[i].functions_end, function))
            return true;
    return false;
}

void __recipe_register(const struct rcp_object_tables *t) {
    if (t->modules == __start_recipe_modules)
        return;
    if (n_libraries < LIBRARIES) {
        libraries[n_libraries] = *t;
        __atomic_store_n(&n_libraries, n_libraries + 1, __ATOMIC_RELEASE);
    }
    for (const struct rcp_module *m = t->modules; m < t->modules_end; m++)
        if (m->late)
            *m->late = 1;
    rcp_thread *self = rcp_self;
    if (self)
        rcp_thread_enter(self);
    put_part(t, t->modules);
    if (self) {
        rcp_log_part(n_parts - 1);
        rcp_outside(self);
    }
}
