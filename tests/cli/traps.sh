#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Correct programs that look racy, and their racy twins (tests/traps/README.md): of the first nothing is reported, of the second
# the race is, and confirmed. One level and one schedule of each, another one for each program.
#   TRAPS_LEVELS="-O0 -O1 -O2" TRAPS_SCHEDULES="rr:5 rr:25 random:5"     each with each; SCHEDULE:QUANTUM
#   TRAPS_GRID=1                                                        all levels, all schedules
#   TRAPS_ONLY="timer.c vptr.cc"                                        only these programs
#   TRAPS_KEEP=DIR                                                      keeps the report of each run there
. "$(dirname "$0")/lib.bash"
traps=$RECIPE_SOURCE_DIR/tests/traps
all_levels=(-O0 -O1 -O2)
all_schedules=(rr rr:5 random:5 rr:25 random:25 rr:200 random:200)
[ -z "${TRAPS_GRID:-}" ] || TRAPS_LEVELS=${all_levels[*]} TRAPS_SCHEDULES=${all_schedules[*]}
ulimit -v unlimited

# word SOURCE NAME: what the line '// NAME: …' of the program says.
word() {
    sed -n "s|^// $2: *||p" "$1"
}

# build_one SOURCE LEVEL OUTPUT FLAGS…
build_one() {
    local source=$1 level=$2 output=$3 compiler=cc plainly=gcc objects=() file flags
    shift 3
    [ "${source##*.}" = c ] || compiler=c++ plainly=g++
    read -ra flags <<<"$(word "$source" flags)"
    for file in $(word "$source" plain); do
        "$plainly" -g "$level" -pthread "$@" -c "$traps/plain/$file" -o "$file.o" || fail "$file is not compiled"
        objects+=("$file.o")
    done
    for file in $(word "$source" library); do
        "$plainly" -g "$level" -pthread "$@" -fPIC -shared "$traps/plain/$file" -o "$output.$file.so" || fail "$file is not compiled"
        objects+=("$PWD/$output.$file.so")
    done
    for file in $(word "$source" plugin); do
        "$plainly" -g "$level" -pthread "$@" -fPIC -shared "$traps/plain/$file" -o "$output.$file.so" || fail "$file is not compiled"
        flags+=("-DPLUGIN=\"$PWD/$output.\"")
    done
    "$RECIPE" $compiler -g "$level" "$@" "$source" "${objects[@]}" -o "$output" -pthread "${flags[@]}" || fail "$source is not compiled"
}

# to_output SOURCE COMMAND…: runs it with what the program says of its standard output; what came there is in ./said.
to_output() {
    local output code=0
    output=$(word "$1" stdout)
    shift
    rm -f output
    case $output in
    "" | file) "$@" >said || code=$? ;;
    fifo)
        mkfifo output
        exec 9<>output
        "$@" >output || code=$?
        cat <output >said 9>&- &
        exec 9>&-
        wait $!
        ;;
    answered*)
        mkfifo output
        { eval "${output#answered}"; cat >said; } <output &
        "$@" >output || code=$?
        wait $!
        ;;
    *) fail "'// stdout: $output' is not known" ;;
    esac
    return $code
}

# given SOURCE COMMAND…: with what the program says of its standard input, by a pipe; else there is none, so that runs of it are
# steered, too.
given() {
    local input
    input=$(word "$1" stdin)
    shift
    if [ -n "$input" ]; then
        "$@" < <(echo "$input")
    else
        "$@" </dev/null
    fi
}

# report PROGRAM SOURCE SCHEDULE: runs it under recipe; the report is in ./report, the exit code in $code.
report() {
    local schedule=(--schedule "${3%:*}" --seed 7) args
    [ "${3#*:}" = "$3" ] || schedule+=(--quantum "${3#*:}")
    read -ra args <<<"$(word "$2" args)"
    [ -z "$(word "$2" client)" ] || schedule+=(--client "$(word "$2" client)")
    # A run begins without the files of the one before it, which its last replay may have left.
    [ ! -s trace/names ] || (grep "^$PWD/" trace/names || true) | tr '\n' '\0' | xargs -0 -r rm -f
    rm -rf trace report
    code=0
    given "$2" to_output "$2" timeout 300 "$RECIPE" run --format json --report report --budget 60 "${schedule[@]}" -o trace "$1" "${args[@]}" 2>err || code=$?
    [ "$code" -le 1 ] || failed_run "exit code $code: $(tail -3 err)"
    jq -e .races report >/dev/null 2>&1 || failed_run "no report: $(tail -3 err)"
    [ -z "${TRAPS_KEEP:-}" ] || cp report "$TRAPS_KEEP/$what.json"
}

failed_run() {
    echo "FAILED: $what: $*" >&2
    failures=$((failures + 1))
    code=-1
}

races_of() { # WHERE: one line each
    jq -r ".$1[]? | \"\(.status) \(.variable) \(.accesses | map(\"\(.op) \(.function) \(.file):\(.line)\") | join(\" / \"))\"" report
}

# Of a trap nothing is reported.
check_trap() { # SOURCE
    local found
    found=$(races_of races)
    [ -n "$(word "$1" unconfirmed)" ] || found+=$(races_of unconfirmed)
    [ -z "$found" ] || failed_run "reported, but correct: $found"
    # a twin may have used what was freed: the rules refuse that
    found=$(jq -r '.analysis.not_looked_at[] | select(.kind == "refused") | .reason' report)
    [ -z "$found" ] || failed_run "the rules refuse what was recorded: $found"
    jq -e '.deadlocks == []' report >/dev/null || failed_run "a deadlock is reported: $(jq -c .deadlocks report)"
}

# Of a twin the race is reported and confirmed, and nothing but it.
check_twin() { # SOURCE
    local names found others
    names=$(word "$1" twin | tr -s ' ' '|')
    [ -n "$names" ] || fail "$1 has no line '// twin: NAME'"
    found=$(races_of races | grep -E "^confirmed .*($names)") || true
    [ -n "$found" ] || failed_run "not found and confirmed: $names ($(races_of races; races_of unconfirmed))"
    if [ -n "$(word "$1" exact)" ]; then
        found=$(jq -r --arg names "$names" '.races[] | select((.variable | test($names)) and .models != ["bold"]) | .id' report)
        [ -n "$found" ] || failed_run "not proven, only shown by a run that tried it: $names"
    fi
    others=$( (races_of races; races_of unconfirmed) | grep -vE "^[a-z-]+ .*($names)") || true
    [ -z "$others" ] || failed_run "reported beside the race: $others"
    jq -e 'all(.deadlocks[]; .status == "replayed")' report >/dev/null || failed_run "a deadlock is reported: $(jq -c .deadlocks report)"
}

# run_level SOURCE LEVEL SCHEDULE…
run_level() {
    local name needs source=$1 level=$2 schedule
    shift 2
    name=$(basename "$source")
    needs=$(word "$source" needs)
    if [ -n "$needs" ] && ! bash -c "$needs" >/dev/null 2>&1; then
        echo "SKIPPED: $name: $needs fails here" >&2
        return 0
    fi
    build_one "$source" "$level" trap
    build_one "$source" "$level" twin -DTWIN
    for schedule; do
        what="$name $level $schedule"
        report ./trap "$source" "$schedule"
        [ "$code" -lt 0 ] || check_trap "$source"
        what+=" twin"
        report ./twin "$source" "$schedule"
        [ "$code" -lt 0 ] || check_twin "$source"
        runs=$((runs + 1))
    done
}

n=0 runs=0 failures=0
all=()
shopt -s nullglob
for source in "$traps"/*.c "$traps"/*.cc; do
    [[ -n ${TRAPS_ONLY:-} && " $TRAPS_ONLY " != *" $(basename "$source") "* ]] || all+=("$source")
done
part=("${all[@]}")
[ -n "${TRAPS_ONLY:-}" ] || take_part 3 traps "${all[@]}"
for source in "${part[@]}"; do
    n=$((n + 1))
    for level in ${TRAPS_LEVELS:-${all_levels[n % 3]}}; do
        # shellcheck disable=SC2086 # schedules are words
        run_level "$source" "$level" ${TRAPS_SCHEDULES:-${all_schedules[n % 7]}}
    done
done
[ "$runs" -gt 0 ] || fail "no trap was run"
[ "$failures" -eq 0 ] || fail "$failures of $((2 * runs)) runs"
echo "$runs traps and their twins"
