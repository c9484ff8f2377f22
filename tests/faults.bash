#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lets calls of the system fail in recipe, one after the other, and looks what becomes of it.
#   tests/faults.bash [--seed S] [--jobs J] [--only NAME] fail|full|kill|die N STAGE PROG
# STAGE: tell (and what takes no time), analyze (telling and analysis), replay or report, of a recording of PROG, which was built by recipe cc and takes no
# arguments. A place is where in recipe's code a call comes from (tests/faults/inject.c); N: so many of the places, or all.
#   fail  one call from a place fails: the first or, by the seed, a later one; how, the seed says, too
#   full  the disk is full from a place on, for ever
#   kill  recipe is killed there
#   die   the process that makes the call is: recipe, or a copy of it that works beside it
# Demanded: no signal ends it, and it ends. Either the exit code and the report are those of a run without faults, or the exit
# code is 3 or 5 and a line says what failed, with the file's name; or, of a replay, that it was not carried out and why. The directory can still be read. The same stage once more, now
# without faults, ends as it always does, with the same report, and leaves the same files. Time limits are off. RECIPE: the program
# (build/release/recipe), INJECT: the injector (beside it, tests/inject). Exit code 1: something of this is not so; each is said;
# 77: the system has no such filters, or does not let them be used.
set -euo pipefail
seed=1 jobs=1 only=
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2 && shift 2 ;;
    --jobs) jobs=$2 && shift 2 ;;
    --only) only=$2 && shift 2 ;;
    *) break ;;
    esac
done
[ $# -eq 4 ] || { sed -n '3,15s/^# //p' "$0" && exit 2; }
what=$1 most=$2 stage=$3 program=$(realpath "$4")
RECIPE=$(realpath "${RECIPE:-build/release/recipe}")
INJECT=$(realpath "${INJECT:-$(dirname "$RECIPE")/tests/inject}")
HANGS=120 # seconds: no measure of anything, the end of what would not end
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
off=(--set budget=0 --set explore-seconds=0 --set guarded-seconds=0)

# do_stage DIR [INJECTION…]: the stage in DIR; what it says is in ./out and ./err.
do_stage() {
    local directory=$1 command=()
    shift
    case $stage in
    tell) command=(analyze --model hb "${off[@]}" "$directory") ;;
    analyze) command=(analyze "${off[@]}" --jobs 2 "$directory") ;;
    replay) command=(replay "$directory" all) ;;
    report) command=(report --format json -o report.json "$directory") ;;
    *) echo "no stage '$stage'" >&2 && exit 2 ;;
    esac
    timeout -k 5 $HANGS "$@" "$RECIPE" "${command[@]}" >out 2>err </dev/null
}

# report DIR: for a comparison. An analysis that goes on does not look again at what was decided: that is its work, and no result.
report() {
    "$RECIPE" report --format json "$1" 2>report.err | sed -E 's/"(seconds|hb_asked_seconds|hb_pairs_asked|first_looks)": [0-9.]*/"\1": 0/g' ||
        [ $? -eq 1 ]
}

files() { (cd "$1" && find . -type f | sort); }

number() { # BELOW SALT
    local digest
    digest=$(printf '%s %s' "$seed" "$2" | md5sum)
    echo $((16#${digest:0:12} % $1))
}

bad() {
    echo "BAD: $injection ($(sed -n 's/^failed //p' "$work/$k/log" | head -n 1)): $*"
    head -n 4 err
    verdict=bad
}

# one: injection `injection`, of a copy of what the stage begins with, in ./d.
one() {
    local code=0 again=0
    verdict=survived
    rm -rf d && cp -a "$work/before" d
    do_stage d "$INJECT" --log log $injection || code=$?
    if [ $code -eq 137 ] && [ "$what" = die ]; then
        verdict=killed
    elif [ "$code" -ge 98 ] && [ "$what" != kill ]; then
        bad "exit code $code"
    elif [ "$what" = kill ]; then
        verdict=killed
    elif [ "$code" -eq "$(cat "$work/right.code")" ]; then
        report d >now || bad "no report: $(cat report.err)"
        [ $verdict = bad ] || cmp -s now "$work/right.report" || [ -s err ] || {
            bad "another report, and no word of it"
            diff now "$work/right.report" | head -n 6 || true
        }
    elif [ "$stage $code" = "replay 1" ] && grep -q 'was not carried out: .*:' err; then
        verdict=said
    elif [ "$code" -ne 3 ] && [ "$code" -ne 5 ]; then
        bad "exit code $code"
    else
        verdict=refused
        grep -q '^recipe: .*[/.a-z]' err || bad "exit code $code without a word"
        sed 's/[0-9]\{4,\}/N/g; s/\.[A-Za-z0-9]\{6\}:/.X:/g' err | grep -v 'recipe: runs' >>said || true
    fi
    timeout -k 5 $HANGS "$RECIPE" report d >/dev/null 2>report.err || [ $? -le 4 ] || bad "can't be read: $(cat report.err)"
    timeout -k 5 $HANGS "$RECIPE" trace dump d >/dev/null 2>report.err || [ $? -le 4 ] || bad "can't be dumped: $(cat report.err)"
    cp err err.first
    do_stage d || again=$?
    [ "$again" -eq "$(cat "$work/right.code")" ] || bad "once more: exit code $again: $(cat err; echo; echo first: ; cat err.first)"
    report d >now || bad "once more: no report: $(cat report.err)"
    cmp -s now "$work/right.report" || {
        bad "once more: another report"
        diff now "$work/right.report" | head -n 6 || true
    }
    files d >now
    cmp -s now "$work/right.files" || {
        bad "once more: other files"
        diff now "$work/right.files" | head -n 6 || true
    }
    echo $verdict >>verdicts
}

worker() { # K
    k=$1
    mkdir -p "$work/$k" && cd "$work/$k"
    for ((i = k; i < ${#injections[@]}; i += jobs)); do
        injection=${injections[i]}
        one
    done
}

# What the stage begins with, and what it leads to.
"$RECIPE" record -o before -- "$program" </dev/null >out 2>err || { cat err >&2 && exit 2; }
if [ "$stage" = replay ] || [ "$stage" = report ]; then "$RECIPE" analyze "${off[@]}" before >out 2>err || [ $? -eq 1 ]; fi
if [ "$stage" = report ]; then "$RECIPE" replay before all >out 2>err || [ $? -eq 1 ]; fi
cp -a before right
code=0
do_stage right || code=$?
[ "$code" -le 1 ] || { cat err >&2 && exit 2; }
echo $code >right.code
report right >right.report
files right >right.files

# Its calls.
rm -rf listed && cp -a before listed
code=0
do_stage listed "$INJECT" --log list --list || code=$?
[ "$code" -ne 99 ] || { echo "no calls can be stopped here" && exit 77; }
[ "$code" -eq "$(cat right.code)" ] || { cat err >&2 && exit 2; }
grep "^call .*$only" list | awk '{ print $3 "@" $2, NR, substr($0, index($0, $4)) }' >calls
declare -A times=()
while read -r place _; do times[$place]=$((${times[$place]:-0} + 1)); done <calls
mapfile -t places < <(awk '!seen[$1]++' calls)
[ "$most" != all ] && [ "$most" -lt ${#places[@]} ] || most=${#places[@]}

injections=()
apart=$((${#places[@]} / most))
from=$(number $((apart > 0 ? apart : 1)) from)
for ((j = 0; j < most; j++)); do
    read -r -a place <<<"${places[from + j * ${#places[@]} / most]}"
    case $what in
    fail)
        ways=("${place[@]:2}")
        nth=$(($(number 2 "${place[0]} late") ? 1 + $(number "${times[${place[0]}]}" "${place[0]} nth") : 1))
        injections+=("--fail ${place[0]}:$nth:${ways[$(number ${#ways[@]} "${place[0]} way")]}")
        ;;
    *) injections+=("--$what ${place[1]}") ;;
    esac
done
for ((k = 0; k < jobs; k++)); do (worker $k) >"said.$k" 2>&1 & done
wait
cat said.*
[ -z "${FAULTS_SAID-}" ] || cat [0-9]*/said | sort | uniq -c | sort -rn >"$FAULTS_SAID" || true
echo "$stage, $what: ${#injections[@]} of ${#places[@]} places, $(wc -l <calls) calls; $(cat [0-9]*/verdicts | sort | uniq -c | xargs) (seed $seed)"
[ "$(cat [0-9]*/verdicts | wc -l)" -eq ${#injections[@]} ] && ! grep -q '^bad' [0-9]*/verdicts
