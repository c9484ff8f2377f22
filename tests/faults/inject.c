/* SPDX-License-Identifier: Apache-2.0 */
/* Runs recipe and lets one call of the system fail, or ends it there.
 *
 *   inject [--log FILE] [--list | --fail PLACE:NTH:WAY | --full N | --kill N | --die N] RECIPE ARGS…
 *
 * What is counted: calls that can fail (calls.def), of RECIPE and its copies, libc's and SQLite's and LLVM's among
 * them, from main() on. Not of the programs that it starts.
 *   --list    each of them, a line in FILE: 'call PLACE NAME WAYS'. A place is where in RECIPE's code the call comes
 * from: the innermost return addresses on its stack, for addr2line. WAYS is how it can fail.
 *   --fail    the NTH one from PLACE fails in that WAY: an error, 'short' (half of the bytes), or 'late' ones (the
 *             call is done, and then said to have failed: close).
 *   --full    from the Nth one on the disk is full, for ever.
 *   --kill    at the Nth one RECIPE is ended by SIGKILL.
 *   --die     at the Nth one whoever makes it is: RECIPE, or a copy of it.
 * FILE says in the end 'calls N', and before that 'failed NAME WAY FILE' and 'of PLACE'. Exit code: RECIPE's, 128 and
 * the signal's number where one ended it; 99: the system does not allow it (seccomp, ptrace); 98: wrong arguments.
 *
 * Calls are stopped by a filter of seccomp and answered by ptrace, so that none can be forgotten, whoever makes it.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_ALLOWED = 99, WRONG = 98, BY_SIGNAL = 128 };

/* Which argument of a call says what file it is about. */
typedef enum file_argument { NO_FILE, PATH_0, PATH_1, FD_0 } file_argument;

typedef struct call {
    long number;
    const char *name, *ways; /* by spaces; the first is that of a full disk, where it has one ('ENOSPC') */
    file_argument file;
} call;

static const call calls[] = {
#define CALL(name, file, ways) {SYS_##name, #name, ways, file},
#include "calls.def"
};
enum { CALLS = sizeof calls / sizeof *calls };

static const struct {
    const char *name;
    int number;
} errors[] = {{"EAGAIN", EAGAIN}, {"EINTR", EINTR},   {"EIO", EIO},     {"EMFILE", EMFILE}, {"ENOLCK", ENOLCK},
              {"ENOMEM", ENOMEM}, {"ENOSPC", ENOSPC}, {"EROFS", EROFS}, {"EPERM", EPERM}};

static const call *call_of(uint64_t number) {
    for (size_t i = 0; i < CALLS; i++)
        if ((uint64_t)calls[i].number == number)
            return &calls[i];
    return NULL;
}

static int error_of(const char *way) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (!strcmp(errors[i].name, way))
            return errors[i].number;
    return 0;
}

/* --- what was asked for --- */

static FILE *log_file;
static bool lists;
static const char *place_wanted, *way_wanted = "";
static unsigned long nth_wanted, full_from, kill_at, die_at;
static char recipe[4096];

static unsigned long counted, of_place;
static pid_t first;

/* --- processes --- */

typedef struct process {
    pid_t pid;
    bool is_recipe, is_counted; /* main() has begun */
    bool is_late;               /* its call is done, and fails then */
    bool is_changed;            /* its call is done with another argument: this one was `was` */
    int changed;
    uint64_t was;
    uint64_t base, text, text_end;
} process;

static process processes[4096];

static void find_text(process *p) {
    char path[64], line[4200];
    p->base = p->text = p->text_end = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)p->pid);
    FILE *maps = fopen(path, "re");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char rights[5];
        const char *name = strchr(line, '/');
        if (!name || strncmp(name, recipe, strlen(recipe)) || sscanf(line, "%lx-%lx %4s", &from, &to, rights) != 3)
            continue;
        if (!p->base)
            p->base = from;
        if (rights[2] == 'x')
            p->text = from, p->text_end = to;
    }
    if (maps)
        fclose(maps);
}

static void look_at_program(process *p) {
    char path[64], exe[4096];
    snprintf(path, sizeof path, "/proc/%d/exe", (int)p->pid);
    ssize_t n = readlink(path, exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    p->is_recipe = !strcmp(exe, recipe);
    if (p->is_recipe)
        find_text(p);
}

/* One that is new here is a copy of one that was counted. */
static process *process_of(pid_t pid) {
    process *p = processes;
    while (p->pid && p->pid != pid)
        if (++p == processes + sizeof processes / sizeof *processes)
            exit(WRONG);
    if (!p->pid) {
        *p = (process){.pid = pid, .is_counted = true};
        look_at_program(p);
    }
    return p;
}

static void forget(pid_t pid) {
    for (process *p = processes; p < processes + sizeof processes / sizeof *processes && p->pid; p++)
        if (p->pid == pid)
            p->pid = -1;
}

/* --- a call that is stopped --- */

static void print_place(const process *p, uint64_t stack, char *to, size_t size) {
    enum { WORDS = 2048, INNERMOST = 4 };
    uint64_t words[WORDS];
    struct iovec here = {words, sizeof words}, there = {(void *)(uintptr_t)stack, sizeof words};
    ssize_t n;
    while ((n = process_vm_readv(p->pid, &here, 1, &there, 1, 0)) < 0 && there.iov_len > 512) /* the stack's end */
        there.iov_len /= 2;
    size_t at = 0, found = 0;
    *to = 0;
    for (size_t i = 0; n > 0 && i < (size_t)n / sizeof *words && found < INNERMOST; i++)
        if (words[i] >= p->text && words[i] < p->text_end) {
            int put = snprintf(to + at, size - at, "%s%lx", found ? "," : "", (unsigned long)(words[i] - p->base));
            if (put < 0 || (at += (size_t)put) >= size)
                return;
            found++;
        }
    if (!found)
        snprintf(to, size, "-");
}

static void print_file(const process *p, const call *c, const uint64_t *arguments, char *to, size_t size) {
    *to = 0;
    if (c->file == FD_0) {
        char link[64];
        snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)p->pid, (int)arguments[0]);
        ssize_t n = readlink(link, to, size - 1);
        to[n > 0 ? n : 0] = 0;
    } else if (c->file != NO_FILE) {
        struct iovec here = {to, size - 1}, there = {(void *)(uintptr_t)arguments[c->file == PATH_0 ? 0 : 1], size - 1};
        ssize_t n;
        while ((n = process_vm_readv(p->pid, &here, 1, &there, 1, 0)) < 0 && there.iov_len > 16)
            there.iov_len /= 2;
        to[n > 0 ? n : 0] = 0;
    }
}

/* What a call gives, without having been done; or, at its end, instead of what it gave. */
static void answer(pid_t pid, long value, bool is_late) {
#ifdef __x86_64__
    struct user_regs_struct all;
    struct iovec at = {&all, sizeof all};
    ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &at);
    if (!is_late)
        all.orig_rax = (unsigned long long)-1;
    all.rax = (unsigned long long)value;
    ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &at);
#else
    struct user_regs_struct all;
    struct iovec at = {&all, sizeof all};
    int none = -1;
    struct iovec number = {&none, sizeof none};
    if (!is_late)
        ptrace(PTRACE_SETREGSET, pid, (void *)NT_ARM_SYSTEM_CALL, &number);
    ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &at);
    all.regs[0] = (unsigned long long)value;
    ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &at);
#endif
}

/* The call is done with another argument: the first, or the third. */
static void change_argument(pid_t pid, int which, uint64_t value) {
    struct user_regs_struct all;
    struct iovec at = {&all, sizeof all};
    ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &at);
#ifdef __x86_64__
    *(which ? &all.rdx : &all.rdi) = value;
#else
    all.regs[which] = value;
#endif
    ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &at);
}

/* Until its call is done: the program takes its registers to be what they were. */
static void change_for_now(process *p, int which, const uint64_t *arguments, uint64_t value) {
    p->is_changed = true;
    p->changed = which;
    p->was = arguments[which];
    change_argument(p->pid, which, value);
}

static bool makes_a_file(const call *c, const uint64_t *arguments) {
    return arguments[c->file == PATH_0 ? 1 : 2] & O_CREAT;
}

/* What is printed goes elsewhere. */
static bool can_fill_the_disk(const call *c, const uint64_t *arguments) {
    if (c->file == FD_0 && arguments[0] <= STDERR_FILENO)
        return false;
    if (!strncmp(c->name, "open", 4))
        return makes_a_file(c, arguments);
    return !strncmp(c->ways, "ENOSPC", 6);
}

/* True: the call is to be looked at again when it is done. */
static bool fail(process *p, const call *c, const uint64_t *arguments, const char *way, const char *place) {
    char file[4096];
    print_file(p, c, arguments, file, sizeof file);
    if (log_file && place)
        fprintf(log_file, "failed %s %s %s\nof %s\n", c->name, way, file, place);
    if (!strcmp(way, "short"))
        change_for_now(p, 2, arguments, (arguments[2] + 1) / 2);
    else if (c->number == SYS_brk) /* it fails by giving what it gave before */
        change_for_now(p, 0, arguments, 0);
    else if (!strcmp(way, "late"))
        p->is_late = true;
    else
        answer(p->pid, -error_of(way), false);
    return p->is_late || p->is_changed;
}

/* A call of `p`, before it is done. */
static bool look_at(process *p, const struct __ptrace_syscall_info *info) {
    const call *c = call_of(info->seccomp.nr);
    const uint64_t *arguments = (const uint64_t *)info->seccomp.args; /* __u64 */
    char place[128];
    if (!p->is_recipe || !c)
        return false;
    if (!p->is_counted) { /* main() begins with a question about descriptor 1 */
        p->is_counted = info->seccomp.nr == SYS_fcntl && arguments[0] == 1 && arguments[1] == F_GETFD;
        return false;
    }
    counted++;
    if (kill_at && counted == kill_at)
        kill(first, SIGKILL);
    if (die_at && counted == die_at)
        kill(p->pid, SIGKILL);
    if (full_from && counted >= full_from && can_fill_the_disk(c, arguments))
        return fail(p, c, arguments, "ENOSPC", counted == full_from ? "-" : NULL);
    if (!lists && !place_wanted)
        return false;
    print_place(p, info->stack_pointer, place, sizeof place);
    if (lists)
        fprintf(log_file, "call %s %s %s%s\n", place, c->name, c->ways,
                !strncmp(c->name, "open", 4) && makes_a_file(c, arguments) ? " ENOSPC EROFS" : "");
    const size_t n = strlen(c->name);
    if (!place_wanted || strncmp(place_wanted, c->name, n) || place_wanted[n] != '@' ||
        strcmp(place_wanted + n + 1, place) || ++of_place != nth_wanted)
        return false;
    return fail(p, c, arguments, way_wanted, place);
}

/* --- the loop --- */

static void go_on(pid_t pid, int request, int signal_number) {
    ptrace(request, pid, NULL, (void *)(intptr_t)signal_number); /* where it is dead already, the next wait says so */
}

static void handle_stop(pid_t pid, int status) {
    struct __ptrace_syscall_info info;
    const int event = status >> 16, number = WSTOPSIG(status);
    if (event == PTRACE_EVENT_SECCOMP) {
        process *p = process_of(pid);
        bool again = ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof info, &info) > 0 && look_at(p, &info);
        go_on(pid, again ? PTRACE_SYSCALL : PTRACE_CONT, 0);
    } else if (event == PTRACE_EVENT_EXEC) {
        process *p = process_of(pid);
        p->is_counted = false;
        look_at_program(p);
        go_on(pid, PTRACE_CONT, 0);
    } else if (event == PTRACE_EVENT_STOP &&
               (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)) {
        go_on(pid, PTRACE_LISTEN, 0);
    } else if (event) {
        go_on(pid, PTRACE_CONT, 0);
    } else if (number == (SIGTRAP | 0x80)) {
        process *p = process_of(pid);
        if (p->is_late)
            answer(pid, -EIO, true);
        if (p->is_changed)
            change_argument(pid, p->changed, p->was);
        p->is_late = p->is_changed = false;
        go_on(pid, PTRACE_CONT, 0);
    } else {
        go_on(pid, PTRACE_CONT, number);
    }
}

static int follow(void) {
    int status, end = NOT_ALLOWED;
    for (pid_t pid; (pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (pid <= 0)
            continue;
        if (WIFSTOPPED(status)) {
            handle_stop(pid, status);
            continue;
        }
        forget(pid);
        if (pid == first)
            end = WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status);
    }
    return end;
}

static _Noreturn void become(int heard, char **command) {
    struct sock_filter filter[2 * CALLS + 2];
    unsigned short n = 0;
    char byte;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < CALLS; i++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {n, filter};
    if (read(heard, &byte, 1) != 1 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(NOT_ALLOWED);
    execv(command[0], command);
    _exit(NOT_ALLOWED);
}

static int start(char **command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return NOT_ALLOWED;
    first = fork();
    if (!first)
        become(ends[0], command);
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEVFORK;
    if (first < 0 || ptrace(PTRACE_SEIZE, first, NULL, (void *)options)) {
        kill(first, SIGKILL);
        return NOT_ALLOWED;
    }
    return write(ends[1], "", 1) == 1 ? 0 : NOT_ALLOWED;
}

/* NAME@PLACE:NTH:WAY */
static bool read_wanted(char *word) {
    char *nth = strchr(word, ':'), *way = nth ? strchr(nth + 1, ':') : NULL;
    if (!way)
        return false;
    *nth++ = *way++ = 0;
    place_wanted = word, way_wanted = way, nth_wanted = strtoul(nth, NULL, 10);
    return nth_wanted && (error_of(way) || !strcmp(way, "short") || !strcmp(way, "late"));
}

int main(int argc, char **argv) {
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        bool fine = true;
        if (!strcmp(argv[i], "--list"))
            lists = true;
        else if (i + 1 >= argc)
            fine = false;
        else if (!strcmp(argv[i], "--log"))
            fine = (log_file = fopen(argv[++i], "we"));
        else if (!strcmp(argv[i], "--fail"))
            fine = read_wanted(argv[++i]);
        else if (!strcmp(argv[i], "--full"))
            fine = (full_from = strtoul(argv[++i], NULL, 10));
        else if (!strcmp(argv[i], "--kill"))
            fine = (kill_at = strtoul(argv[++i], NULL, 10));
        else if (!strcmp(argv[i], "--die"))
            fine = (die_at = strtoul(argv[++i], NULL, 10));
        else
            fine = false;
        if (!fine)
            return WRONG;
    }
    if (i == argc || (lists && !log_file) || !realpath(argv[i], recipe))
        return WRONG;
    int end = start(argv + i);
    if (!end)
        end = follow();
    if (log_file)
        fprintf(log_file, "calls %lu\n", counted);
    return end;
}
