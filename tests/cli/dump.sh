#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# analyze --dump: what each stage has in its hands is tests/golden/dump/*.txt; nothing of it is kept.
#   tests/cli/dump.sh --update    writes the golden files anew
. "$(dirname "$0")/lib.bash"
golden=$RECIPE_SOURCE_DIR/tests/golden/dump
figures=$RECIPE_SOURCE_DIR/tests/golden/figures

dumps() { # NAME WORDS…
    local name=$1
    shift
    run 0 analyze "$@"
    silent err
    [ "$update" != --update ] || cp out "$golden/$name.txt"
    diff "$golden/$name.txt" out >difference || fail "$name: $(cat difference)"
}
update=${1:-}

run 0 trace import -o two "$figures/000-fig2.txt"
run 0 trace import -o four "$figures/002-fig4a.txt"
run 0 trace import -o locked "$figures/000-fig1-locked.txt"
dumps candidates --dump=candidates two
dumps slice --dump=slice two
dumps query --dump=query two
dumps query-mc --dump=query --model mc --pair 14,3 two
dumps order --dump=order --model hb,wcp,dc,wdp four
dumps order-pair --dump=order --pair 0,7 four
absent two/results.db

# what an order flags it does not order; of what it does not order it flags the later event, with the last such access
for name in 000-fig1-locked 000-fig2 000-fig3 002-fig1b 002-fig2a 002-fig4a 002-fig4c 002-fig5 002-fig7a 003-fig1; do
    run 0 trace import -o "of.$name" "$figures/$name.txt"
    run 0 analyze --dump=candidates "of.$name"
    for pair in $(sed -n 's/^  \([0-9]*,[0-9]*\)$/\1/p' out); do
        run 0 analyze --dump=order --pair "$pair" "of.$name"
        awk -v pair="$pair" -v words="${pair/,/ and }" '
            /^[a-z]/ { both = later = 0 }
            $0 == "  flagged: " pair { both = 1 }
            /^  flagged: / && $2 ~ "," substr(pair, index(pair, ",") + 1) "$" { later = 1 }
            $0 == "  " words ": ordered" && both || $0 == "  " words ": not ordered" && !later { exit 1 }' out ||
            fail "$name, $pair: $(cat out)"
        pairs=$((${pairs:-0} + 1))
    done
done
[ "$pairs" -ge 10 ] || fail "only $pairs pairs were compared"

# the candidate that two events belong to
run 0 analyze --dump=candidates --pair 1,11 two
says out "pair 2: w fig2:1 and r fig2:8" "ruled out: 1 by a common lock"
[ "$(grep -c ^pair out)" -eq 1 ] || fail "more than one pair"

# a pair that is no candidate is looked at all the same, or refused with the reason
run 0 analyze --dump=slice --pair 5,11 two
says out "recipe-s: events 5 and 11" "no race"
run 3 analyze --dump=slice --pair 0,1 two
says err "event 0 is no access"
run 3 analyze --dump=slice --pair 1,9 two
says err "the two do not conflict"
for pair in 1 1, 1,1 a,b 1,2,3; do
    run 2 analyze --dump=query --pair "$pair" two
    says err "--pair $pair: not the numbers of two events, EVENT,EVENT"
done
run 3 analyze --dump=query --pair 1,15 two
says err "--pair 1,15: the trace has 15 events"
run 2 analyze --pair 1,2 two
says err "--pair goes with --dump"
run 2 analyze --dump=order --model mc two
says err "is for partial orders"
run 2 analyze --dump=query --model hb two
says err "--dump=query is for mc, rv"
run 2 analyze --dump=clocks two
says err "--dump takes one of candidates|slice|query|order"
run 3 analyze --dump=candidates missing

# a trace in which nothing is left
sed '/^T2 w/d' >quiet.txt <<'T'
recipe trace 1
thread T1
thread T2
var x 0x1000 4
T1 w x @ a.c:1
T2 w x @ a.c:2
T
run 0 trace import quiet.txt
run 0 analyze --dump=candidates quiet.recipe
says out "0 static pairs, 0 left"
run 3 analyze --dump=query quiet.recipe
says err "no candidate is left"
