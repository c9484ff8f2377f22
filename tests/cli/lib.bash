# SPDX-License-Identifier: Apache-2.0
# What the scripts beside this one share: each runs in a directory of its own that is removed in the end.
set -euo pipefail
: "${RECIPE:?the recipe program to test}" "${RECIPE_SOURCE_DIR:?the root of the sources}"
RECIPE=$(realpath "$RECIPE") RECIPE_SOURCE_DIR=$(realpath "$RECIPE_SOURCE_DIR")
export LC_ALL=C.UTF-8
unset RECIPE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
touch out err

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Samples. RECIPE_CHECK=all, or nothing: everything is looked at, as 'make check-all' does. RECIPE_CHECK=sample ('make check'): where
# there is much of a kind, a part of it, and another part under each preset (RECIPE_CHECK_PART=0, 1, …), a smaller one where everything
# is slow (RECIPE_CHECK_THIN=3: a third of it). No kind is left out, and what is left out of one is said: 'sampled: 9 of 27 traps'.
# RECIPE_CHECK=ci: everything, but of what takes longest one half, the other one tomorrow. These four are the only places that know.
is_sample() {
    case ${RECIPE_CHECK:-all} in
    all | ci) return 1 ;;
    sample) return 0 ;;
    *) fail "RECIPE_CHECK is sample, ci or all, not '$RECIPE_CHECK'" ;;
    esac
}

# take_part N WHAT ITEM…: the items, or every Nth of them, and one at least, in the array `part`.
take_part() {
    local n=$(($1 * ${RECIPE_CHECK_THIN:-1})) what=$2 from=${RECIPE_CHECK_PART:-0} i
    if [ "${RECIPE_CHECK:-}" = ci ] && [ "$1" -ge 8 ]; then n=2 from=$(($(date +%s) / 86400)); else is_sample || n=1; fi
    shift 2
    part=("$@")
    [ $n -gt 1 ] || return 0
    part=()
    [ $n -le $# ] || n=$#
    for ((i = 1 + from % n; i <= $#; i += n)); do part+=("${!i}"); done
    echo "sampled: ${#part[@]} of $# $what" >&2
}

# few ALL SAMPLE WHAT: prints how many.
few() {
    is_sample || { echo "$1" && return 0; }
    local n=$((($2 + ${RECIPE_CHECK_THIN:-1} - 1) / ${RECIPE_CHECK_THIN:-1}))
    echo "sampled: $n of $1 $3" >&2
    echo $n
}

# least N EVERY: prints how many there are at least of what there should be N of, if take_part EVERY chose.
least() {
    is_sample && echo $(($1 / $2 / ${RECIPE_CHECK_THIN:-1})) || echo "$1"
}

# run CODE ARGS…: recipe must exit with CODE; its output is in ./out and ./err.
run() {
    local want=$1 got=0
    shift
    "$RECIPE" "$@" >out 2>err || got=$?
    # What a sanitizer says of coroutines (program/concrete/run.c) is not recipe's word.
    sed -i "/^=*[0-9]*=*WARNING: ASan doesn't fully support makecontext/d; s/==[0-9]*==WARNING: ASan doesn't fully support makecontext.*//" err
    [ "$got" -eq "$want" ] || {
        cat out err >&2
        fail "recipe $*: exit code $got, not $want"
    }
    # The self-check: what happened is an execution by every rule, but for what a program itself says ($refused).
    [ -n "${refused:-}" ] || ! grep -a 'refuse the recorded order itself' out >&2 || fail "recipe $*: see above"
}

# unprivileged CODE ARGS…: as run, without root's rights; false where that is not possible here.
unprivileged() {
    local want=$1 got=0 as=()
    shift
    [ "$(id -u)" -ne 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod a+rx .
    "${as[@]}" "$RECIPE" --version >out 2>err || return 1
    "${as[@]}" "$RECIPE" "$@" >out 2>err || got=$?
    [ "$got" -eq "$want" ] || fail "recipe $*: exit code $got, not $want: $(cat out err)"
}

# says FILE WORDS…: each of the words stands somewhere in FILE.
says() {
    local file=$1 words
    shift
    for words; do
        grep -qF -e "$words" "$file" || {
            cat "$file" >&2
            fail "'$words' is not in $file"
        }
    done
}

# pairs FILE: of a report for people the pairs of accesses, a line each: the first of every race as it stands there, and those that are
# listed below it the same way ("Race 3 on x, …").
pairs() {
    sed -nE '/^Unconfirmed/q; s/^(Race \(p|  P)air ([0-9]+)( here[^)]*\))? on/Race \2 on/; /^Race /p' "$1"
}

silent() {
    [ ! -s "$1" ] || {
        cat "$1" >&2
        fail "$1 should be empty"
    }
}

absent() {
    [ ! -e "$1" ] || fail "$1 should not be there"
}

# A small trace with one race that hb finds and proves, in ./small.txt.
small_trace() {
    cat >small.txt <<'TRACE'
recipe trace 1
fact program small
thread T1
thread T2
var x 0x1000 4 = 0
var y 0x1004 4 = 0
mutex m
T1 acq m
T1 w x = 1 @ small.c:7:5 in locked
T1 rel m
T2 r y = 0 @ small.c:11:9 in careless
T2 w x = 2 @ small.c:12:5 in careless
TRACE
}

# build NAME FLAGS…: compiles and links the C program on standard input with recipe.
build() {
    local name=$1
    shift
    cat >"$name.c"
    "$RECIPE" cc -g -O1 -pthread "$@" "$name.c" -o "$name" || fail "$name.c is not compiled"
}

# A program with two threads that race on a counter, in ./counter: counter [ROUNDS [EXIT-CODE]].
build_counter() {
    build counter <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int racy;
static int locked, rounds = 200;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    for (int i = 0; i < rounds; i++) {
        racy++;
        pthread_mutex_lock(&m);
        locked++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(int argc, char **argv) {
    pthread_t t[2];
    if (argc > 1)
        rounds = atoi(argv[1]);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("locked %d\n", locked);
    return argc > 2 ? atoi(argv[2]) : 0;
}
C
}

# same_log A B: the logs of two recordings are the same but for their headers, which have the process's number.
same_log() {
    cmp -s -i 4096 "$1/log" "$2/log"
}

# ./deny COMMAND…: the command where personality() is refused, as in some containers; 99: the system has no such filters.
build_deny() {
    cat >deny.c <<'C'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return 99;
    execvp(argv[1], argv + 1);
    return 99;
}
C
    "${CC:-cc}" deny.c -o deny
}
