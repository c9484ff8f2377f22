/* SPDX-License-Identifier: Apache-2.0 */
/* The table by itself: its rows can be found and read, and their columns agree with each other. What a row says of a
 * function is tested by calls of it (tests/cli/rows.sh). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "outside/outside.h"

#include "suite.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

START_TEST(known_names) {
    static const char *const known[] = {"strlen", "read",    "pthread_mutex_lock", "zzz",      "a", "sin", "sinf",
                                        "sinl",   "sinfull", "__memcpy_chk",       "_ZNSolsEi"};
    static const bool is_known[] = {true, true, true, false, false, true, true, true, false, true, true};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_msg((rcp_outside_find(known[i]) != NULL) == is_known[i], "%s", known[i]);
    /* through these threads can wait for each other */
    static const char *const pairs[] = {"read",   "write",   "poll",         "recv",          "send",  "kill",
                                        "fork",   "waitpid", "fread",        "open",          "close", "pipe",
                                        "accept", "select",  "pthread_kill", "pthread_cancel"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_msg(rcp_outside_find(pairs[i])->kind == RCP_OUTSIDE_PAIR, "%s", pairs[i]);
    ck_assert(rcp_outside_find("pthread_once")->calls_back);
    ck_assert(!rcp_outside_find("nanosleep")->calls_back);
}
END_TEST

/* One row for a name, which is found, and whose words can be read. */
START_TEST(rows) {
    static const char *const hows = "ralcwxmMfFvVotn";
    const rcp_outside *row;
    for (size_t i = 0; (row = rcp_outside_row(i)); i++) {
        ck_assert_msg(rcp_outside_find(row->name) == row, "%s: more than one row", row->name);
        for (const char *p = row->touches; *p; p += strcspn(p, " "), p += *p == ' ')
            ck_assert_msg(strchr(hows, *p) && p[1] >= '0' && p[1] <= '9', "%s: %s", row->name, p);
    }
    ck_assert_ptr_nonnull(rcp_outside_row(600));
}
END_TEST

/* Whoever is with the world says what it has to do with descriptors. */
START_TEST(descriptors) {
    static const struct {
        const char *name;
        rcp_outside_descriptors what;
    } some[] = {{"pipe", RCP_DESCRIPTORS_MAKES_TWO},
                {"getsockname", RCP_DESCRIPTORS_ASKS},
                {"fcntl", RCP_DESCRIPTORS_CONTROLS},
                {"sendto", RCP_DESCRIPTORS_SENDS},
                {"fopen", RCP_DESCRIPTORS_NONE},
                {"listen", RCP_DESCRIPTORS_GIVES},
                {"timerfd_settime", RCP_DESCRIPTORS_SETS_TIMER},
                {"aio_read", RCP_DESCRIPTORS_LOSES},
                {"strlen", RCP_DESCRIPTORS_UNSAID},
                {"closest", RCP_DESCRIPTORS_UNSAID}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        ck_assert_msg(rcp_outside_resolve(some[i].name).descriptors == some[i].what, "%s", some[i].name);
    const rcp_outside *row;
    for (size_t i = 0; (row = rcp_outside_row(i)); i++)
        ck_assert_msg(!(row->with & RCP_WITH_WORLD) || rcp_outside_resolve(row->name).descriptors,
                      "%s: not in descriptors.def", row->name);
}
END_TEST

/* Is it a word of the list? */
static bool is_word(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *p = list; *p; p += strcspn(p, " "), p += *p == ' ')
        if (strcspn(p, " ") == n && !memcmp(p, name, n))
            return true;
    return false;
}

static size_t words_of(const char *list) {
    size_t n = *list != 0;
    for (; *list; list++)
        n += *list == ' ';
    return n;
}

/* Has it the role? */
static bool is_as_listed(rcp_outside_role role, const char *names, const char *name) {
    bool has = rcp_outside_resolve(name).roles & role;
    ck_assert_msg(has == is_word(names, name), "%s: role %#x", name, (unsigned)role);
    return has;
}

/* Who has a role, of all rows and of some names without one. */
START_TEST(who_has_roles) {
    static const struct {
        rcp_outside_role role;
        const char *names;
    } lists[] = {
        {RCP_ROLE_SELF, "pthread_self"},
        {RCP_ROLE_KEEPS, "pthread_setspecific tss_set"},
        {RCP_ROLE_SPECIFIC, "pthread_getspecific pthread_setspecific tss_create tss_delete tss_get tss_set"},
        {RCP_ROLE_AT_THREAD_END, "__cxa_thread_atexit __cxa_thread_atexit_impl pthread_key_create tss_create"},
        {RCP_ROLE_OUTCOME,
         "cnd_timedwait ftrylockfile pthread_barrier_wait pthread_clockjoin_np pthread_cond_clockwait "
         "pthread_cond_timedwait pthread_timedjoin_np pthread_tryjoin_np sem_getvalue"},
        {RCP_ROLE_FUTEX, "futex_changes futex_other futex_wait"},
        {RCP_ROLE_WAKES, "futex_changes futex_other"},
        {RCP_ROLE_SUPERVISES, "prctl process_vm_readv process_vm_writev ptrace"},
        {RCP_ROLE_PREFERS, "pthread_rwlockattr_setkind_np"},
        {RCP_ROLE_PROTECTS, "mprotect"},
        {RCP_ROLE_RESIZES, "fallocate fallocate64 ftruncate ftruncate64 posix_fallocate posix_fallocate64 truncate"},
        {RCP_ROLE_GUARD, "__cxa_guard_abort __cxa_guard_release"},
        {RCP_ROLE_ENDS, "_Exit _ZSt9terminatev __assert_fail __assert_perror_fail __chk_fail __clang_call_terminate "
                        "__fortify_fail __stack_chk_fail _exit abort exit quick_exit"},
        {RCP_ROLE_ONCE, "vfork"},
        {RCP_ROLE_BY_NUMBER, "syscall"},
        {RCP_ROLE_ERRNO, "__errno_location"},
        {RCP_ROLE_TABLE, "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc"},
        {RCP_ROLE_SETTINGS, "clearenv putenv setenv setlocale tzset unsetenv"},
        {RCP_ROLE_ANSWERS, "clock clock_nanosleep getpid getppid gettid nanosleep pthread_cond_clockwait "
                           "pthread_cond_timedwait sleep time usleep"},
        {RCP_ROLE_STATIC, "at_quick_exit atexit fstat fstat64 fstatat fstatat64 lstat lstat64 mknod mknodat "
                          "pthread_atfork stat stat64"},
        {RCP_ROLE_BLOCK, "_Znam _ZnamRKSt9nothrow_t _ZnamSt11align_val_t _Znwm _ZnwmRKSt9nothrow_t "
                         "_ZnwmSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t aligned_alloc calloc malloc memalign "
                         "posix_memalign pvalloc realloc reallocarray valloc"},
        {RCP_ROLE_CHECK_FAILS, "__chk_fail"},
        {RCP_ROLE_DESCRIPTOR, "close fstat fstat64 ftruncate ftruncate64 lseek lseek64"},
        {RCP_ROLE_ASKS,
         "__isoc99_fscanf fstatfs fstatfs64 fstatvfs fstatvfs64 getaddrinfo getifaddrs getloadavg if_indextoname "
         "if_nametoindex inotify_add_watch inotify_init "
         "inotify_init1 inotify_rm_watch ioctl rewinddir sendfile sendfile64 sigpending signalfd statfs statfs64 "
         "statvfs "
         "statvfs64 "
         "sysinfo"},
        {RCP_ROLE_POSITION,
         "fgetpos freopen freopen64 fseek fseeko fsetpos ftell ftello rewind setbuf setbuffer setvbuf"},
        {RCP_ROLE_REBUFFERS, "_ZNSt9basic_iosIcSt11char_traitsIcEE5rdbufEPSt15basic_streambufIcS1_E "
                             "_ZNSiC2EPSt15basic_streambufIcSt11char_traitsIcEE"},
        {RCP_ROLE_BUFFER, "setbuf setbuffer setvbuf"},
        {RCP_ROLE_FILES, "_ZNSt14basic_ofstreamIcSt11char_traitsIcEED1Ev"},
        {RCP_ROLE_BUFFERS, "_ZTISt15basic_streambufIcSt11char_traitsIcEE _ZTISt7num_putIcSt19ostreambuf_iteratorIcSt11"
                           "char_traitsIcEEE"},
        {RCP_ROLE_PASSES, "_ZNSt15__exception_ptr13exception_ptrD1Ev _ZSt17current_exceptionv "
                          "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE "
                          "_ZSt17rethrow_exceptionSt13exception_ptr "
                          "_ZNSt13exception_ptr31__from_native_exception_pointerEPv"},
        {RCP_ROLE_TAKES, "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1EOS4_ "
                         "_ZNSiC2EPSt15basic_streambufIcSt11char_traitsIcEE"},
        {RCP_ROLE_CANCELLATION,
         "_ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE "
         "_ZNSt3__111this_thread9sleep_forERKNS_6chrono8durationIxNS_5ratioILl1ELl1000000000EEEEE "
         "_ZNSt3__120__libcpp_atomic_waitEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEEi "
         "_ZNSt3__120__libcpp_atomic_waitEPVKvi "
         "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE "
         "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_"
         "IlS3_ILl1ELl1000000000EEEE "
         "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEE"
         "NS2_IlS3_ILl1ELl1000000000EEEE "
         "_ZNSt6thread4joinEv clock_nanosleep cnd_timedwait cnd_wait epoll_pwait epoll_pwait2 epoll_wait futex_wait "
         "nanosleep pthread_barrier_wait pthread_clockjoin_np pthread_cond_clockwait pthread_cond_timedwait "
         "pthread_cond_wait "
         "pthread_join pthread_timedjoin_np pthread_tryjoin_np sem_clockwait sem_timedwait sem_trywait sem_wait "
         "sigtimedwait sigwait sigwaitinfo sleep thrd_join thrd_sleep usleep wait waitpid"},
        {RCP_ROLE_JOINS, "_ZNSt6thread4joinEv pthread_join thrd_join"},
        {RCP_ROLE_LINGERS, "__recipe_linger"},
    };
    static const char *const without[] = {"__isoc99_fscanf",
                                          "__isoc99_sscanf",
                                          "ioctl",
                                          "_ZNSt14basic_ofstreamIcSt11char_traitsIcEED1Ev",
                                          "_ZTISt15basic_streambufIcSt11char_traitsIcEE",
                                          "_ZNSiC2EPSt15basic_streambufIcSt11char_traitsIcEE",
                                          "_ZTISt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE",
                                          "_ZNSt15__exception_ptr13exception_ptrD1Ev",
                                          "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1EOS4_"};
    enum { LISTS = sizeof lists / sizeof *lists, WITHOUT = sizeof without / sizeof *without };
    const rcp_outside *row;
    uint32_t all = 0;
    for (size_t k = 0; k < LISTS; k++) {
        size_t n = 0;
        for (size_t i = 0; (row = rcp_outside_row(i)); i++)
            n += is_as_listed(lists[k].role, lists[k].names, row->name);
        for (size_t i = 0; i < WITHOUT; i++)
            n += is_as_listed(lists[k].role, lists[k].names, without[i]);
        ck_assert_msg(n == words_of(lists[k].names), "a name is listed that is not there: %s", lists[k].names);
        all |= lists[k].role;
    }
    ck_assert_int_eq(LISTS, RCP_ROLES);
    ck_assert_uint_eq(all, (uint32_t)((UINT64_C(1) << RCP_ROLES) - 1));
}
END_TEST

/* What writes to a stream of C++ changes it; what only sets a flag there, or is a stream's beginning, is no such call.
 */
START_TEST(changes_of_streams) {
    static const struct {
        const char *name;
        bool is_changed;
    } some[] = {{"_ZNSolsEi", true},
                {"_ZNSo3putEc", true},
                {"_ZNSirsERi", true},
                {"_ZNSirsEPFRSiS_E", false},
                {"_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", true},
                {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", true},
                {"_ZStlsIwSt11char_traitsIwEERSt13basic_ostreamIT_T0_ES6_PKc", false},
                {"_ZNSo5flushEv", false},
                {"_ZNSolsEPFRSoS_E", false},
                {"_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEC1Ev", false}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        rcp_outside_state state = rcp_outside_resolve(some[i].name).state;
        ck_assert_msg((state.what == RCP_STATE_OSTREAM && state.is_changed) == some[i].is_changed, "%s", some[i].name);
    }
}
END_TEST

/* Rows with a role of their own, not by a part of their names, are found by it. */
START_TEST(by_role) {
    size_t n = 0;
    for (size_t i = 0; rcp_outside_having(RCP_ROLE_RESIZES, &i); i++)
        n++;
    ck_assert_uint_eq(n, 7);
    ck_assert_str_eq(rcp_outside_having(RCP_ROLE_CHECK_FAILS, &(size_t){0})->name, "__chk_fail");
}
END_TEST

/* Each model has functions, and no others. */
START_TEST(models) {
    static const char *const names[RCP_OUTSIDE_MODELS] = {
        [RCP_MODEL_SYNC] =
            "_ZNSt18condition_variable10notify_allEv _ZNSt18condition_variable10notify_oneEv cnd_broadcast cnd_signal "
            "cnd_wait mtx_lock mtx_timedlock mtx_trylock mtx_unlock pthread_cond_broadcast pthread_cond_signal "
            "pthread_cond_wait pthread_mutex_clocklock pthread_mutex_lock pthread_mutex_timedlock "
            "pthread_mutex_trylock pthread_mutex_unlock pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock "
            "pthread_rwlock_rdlock pthread_rwlock_timedrdlock "
            "pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock "
            "pthread_rwlock_wrlock pthread_spin_lock pthread_spin_trylock pthread_spin_unlock sem_clockwait sem_post "
            "sem_timedwait "
            "sem_trywait sem_wait",
        [RCP_MODEL_ALLOCATE] = "_Znam _ZnamRKSt9nothrow_t _Znwm _ZnwmRKSt9nothrow_t malloc",
        [RCP_MODEL_ALLOCATE_ZEROED] = "calloc",
        [RCP_MODEL_ALLOCATE_ALIGNED] = "aligned_alloc memalign",
        [RCP_MODEL_ALLOCATE_AT] = "_ZnamSt11align_val_t _ZnwmSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t",
        [RCP_MODEL_ALLOCATE_INTO] = "posix_memalign",
        [RCP_MODEL_RESIZE] = "realloc",
        [RCP_MODEL_RESIZE_ARRAY] = "reallocarray",
        [RCP_MODEL_FREE] = "_ZdaPv _ZdaPvSt11align_val_t _ZdaPvm _ZdaPvmSt11align_val_t _ZdlPv "
                           "_ZdlPvRKSt9nothrow_t _ZdlPvSt11align_val_t _ZdlPvm _ZdlPvmSt11align_val_t cfree free",
        [RCP_MODEL_STRLEN] = "strlen",
        [RCP_MODEL_STRNLEN] = "strnlen",
        [RCP_MODEL_STRCMP] = "strcmp",
        [RCP_MODEL_STRNCMP] = "strncmp",
        [RCP_MODEL_MEMCMP] = "bcmp memcmp",
        [RCP_MODEL_MEMCHR] = "memchr",
        [RCP_MODEL_STRCHR] = "index strchr",
        [RCP_MODEL_STRRCHR] = "rindex strrchr",
        [RCP_MODEL_STRSTR] = "strstr",
        [RCP_MODEL_STRSPN] = "strspn",
        [RCP_MODEL_STRCSPN] = "strcspn",
        [RCP_MODEL_STRPBRK] = "strpbrk",
        [RCP_MODEL_STRDUP] = "strdup",
        [RCP_MODEL_STRNDUP] = "strndup",
        [RCP_MODEL_STRCPY] = "strcpy",
        [RCP_MODEL_STPCPY] = "stpcpy",
        [RCP_MODEL_STRCAT] = "strcat",
        [RCP_MODEL_STRNCAT] = "strncat",
        [RCP_MODEL_STRNCPY] = "strncpy",
        [RCP_MODEL_ABS] = "abs",
        [RCP_MODEL_LABS] = "labs llabs",
        [RCP_MODEL_FFS] = "ffs",
        [RCP_MODEL_FFSL] = "ffsl ffsll",
        [RCP_MODEL_CLASS] = "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper "
                            "isxdigit",
        [RCP_MODEL_CASE] = "tolower toupper",
        [RCP_MODEL_ATOI] = "atoi",
        [RCP_MODEL_ATOL] = "atol atoll",
        [RCP_MODEL_EQUAL] = "pthread_equal",
        [RCP_MODEL_SAME] = "pthread_self",
    };
    const rcp_outside *row;
    for (size_t k = RCP_MODEL_NONE + 1; k < RCP_OUTSIDE_MODELS; k++) {
        size_t n = 0;
        ck_assert_ptr_nonnull(names[k]);
        for (size_t i = 0; (row = rcp_outside_row(i)); i++) {
            ck_assert_msg((row->model == k) == is_word(names[k], row->name), "%s: model %zu", row->name, k);
            n += row->model == k;
        }
        ck_assert_uint_eq(n, words_of(names[k]));
    }
}
END_TEST

/* What it says of a model of synchronisation fits together, and the row's words. */
static void check_sync(const rcp_outside *row) {
    const rcp_outside_sync *sync = &row->sync;
    bool is_timed = sync->patience == RCP_PATIENCE_TIMED;
    char word[] = "r0=16";
    word[1] = (char)('0' + sync->clock);
    ck_assert_msg(row->kind == RCP_OUTSIDE_SYNC, "%s: a model of synchronisation", row->name);
    ck_assert_msg(!(row->roles & RCP_ROLE_OUTCOME), "%s has a model", row->name);
    ck_assert_msg(is_timed ? is_word(row->touches, word) : !sync->clock, "%s: who reads its time?", row->name);
    ck_assert_msg(sync->patience == RCP_PATIENCE_WAITS || sync->busy, "%s: how does it fail?", row->name);
    ck_assert_msg(!sync->is_in_errno || sync->busy == -1, "%s: errno", row->name);
    bool fits = true;
    switch ((rcp_outside_does)sync->does) {
    case RCP_DOES_ACQUIRE:
    case RCP_DOES_RELEASE: fits = sync->object != RCP_ON_SEM && sync->object != RCP_ON_COND; break;
    case RCP_DOES_ACQUIRE_SHARED: fits = sync->object == RCP_ON_RWLOCK; break;
    case RCP_DOES_SEM_WAIT:
    case RCP_DOES_SEM_POST: fits = sync->object == RCP_ON_SEM; break;
    case RCP_DOES_WAIT:
    case RCP_DOES_SIGNAL:
    case RCP_DOES_BROADCAST: fits = sync->object == RCP_ON_COND; break;
    }
    ck_assert_msg(fits, "%s does something else to such an object", row->name);
}

static void check_compiled(const rcp_outside *row) {
    static const char *const touches[] = {[RCP_COMPILED_COPY] = "r1#2 w0#2",
                                          [RCP_COMPILED_MOVE] = "r1#2 w0#2",
                                          [RCP_COMPILED_FILL] = "w0#2",
                                          [RCP_COMPILED_COMPARE] = "r0#2 r1#2"};
    if (row->compiled == RCP_COMPILED_NOT)
        ck_assert_msg(!row->is_checked && !row->returns_end, "%s is a call", row->name);
    else if (row->kind != RCP_OUTSIDE_UNKNOWN)
        ck_assert_msg(!strcmp(row->touches, touches[row->compiled]), "%s: a call touches the same", row->name);
}

/* The columns of a row agree. */
START_TEST(columns) {
    const rcp_outside *row;
    for (size_t i = 0; (row = rcp_outside_row(i)); i++) {
        uint32_t roles = rcp_outside_resolve(row->name).roles;
        bool is_memory = row->model > RCP_MODEL_SYNC;
        bool allocates = row->model >= RCP_MODEL_ALLOCATE && row->model <= RCP_MODEL_RESIZE_ARRAY;
        if (row->model == RCP_MODEL_SYNC)
            check_sync(row);
        check_compiled(row);
        bool has_locale = row->model >= RCP_MODEL_CLASS && row->model <= RCP_MODEL_ATOL;
        ck_assert_msg(!is_memory || row->kind == (has_locale ? RCP_OUTSIDE_SETTING : RCP_OUTSIDE_HARMLESS),
                      "%s: a model of memory", row->name);
        ck_assert_msg(!allocates || roles & RCP_ROLE_BLOCK, "%s: whose block?", row->name);
        ck_assert_msg(!row->starts || row->kind == RCP_OUTSIDE_SYNC, "%s: a thread's beginning is told", row->name);
        ck_assert_msg(!row->handler || row->kind == RCP_OUTSIDE_PAIR, "%s: handlers are the process's", row->name);
        ck_assert_msg(!(roles & RCP_ROLE_ENDS) || row->calls_back, "%s: ends call what waits for them", row->name);
        ck_assert_msg(!(roles & RCP_ROLE_BUFFER) || roles & RCP_ROLE_POSITION, "%s", row->name);
        ck_assert_msg(!(roles & RCP_ROLE_WAKES) || roles & RCP_ROLE_FUTEX, "%s", row->name);
        ck_assert_msg(!(row->roles & row->unlike), "%s: so, and not so", row->name);
        ck_assert_msg(!row->calls || row->calls_back || roles & RCP_ROLE_AT_THREAD_END, "%s: whose callback is it?",
                      row->name);
        bool says = row->roles || row->compiled || row->starts || row->handler || row->makes_printers || row->counted;
        ck_assert_msg(row->kind != RCP_OUTSIDE_UNKNOWN || (says && !*row->touches && !row->model),
                      "%s: nothing is known of it, so what is the row for?", row->name);
    }
}
END_TEST

static uint32_t shares(const char *name, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth) {
    const uint64_t words[] = {first, second, third, fourth};
    return rcp_outside_shares(rcp_outside_find(name), words, 4, false);
}

/* What a call has to do with, as its arguments are. */
START_TEST(objects) {
    const rcp_outside *row;
    for (size_t i = 0; (row = rcp_outside_row(i)); i++)
        ck_assert_msg((!row->with && !row->when && !row->is_later) || (row->with && row->kind == RCP_OUTSIDE_PAIR),
                      "%s: only a pair has to do with the system", row->name);
    static const char *const all[] = {"kill", "fork", "waitpid", "sigsuspend", "getitimer", "exit", "munmap", "popen"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ck_assert_msg(shares(all[i], 0, 0, 0, 0) == RCP_WITH_ALL, "%s", all[i]);
    ck_assert_uint_eq(shares("sigaction", SIGALRM, 0, 0, 0), RCP_WITH_HANDLERS);
    ck_assert_uint_eq(shares("sigaction", SIGPIPE, 0, 0, 0), RCP_WITH_ALL);
    ck_assert_uint_eq(shares("signal", SIGXFSZ, 0, 0, 0), RCP_WITH_ALL);
    ck_assert_uint_eq(shares("setitimer", 0, 4096, 0, 0), RCP_WITH_TIMERS);
    ck_assert_uint_eq(shares("setitimer", 0, 4096, 4096, 0), RCP_WITH_ALL);
    ck_assert_uint_eq(shares("alarm", 1, 0, 0, 0), RCP_WITH_TIMERS);
    ck_assert_uint_eq(rcp_outside_shares(rcp_outside_find("alarm"), &(uint64_t){1}, 1, true), RCP_WITH_ALL);
    ck_assert_uint_eq(shares("clock_gettime", CLOCK_MONOTONIC, 0, 0, 0), RCP_WITH_CLOCK);
    ck_assert_uint_eq(shares("clock_gettime", CLOCK_THREAD_CPUTIME_ID, 0, 0, 0), RCP_WITH_OWN);
    ck_assert_uint_eq(shares("clock_gettime", UINT32_C(0xfffff3ce), 0, 0, 0), RCP_WITH_ALL);
    ck_assert_uint_eq(shares("sysconf", _SC_PAGESIZE, 0, 0, 0), RCP_WITH_MACHINE);
    ck_assert_uint_eq(shares("sysconf", _SC_OPEN_MAX, 0, 0, 0), RCP_WITH_ALL);
    ck_assert_uint_eq(shares("mmap", 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS), RCP_WITH_SPACE);
    ck_assert_uint_eq(shares("mmap", 0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS), RCP_WITH_SPACE);
    ck_assert_uint_eq(shares("mmap", 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB), RCP_WITH_ALL);
    ck_assert_uint_eq(shares("mmap", 0, 4096, 3, MAP_PRIVATE), RCP_WITH_ALL);
    ck_assert_uint_eq(rcp_outside_shares(rcp_outside_find("mmap"), NULL, 0, false), RCP_WITH_ALL);
    ck_assert_uint_eq(shares("read", 0, 0, 0, 0) & (RCP_WITH_HANDLERS | RCP_WITH_TIMERS), 0);
    ck_assert(rcp_outside_find("sigwaitinfo")->is_later);
}
END_TEST

START_TEST(others) {
    ck_assert_str_eq(rcp_outside_futex(0)->name, "futex_wait");
    ck_assert_str_eq(rcp_outside_futex(5)->name, "futex_changes");
    ck_assert(rcp_outside_resolve(rcp_outside_futex(1)->name).roles & RCP_ROLE_WAKES);
    ck_assert_str_eq(rcp_outside_membarrier(8)->name, "membarrier");
    ck_assert_ptr_null(rcp_outside_membarrier(16));
    ck_assert_int_eq(rcp_outside_find("bsearch")->calls, 1 + 4);
    ck_assert_int_eq(rcp_outside_find("__cxa_thread_atexit")->calls, 1);
    ck_assert_int_eq(rcp_outside_variable_of("_ZSt4cerr"), RCP_VARIABLE_OBJECT);
    ck_assert_int_eq(rcp_outside_variable_of("stdout"), RCP_VARIABLE_POINTER);
    ck_assert_int_eq(rcp_outside_variable_of("stdin"), RCP_VARIABLE_OTHER);
    ck_assert_int_eq(rcp_outside_variable_of("_ZNSt3__14coutE"), RCP_VARIABLE_SHARED);
    ck_assert_int_eq(rcp_outside_variable_of("_ZSt3cin"), RCP_VARIABLE_INPUT);
    ck_assert(rcp_outside_is_reserved("__divtc3") && rcp_outside_is_reserved("_ZNKSt9exception4whatEv"));
    ck_assert(!rcp_outside_is_reserved("_exit") && !rcp_outside_is_reserved("_ZN1A1fEv"));
    ck_assert_int_eq(rcp_outside_find("pthread_create")->starts, 2);
    ck_assert_int_eq(rcp_outside_find("thrd_create")->starts, 1);
    ck_assert_int_eq(rcp_outside_find("signal")->handler, RCP_HANDLER_GIVEN);
    ck_assert_int_eq(rcp_outside_find("sigaction")->handler, RCP_HANDLER_POINTED);
}
END_TEST

int main(void) {
    return rcp_suite_run("outside", known_names, rows, descriptors, who_has_roles, changes_of_streams, by_role, models,
                         columns, objects, others, NULL);
}
