# SPDX-License-Identifier: Apache-2.0
# The shortest way round each innermost loop of clang's assembly, in instructions: FUNCTION COUNT CALLS SPILLS.
# Blocks are what labels, "%bb" comments and jumps delimit; the shortest way is the one on which nothing slow happens.
function close_function(   b) {
    for (b = 1; b <= blocks; b++)
        if (header[b]) shortest(b)
    blocks = 0; fn = ""
    split("", label); split("", weight); split("", calls); split("", spills); split("", target); split("", falls); split("", header)
}
function relax(u, v) {
    if (!v || dist[u] + weight[u] >= dist[v]) return 0
    dist[v] = dist[u] + weight[u]; c[v] = c[u] + calls[u]; s[v] = s[u] + spills[u]
    return 1
}
# Bellman-Ford; the header's own cost counts once, on the way out of it.
function shortest(h,   i, k, n, to, changed, home) {
    for (i = 1; i <= blocks + 1; i++) dist[i] = 1e9
    home = blocks + 1; dist[home] = 1e9
    dist[h] = 0; c[h] = 0; s[h] = 0
    do {
        changed = 0
        for (i = 1; i <= blocks; i++) {
            if (dist[i] >= 1e9) continue
            n = split(target[i], to, " ")
            for (k = 1; k <= n; k++) changed += relax(i, label[to[k]] == h ? home : label[to[k]])
            if (falls[i]) changed += relax(i, i + 1 == h ? home : i + 1)
        }
    } while (changed)
    print fn, dist[home], c[home], s[home]
}
/^[a-z_][a-z_0-9]*:/ { if (fn) close_function(); fn = $1; sub(/:.*/, "", fn); blocks = 1; falls[1] = 1; weight[1] = 0; next }
!fn { next }
/^\.Lfunc_end/ { close_function(); next }
/^\.LBB/ { blocks++; falls[blocks] = 1; name = $1; sub(/:.*/, "", name); label[name] = blocks; weight[blocks] = 0 }
/^(\/\/|#) %bb/ { blocks++; falls[blocks] = 1; weight[blocks] = 0 }
/Inner Loop Header/ { header[blocks] = 1 }
/^\t[a-z]/ {
    weight[blocks]++
    if ($1 == "bl" || $1 == "blr" || $1 ~ /^call/) calls[blocks]++
    if (/Spill|Reload/) spills[blocks]++
    if (match($0, /\.LBB[0-9_]+/)) {
        target[blocks] = target[blocks] " " substr($0, RSTART, RLENGTH)
        if ($1 == "b" || $1 == "jmp") falls[blocks] = 0
        else { blocks++; falls[blocks] = 1; weight[blocks] = 0 }
    }
    if ($1 ~ /^ret/) falls[blocks] = 0
}
