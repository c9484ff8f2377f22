#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What reports of C++ programs say: an access stands at the program's own line, what the library does below it in one line more, names are
# short. tests/golden/cxx/*.txt have it, without what differs between machines and versions of the library: addresses, models, the
# schedule, lines of headers, how deep the library calls itself.
#   tests/cli/cxx_reports.sh --update    writes the golden files anew
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
update=${1:-}
golden=$RECIPE_SOURCE_DIR/tests/golden/cxx
take_part 5 "reports of C++ programs" list_lru map_stats node_moved string_journal unordered_index

# said NAME: heads and accesses of each race, once each.
said() {
    awk '/^(Race|Unconfirmed) / { print "" } /^(Race|Unconfirmed) /, /^  (Why:|Values:|Nothing|What|It is|They) / { if (!/^  (Why:|Values:|Nothing|What|It is|They) /) print }' "$1" |
        sed -E 's/^Race \(pair ([0-9]+) here[^)]*\) on/Race \1 on/; s/^Race [0-9]+ on (.*[^,]),? [0-9]+ bytes? at 0x.*/Race on \1/; s/^Race [0-9]+ on [0-9]+ bytes? at 0x.*/Race/; /^    [a-z]/d
            s|[0-9]+ calls? down, ||; s|at [^ ]*(recipe/stdcxx/\|/include/)[^ ]*$|at …|; s|, through [0-9]+ calls? of|, through calls of|; s/holding mutex at 0x[0-9a-f]+/holding mutex/
            s/thread [0-9.]+$/thread/' | awk -v RS= '!seen[$0]++ { print (n++ ? "\n" : "") $0 }'
}
for name in "${part[@]}"; do
    cp "$RECIPE_SOURCE_DIR/tests/programs/cxx/$name.cpp" .
    "$RECIPE" c++ -std=c++17 -O1 -g -pthread "$name.cpp" -o "$name" || fail "$name is not compiled"
    run 1 run --budget 60 --format json --report json -o "$name.recipe" "./$name"
    "$RECIPE" report "$name.recipe" >text || [ $? = 1 ] || fail "$name: no report"
    for id in $(jq '.races[].id, .unconfirmed[].id' json | sort -n); do
        "$RECIPE" report --race "$id" "$name.recipe" || [ $? = 1 ] || fail "$name: no race $id"
    done >>text
    said text >got
    [ "$update" != --update ] || { mkdir -p "$golden" && cp got "$golden/$name.txt"; }
    diff "$golden/$name.txt" got >difference || fail "$name: $(cat difference)"
    ! grep -E '^ +[0-9]+\. thread .* runs until .*(/include/|recipe/stdcxx/)' text || fail "$name: a step ends at no line of the program"
    ! grep -E '_Z[A-Z0-9]|basic_string<|char_traits|__cxx11|\[abi:' text || fail "$name: names that nobody wrote"
done

# All of it is there where it is asked for.
run 1 report --full-names "$name.recipe"
says out 'called from /usr/include/c++' 'std::thread::_Invoker<'
! grep -q '  inside ' out || fail "--full-names folds frames"
