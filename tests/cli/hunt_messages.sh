#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe hunt and messages (analysis/messages.h): which of two comes first in a pipe, a pair of sockets, a counter of events, before poll() or
# epoll_wait() is a turn. The race behind the other order is found, replayed, and none where there is none; of a few threads that send one
# message each there are as many classes as orders; a later call goes on; and no end is claimed.
. "$(dirname "$0")/lib.bash"
exec </dev/null
ulimit -v unlimited

# compile NAME FLAGS…
compile() { "$RECIPE" cc -g -O1 -pthread "${@:2}" "$RECIPE_SOURCE_DIR/tests/programs/turned/messages.c" -o "$1"; }

# hunted JSON…: of the object hunt.
hunted() { jq -r ".hunt | [.classes, .turns_open, .complete] | join(\" \")" "$1"; }

for case in PIPE PAIR COUNTER POLLED WATCHED; do
    compile $case -DCASE=$case
    compile $case.twin -DCASE=$case -DTWIN
    run 0 run --budget 30 --set steer-share=0 -o $case.plain ./$case
    run 1 hunt --budget 60 --format json --report $case.json -o $case.recipe ./$case
    jq -e '(.races | length == 1) and .races[0].status == "confirmed" and .races[0].variable == "shared" and
        (.hunt.found | length == 1) and .hunt.found[0].run > 1 and (.hunt.complete | not)' $case.json >/dev/null ||
        fail "$case: $(cat $case.json)"
    run 0 replay $case.recipe 1
    run 0 hunt --budget 60 -o $case.twin.recipe ./$case.twin
done

# As many classes as orders, each made once; at once, and in two calls.
for n in 2:2 3:6 4:24; do
    compile counted.${n%:*} -DCOUNTED=${n%:*}
    run 0 hunt --budget 60 --format json --report counted.json -o counted.${n%:*}.recipe ./counted.${n%:*}
    [ "$(hunted counted.json)" = "${n#*:} 0 false" ] && [ "$(jq .hunt.runs counted.json)" -eq ${n#*:} ] ||
        fail "${n%:*} messages: $(cat counted.json)"
    jq -e '.hunt.reasons | index("code outside is called once there are threads")' counted.json >/dev/null ||
        fail "${n%:*} messages: an end is claimed: $(cat counted.json)"
done
run 0 hunt --budget 60 --set hunt-runs=3 --format json --report first.json -o parts.recipe ./counted.4
[ "$(jq '.hunt.classes == 4 and .hunt.turns_open > 0' first.json)" = true ] || fail "three runs: $(cat first.json)"
run 0 hunt --budget 60 --format json --report second.json parts.recipe
[ "$(hunted second.json)" = '24 0 false' ] && [ "$(jq .hunt.runs second.json)" -eq 24 ] || fail "in two calls: $(cat second.json)"
