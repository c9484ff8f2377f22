# Who includes whom, against the table of docs/architecture.md; and no circles, whatever the table says. For arrows.sh:
#     awk -f arrows.awk docs/architecture.md FILES INCLUDES
# FILES lists the sources, INCLUDES has a line 'FILE TARGET' for each #include "TARGET"; both as paths below src/.
# Prints a complaint a line.

function folder_of(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "" }
function stem_of(path) { sub(/\.[a-z]*$/, "", path); return path }

# A unit is x.h with x.c, and with all x_*.c and x_*.h beside it: the shortest x of which there is a header.
function unit_of(path,    unit, shorter) {
    unit = shorter = stem_of(path)
    while (shorter ~ /_[^\/_]*$/) {
        sub(/_[^\/_]*$/, "", shorter)
        if ((shorter ".h") in exists)
            unit = shorter
    }
    return unit
}

function upto_depth(path, depth,    part, n, i, to) {
    n = split(folder_of(path), part, "/")
    for (i = 1; i <= n && i <= depth; i++)
        to = to (i > 1 ? "/" : "") part[i]
    return to
}

function is_within(path, folder) { return path == folder || index(path, folder "/") == 1 }

# Does the row of `from` have an arrow to the folder `to`? A word of it is a folder beside `from`, or one of src/.
function has_arrow(from, to,    above, word, n, i, beside) {
    if (is_within(to, from))
        return 1
    above = folder_of(from)
    n = split(may[from], word, " ")
    for (i = 1; i <= n; i++) {
        beside = (above == "" ? "" : above "/") word[i]
        if (word[i] == "all" || is_within(to, (beside in may) ? beside : word[i]))
            return 1
    }
    return 0
}

function check_arrow(file, target,    from, to, above) {
    from = folder_of(file)
    to = folder_of(target)
    if (!(from in may))
        return # said once, below
    above = folder_of(from)
    if (!has_arrow(from, to) || (above in may && !is_within(to, above) && !has_arrow(above, to)))
        print "src/" file ": " from "/ may not include " to "/ (" target ")"
}

# --- circles: a graph of names, with an include that shows each edge

function forget_graph() { split("", next_of); split("", shown); split("", nodes) }

function add_edge(from, to, why) {
    if (from == to || (from, to) in shown)
        return
    shown[from, to] = why
    next_of[from] = next_of[from] " " to
    nodes[from] = nodes[to] = 1
}

# Takes away every node from which all ways end; each way from what is left comes round again.
function peel(    node, again, word, n, i, left) {
    for (again = 1; again;) {
        again = 0
        for (node in nodes) {
            n = split(next_of[node], word, " ")
            left = 0
            for (i = 1; i <= n; i++)
                left += word[i] in nodes
            if (!left) {
                delete nodes[node]
                again = 1
            }
        }
    }
}

function first_left(    node, first) {
    for (node in nodes)
        if (first == "" || node < first)
            first = node
    return first
}

function step_from(node,    word, n, i) {
    n = split(next_of[node], word, " ")
    for (i = 1; i <= n; i++)
        if (word[i] in nodes)
            return word[i]
}

# Of every circle that is left, until none is: its names, from the first of them in the alphabet, and its includes.
function print_circles(of_what,    node, first, seen, names, includes, text) {
    for (peel(); (node = first_left()) != ""; peel()) {
        split("", seen)
        for (; !(node in seen); node = step_from(node)) # it ends on the circle
            seen[node] = 1
        first = node
        for (text = step_from(node); text != node; text = step_from(text))
            first = text < first ? text : first
        names = node = first
        includes = ""
        split("", seen)
        do {
            seen[node] = 1
            text = step_from(node)
            names = names " -> " text
            includes = includes "\n    " shown[node, text]
            node = text
        } while (node != first)
        text = "include cycle between " of_what ": " names includes
        if (!(text in said)) # at another depth
            print text
        said[text] = 1
        for (node in seen)
            delete nodes[node]
    }
}

# ---

FNR == 1 { part++ }

# A row of the table: | `folder/` | what is there | may include |
part == 1 && /^\| `[a-z0-9_\/]*\/` \|/ {
    split($0, column, "|")
    name = column[2]
    gsub(/[` ]/, "", name)
    sub(/\/$/, "", name)
    words = column[4]
    gsub(/^ +| +$/, "", words)
    if (name in may)
        print "docs/architecture.md: " name "/ has two rows"
    may[name] = words == "nothing" ? "" : words
}

part == 2 {
    exists[$1] = 1
    for (name = folder_of($1); name != ""; name = folder_of(name))
        folders[name] = 1
    if ($1 ~ /\.[ch]$/)
        has_code[folder_of($1)] = 1
    depth = split($1, column, "/") - 1
    deepest = depth > deepest ? depth : deepest
}

part == 3 {
    if ($2 !~ /\//)
        print "src/" $1 ": include by folder, \"folder/name.h\", not \"" $2 "\""
    else if (!($2 in exists))
        print "src/" $1 ": includes " $2 ", which is not there"
    else {
        n_includes++
        file[n_includes] = $1
        target[n_includes] = $2
    }
}

END {
    for (name in has_code)
        if (!(name in may))
            print "src/" name "/: has no row in docs/architecture.md"
    for (name in may) {
        if (!(name in folders))
            print "docs/architecture.md: a row for " name "/, which is not there"
        n = split(may[name], column, " ")
        for (i = 1; i <= n; i++)
            if (column[i] != "all" && !(column[i] in may) && !((folder_of(name) "/" column[i]) in may))
                print "docs/architecture.md: " name "/ may include '" column[i] "', which has no row"
    }
    for (i = 1; i <= n_includes; i++)
        check_arrow(file[i], target[i])

    for (i = 1; i <= n_includes; i++)
        add_edge(file[i], target[i], file[i] " includes " target[i])
    print_circles("headers")
    forget_graph()
    for (i = 1; i <= n_includes; i++)
        add_edge(unit_of(file[i]), unit_of(target[i]), file[i] " includes " target[i])
    print_circles("units")
    for (depth = 1; depth <= deepest; depth++) {
        forget_graph()
        for (i = 1; i <= n_includes; i++)
            add_edge(upto_depth(file[i], depth), upto_depth(target[i], depth), file[i] " includes " target[i])
        print_circles(depth == 1 ? "folders" : "subfolders")
    }
}
