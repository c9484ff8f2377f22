#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --atomicity of 'run' and 'hunt' (analysis/atomicity.h): programs in which another thread's section parts what a thread reads under a
# lock from what it does by that, each found with the accesses that it is; and nothing of their clean twins, nor where nobody asks.
. "$(dirname "$0")/lib.bash"
exec </dev/null
ulimit -v unlimited
ulimit -c 0
programs=$RECIPE_SOURCE_DIR/tests/programs/atomicity
mapfile -t names < <(cd "$programs" && printf '%s\n' *.c)
[ ${#names[@]} -ge 9 ] || fail "there are ${#names[@]} programs"
for name in "${names[@]%.c}"; do
    "$RECIPE" cc -g -O1 -pthread "$programs/$name.c" -o "$name" || fail "$name.c is not compiled"
    ! grep -q 'CLEAN' "$programs/$name.c" || "$RECIPE" cc -g -O1 -pthread -DCLEAN "$programs/$name.c" -o "$name.clean"
done

# look COMMAND CODE PROGRAM: ./d, and its report in ./json.
look() {
    rm -rf d
    run "$2" "$1" --atomicity --budget 60 --format json --report json -o d ./"$3"
    jq -r --slurpfile schema "$RECIPE_SOURCE_DIR/docs/report.schema.json" --argjson strict true -f "$RECIPE_SOURCE_DIR/tests/cli/schema.jq" json >wrong
    [ ! -s wrong ] || fail "$3: the report is not as its schema says: $(head -5 wrong)"
}

# parted COMMAND PROGRAM VARIABLE READS WRITES OP: one, of these functions, and what is done then; shown, and no race.
parted() {
    look "$1" 1 "$2"
    jq -e --arg v "$3" --arg r "$4" --arg w "$5" --arg op "$6" --arg file "$2.c" '(.races == []) and (.atomicity | length == 1) and
        (.atomicity[0] | .variable == $v and .lock == "lock" and (.accesses | map(.op)) == ["read", "write", $op] and
         .accesses[0].function == $r and .accesses[1].function == $w and .accesses[0].thread_name == .accesses[2].thread_name and
         .accesses[0].thread_name != .accesses[1].thread_name and all(.accesses[]; .line > 0 and (.file | endswith($file))) and
         .between != .before and .between != .after and .why != "")' json >/dev/null || fail "$2: $(jq -c '[.atomicity, .races]' json)"
    [ -f "d/$(jq -r '.atomicity[0].recording' json)/log" ] || fail "$2: its recording is not there: $(ls d/variants)"
}
# clean COMMAND PROGRAM: none.
clean() {
    look "$1" 0 "$2"
    jq -e '.atomicity == [] and .races == []' json >/dev/null || fail "$2: $(jq -c '[.atomicity, .races]' json)"
    [ ! -e d/variants ] || fail "$2: runs that show nothing are kept: $(ls d/variants)"
}

parted run bank balance has close_account write
jq -e '.atomicity[0] | [.between.value, .before.value, .after.value] == ["-80", "0", "0"]' json >/dev/null || fail "bank: $(jq -c .atomicity json)"
parted run queue queue.size size clear write
parted run state state start stop write
jq -e '.atomicity[0].between.end == "died of SIGABRT" and .atomicity[0].before.end == "exited with 0"' json >/dev/null ||
    fail "state: $(jq -c .atomicity json)"
parted run counter count add add write
# what another thread did not do when it was recorded
look run 0 seats
parted hunt seats seats reserve reserve write
parted hunt cache cache get fill write
parted hunt counter count add add write
for name in bank queue state counter; do clean run $name.clean; done
for name in bank seats cache counter; do clean hunt $name.clean; done
# what waits for a condition expects it, who tries again makes up for it, and who comes last is up to the scheduler
for name in buffer retry latest; do clean run $name; done

# Off where nobody asks.
rm -rf d
run 0 run --budget 60 --format json --report json -o d ./bank
jq -e 'has("atomicity") | not' json >/dev/null || fail "bank: $(jq -c .atomicity json)"

# For people; by line; known in a baseline; and the run can be made again.
rm -rf d
run 1 run --atomicity --budget 60 -o d ./bank
says err 'Atomicity violation on `balance`' 'thread 0.2 writes `balance` in between:' '1 atomicity violation' \
    "With thread 0.2's section between the two, \`balance\` is -80;" 'The program was led there twice; the run is variants/1.'
run 1 report --brief d
says out 'atomicity: what is read of `balance` in has is changed by close_account before it is gone by'
run 1 report --format html d
says out 'atomicity'
run 1 report --format json -o json d
run 0 report --baseline json d
says out '1 known'
run 0 analyze --model hb --baseline json d
run 1 analyze --model hb d # it is the recording's, whatever is analysed later
look run 1 state
run 134 record --schedule=file:d/variants/1 -o again ./state

# A hunt that goes on goes on with it, whoever asks, killed or not, and has it once.
hunt_on() { # CODE OPTIONS…: of d, into json
    run "$1" hunt --budget 60 -v --format json --report json "${@:2}" d
}
found_once() { # WHAT
    jq -e '(.atomicity | length == 1) and all(.analysis.not_looked_at[]; .reason | test("--atomicity") | not)' json >/dev/null ||
        fail "$1: $(jq -c '[.atomicity, .analysis]' json)"
}
rm -rf d
run 0 hunt --atomicity --set hunt-runs=0 --budget 60 --format json --report json -o d ./seats
jq -e 'any(.analysis.not_looked_at[]; .reason | test("--atomicity.*of 1 classes of runs 1 were not looked at"))' json >/dev/null ||
    fail "it is not said: $(jq -c .analysis.not_looked_at json)"
hunt_on 1
found_once 'a hunt that goes on'
jq -c '[.atomicity, .atomicity_asked]' json >first
hunt_on 1
! grep 'atomicity, run' err || fail "it is looked for again"
jq -c '[.atomicity, .atomicity_asked]' json | cmp -s first - || fail "it is looked for again: $(cat first; jq -c '[.atomicity, .atomicity_asked]' json)"
for n in 1 4; do
    rm -rf d fifo
    mkfifo fifo
    "$RECIPE" hunt --atomicity --budget 60 -v -o d ./seats 2>fifo >/dev/null &
    hunt=$!
    while IFS= read -r line; do
        case $line in *"atomicity, run $n,"*) kill -KILL $hunt ;; esac
    done <fifo
    wait $hunt || true
    hunt_on 1 --atomicity
    found_once "killed after run $n"
done
# What was settled without it has no recording any more.
rm -rf d
run 0 hunt --budget 60 -o d ./seats
hunt_on 0 --atomicity
jq -e 'any(.analysis.not_looked_at[]; .reason | test("--atomicity.*their recordings are gone"))' json >/dev/null ||
    fail "it is not said: $(jq -c .analysis.not_looked_at json)"

# Limits that leave some out say so.
for limit in atomicity-places=0 atomicity-instances=1; do
    rm -rf d
    run 0 run --atomicity --set $limit --budget 60 --format json --report json -o d ./retry
    jq -e --arg name "${limit%=*}" 'any(.analysis.not_looked_at[]; .kind == "limit" and .names == [$name])' json >/dev/null ||
        fail "$limit: $(jq -c .analysis.not_looked_at json)"
done

# A program that can't be run again.
sed 's/^int main(void) {/#include <unistd.h>\n&\n    char byte;\n    (void)!read(0, \&byte, 1);/' "$programs/bank.c" >bank_reads.c
"$RECIPE" cc -g -O1 -pthread bank_reads.c -o bank_reads
rm -rf d
echo | run 0 run --atomicity --budget 60 --format json --report json -o d ./bank_reads
jq -e 'any(.analysis.not_looked_at[]; .reason | test("--atomicity"))' json >/dev/null || fail "it is not said: $(jq -c .analysis.not_looked_at json)"
