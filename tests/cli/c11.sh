#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Litmus tests of the language's memory orders (tests/programs/c11): racy exactly where the standard says so. A line '// racy: N -D…'
# of a program: in the run in which one thread comes after the other c11 finds N races, each confirmed by it, and all are c11's alone.
# What the language allows of each is carried out: a read takes older bytes, and prints them. None in a program that says '// unshown'.
# '// late: N -D…' says the same, and that a store comes late instead; '// hidden: N -D…' that nothing is carried out.
# A line '// along: N -D…': c11 has none in the recorded run, and N along the witness of a race of wcp, to which the program is led.
# A line '// later: N -D…': not in that run, but in another one, to which the program is led. It is none before that.
# A line '// clean: -D…': no model finds any, whatever the schedule.
# After these, the same of C++20's release sequences, of volatile accesses and of events that are old.
#   C11_ONLY=NAME   that program alone, before them
. "$(dirname "$0")/lib.bash"
whole="rr --quantum 1000000"
every=("$whole" rr "random --seed 1 --quantum 5" "pct --seed 3")

build() { # FLAGS…
    "$RECIPE" cc -O1 -g "$@" "$source" -o program -pthread || fail "$name $*: not compiled"
}

record() { # SCHEDULE
    rm -rf trace
    # shellcheck disable=SC2086
    timeout 60 "$RECIPE" record -o trace --schedule=$1 ./program >out 2>err || fail "$name $flags: recording failed: $(cat err)"
}

racy() { # N WORDS: so many, and no other model has them; what is carried out of each says this, and without words nothing is
    local n=$1 words=("${@:2}")
    record "$whole"
    "$RECIPE" analyze --model c11 trace >out 2>err || [ $? = 1 ] || fail "$name $flags: $(cat err)"
    "$RECIPE" report --format json trace >json || [ $? = 1 ] || fail "$name $flags: no report"
    jq -e --argjson n "$1" '(.races | length) == $n and all(.races[]; .model == "c11" and .status == "confirmed" and (.witness.steps | length) == 0)' json >/dev/null ||
        fail "$name $flags: not $1 races of c11: $(cat out)"
    "$RECIPE" analyze --model hb,shb trace >out 2>err || [ $? = 1 ] || fail "$name $flags: $(cat err)"
    "$RECIPE" report --format json trace >json || [ $? = 1 ] || fail "$name $flags: no report"
    jq -e 'all(.races[]; .models == ["c11"])' json >/dev/null || fail "$name $flags: hb has one of them: $(cat out)"
    local shown=$n
    [ ${#words[@]} -gt 0 ] && ! grep -q '^// unshown' "$source" || shown=0
    run 0 replay trace all
    "$RECIPE" report --format json trace >json || [ $? = 1 ] || fail "$name $flags: no report"
    jq -e --argjson n "$shown" --args '([.races[] | select(.shown)] | length) == $n and
        all(.races[] | select(.shown) | .shown; . as $it | any($ARGS.positional[]; . as $word | $it | contains($word)) and
            contains("Standard output differs"))' "${words[@]}" <json >/dev/null ||
        fail "$name $flags: not $shown are shown: $(cat out)"
}

along() { # N
    record "$whole"
    run 0 analyze --model c11 trace
    run 1 analyze --model wcp,c11 trace
    "$RECIPE" report --format json trace >json || [ $? = 1 ] || fail "$name $flags: no report"
    jq -e --argjson n "$1" '[.races[] | select(.models == ["c11"])] | length == $n and
        all(.[]; .status == "predicted" and (.witness.steps | length) > 0)' json >/dev/null || fail "$name $flags: not $1 races of c11: $(cat out)"
    [ "$1" = 0 ] || says out "and there both have happened"
    run 1 analyze --model wcp,c11 --set way-events=0 trace
    says out "further witnesses of other models was not asked"
    ! grep -q "predicted, c11" out || fail "$name $flags: way-events counts nothing: $(cat out)"
    run 1 analyze --model wcp,c11 trace
    run 0 replay trace all
    "$RECIPE" report --format json trace >json || [ $? = 1 ] || fail "$name $flags: no report"
    jq -e --argjson n "$1" '[.races[] | select(.models == ["c11"])] | length == $n and
        all(.[]; .status == "confirmed")' json >/dev/null || fail "$name $flags: not $1 are confirmed: $(cat out)"
}

later() { # N: no model has any in the recorded run; c11 has so many in one that was thought out, and a run of the program confirms them
    record "$whole"
    run 0 analyze --model hb,wdp,rv,recipe-s,c11 trace
    run 1 analyze trace
    "$RECIPE" report --format json trace >json || [ $? = 1 ] || fail "$name $flags: no report"
    jq -e --argjson n "$1" '(.races | length) == $n and all(.races[]; .models == ["c11"] and .status == "predicted")' json >/dev/null ||
        fail "$name $flags: not $1 races of c11 that are predicted: $(cat out)"
    says out "Both happen in that run"
    run 0 replay trace all
    "$RECIPE" report --format json trace >json || [ $? = 1 ] || fail "$name $flags: no report"
    jq -e --argjson n "$1" '(.races | length) == $n and all(.races[]; .models == ["c11"] and .status == "confirmed" and
        (.replay | startswith("The program was led along that run: ")))' json >/dev/null || fail "$name $flags: not $1 are confirmed: $(cat out)"
    run 0 replay trace 1
    says out "Allowed by the standard: "
}

clean() {
    local models=auto
    for schedule in "${every[@]}"; do
        record "$schedule"
        run 0 analyze --model $models trace
        says out "0 races"
        models=hb,wdp,c11 # one run for all of them
    done
}

n=0
take_part 3 litmus "$RECIPE_SOURCE_DIR"/tests/programs/c11/*.c
[ -z "${C11_ONLY:-}" ] || part=("$RECIPE_SOURCE_DIR/tests/programs/c11/$C11_ONLY.c")
for source in "${part[@]}"; do
    name=$(basename "$source" .c)
    while IFS= read -r line; do
        kind=${line#// }
        flags=${kind#*:}
        read -ra words <<<"$flags"
        case $kind in
        clean:*) build "${words[@]}" && clean ;;
        later:*) build "${words[@]:1}" && later "${words[0]}" ;;
        racy:*) build "${words[@]:1}" && racy "${words[0]}" "== 0 at " "reads 0 from" ;;
        late:*) build "${words[@]:1}" && racy "${words[0]}" "comes late" ;;
        hidden:*) build "${words[@]:1}" && racy "${words[0]}" ;;
        along:*) build "${words[@]:1}" && along "${words[0]}" ;;
        esac
        n=$((n + 1))
    done < <(grep -E '^// (along|clean|hidden|late|later|racy):' "$source")
done
[ $n -ge 2 ] || fail "only $n programs"

# What the standard allows: the older value, and what the program does with it. It stays, and is no replay.
source=$RECIPE_SOURCE_DIR/tests/programs/c11/message.c name=message flags="-DW=relaxed -DR=relaxed"
build -DW=relaxed -DR=relaxed
record "$whole"
run 1 analyze trace
says out "(confirmed, c11)"
run 0 replay trace 1
says out "Allowed by the standard: thread 0.2 reads data == 0"
says out "'42' and '0'"
run 1 report trace
says out "Allowed by the standard: thread 0.2 reads data == 0"
run 0 replay --first A trace 1
says out "both accesses happened in the recorded run"
run 1 run -o again --schedule rr --quantum 1000000 ./program
says err "1 race (1 confirmed)"
says err "Allowed by the standard: thread 0.2 reads data == 0"

# Cures, by their places in the program, in JSON; and where there is none.
cures() { # the first race's
    "$RECIPE" report --format json trace >json || [ $? = 1 ] || fail "$name $flags: no report"
    jq -c '.races[0].cures' json | sed 's|[^" ]*/||g'
}
flags=cures name=message source=$RECIPE_SOURCE_DIR/tests/programs/c11/message.c
build -DW=relaxed -DR=relaxed
record "$whole"
run 1 analyze --model c11 trace
[ "$(cures)" = '["the store at message.c:20:5 release and the load at message.c:24:9 acquire"]' ] || fail "message: the cures are $(cures)"
run 1 analyze --model c11 --set cure-events=0 trace
[ "$(cures)" = null ] || fail "message: nobody has looked for cures, and they are $(cures)"
source=$RECIPE_SOURCE_DIR/tests/programs/c11/again.c name=again
build -DW1=relaxed -DR1=relaxed -DW2=relaxed -DR2=acquire
record "$whole"
run 1 analyze --model c11 trace
[ "$(cures)" = '["the store at again.c:17:5 release, the load at again.c:21:9 acquire and the store at again.c:24:5 release"]' ] ||
    fail "again: the cures are $(cures)"

# C++20's release sequences, where every unit that writes atomically is C++20 or later; else those of C and C++17.
sequence() { # RACES STANDARD FLAGS-OF-C++ FLAGS-OF-C
    name=sequence.cc flags=$*
    local programs=$RECIPE_SOURCE_DIR/tests/programs/c11
    # shellcheck disable=SC2086
    "$RECIPE" cc -O1 -g $4 -c "$programs/parts/part.c" -o part.o && "$RECIPE" c++ -O1 -g "-std=$2" $3 "$programs/sequence.cc" part.o -o program -pthread ||
        fail "$name $flags: not compiled"
    record "$whole"
    run "$1" analyze --model hb,shb,c11 trace
    says out "$1 race"
    [ "$1" = 0 ] || says out "on data" "(confirmed, c11)" "sequence.cc:14:10"
    "$RECIPE" trace export trace >exported.txt || fail "$name $flags: not exported"
    run 0 trace import -o imported exported.txt
    run "$1" analyze --model c11 imported
    rm -rf imported
}
sequence 1 c++20 "" ""
record "$whole"
run 1 analyze --model c11 trace
[ "$(cures)" = '["the store at sequence.cc:19:10 release"]' ] || fail "sequence.cc: the cures are $(cures)"
sequence 1 gnu++23 "" ""
sequence 0 c++17 "" ""
sequence 0 gnu++14 "" ""
sequence 0 c++20 -DADD ""
sequence 0 c++20 "" -DATOMIC

# Volatile accesses: plain ones, or relaxed atomics.
source=$RECIPE_SOURCE_DIR/tests/programs/c11/volatile.c name=volatile flags=""
build
record "$whole"
run 1 analyze trace
says out "on ready"
run 1 analyze --volatile=atomic trace
says out "Race 1 on data"
says out "(confirmed, c11)"
says out "1 race "
build -DLOCKED
record "$whole"
run 1 analyze --volatile=plain trace
says out "on ready"
run 0 analyze --volatile=atomic trace
run 0 run -o third --volatile=atomic --schedule rr --quantum 1000000 ./program

# Events that an older version has told may lack fences: nothing is said of them. Others' have what they have.
lines='thread T1
thread T2
var x 0x1000 4
var y 0x2000 4
T1 w x = 1
T1 w y = 1 relaxed
T2 r y = 1 relaxed
T2 r x = 1'
printf 'recipe trace 1\n%s\n' "$lines" >own.txt
printf 'recipe trace 1\nfact source "recipe record"\n%s\n' "$lines" >old.txt
run 0 trace import -o own own.txt
run 1 analyze --model c11 own
says out "(predicted, c11)"
run 0 trace import -o old old.txt
run 0 analyze --model c11 old
says err "older version"
