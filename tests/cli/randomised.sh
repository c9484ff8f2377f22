#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where the system does not let address-space randomisation be switched off, as in some containers, programs are recorded,
# analysed and their races confirmed as where it does: the same races of each.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
build_deny
code=0
./deny true || code=$?
if [ $code -eq 99 ]; then
    echo "SKIPPED: this system has no seccomp filters" >&2
    exit 77
fi
programs=$RECIPE_SOURCE_DIR/tests/programs
echo 'some words to be counted' >words

# Which of two accesses came first in the recorded run hangs on how busy the machine was.
races() { # WRAPPER…: what is said of each race of ./program, but for addresses and ids
    local code=0
    rm -rf trace
    timeout 200 "$@" "$RECIPE" run --budget 60 --limit 5 --format json --report report.json -o trace ./program <words >out 2>err || code=$?
    [ $code -eq 1 ] || fail "$name ($*): exit code $code: $(cat err)"
    jq -r '.races[] | [.status, .variable, (.accesses | map("\(.op) \(.function) \(.file):\(.line)") | sort)[]] | join(" ")' report.json | sort
}

all=()
for source in "$programs"/racy/*.c "$programs"/explore/*.c; do
    case $(basename "$source") in
    hang.c) ;; # takes its time whatever happens
    clock.c) ;; # goes by the time of day
    *) all+=("$source") ;;
    esac
done
take_part 6 "programs with addresses that change" "${all[@]}"
is_sample || part=("${all[@]:0:30}")
confirmed=0
for source in "${part[@]}"; do
    name=$(basename "$source")
    "$RECIPE" cc -g -O1 -w -pthread "$source" -o program
    races env >fixed
    ! grep -q "randomisation" err || fail "it is refused without the filter, too"
    races ./deny >changing
    says err "address-space randomisation can't be switched off here"
    cmp -s fixed changing || fail "$name: with addresses that change other races are found: $(diff fixed changing)"
    n=$(grep -c '^confirmed' changing) || fail "$name: no race is confirmed"
    confirmed=$((confirmed + n))
done
echo "${#part[@]} programs, $confirmed races confirmed with addresses that change, the same as without"
