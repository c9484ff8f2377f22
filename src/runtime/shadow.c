/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/shadow.h"

#include "runtime/logging.h"
#include "runtime/say.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/resource.h>

/* A fault takes as much as it can get of these, largest first, down to a page. */
static const uint64_t on_demand[] = {UINT64_C(1) << 30, UINT64_C(1) << 26, UINT64_C(1) << 21, UINT64_C(1) << 16};
static uint64_t page = 4096;

/* No memory stands behind what is mapped until it is touched; huge pages would make each touch cost 2 MB, and a core
 * dump needs none of it. */
static bool map_at(uint64_t at, uint64_t size) {
    if (!at || !rcp_sys_map(at, size)) /* 0 would be any place */
        return false;
    RCP_SYS3(SYS_madvise, at, size, MADV_NOHUGEPAGE);
    RCP_SYS3(SYS_madvise, at, size, MADV_DONTDUMP);
    return true;
}

static uint64_t wanted; /* addresses for each of the places that programs use */

/* Of address space, in bytes; 0: there is none. */
static uint64_t space_limit(void) {
    struct rlimit limit;
    return !RCP_SYS4(SYS_prlimit64, 0, RLIMIT_AS, 0, &limit) && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : 0;
}

/* Memory is used only where it is touched, but every address counts for that limit. */
static void refuse_limit(uint64_t limit) {
    RCP_SAY(what, 512);
    rcp_say_number(&what, limit >> 10);
    rcp_say_text(&what, " kB, and recording needs ");
    rcp_say_number(&what, (4 * wanted) >> 30);
    rcp_say_text(&what,
                 " GB of addresses, of which it uses little memory: run it with `ulimit -v unlimited`, and bound "
                 "its memory by a control group (systemd-run --scope -p MemoryMax=…), or not at all");
    rcp_refuse("the program can't run here: the limit on its address space (`ulimit -v`) is", what.text);
}

static void refuse_region(uint64_t near) {
    if (space_limit())
        refuse_limit(space_limit());
    RCP_SAY(what, 320);
    rcp_say_text(&what, "the shadow of ");
    rcp_say_hex(&what, near);
    rcp_say_text(&what, "; vm.overcommit_memory must not be 2, and addresses must have 47 bits at least");
    rcp_refuse("the memory of the value shadow can't be mapped", what.text);
}

static bool is_mapped(uint64_t address) {
    unsigned char vector;
    return RCP_SYS3(SYS_mincore, address & ~(page - 1), page, &vector) != -ENOMEM;
}

static bool map_on_demand(uint64_t shadow) {
    for (size_t i = 0; i < sizeof on_demand / sizeof *on_demand; i++)
        if (map_at(shadow & ~(on_demand[i] - 1), on_demand[i]))
            return true;
    return map_at(shadow & ~(page - 1), page) || is_mapped(shadow); /* another thread was faster */
}

/* Before `near`'s neighbourhood is touched. */
static void map_around(uint64_t near, uint64_t size) {
    static uint64_t done[8];
    static size_t n_done;
    uint64_t start = near & ~(size - 1);
    for (size_t i = 0; i < n_done; i++)
        if (done[i] == start)
            return;
    /* A limit on address space would be felt by the program sooner or later, and not where it is natively. */
    bool limited = space_limit();
    uint64_t shadow = near ^ RCP_SHADOW_KEY;
    if (!map_at(start ^ RCP_SHADOW_KEY, size) && (limited || is_mapped(shadow) || !map_on_demand(shadow)))
        refuse_region(near);
    done[n_done++] = start;
}

/* Bits 44 to 47 of an address: the quarters in which Linux puts things have one of these, and their shadows another. */
static bool is_shadow_side(uint64_t address) {
    unsigned quarter = (unsigned)(address >> 44);
    return quarter == 0x1 || quarter == 0x4 || quarter == 0x6 || quarter == 0xb || quarter == 0xe;
}

/* Pages that are shadows of nothing: the program stored where no memory is. So what has its shadow there is no shadow
 * itself, though it would be that page's. By number, 0: free; where there are too many, all others count as such. */
static uint64_t of_nothing[1024];
#define PLACES (sizeof of_nothing / sizeof *of_nothing)

static bool is_of_nothing(uint64_t shadow) {
    uint64_t number = shadow / page, at = 0;
    for (uint64_t i = 0; i < PLACES; i++) {
        at = __atomic_load_n(&of_nothing[(number + i) % PLACES], __ATOMIC_RELAXED);
        if (!at || at == number)
            break;
    }
    return at;
}

static void note_of_nothing(uint64_t shadow) {
    uint64_t number = shadow / page;
    for (uint64_t i = 0; i < PLACES; i++) {
        uint64_t before = 0;
        if (__atomic_compare_exchange_n(&of_nothing[(number + i) % PLACES], &before, number, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            before == number)
            return;
    }
}

bool rcp_shadow_fault(uint64_t address) {
    if (address >> 48 || is_mapped(address))
        return false;
    uint64_t real = address ^ RCP_SHADOW_KEY;
    if (is_mapped(real))
        return !is_of_nothing(real) && map_on_demand(address);
    /* The shadow is stored to before the memory itself: a page of it, and the program faults where it would have. */
    if (!is_shadow_side(address))
        return false;
    note_of_nothing(address);
    return map_at(address & ~(page - 1), page);
}

/* Where things must be so that their shadows are elsewhere, with room for what will be mapped next to them. */
static bool is_well_placed(uint64_t address) {
    unsigned quarter = (unsigned)(address >> 44);
    bool high = address >> 43 & 1; /* mappings grow down, towards the quarter of their own shadows */
    return quarter == 0 || quarter == 0x5 || quarter == 0xa || ((quarter == 0x7 || quarter == 0xf) && high);
}

/* Kernels that randomise more bits than usual (vm.mmap_rnd_bits) put things where shadows go. The program is then
 * started once more without randomisation. */
static void start_again(char **arguments, char **environment) {
    long now = RCP_SYS1(SYS_personality, 0xffffffff);
    if (now >= 0 && !(now & ADDR_NO_RANDOMIZE) && RCP_SYS1(SYS_personality, now | ADDR_NO_RANDOMIZE) >= 0)
        RCP_SYS3(SYS_execve, "/proc/self/exe", arguments, environment);
    rcp_refuse(
        "the system has put the program where the value shadow must be, and does not let it choose another place",
        "lower vm.mmap_rnd_bits (28 on x86_64, 18 on aarch64), or allow personality(ADDR_NO_RANDOMIZE)");
}

void rcp_shadow_start(char **arguments, char **environment) {
    page = getauxval(AT_PAGESZ);
    /* Emulators keep a table entry per page: no vdso, an emulator. */
    uint64_t size = getauxval(AT_SYSINFO_EHDR) ? UINT64_C(1) << 40 : UINT64_C(1) << 30;
    wanted = size;
    void *next = rcp_sys_map(0, page);
    if (next)
        RCP_SYS2(SYS_munmap, next, page);
    /* The program, which its heap follows; the stack; libraries; where the next mapping goes. */
    uint64_t places[] = {(uint64_t)&rcp_shadow_start, (uint64_t)__builtin_frame_address(0), (uint64_t)&getauxval,
                         (uint64_t)next};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!is_well_placed(places[i]))
            start_again(arguments, environment);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        map_around(places[i], size);
}

void rcp_shadow_fill(uint64_t address, uint64_t size, uint8_t byte) {
    uint64_t shadow = address ^ RCP_SHADOW_KEY;
    if (!byte && size >= 64 * page) { /* whole pages are given back rather than written */
        uint64_t from = (shadow + page - 1) & ~(page - 1), to = (shadow + size) & ~(page - 1);
        memset((void *)shadow, 0, from - shadow);
        if (RCP_SYS3(SYS_madvise, from, to - from, MADV_DONTNEED) < 0)
            memset((void *)from, 0, to - from);
        memset((void *)to, 0, shadow + size - to);
        return;
    }
    memset((void *)shadow, byte, size);
}

/* Bytes that are never the same twice, and that lie beside what programs read: the kernel's random bytes between the
 * arguments' strings, and where it notes the processor that a thread runs on, beside its thread-local variables. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
#define RSEQ_SIZE   32
#define RANDOM_SIZE 16

static bool overlaps(uint64_t line, uint64_t start, uint64_t size) {
    return start < line + RCP_SHADOW_LINE && line < start + size;
}

static bool is_restless(uint64_t line) {
    if (overlaps(line, getauxval(AT_RANDOM), RANDOM_SIZE))
        return true;
    return &__rseq_offset && overlaps(line, (uint64_t)__builtin_thread_pointer() + (uint64_t)__rseq_offset, RSEQ_SIZE);
}

/* One line: `from` to `to` of it were read, as `value` says. The whole line is taken over, since its neighbours will be
 * read next; of a restless one what was read alone, so that two recordings are the same. */
static void refresh(rcp_thread *self, uint64_t position, uint64_t line, uint64_t from, uint64_t to,
                    const uint8_t *value) {
    uint8_t bytes[RCP_SHADOW_LINE];
    memcpy(bytes, (const void *)(is_restless(line) ? line ^ RCP_SHADOW_KEY : line), sizeof bytes);
    memcpy(bytes + (from - line), value ? value : (const uint8_t *)from, to - from);
    if (self)
        rcp_log_miss(self, position, line, bytes);
    memcpy((void *)(line ^ RCP_SHADOW_KEY), bytes, sizeof bytes);
}

static void check_lines(rcp_thread *self, uint64_t position, uint64_t address, const uint8_t *value, uint64_t size) {
    uint64_t end = address + size;
    for (uint64_t line = address & ~(RCP_SHADOW_LINE - 1); line < end; line += RCP_SHADOW_LINE) {
        uint64_t from = line < address ? address : line;
        uint64_t to = line + RCP_SHADOW_LINE < end ? line + RCP_SHADOW_LINE : end;
        const uint8_t *seen = value ? value + (from - address) : NULL;
        if (memcmp((const void *)(from ^ RCP_SHADOW_KEY), seen ? seen : (const uint8_t *)from, to - from))
            refresh(self, position, line, from, to, seen);
    }
}

void rcp_shadow_check(rcp_thread *self, uint64_t position, uint64_t address, const void *value, uint64_t size) {
    check_lines(self, position, address, value, size);
}

void rcp_shadow_check_range(rcp_thread *self, uint64_t position, uint64_t address, uint64_t size) {
    if (size && memcmp((const void *)address, (const void *)(address ^ RCP_SHADOW_KEY), size))
        check_lines(self, position, address, NULL, size);
}
