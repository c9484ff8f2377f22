# Type names that are defined in more than one file. For arrows.sh:
#     awk -f doubled.awk FILES…
# A definition is 'struct rcp_x {' (union, enum), the '} rcp_x;' that ends one without a tag, or a typedef of anything
# but the tag of the same name, which declares what is defined elsewhere. Types without the prefix are a file's own.

function define(name) {
    if (name in place && place[name] != FILENAME)
        print FILENAME ": " name " is defined in " place[name] ", too"
    place[name] = FILENAME
}

/(struct|union|enum) rcp_[a-z0-9_]+ *\{/ {
    text = $0
    match(text, /(struct|union|enum) rcp_[a-z0-9_]+ *\{/)
    text = substr(text, RSTART, RLENGTH)
    sub(/^[a-z]+ /, "", text)
    sub(/ *\{$/, "", text)
    define(text)
}
/^\} rcp_[a-z0-9_]+;/ {
    text = $2
    sub(/;.*/, "", text)
    define(text)
}
/^typedef [^{]*rcp_/ {
    text = $0
    sub(/ *\/\*.*/, "", text)
    split(text, word, /[ ;]/)
    if (word[2] ~ /^(struct|union|enum)$/ && word[3] == word[4])
        next
    # The name stands last; or, of a function's type, before its parameters.
    if (!match(text, /[ *)]rcp_[a-z0-9_]+;$/) && !match(text, /[ *(]rcp_[a-z0-9_]+\)?\(/))
        next
    text = substr(text, RSTART, RLENGTH)
    gsub(/[^a-z0-9_]/, "", text)
    define(text)
}
