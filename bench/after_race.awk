# SPDX-License-Identifier: Apache-2.0
# Which pairs of places does shb's edge of a confirmed race order, in each of their instances in a trace?
#   awk -f after_race.awk file=1 LEFT file=2 RACES file=3 CANDIDATES file=4 DUMP
# LEFT, RACES: pairs 'file:line file:line', to ask about and confirmed. CANDIDATES: what `analyze --dump=candidates` prints, where no call outside orders
# anything but those that have to do with descriptors of the program's own alone (yardstick.sh). DUMP: what `trace dump` prints. Prints each pair of LEFT that
# is in the trace, a tab, and a race whose edge it is, or '-'. Such an edge may go on to others by what synchronises threads, and by a descriptor of the
# program's own: who reads a pipe knows what whoever wrote there before knew. A pair must also be ordered by what the threads must have read
# (must-happen-before): an edge that is there by accident proves nothing.
# Places are compared by granules of 16 bytes, and variables as a whole: that is more instances than there are, never fewer. A place with an
# access that fits no granule is left out.
file == 1 { left[$1, $2]; left[$2, $1]; asked[++n_left] = $0; wanted[$1]; wanted[$2]; other[$1] = other[$1] " " $2; if ($1 != $2) other[$2] = other[$2] " " $1; next }
file == 2 { race[$1, $2] = race[$2, $1] = $0; racing[$1]; racing[$2]; next }
file == 3 {
    if ($1 == "pair") {
        a = b = "" # 'pair 7: atomic r a.c:5 in one and w b.c:6 in other'
        for (i = 3; i <= NF; i++) if ($i ~ /:[0-9]+$/) { if (a == "") a = base($i); else if (b == "") b = base($i) }
        next_is = (a, b) in left
    } else if (next_is && $1 == "conflicts:") {
        seen[a, b]++; if (a != b) seen[b, a]++
        line = $0
        match(line, /[0-9]+ by must-happen-before/)
        if ($4 + 0 != 0 || substr(line, RSTART) + 0 != $2 + 0) { free[a, b]; free[b, a] }
        next_is = 0
    }
    next
}
function base(path, part, k) { k = split(path, part, "/"); return part[k] }
function place(line, at, part) {
    at = index(line, " @ ")
    if (!at) return ""
    line = substr(line, at + 3)
    sub(/ .*/, "", line)
    split(line, part, ":")
    return base(part[1]) ":" part[2]
}
function granule(what, part, size) {
    if (what !~ /^0x/) { sub(/[+:\[.].*/, "", what); return what }
    split(what, part, ":")
    size = part[2] + 0
    if (index("0123456789abcdef", substr(part[1], length(part[1]))) - 1 + size > 16) return ""
    return substr(part[1], 1, length(part[1]) - 1)
}
# Objects from 2^48 + 2^13 up to 2^48 + 2^16 are descriptors of the program's own.
function hex(text, i, n) { for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1; return n }
function object(text) { return text >= "0x1000000002000" && text < "0x1000000010000" && length(text) == 15 ? hex(substr(text, 12)) : 0 }
# What is known of other threads by the one is known by the other; `cause`: by which race, '' where no race is needed for it.
function learn(from, to, t) { for (t in threads) if (known[from, t] > known[to, t]) { known[to, t] = known[from, t]; cause[to, t] = cause[from, t] } }
$1 == "reach" {
    for (i = 3; i <= NF; i++) {
        split($i, span, "-")
        if (object(span[1])) for (k = object(span[1]); k < hex(substr(span[2], 12)); k++) objects[$2] = objects[$2] " own" k
    }
    next
}
{
    first = $1 ~ /^e[0-9]+:$/ ? 2 : 1
    thread = $first; op = $(first + 1)
    if (op == "fork" || op == "join") {
        threads[thread]; threads[$(first + 2)]
        if (op == "fork") { known[thread, thread] = NR; learn(thread, $(first + 2)) } else { known[$(first + 2), $(first + 2)] = NR; learn($(first + 2), thread) }
        next
    }
    if (op ~ /^(rel|post|wait|signal|broadcast)$/) { # and of a wait the lock
        threads[thread]; known[thread, thread] = NR
        learn(thread, $(first + 2)); if (op == "wait") learn(thread, $(first + 3))
        next
    }
    if (op ~ /^(acq|down|wake)$/) {
        learn($(first + 2), thread); if (op == "wake") learn($(first + 3), thread)
        next
    }
    if (op ~ /^opaque-/) {
        threads[thread]; known[thread, thread] = NR
        n = split(objects[$(first + 4)], used, " ")
        for (i = 1; i <= n; i++) if (op == "opaque-begin") learn(thread, used[i]); else learn(used[i], thread)
        next
    }
    if (op !~ /^(r|w|u|rmw|update|read|write)/) next
    at = place($0)
    if (at == "") next
    where = $(first + 2)
    writes = op !~ /^r($|ead)/
    threads[thread]
    if (at in racing || where in writer) {
        if (!writes && (where in writer) && writer_thread[where] != thread && ((writer[where], at) in race)) {
            learn("w" where, thread)
            if (writer_at[where] > known[thread, writer_thread[where]]) {
                known[thread, writer_thread[where]] = writer_at[where]
                cause[thread, writer_thread[where]] = race[writer[where], at]
            }
        }
        if (writes) {
            writer[where] = at; writer_thread[where] = thread; writer_at[where] = NR
            for (t in threads) { known["w" where, t] = known[thread, t]; cause["w" where, t] = cause[thread, t] }
        }
    }
    if (!(at in wanted)) next
    g = granule(where)
    if (g == "") { wide[at]; next }
    n = split(other[at], them, " ")
    for (i = 1; i <= n; i++)
        for (t in threads) {
            if (t == thread || !((them[i], t, g) in last)) continue
            if (!writes && !wrote[them[i], t, g]) continue
            instances[at, them[i]]++
            if (known[thread, t] < last[them[i], t, g]) open[at, them[i]]
            else if (cause[thread, t]) reason[at, them[i]] = cause[thread, t]
        }
    last[at, thread, g] = NR
    wrote[at, thread, g] = wrote[at, thread, g] || writes
}
END {
    for (i = 1; i <= n_left; i++) {
        split(asked[i], p, " ")
        if (!((p[1], p[2]) in seen)) continue
        proven = !((p[1], p[2]) in free || p[1] in wide || p[2] in wide || (p[1], p[2]) in open || (p[2], p[1]) in open) &&
                 instances[p[1], p[2]] + instances[p[2], p[1]] > 0
        race_of = reason[p[1], p[2]] ? reason[p[1], p[2]] : reason[p[2], p[1]]
        print asked[i] "\t" (proven && race_of ? race_of : "-")
    }
}
