#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How long a report of many findings takes, of each format, beside JSON of the same run.
#   bench/report.sh [--findings N,N…]
# Findings: 1000,10000. Each is of a variable and two functions of its own. Prints a table in Markdown: seconds (the median of five), how
# many times as long as JSON, peak memory and what was written.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
findings=1000,10000
case ${1:-} in
--findings) findings=$2 ;;
?*) sed -n '3,7s/^# //p' "$0" >&2 && exit 2 ;;
esac
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Runs a command that ends with 1 (there are findings); prints "SECONDS KBYTES".
measured() {
    local code=0
    /usr/bin/time -f '%e %M' -o spent "$@" >/dev/null 2>err || code=$?
    [ $code = 1 ] || { cat err >&2 && echo "$*: exit code $code" >&2 && exit 2; }
    tail -n1 spent
}

echo "| findings | format | seconds | × JSON | peak MB | written MB |"
echo "|---:|---|---:|---:|---:|---:|"
for n in ${findings//,/ }; do
    awk -v n="$n" 'BEGIN {
        print "recipe trace 1\nthread T1\nthread T2"
        for (i = 0; i < n; i++) printf "var v%d 0x%x 4 = 0\n", i, 65536 + 8 * i
        for (t = 1; t <= 2; t++) for (i = 0; i < n; i++) printf "T%d w v%d = %d @ many%d.c:%d:%d in f%d\n", t, i, t, i % 50, i + 1, t, i
    }' >many.txt
    rm -rf many.recipe
    "$RECIPE" trace import many.txt >/dev/null 2>&1
    "$RECIPE" analyze --model hb --set orders-share=100 many.recipe >/dev/null 2>&1 || [ $? = 1 ]
    base=
    for format in json text html sarif junit; do
        for _ in 1 2 3 4 5; do measured "$RECIPE" report --format $format -o written many.recipe; done | sort -n | sed -n 3p >median
        read -r seconds memory <median
        base=${base:-$seconds}
        awk -v n="$n" -v f=$format -v s="$seconds" -v b="$base" -v m="$memory" -v w="$(wc -c <written)" \
            'BEGIN { printf "| %d | %s | %.2f | %.1f | %.0f | %.1f |\n", n, f, s, s / (b > 0 ? b : 0.01), m / 1024, w / 1e6 }'
    done
done
