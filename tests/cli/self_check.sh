#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What happened is an execution by every rule: every program of tests/programs that is one file, recorded, its events made and put to
# the checker in the recorded order (docs/testing.md, 'The self-check'). Traps do the same themselves (traps.sh).
#   SELF_CHECK_ONLY=opaque/own_name.c   that one alone
. "$(dirname "$0")/lib.bash"
exec </dev/null
ulimit -v unlimited
programs=$RECIPE_SOURCE_DIR/tests/programs

# compile SOURCE FLAGS…: ./program; false where that is one file of several, which have scripts of their own
compile() {
    local source=$1 compiler=cc flags=()
    shift
    [ "${source##*.}" = c ] || compiler=c++ flags=(-std=c++20)
    flags+=(-O1 -g -w -pthread -I"${source%/*}" -I"$RECIPE_SOURCE_DIR/include" $(sed -n 's/.* flags: \(-[a-z]*\) .*/\1/p' "$source"))
    "$RECIPE" $compiler "${flags[@]}" "$@" -c "$source" -o program.o 2>err || fail "$source is not compiled: $(cat err)"
    "$RECIPE" $compiler "${flags[@]}" program.o -o program -lm 2>err && return
    grep -q 'undefined' err || fail "$source is not linked: $(cat err)"
    return 1
}

# A server, whom nobody asks, has five seconds.
check() { # SOURCE
    local code=0 refused
    refused=$(sed -n 's|^/\* refused: ||p' "$1")
    rm -rf trace
    timeout 60 "$RECIPE" record --for 5 -o trace ./program >out 2>err || code=$?
    [ $code -ne 124 ] && [ -d trace ] || fail "$1: is not recorded, $code: $(tail -n 3 err)"
    run 0 trace check trace
}

mapfile -t all < <(find "$programs" -name '*.c' -o -name '*.cc' -o -name '*.cpp' | xargs grep -l 'main(' | sort)
take_part 8 "programs" "${all[@]}"
[ -z "${SELF_CHECK_ONLY:-}" ] || part=("$programs/$SELF_CHECK_ONLY")
pieces=0
for source in "${part[@]}"; do
    compile "$source" || { pieces=$((pieces + 1)) && continue; }
    check "$source"
    [[ $source == */opaque/* ]] || continue
    # shellcheck disable=SC2046
    compile "$source" --exclude='m_*,_Z*[0-9]m_*' $(sed -n 's/.*options: \([^*]*\).*/\1/p' "$source") || fail "$source is not linked: $(cat err)"
    check "$source"
done
echo "$((${#part[@]} - pieces)) programs, $pieces are files of several"
