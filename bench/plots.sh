#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the plots of docs/benchmarks.md of the tables in docs/benchmarks/: speed.svg and memory.svg of bench/record.sh's first table,
# found.svg of bench/yardstick.sh's, hunt.svg of bench/hunt.sh's sums. Run it after a table has changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../docs/benchmarks"

# A table's rows as 'label value…' lines, tab-separated, become groups of bars. -v title, names (of the values), log (1: from 1 on), unit.
bars='
BEGIN { FS = "\t"; n = split(names, name, ","); split("#1f5fa8,#b5530b,#777,#b9a13a", colour, ","); left = 92; width = 400; bar = 9 }
{ label[++rows] = $1; for (i = 1; i <= n; i++) { value[rows, i] = $(i + 1); if ($(i + 1) + 0 > most) most = $(i + 1) + 0 } }
function x(v) { return log_scale ? (v > 1 ? log(v) / log(10) : 0) * width / top : v * width / top }
END {
    for (top = 1; (log_scale ? 10 ^ top : step * top) < most; top++) ;
    ticks = top; if (!log_scale) top = step * top
    group = bar * n + 7; height = 34 + rows * group
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 %d\" font-family=\"sans-serif\" font-size=\"11\">\n", height + 22
    printf "<title>%s</title>\n<rect width=\"560\" height=\"%d\" fill=\"#fff\"/>\n", title, height + 22
    for (i = 1; i <= n; i++)
        printf "<rect x=\"%d\" y=\"6\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"15\">%s</text>\n", left + (i - 1) * 110, colour[i], left + (i - 1) * 110 + 14, name[i]
    for (t = 0; t <= ticks; t++) {
        at = left + t * width / ticks
        printf "<line x1=\"%.0f\" y1=\"26\" x2=\"%.0f\" y2=\"%d\" stroke=\"#ddd\"/><text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%s%s</text>\n", at, at, height, at, height + 15, log_scale ? 10 ^ t : step * t, unit
    }
    for (r = 1; r <= rows; r++) {
        y = 30 + (r - 1) * group
        printf "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", left - 6, y + group / 2, label[r]
        for (i = 1; i <= n; i++)
            if (value[r, i] + 0 > 0)
                printf "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/><text x=\"%.1f\" y=\"%d\" font-size=\"8\" fill=\"#555\">%s</text>\n", left, y + (i - 1) * bar, x(value[r, i]), bar - 1, colour[i], left + x(value[r, i]) + 3, y + i * bar - 2, value[r, i]
    }
    print "</svg>"
}'
# of_tools COLUMN: of each program the numbers of recipe, TSan, Helgrind and DRD there.
of_tools() {
    awk -F' *[|] *' -v c="$1" '/^\| program \| tool \| CPU s/ { on = 1 } on && !/^\|/ { exit }
        on && $3 ~ /^(recipe|tsan|helgrind|drd)$/ { if (!($2 in seen)) { seen[$2] = 1; order[++n] = $2 } value[$2, $3] = $c }
        END { for (i = 1; i <= n; i++) { p = order[i]; printf "%s\t%s\t%s\t%s\t%s\n", p, value[p, "recipe"], value[p, "tsan"], value[p, "helgrind"], value[p, "drd"] } }' recording.md
}
of_tools 5 | awk -v title='Processor time of one run, times the native one' -v names=recipe,ThreadSanitizer,Helgrind,DRD -v log_scale=1 -v unit=' ×' "$bars" >speed.svg
of_tools 7 | awk -v title='Peak memory of one run in MB' -v names=recipe,ThreadSanitizer,Helgrind,DRD -v step=50 -v unit=' MB' "$bars" >memory.svg
awk -F' *[|] *' '/^\| program \| TSan.s pairs/ { on = 1; next } on && !/^\|/ { exit }
    on && $2 !~ /^(-|all)/ { sub(/,.*/, "", $2); sub(/ [0-9].*/, "", $2); print $2 "\t" $4 "\t" $5 + $6 "\t" $7 "\t" $9 }' programs.md |
    awk -v title='Pairs that ThreadSanitizer reports, and what became of them' -v names='confirmed,explained,missed,recipe alone' -v step=20 "$bars" >found.svg
awk -F' *[|] *' '/^\| how / { on = 1; next } on && !/^\|/ { exit }
    on && $2 !~ /^-/ { gsub(/`/, "", $2); print $2 "\t" $3 "\t" $4 "\t" $5 }' hunt.md |
    awk -v title='What is found in 20 programs' -v names='one run,10 s,30 s' -v step=5 "$bars" >hunt.svg
