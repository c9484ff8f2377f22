/* SPDX-License-Identifier: Apache-2.0 */
/* NAME_keep of abi/hooks.h: what hot code calls in the place of the cold hooks, with all registers kept. It is never on
 * a fast path. The frame is one that unwinders can walk: the hook may end in a handler of the program's. And hooks that
 * want to know where their caller's stack ends, which no builtin tells with every compiler: one argument more. */
#include "abi/hooks.h"

#if defined __aarch64__

/* clang-format off */
#define EACH_PAIR(DO, PAIR)                                                                                            \
    DO(x0, x1, 0)                                                                                                      \
    DO(x2, x3, 16)                                                                                                     \
    DO(x4, x5, 32)                                                                                                     \
    DO(x6, x7, 48) DO(x8, x9, 64) DO(x10, x11, 80) DO(x12, x13, 96) DO(x14, x15, 112) DO(x17, x18, 128)                \
        PAIR(q0, q1, 144) PAIR(q2, q3, 176) PAIR(q4, q5, 208) PAIR(q6, q7, 240) PAIR(q8, q9, 272) PAIR(q10, q11, 304)  \
            PAIR(q12, q13, 336) PAIR(q14, q15, 368) PAIR(q16, q17, 400) PAIR(q18, q19, 432) PAIR(q20, q21, 464)        \
                PAIR(q22, q23, 496) PAIR(q24, q25, 528) PAIR(q26, q27, 560) PAIR(q28, q29, 592) PAIR(q30, q31, 624)
/* clang-format on */
#define SAVE(a, b, at)    "stp " #a ", " #b ", [sp, #" #at "]\n"
#define RESTORE(a, b, at) "ldp " #a ", " #b ", [sp, #" #at "]\n"

#define KEEP(name, result)                                                                                             \
    __asm__(".text\n.balign 16\n.globl " #name "_keep\n.type " #name "_keep, %function\n.variant_pcs " #name           \
            "_keep\n" #name "_keep:\n.cfi_startproc\n"                                                                 \
            "stp x29, x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n.cfi_offset 29, -16\n.cfi_offset 30, -8\n"             \
            "mov x29, sp\n.cfi_def_cfa 29, 16\nsub sp, sp, #656\n" EACH_PAIR(                                          \
                SAVE, SAVE) "bl " #name                                                                                \
                            "\n" result EACH_PAIR(                                                                     \
                                RESTORE, RESTORE) "add sp, sp, #656\nldp x29, x30, [sp], #16\n.cfi_def_cfa 31, 0\n"    \
                                                  "ret\n.cfi_endproc\n.size " #name "_keep, . - " #name "_keep\n");
#define RESULT "str x0, [sp]\n"

#define WITH_FRAME(name, argument)                                                                                     \
    __asm__(".text\n.balign 16\n.globl __recipe_" #name "\n.type __recipe_" #name ", %function\n__recipe_" #name       \
            ":\n.cfi_startproc\nmov " argument ", sp\nb rcp_hook_" #name "\n.cfi_endproc\n.size __recipe_" #name       \
            ", . - __recipe_" #name "\n");
#define SECOND "x1"
#define THIRD  "x2"

#elif defined __x86_64__

/* The caller's stack may have any alignment. */
#define KEEP(name, result)                                                                                             \
    __asm__(".text\n.balign 16\n.globl " #name "_keep\n.type " #name "_keep, @function\n" #name                        \
            "_keep:\n.cfi_startproc\n"                                                                                 \
            "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6, -16\nmovq %rsp, %rbp\n.cfi_def_cfa_register 6\n"       \
            "pushq %rax\npushq %rcx\npushq %rdx\npushq %rsi\npushq %rdi\npushq %r8\npushq %r9\npushq %r10\n"           \
            "andq $-16, %rsp\ncall " #name "\n" result "leaq -64(%rbp), %rsp\n"                                        \
            "popq %r10\npopq %r9\npopq %r8\npopq %rdi\npopq %rsi\npopq %rdx\npopq %rcx\npopq %rax\npopq %rbp\n"        \
            ".cfi_def_cfa 7, 8\nret\n.cfi_endproc\n.size " #name "_keep, . - " #name "_keep\n");
#define RESULT "movq %rax, -8(%rbp)\n"

#define WITH_FRAME(name, argument)                                                                                     \
    __asm__(".text\n.balign 16\n.globl __recipe_" #name "\n.type __recipe_" #name ", @function\n__recipe_" #name       \
            ":\n.cfi_startproc\nleaq 8(%rsp), " argument "\njmp rcp_hook_" #name                                       \
            "\n.cfi_endproc\n.size __recipe_" #name ", . - __recipe_" #name "\n");
#define SECOND "%rsi"
#define THIRD  "%rdx"

#endif

KEEP(__recipe_load_slow, RESULT)
KEEP(__recipe_stop, "")
KEEP(__recipe_stop_detail, "")
KEEP(__recipe_miss, "")

WITH_FRAME(returned, SECOND)
WITH_FRAME(returned_wide, THIRD)
WITH_FRAME(callback, THIRD)
