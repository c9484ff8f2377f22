#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/programs/system/: each does what it does natively, unrecorded and recorded, under every policy; the recordings
# re-execute without a mismatch.
. "$(dirname "$0")/lib.bash"
sources=$RECIPE_SOURCE_DIR/tests/programs/system
clang=${RECIPE_CLANG:-clang-19}
ulimit -c 0

# compile SOURCE: natively to NAME.native, with recipe to NAME.
compile() {
    local name mode=cc driver=gcc
    name=$(basename "$1")
    case $name in *.cpp) mode=c++ driver=g++ ;; esac
    name=${name%.*}
    "$clang" --driver-mode=$driver -g -O1 -w -pthread "$1" -o "$name.native" &&
        "$RECIPE" $mode -g -O1 -w -pthread "$1" -o "$name"
}
export -f compile
export clang RECIPE
alone=() # whose one test is that they do what they do natively
for source in "$sources"/*.c "$sources"/*.cpp; do
    case $(basename "${source%.*}") in
    exits | dlopen | server | fork | mmap | pipes | streams | sockets | malloc | callbacks | jumps) ;;
    *) alone+=("$source") ;;
    esac
done
take_part 3 "programs that are asked for nothing else" "${alone[@]}"
alone=("${part[@]}")
together=("$sources"/{exits,dlopen,server,fork,mmap,pipes,streams,sockets,malloc,callbacks,jumps}.*)
printf '%s\n' "${together[@]}" "${alone[@]}" | xargs -P2 -I{} bash -c 'compile {}' || fail "a program is not compiled"
"$RECIPE" cc -g -O1 -shared -fPIC -x c "$sources/library.inc" -o recorded.so
"$clang" -g -O1 -shared -fPIC -x c "$sources/library.inc" -o opaque.so

# code COMMAND…: its exit code in $code (a signal's is 128 more), its output in ./got; the shell's word on a signal is
# left out.
code() {
    code=0
    { timeout -s KILL 60 "$@" >got 2>err </dev/null || code=$?; } 2>/dev/null
}

# same NAME ARGS…
same() {
    local name=$1 want seed=0 policy
    shift
    code "./$name.native" "$@"
    want=$code
    mv got want
    [ "$want" -ne 137 ] || [ "$*" = kill ] || fail "$name $* does not end natively"
    code "./$name" "$@"
    like "$name $*, unrecorded" "$want"
    for policy in rr random pct; do
        seed=$((seed + 1))
        rm -rf dir
        code "$RECIPE" record -o dir --schedule=$policy --seed $seed -- "./$name" "$@"
        like "$name $*, $policy, seed $seed" "$want"
        [ "$policy" != rr ] || reexecutes "$name $*, $policy, seed $seed"
    done
}

like() {
    [ "$code" -eq "$2" ] && cmp -s want got && return 0
    head -20 want got err >&2
    fail "$1: exit code $code, natively $2"
}

reexecutes() {
    local d
    for d in dir dir/process.*; do
        [ -e "$d/log" ] || continue
        "$RECIPE" trace reexecute "$d" >out 2>err || {
            cat out err >&2
            fail "$1: $d is not re-executed"
        }
    done
}

take_part 3 "programs that are asked for more" "$sources"/{fork,mmap,pipes,streams,sockets,malloc,callbacks,jumps}.*
for source in "${part[@]}" "${alone[@]}"; do
    name=$(basename "${source%.*}")
    same "$name"
done
# fork.c: three children, a child of each, one by vfork
rm -rf dir
"$RECIPE" record -o dir ./fork >got 2>err
[ -e dir/process.7/log ] || fail "fork: not every process has a recording"
absent dir/process.8

# mmap.c: every mutex ends with its memory
rm -rf dir
"$RECIPE" record -o dir ./mmap >got 2>err
"$RECIPE" trace dump --log dir >log.txt
[ "$(grep -c 'destroy mutex' log.txt)" -eq 40 ] || fail "mmap: not every mutex is destroyed with its memory"

# mappings.c: a file in thousands of places is told by a record for each, not for each two
rm -rf dir
[ -x mappings ] || compile "$sources/mappings.c"
"$RECIPE" record -o dir ./mappings >got 2>err
[ "$(stat -c %s dir/log)" -lt 4000000 ] || fail "mappings: the log has $(stat -c %s dir/log) bytes"

# userfault.c: what was not done is noted
rm -rf dir
[ -x userfault ] || compile "$sources/userfault.c"
"$RECIPE" record -v -o dir ./userfault >got 2>err
says err "note: userfaultfd: threads that resolve each other's faults can't be recorded"

# with _FORTIFY_SOURCE the compiler calls other functions
for name in pipes streams sockets; do
    "$RECIPE" cc -g -O2 -w -D_FORTIFY_SOURCE=2 -pthread "$sources/$name.c" -o "$name"
    code "./$name.native" && mv got want
    rm -rf dir
    code "$RECIPE" record -o dir --schedule=random --seed 4 -- "./$name"
    like "$name, fortified" 0
    reexecutes "$name, fortified"
done

# the same seed, the same run. In long turns: when a thread comes back from the kernel (streams.c waits for pipes there) is
# not ours to say, and in short ones somebody notices
for name in malloc callbacks jumps streams; do
    for d in one two; do
        rm -rf $d
        "$RECIPE" record -o $d --schedule=random --seed 7 --quantum 50000 -- ./$name >got 2>err || [ "$name" = callbacks ]
    done
    same_log one two || fail "$name: two recordings of one seed differ"
done

cp opaque.so native.so
code ./dlopen.native ./native.so ./opaque.so && mv got want
for policy in rr random pct; do
    rm -rf dir
    code "$RECIPE" record -o dir --schedule=$policy --seed 5 -- ./dlopen ./recorded.so ./opaque.so
    like "dlopen, $policy" 0
    reexecutes "dlopen, $policy"
done

take_part 3 "ways to end" return exit _exit _Exit quick_exit thread abort abort-caught assert segv segv-far segv-outside jump-nowhere \
    bus overflow trap raise kill
for way in "${part[@]}"; do
    code ./exits.native "$way"
    want=$code
    mv got want
    code ./exits "$way"
    like "exits $way, unrecorded" "$want"
    rm -rf dir
    code "$RECIPE" record -o dir --schedule=random --seed 3 -- ./exits "$way"
    like "exits $way" "$want"
    reexecutes "exits $way"
    "$RECIPE" trace stat dir >ended
    case $way in
    raise | kill) says ended "without a word" ;; # the log is whole at any moment
    abort* | assert | segv* | jump-nowhere | bus | overflow | trap) says ended "by a signal" ;;
    *) says ended "by exit" ;;
    esac
done

# until_gone PID: it has ended, whether somebody has asked for its status or not.
until_gone() {
    local stat i
    for ((i = 0; i < 100000; i++)); do
        read -r stat 2>/dev/null <"/proc/$1/stat" || return 0
        case $stat in *") Z "*) return 0 ;; esac
    done
    fail "process $1 does not end"
}

# A daemon: it ends by itself on SIGTERM, is killed by SIGTERM, by SIGKILL; what it did until then is there.
for how in gently TERM KILL; do
    rm -rf dir ready
    mkfifo ready
    "$RECIPE" record -o dir --schedule=random --seed 1 -- ./server ready $how >got 2>err &
    read -r server <ready
    wait $! || fail "the daemon's parent: $(cat err)"
    case $how in gently) kill -TERM "$server" ;; *) kill -$how "$server" ;; esac
    until_gone "$server"
    reexecutes "server $how"
    "$RECIPE" trace stat dir/process.1 >ended
    case $how in gently) says ended "by exit" ;; *) says ended "without a word" ;; esac
done

# What can't be recorded says so.
build contexts <<'C'
#include <ucontext.h>
static ucontext_t here, there;
static char stack[65536];
static void other(void) {}
int main(void) {
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, other, 0);
    return swapcontext(&here, &there);
}
C
code "$RECIPE" record -o contexts.recipe ./contexts
[ "$code" -eq 125 ] || fail "contexts: exit code $code"
says err "switches stacks itself" makecontext
