#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The other architecture: builds the runtime and the test programs for it (clang --target, Debian's cross libraries) and
# runs them under qemu-user, natively and recorded; what they print must be the same, the same seed must give the same
# schedule, and re-execution from the log the same events with the same values, also from a pack.
#   tools/cross.sh [--smoke] [--seeds N] [BUILD-DIRECTORY]
# --smoke: a few programs and seeds. Exit code 77: the packages are not there ('tools/setup.sh cross' installs them).
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
smoke=0 seeds=5 build=$root/build/release
while [ $# -gt 0 ]; do
    case $1 in
    --smoke) smoke=1 seeds=1 ;;
    --seeds) seeds=$2 && shift ;;
    -*) sed -n '3,8s/^# //p' "$0" && exit 2 ;;
    *) build=$1 ;;
    esac
    shift
done
build=$(realpath "$build")

case $(uname -m) in
aarch64) other=x86_64 ;;
x86_64) other=aarch64 ;;
*) echo "SKIPPED: recipe knows aarch64 and x86_64, not $(uname -m)" && exit 77 ;;
esac
target=$other-linux-gnu
export QEMU_LD_PREFIX=/usr/$target

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0
# The first failure of a program is its last word; the others are run all the same.
fail() {
    echo "FAILED: $*" >&2
    failed=1
}

echo '#include <vector>
int main() { return std::vector<int>(3).size() - 3; }' >probe.cc
if ! clang++-19 --target=$target probe.cc -o probe >probe.log 2>&1 || ! "qemu-$other" ./probe >>probe.log 2>&1; then
    head -3 probe.log
    echo "SKIPPED: programs for $other can't be built and run here; 'tools/setup.sh cross' installs what that needs"
    exit 77
fi

cmake --build "$build" --target "runtime-$other" >build.log 2>&1 || { cat build.log && exit 1; }

ulimit -v unlimited
limit=${LIMIT:-60} # seconds; an emulator on a busy machine takes long
# NAME ARGS…
compare() {
    local name=$1 policy seed code values
    shift
    timeout $limit "qemu-$other" "./$name.native" "$@" >native.out 2>native.err || {
        echo "$name: left out: the emulator itself does not run it (exit code $?)"
        [ $smoke -eq 0 ] || fail "$name must run"
        return 0
    }
    for policy in rr random pct; do
        for ((seed = 1; seed <= seeds; seed++)); do
            for again in 1 2; do # with every value; and as it is usually recorded
                rm -rf trace.$again
                code=0 values=
                [ $again -eq 2 ] || values=--log-values
                timeout $limit "$build/recipe" record $values -o trace.$again --through "qemu-$other" \
                    --schedule=$policy --seed $seed -- "./$name.recipe" "$@" >recorded.out 2>recorded.err || code=$?
                [ $code -eq 0 ] || { cat recorded.err && fail "$name, $policy, seed $seed: exits with $code" && return; }
                diff native.out recorded.out || { fail "$name, $policy, seed $seed: prints something else" && return; }
            done
            # Not the logs themselves: lines of memory have process ids in them. Not of programs that look at the clock.
            for again in 1 2; do
                "$build/recipe" trace schedule trace.$again >schedule.$again
            done
            [ $timeless = no ] || cmp schedule.1 schedule.2 ||
                { fail "$name, $policy, seed $seed: two recordings differ" && return; }
            for again in 1 2; do
                "$build/recipe" trace reexecute trace.$again >reexecuted ||
                    { fail "$name, $policy, seed $seed: re-execution" && return; }
            done
            "$build/recipe" pack -o trace.rcpack trace.2 2>packed.err && rm -r trace.2 &&
                "$build/recipe" trace reexecute trace.rcpack >packed && diff <(sed /^seconds/d reexecuted) <(sed /^seconds/d packed) ||
                { cat packed.err && fail "$name, $policy, seed $seed: the pack" && return; }
        done
    done
    echo "$name: as natively under rr, random, pct, $seeds seeds each; re-executed from the log; schedules the same twice: $timeless"
}

programs=("$root"/tests/cross/*.cc "$root"/bench/micro/*.c "$root"/tests/programs/{primitives,reexecute}/*.{c,cpp}
    "$root"/tests/programs/spins/{pause,peterson,swap}.c)
[ $smoke -eq 0 ] || programs=("$root"/tests/cross/threads.cc "$root"/bench/micro/queue.c)
for source in "${programs[@]}"; do
    name=$(basename "${source%.*}")
    [ -z "${ONLY:-}" ] || [[ " $ONLY " = *" $name "* ]] || continue
    timeless=yes
    [[ $source != */primitives/* ]] || timeless=no
    # A child process goes at its own pace, and its parent sees that.
    ! grep -q 'fork()' "$source" || timeless=no
    options=(--target=$target -O2 -g -w -pthread -lm)
    case $source in
    *.c) native=clang-19 driver=cc ;;
    *) native=clang++-19 driver=c++ && options+=(-std=c++20) ;;
    esac
    mapfile -t own < <(sed -n 's/.* flags: \(-[a-z]*\) .*/\1/p' "$source") # what it says of itself
    $native "${options[@]}" "$source" -o "$name.native" "${own[@]}" &&
        "$build/recipe" $driver "${options[@]}" "$source" -o "$name.recipe" "${own[@]}" ||
        { fail "$name: not built" && continue; }
    case $name in
    apart) compare apart 500 ;;
    arrays) compare arrays 5 ;;
    queue) compare queue 300 ;;
    tally) compare tally 20 ;;
    treap) compare treap 500 ;;
    *) compare "$name" ;;
    esac
done
[ $failed -eq 0 ] || exit 1
