#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does a build of recipe find, at a fixed budget, all that an earlier one found? Real programs, two builds side by side.
#   bench/nothing_less.sh --before RECIPE [--budget SECONDS] [--runs N] [--list FILE] [NAME…]
# --before: the program of the earlier build. Each program (all of bench/programs) is built by each of the two and run N times (1) by `recipe
# run --budget SECONDS` (30), in turns. A pair is two places in the sources, file:line. Of what the earlier build confirms, and of what it
# proves without showing it, what the later one neither confirms nor proves is less. Prints a table in Markdown, then whether the goal is met:
# nothing less. FILE (default: standard error) gets a line per pair that one of the two lacks.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

before='' budget=30 runs=1 list=/dev/stderr names=()
while [ $# -gt 0 ]; do
    case $1 in
    --before) before=$(realpath "$2") && shift ;;
    --budget) budget=$2 && shift ;;
    --runs) runs=$2 && shift ;;
    --list) list=$2 && : >"$list" && shift ;;
    -*) sed -n '3,9s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ -x "$before" ] || { echo "two builds of recipe are needed: RECIPE and --before" >&2; exit 2; }
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd "$root/bench/programs" && printf '%s\n' *.sh | sed 's/\.sh$//' | grep -vx run)
begin_measuring
now=$RECIPE all=$programs

# What a program is started by, in a run whose report is in $work/WHICH.report.
for which in before now; do
    cat >"$work/$which.judged" <<B
#!/usr/bin/env bash
client=()
[ ! -e "$work/visit" ] || client=(--client "bash '$work/visit' '$work'")
n=\$(mktemp -d "$work/$which.run.XXXXXX")
"${!which}" run --budget $budget "\${client[@]}" -o "\$n/trace" --format json --report "\$n/report" -- "\$@" >/dev/null 2>&1
code=\$?
rm -rf "\$n/trace"
[ \$code -ne 1 ] || code=0 # races: what comes after it is run all the same
exit \$code
B
    chmod +x "$work/$which.judged"
done

# build_by WHICH NAME: in a directory of that build's own, whose sources and inputs are everybody's; leaves $built.
build_by() {
    programs=$all/by-$1 RECIPE=${!1}
    mkdir -p "$programs"
    ln -sfn "$all/sources" "$programs/sources"
    ln -sfn "$all/inputs" "$programs/inputs"
    build_program recipe "$2" || { echo "$2: the build failed: $built/build.log" >&2 && return 1; }
}

run_by() { # WHICH
    rm -rf "$work/run" && mkdir -p "$work/run"
    (
        cd "$work/run"
        rm -f "$work/visit"
        if declare -F visit >/dev/null; then
            { declare -f && echo 'visit "$1"'; } >"$work/visit"
        else
            launch=(timeout 60) # the files that it makes are there, then, for every run
            yard
        fi
        launch=("$work/$1.judged")
        yard
    ) >"$work/stdout" 2>"$work/stderr" </dev/null || true
}

pairs_of() { # JQ-PATH REPORT…
    jq -r "$1"' | [.accesses[] | (.file // "?" | split("/") | last) + ":" + (.line | tostring)] | sort | join(" ")' "${@:2}" 2>/dev/null | sort -u
}

less=0
echo "| program | confirmed before | now | in both | shown before, now only proven | less | more |"
echo "|---|---|---|---|---|---|---|"
for name in "${names[@]}"; do
    programs=$all
    prepare "$name" || continue
    rm -rf "$work"/{before,now}.run.*
    for ((i = 0; i < runs; i++)); do
        for which in before now; do
            build_by $which "$name" && run_by $which || continue 3
        done
    done
    for which in before now; do
        compgen -G "$work/$which.run.*/report" >/dev/null || { echo "$name: there is no report of $which: $(tail -n 1 "$work/stderr")" >&2 && continue 2; }
        pairs_of '.races[] | select(.status == "confirmed")' "$work/$which".run.*/report >"$work/$which.shown"
        pairs_of '.races[], .unconfirmed[]' "$work/$which".run.*/report >"$work/$which.found"
    done
    comm -23 "$work/before.found" "$work/now.found" >"$work/less"
    sed "s/^/$name: less: /" "$work/less" >>"$list"
    comm -13 "$work/before.shown" "$work/now.shown" >"$work/more"
    sed "s/^/$name: more: /" "$work/more" >>"$list"
    less=$((less + $(wc -l <"$work/less")))
    echo "| $name | $(wc -l <"$work/before.shown") | $(wc -l <"$work/now.shown") | $(comm -12 "$work/before.shown" "$work/now.shown" | wc -l)" \
        "| $(comm -23 "$work/before.shown" "$work/now.shown" | comm -12 - "$work/now.found" | wc -l) | $(wc -l <"$work/less") | $(wc -l <"$work/more") |"
done
[ $less -eq 0 ] && echo "goal: nothing less: met" || { echo "goal: nothing less: MISSED ($less)" && exit 1; }
