/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/assembly.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const rcp_outside harmless = {"inline assembly", RCP_OUTSIDE_HARMLESS, false, NULL};
/* Known not to do anything else, but it may order memory. */
static const rcp_outside ordering = {"inline assembly", RCP_OUTSIDE_HARMLESS, false, NULL};
/* A clock of the machine's is a point of time, as any other is: its pair stays where it is among the readings of all
 * threads. */
static const rcp_outside clock = {"inline assembly", RCP_OUTSIDE_PAIR, false, "", .with = RCP_WITH_CLOCK};

static bool is_word(const char *const *words, size_t count, const char *text, size_t n) {
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == n && !memcmp(text, words[i], n))
            return true;
    return false;
}

/* One instruction of the text: `n` bytes of name in a line of `line`. */
typedef struct instruction {
    const char *at;
    size_t n, line;
} instruction;

/* What waits, orders memory or looks at a clock has no operands there. */
static bool has_memory(const instruction *i) { return memchr(i->at, '(', i->line) || memchr(i->at, '[', i->line); }

static bool waits(const instruction *i) {
    static const char *const words[] = {"yield", "nop", "pause", "wfe", "sev", "rep"};
    return is_word(words, LENGTH(words), i->at, i->n);
}

static bool orders(const instruction *i) {
    static const char *const words[] = {"isb", "dmb", "dsb", "mfence", "lfence", "sfence", "cpuid"};
    return is_word(words, LENGTH(words), i->at, i->n);
}

static bool looks_at_clock(const instruction *i) {
    static const char *const words[] = {"rdtsc", "rdtscp", "rdpmc"}, *const registers[] = {"cntvct", "cntpct",
                                                                                           "pmccntr"};
    bool is_clock = is_word(words, LENGTH(words), i->at, i->n);
    for (size_t k = 0; k < LENGTH(registers) && i->n == 3 && !memcmp(i->at, "mrs", 3); k++)
        is_clock |= memmem(i->at, i->line, registers[k], strlen(registers[k])) != NULL;
    return is_clock;
}

/* --- computing --- */

/* These have no operands in memory. */
static bool computes_aarch64(const instruction *i) {
    if (has_memory(i))
        return false;
    static const char *const words[] = {"rbit", "clz", "cls", "rev", "ror", "lsl", "lsr", "asr",
                                        "orr",  "eor", "and", "add", "sub", "mul", "mov"};
    return is_word(words, LENGTH(words), i->at, i->n);
}

/* %rax, %r10d: not those of segments, of stacks, or of the machine. */
static bool is_general(const char *name, size_t n) {
    static const char *const words[] = {"al", "ah", "bl", "bh", "cl", "ch", "dl", "dh", "sil", "dil"},
                             *const pairs[] = {"ax", "bx", "cx", "dx", "si", "di"};
    if (n == 3 && strchr("re", *name))
        return is_word(pairs, LENGTH(pairs), name + 1, 2);
    if (*name == 'r' && n > 1) { /* r8 to r15, or a part of them */
        const size_t digits = strspn(name + 1, "0123456789");
        return digits && digits + 1 <= n && (digits + 1 == n || (digits + 2 == n && strchr("dwb", name[n - 1])));
    }
    return is_word(words, LENGTH(words), name, n) || is_word(pairs, LENGTH(pairs), name, n);
}

/* An operand of the text: `$0`, or `${0:k}`, a part of that register; `$$3`, a number; `%rax`. */
static bool is_no_memory(const char *at, size_t n) {
    if (n > 1 && at[0] == '%')
        return is_general(at + 1, n - 1);
    if (n < 2 || at[0] != '$')
        return false;
    if (at[1] == '$')
        return n > 2 && strspn(at + 2 + (at[2] == '-'), "0123456789abcdefxABCDEF") >= n - 2 - (at[2] == '-');
    if (at[1] != '{')
        return strspn(at + 1, "0123456789") >= n - 1;
    const size_t digits = strspn(at + 2, "0123456789");
    const char *rest = at + 2 + digits; /* other letters make it an address, or a number that is one */
    return digits && (n == digits + 3 || (n == digits + 5 && rest[0] == ':' && strchr("bhwkq", rest[1])));
}

/* Those of x86_64 may have: all operands must be registers, or numbers. `constraints`: LLVM's, which say what `$n`
 * stands for. */
static bool is_in_registers(const instruction *i, const char *constraints, size_t len) {
    static const char between[] = " \t,";
    for (size_t k = 0; k < len; k++) {
        if (constraints[k] == '{') /* a register's name */
            k += strcspn(constraints + k, "}");
        else if (strchr("moVXgp*", constraints[k]))
            return false;
    }
    for (const char *at = i->at + i->n, *end = i->at + i->line; at < end;) {
        at += strspn(at, between);
        const char *next = at + strcspn(at, " \t,;\n\r");
        next = next < end ? next : end;
        if (at < next && !is_no_memory(at, (size_t)(next - at)))
            return false;
        at = next > at ? next : at + (at < end);
    }
    return true;
}

/* An instruction as its bytes, for assemblers that did not know it: crc32 of two registers. */
static bool is_checksum(const instruction *i) {
    enum { MOST = 6 };
    unsigned long bytes[MOST];
    size_t count = 0;
    const char *at = i->at + i->n, *end = i->at + i->line;
    if (i->n != 5 || memcmp(i->at, ".byte", 5))
        return false;
    while (at < end && count < MOST) {
        char *next;
        at += strspn(at, " \t,");
        bytes[count] = strtoul(at, &next, 0);
        if (next == at || next > end)
            return false;
        count++;
        at = next + strspn(next, " \t");
    }
    const bool has_prefix = count == MOST && bytes[1] >> 4 == 4; /* of which registers, and how wide */
    const unsigned long *rest = bytes + 1 + has_prefix;
    return at >= end && count == 5u + has_prefix && bytes[0] == 0xf2 && rest[0] == 0x0f && rest[1] == 0x38 &&
           (rest[2] & ~1ul) == 0xf0 && rest[3] >= 0xc0 && rest[3] <= 0xff;
}

static bool computes_x86_64(const instruction *i, const char *constraints, size_t len) {
    static const char *const words[] = {"bsf", "bsr", "bswap", "popcnt", "lzcnt", "tzcnt", "rol",  "ror",
                                        "rcl", "rcr", "shl",   "shr",    "sal",   "sar",   "add",  "adc",
                                        "sub", "sbb", "and",   "or",     "xor",   "not",   "neg",  "inc",
                                        "dec", "mul", "imul",  "mov",    "bt",    "test",  "crc32"};
    const bool is_wide = i->n > 1 && strchr("bwlq", i->at[i->n - 1]);
    if (is_checksum(i))
        return true;
    return (is_word(words, LENGTH(words), i->at, i->n) ||
            (is_wide && is_word(words, LENGTH(words), i->at, i->n - 1))) &&
           is_in_registers(i, constraints, len);
}

const rcp_outside *rcp_assembly_row(LLVMValueRef assembly, bool is_aarch64) {
    size_t len, n_constraints;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &len);
    const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &n_constraints);
    bool any_order = false, any_clock = false;
    for (const char *p = text, *end = p + len; p < end;) {
        p += strspn(p, " \t\n\r;");
        instruction i = {p, strcspn(p, " \t\n\r;"), strcspn(p, "\n\r;")};
        if (i.n == 3 && !memcmp(p, "rep", 3)) /* what is repeated may touch memory */
            i.line = i.n;
        any_order |= orders(&i);
        any_clock |= looks_at_clock(&i);
        const bool is_known = !has_memory(&i) && (orders(&i) || looks_at_clock(&i) || waits(&i));
        if (i.n && !is_known && !(is_aarch64 ? computes_aarch64(&i) : computes_x86_64(&i, constraints, n_constraints)))
            return NULL;
        p += i.line;
    }
    if (any_clock)
        return &clock;
    return any_order ? &ordering : &harmless;
}

bool rcp_assembly_orders(const rcp_outside *row) { return row == &ordering; }

bool rcp_assembly_looks_at_clock(const rcp_outside *row) { return row == &clock; }
