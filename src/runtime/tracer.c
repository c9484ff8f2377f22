/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/tracer.h"

#include "runtime/sys.h"
#include "runtime/thread.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

RCP_REAL_DEFINE(ptrace)
RCP_REAL_DEFINE(process_vm_readv)
RCP_REAL_DEFINE(process_vm_writev)

const volatile uint32_t *rcp_tracer_word;
static uint32_t *word;
static bool is_said;

void rcp_tracer_start(void) {
    long at = rcp_sys(SYS_mmap, 0, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at >= 0 || at < -4096)
        rcp_tracer_word = word = (uint32_t *)at;
}

void rcp_tracer_begins(void) {
    if (word && rcp_is_recording())
        __atomic_store_n(word, 1, __ATOMIC_SEQ_CST);
}

void rcp_tracer_say(void) {
    if (is_said)
        return;
    is_said = true;
    rcp_log_alias(0, 0, UINT64_C(1) << 48);
}

RCP_INTERCEPT long ptrace(enum __ptrace_request request, ...) {
    va_list more;
    va_start(more, request);
    pid_t pid = va_arg(more, pid_t);
    void *address = va_arg(more, void *), *data = va_arg(more, void *);
    va_end(more);
    rcp_tracer_begins();
    return RCP_REAL(ptrace)(request, pid, address, data);
}

static void looks_into(pid_t pid) {
    if (pid != (pid_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0))
        rcp_tracer_begins();
}

RCP_INTERCEPT ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n, const struct iovec *from,
                                       unsigned long m, unsigned long flags) {
    looks_into(pid);
    return RCP_REAL(process_vm_readv)(pid, to, n, from, m, flags);
}

RCP_INTERCEPT ssize_t process_vm_writev(pid_t pid, const struct iovec *from, unsigned long n, const struct iovec *to,
                                        unsigned long m, unsigned long flags) {
    looks_into(pid);
    return RCP_REAL(process_vm_writev)(pid, from, n, to, m, flags);
}
