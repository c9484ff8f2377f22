#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Small random programs (tests/prop/small), each recorded once, analysed by every model, every race replayed; and every
# schedule of the same programs, explored apart. No model may report what no schedule shows, all that is reported must
# be confirmed, mc and recipe-s must find all that their rules allow, and models must lie within each other. Of every
# fourth, recipe+ is compared with the papers' guarded formula, too.
# The exploration is tested, too: some programs are run under many random schedules, and do nothing that it lacks.
#   SCHEDULES_FIRST=1 SCHEDULES_COUNT=40   which; SCHEDULES_KEEP=DIR: what failed goes there, and the next one is tried
#   SCHEDULES_MODELS=auto                  models of 'recipe run'
#   SCHEDULES_RECORD="OPTIONS"             how each is recorded, whatever its number is: options of 'recipe run'; "" is the default schedule
#   SCHEDULES_RUNS=25                      random schedules of every 20th program
#   SCHEDULES_PARTLY=1                     random statements of each are left out of the recording (tests/prop/small/partly.c): nothing
#                                          may be reported that no schedule of the whole program shows
. "$(dirname "$0")/lib.bash"
small=${RECIPE%/*}/tests/small_programs
programs=40 some=14
[ -z "${SCHEDULES_PARTLY:-}" ] || programs=25 some=9
first=${SCHEDULES_FIRST:-1} count=${SCHEDULES_COUNT:-$(few $programs $some "small random programs")} together=50
models=${SCHEDULES_MODELS:-auto} runs=${SCHEDULES_RUNS:-$(few 25 10 "random schedules of a program")}
source=source check=check exclude=
[ -z "${SCHEDULES_PARTLY:-}" ] || source=partly check=check-partly exclude='--exclude=m_*'
ulimit -v unlimited
ulimit -c 0

how() { # under which schedule is program $1 recorded?
    local schedules=(rr random random pct)
    [ -z "${SCHEDULES_RECORD+set}" ] || { echo "$SCHEDULES_RECORD" && return; }
    case ${schedules[$1 % 4]} in
    rr) echo "--schedule rr" ;;
    pct) echo "--schedule pct --seed $1" ;;
    random) echo "--schedule random --seed $1 --quantum $((2 + $1 % 7))" ;;
    esac
}

build() { # SEED COUNT: ./programs
    local levels=(-O1 -O0 -O2)
    "$small" $source "$1" "$2" >programs.c
    "$RECIPE" cc "${levels[$1 / together % 3]}" -g -w $exclude programs.c -o programs -pthread
}

check() { # SEED
    local code=0
    rm -rf trace run.json
    # shellcheck disable=SC2046
    timeout 300 "$RECIPE" run --jobs 1 --limit 2 -o trace --model "$models" --format json --report run.json $(how "$1") ./programs "$1" >run.out 2>run.err </dev/null || code=$?
    ! grep -qF " deadlocked, and was ended" run.err || deadlocks=$((deadlocks + 1))
    [ $code -le 1 ] || {
        echo "recipe run: exit code $code: $(cat run.err)" >&2
        return 1
    }
    "$small" $check "$1" trace run.out run.err run.json >>counts
}

# What the program does under random schedules is among its outcomes.
try_schedules() { # SEED
    local i code
    : >seen
    "$small" outcomes "$1" >outcomes
    for ((i = 1; i <= runs; i++)); do
        rm -rf other
        code=0
        timeout 100 "$RECIPE" record -o other --schedule random --seed "$i" --quantum $((1 + i % 5)) ./programs "$1" >run.out 2>run.err </dev/null || code=$?
        if grep -qF "recipe: deadlock: " run.err; then code=deadlock; fi
        case $code in
        0) cat run.out && echo ;;
        139) echo crash ;;
        deadlock) echo deadlock ;;
        *) echo "exit $code" ;;
        esac >>seen
    done
    sort -u seen -o seen
    sort -u outcomes -o outcomes
    [ -z "$(comm -23 seen outcomes)" ] || {
        echo "program $1 does what no schedule does: $(comm -23 seen outcomes)" >&2
        return 1
    }
    tried=$((tried + 1)) possible=$((possible + $(wc -l <outcomes))) observed=$((observed + $(wc -l <seen)))
}

failed=0 deadlocks=0 tried=0 possible=0 observed=0
touch counts
for ((seed = first; seed < first + count; seed++)); do
    if [ $(((seed - first) % together)) -eq 0 ]; then
        rest=$((first + count - seed))
        build $seed $((rest < together ? rest : together))
    fi
    if check $seed 2>said && { [ $((seed % 20)) -ne 7 ] || try_schedules $seed 2>said; }; then continue; fi
    cat said >&2
    failed=$((failed + 1))
    [ -n "${SCHEDULES_KEEP:-}" ] || fail "small_programs show $seed"
    mkdir -p "$SCHEDULES_KEEP/$seed"
    "$small" show $seed >"$SCHEDULES_KEEP/$seed/program"
    cp said run.out run.err run.json "$SCHEDULES_KEEP/$seed"
done

# Programs that have shown a mistake, each time. 1993: a thread dies of a null pointer, and others go on in variants.
if [ -z "${SCHEDULES_PARTLY:-}${SCHEDULES_FIRST:-}" ]; then
    for seed in 1993; do
        build $seed 1
        check $seed || fail "small_programs show $seed"
    done
fi

# A row per model: of the races that some schedule shows, how many one recorded run was enough to find.
awk -v deadlocks="$deadlocks" -v partly="${SCHEDULES_PARTLY:-}" '{
    for (i = 1; i <= NF; i++) {
        n = index($i, "=")
        key = substr($i, 1, n - 1)
        sum[key] += substr($i, n + 1)
        seen[key] = 1
    }
} END {
    printf "%d programs, %d states, %d races that some schedule shows; %d deadlocked when recorded\n", NR, sum["states"], sum["all"], deadlocks
    names = split("hb shb wcp dc sdp wdp mc rv recipe-s recipe recipe+", name, " ")
    for (i = 1; i <= names; i++)
        if (seen[name[i]])
            printf "%-10s %6d  %5.1f %%\n", name[i], sum[name[i]], sum["all"] ? 100 * sum[name[i]] / sum["all"] : 0
    printf "%d confirmed by replay, %d not; %d unknown, %d unproven, %d sides rejected\n", sum["confirmed"], sum["unconfirmed"], sum["unknown"], sum["unproven"], sum["rejected"]
    if (sum["guarded"])
        printf "%d programs against the guarded formula: %d pairs\n", sum["guarded"], sum["pairs"]
    if (seen["recipe+"] && !partly)
        printf "%d programs of which recipe+ rejected nothing and nothing is unknown: all %d races must be found\n", sum["whole"], sum["within"]
}' counts
echo "$tried programs under $runs random schedules each: $observed of $possible outcomes, and no other"
[ $failed -eq 0 ] || fail "$failed of $count programs"
