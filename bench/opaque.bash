# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What opaque.sh and libraries.sh share: programs built with some of their code left out, recorded, analysed, and what is found
# held against the full recording. After programs/lib.bash; the caller sets seed, budget, runs, work, perhaps bold, and works in $work.

RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
ulimit -v unlimited
models="hb shb wcp dc sdp wdp mc rv recipe-s recipe recipe+"

is_source() { [[ $1 == *.c ]]; }

# The functions of objects on standard input as objdump -dr shows them, main left out: 'all' and 'sync' before their names.
list_functions() {
    awk '/^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); if (name != "main" && name !~ /^(\.|\$|_GLOBAL|__cxx)/) print "all", name }
         /[\t ](lda?xr[bh]?|stl?xr[bh]?|ldaxp|cas[abhl]*|swp[abhl]*|ldadd[abhl]*|ldset[abhl]*|lock|xchg|cmpxchg)[\t ]|pthread_(mutex|cond|rwlock|spin|barrier|once)|sem_|mtx_|cnd_|call_once|__aarch64_(cas|swp|ld)/ &&
             name != "main" && name && !/xchg +%ax,%ax/ { print "sync", name }' | sort -u
}

# functions NAME OUT [PATH…]: those that a program defines; of a real one, which was made as OUT, perhaps only in objects with such paths.
functions() {
    local name=$1 out=$2 path tests=()
    shift 2
    if is_source "$name"; then
        clang-19 -O1 -fno-inline -mno-outline-atomics -pthread -c "$name" -o functions.o 2>/dev/null
        objdump -dr functions.o | list_functions
        return
    fi
    for path in "$@"; do
        [ ${#tests[@]} -eq 0 ] || tests+=(-o)
        tests+=(-path "$path")
    done
    [ ${#tests[@]} -gt 0 ] || tests=(-true)
    find "$out.built" -name '*.o' '(' "${tests[@]}" ')' -exec objdump -dr {} + 2>/dev/null | list_functions
}

# The compilers of real programs. While they are configured it is clang alone: a hundred small questions, and the same answers.
mkdir -p "$programs/partly"
for language in cc c++; do
    cat >"$programs/partly/$language" <<END
#!/bin/sh
[ -z "\$CONFIGURING" ] || exec clang$([ $language = cc ] || echo ++)-19 "\$@"
exec "\$RECIPE" $language "\$@"
END
    chmod +x "$programs/partly/$language"
done
export RECIPE CC="$programs/partly/cc" CXX="$programs/partly/c++" CFLAGS="-O1 -g" CXXFLAGS="-O1 -g"

compile_real() { # in the directory where it is configured
    PARTLY=1 bash -euc '. "$1"; build' build "$description" >build.log 2>&1
}

# Of a real program: its source, configured and built whole in $programs/partly/NAME, unless it is there and recipe is no newer.
prepare_real() {
    local whole=$programs/partly/$1
    prepare "$1" || return
    [ ! -e "$whole/is_built" ] || [ "$RECIPE" -nt "$whole/is_built" ] || return 0
    rm -rf "$whole" && mkdir -p "$whole"
    for package in "${packages[@]}"; do cp -a "$programs/sources/$package" "$whole/$package"; done
    (
        cd "$whole"
        [[ $1 != *+race ]] || unlock
        CONFIGURING=1 PARTLY=1 bash -euc 'configure() { :; }; . "$1"; configure' configure "$description" >configure.log 2>&1 && compile_real
    ) && touch "$whole/is_built" || { echo "$1: the build failed: $whole/build.log" >&2 && return 1; }
}

# make_program NAME OUT: OUT, or what OUT.built has, without the functions in the file 'excluded'.
make_program() {
    local object patterns
    patterns=$(paste -sd, excluded)
    if is_source "$1"; then
        "$RECIPE" cc -g -O1 -pthread -I"$(dirname "$1")" --exclude="${patterns:-nothing}" "$1" -o "$2" -lm 2>/dev/null
        return
    fi
    rm -rf "$2.built" && cp -a "$programs/partly/$1" "$2.built"
    describe "$1"
    [ -n "$patterns" ] || return 0
    echo "--exclude=$patterns" >"$2.built/recipe.opts"
    find "$2.built" -name '*.o' | while read -r object; do
        if nm "$object" 2>/dev/null | awk '/ [TtWwVi] / { print $3 }' | grep -qxFf excluded; then
            rm -f "$object" "${object%.o}.lo" "$(dirname "$object")/.libs/$(basename "$object")"
        fi
    done
    find "$2.built" '(' -name '*.a' -o -name '*.la' ')' -delete
    rm -f "$2.built/$binary"
    (cd "$2.built" && compile_real)
}

# The recorded runs of NAME: a source has one, a real program $runs of them by other seeds.
recordings() { is_source "$1" && echo 1 || seq "$seed" $((seed + runs - 1)); }

# cpu COMMAND…: adds the milliseconds of CPU time that it takes, with all that it starts, to $took; its output goes to out and err.
cpu() {
    local code=0 TIMEFORMAT='%3U %3S'
    { time "$@" >out 2>err </dev/null; } 2>spent || code=$?
    took=$((took + $(awk '{ ms = ($1 + $2) * 1000 } END { printf "%d", ms }' spent)))
    return $code
}

# record NAME OUT: each run in OUT.N.recipe; false where one does not end as it should. Leaves the milliseconds of all in $took, the
# bytes of all logs in $size.
record() {
    local code=0 n
    took=0 size=0
    for n in $(recordings "$1"); do
        rm -rf "$2.$n.recipe"
        if is_source "$1"; then
            cpu timeout 20 "$RECIPE" record -o "$2.$n.recipe" "./$2" || code=$?
        else
            built=$work/$2.built inputs=$programs/inputs/$1
            launch=("$work/recorded" "$n" "$work/$2.$n.recipe")
            find run -mindepth 1 -delete
            (cd run && partly >../out 2>../err) || code=$?
            took=$((took + $(awk '{ ms = ($1 + $2) * 1000 } END { printf "%d", ms }' spent)))
        fi
        [ $code -lt 124 ] || return
        size=$((size + $(stat -c %s "$2.$n.recipe/log")))
    done
}

# What a real program is started by: SEED DIRECTORY PROGRAM ARGUMENTS; keeps what the run finds in 'before', for replays, and its CPU
# seconds in 'spent'.
mkdir -p "$work/run" "$work/before"
cat >"$work/recorded" <<END
#!/usr/bin/env bash
rm -rf "$work/before" && cp -a . "$work/before"
TIMEFORMAT='%3U %3S' code=0
exec 3>&2
{ time timeout 60 "$RECIPE" record --schedule random --quantum 30 --seed "\$1" -o "\$2" "\${@:3}" 2>&3; } 2>"$work/spent" || code=\$?
exit \$code
END
chmod +x "$work/recorded"

# analyze NAME OUT BARRIERS: all recordings of it. Leaves the milliseconds of all in $took.
analyze() {
    local n code
    took=0
    for n in $(recordings "$1"); do
        rm -f "$2.$n.recipe"/results.db*
        code=0
        cpu timeout 600 "$RECIPE" analyze --barriers "$3" --budget "$budget" "$2.$n.recipe" || code=$?
        [ $code -le 1 ] || return
    done
}

# keys NAME OUT: per model the pairs of places at which it proves races: model, recording, number, places, both functions, and whether the
# program has shown it.
keys() {
    local n
    for n in $(recordings "$1"); do
        { "$RECIPE" report --format json "$2.$n.recipe" 2>/dev/null || true; } | awk -v models="$models" -v recording="$2.$n.recipe" '
            BEGIN { n_models = split(models, model, " ") }
            /"id": / { split($0, parts, /"models": \[/); split(parts[2], list, "]"); n = 0
                status = /"status": "confirmed"/ ? "confirmed" : "predicted"
                match($0, /"id": [0-9]+/); number = substr($0, RSTART + 6, RLENGTH - 6) }
            /"file": / { match($0, /"file": "[^"]*", "line": [0-9]+/); place = substr($0, RSTART + 9, RLENGTH - 9)
                gsub(/", "line": /, ":", place); sub(/.*\//, "", place); at[n] = place }
            /"function": / && at[n] != "" { match($0, /"function": "[^"]*/); of[n] = substr($0, RSTART + 13, RLENGTH - 13); n++
                for (i = 1; n == 2 && i <= n_models; i++)
                    if (index(list[1], "\"" model[i] "\""))
                        print model[i], recording, number, (at[0] < at[1] ? at[0] "|" at[1] : at[1] "|" at[0]), of[0], of[1], status }'
    done
}

# What a real program is started by where the program judges: SEED DIRECTORY PROGRAM ARGUMENTS. Nobody can read what it prints: else guesses
# are not tried, because somebody could have answered.
cat >"$work/judged_run" <<END
#!/usr/bin/env bash
TIMEFORMAT='%3U %3S' code=0
{ time timeout $((${bold:=$budget} + 120)) "$RECIPE" run --budget $bold --schedule random --quantum 30 --seed "\$1" --report "$work/out" -o "\$2" "\${@:3}" >/dev/null 2>&1; } 2>"$work/spent" || code=\$?
exit \$code
END
chmod +x "$work/judged_run"

# run_boldly NAME OUT: 'recipe run' of the program, in OUT.bold.N.recipe, for each seed that it is recorded with: what it says, by whatever
# model, in found, as keys has it, 'confirmed' or 'predicted' in front. False where it does not end as it should. Leaves its milliseconds in
# $took, the runs that were led and steered in $led.
run_boldly() {
    local code=0 n directory
    took=0 led=0
    for n in $(recordings "$1"); do
        directory=$2.bold.$n.recipe
        rm -rf "$directory"
        if is_source "$1"; then
            cpu timeout 120 "$RECIPE" run --budget "$budget" --report report -o "$directory" "./$2" || code=$?
        else
            built=$work/$2.built inputs=$programs/inputs/$1
            find run -mindepth 1 -delete
            # A replay finds the files that the recorded run has made: so it finds them itself, made by a run before it.
            (cd run && launch=(timeout 60) && partly >../out 2>../err) || return
            launch=("$work/judged_run" "$n" "$work/$directory")
            (cd run && partly >/dev/null 2>../err) || code=$?
            took=$((took + $(awk '{ ms = ($1 + $2) * 1000 } END { printf "%d", ms }' spent)))
        fi
        [ $code -lt 124 ] && [ -e "$directory/results.db" ] || return
        led=$((led + $({ "$RECIPE" report --format json "$directory" 2>/dev/null || true; } |
            awk 'match($0, /"steered_runs": [0-9]+, "led_runs": [0-9]+/) { split(substr($0, RSTART, RLENGTH), at, /[^0-9]+/); n = at[2] + at[3] } END { print n + 0 }')))
    done
    models="$models bold" keys "$1" "$2.bold" | sort -k4,4 -k7,7 | awk '!is[$4]++ { $1 = $7; print }' >found
}

# keep_full NAME OUT: what its full recordings show, in full.keys, its places in full.places, and in true.keys, which grows.
keep_full() {
    keys "$1" "$2" | awk '{ print $1, $4, $5, $6 }' | sort -u -k1,2 >full.keys
    awk '{ print $2 }' full.keys | sort -u | tee full.places >true.keys
}

# is_true RECORDING NUMBER KEY: in the full recording, or carried out.
is_true() {
    grep -qxF "$3" true.keys && return
    grep -qxF "$1 $2" untrue && return 1
    find run -mindepth 1 -delete && cp -a before/. run
    local others=
    if declare -F beside >/dev/null; then
        (cd run && exec timeout 60 bash -c "$(declare -f); beside" >/dev/null 2>&1) &
        others=$!
    fi
    if timeout 60 "$RECIPE" replay --first A --limit 20 "$1" "$2" >replayed 2>&1; then
        echo "$3" >>true.keys
    else
        echo "$1 $2" >>untrue
    fi
    [ -z "$others" ] || { kill $others 2>/dev/null || true; wait $others 2>/dev/null || true; }
    grep -qxF "$3" true.keys
}

# judge NAME OUT: beside full.keys and the functions in 'excluded': 'true', 'false', 'exclusion' or 'conservative', model and places
# of each, in 'judged'.
judge() {
    local model recording number key one two
    : >untrue
    : >judged
    keys "$1" "$2" >found
    # A pair of places is true if any of its races is.
    sort -u -k1,4 found | while read -r model recording number key _; do
        if is_true "$recording" "$number" "$key"; then echo "true $model $key"; else echo "false $model $key"; fi
    done | sort -u >claims
    awk '$1 == "true"' claims >judged
    awk 'NR == FNR { if ($1 == "true") is[$2 " " $3]; next } $1 == "false" && !($2 " " $3 in is)' claims claims >>judged
    awk '{ print $1, $4 }' found | sort -u >found.keys
    # What is in a function that was left out is lost with it. Reports have C++ names as people write them.
    { cat excluded && c++filt -p <excluded; } | sort -u >lost
    while read -r model key one two; do
        grep -qxF "$model $key" found.keys && continue
        if grep -qxF -e "$one" -e "$two" lost; then echo "exclusion $model $key"; else echo "conservative $model $key"; fi
    done <full.keys >>judged
}
