#!/usr/bin/env bash
# A test of arrows.sh: the sources' include lines in a tree of their own; each include against an arrow, each circle and
# each folder without a row that is added there must be complained of, in the right words.
tests=$(dirname "$(realpath "$0")")
source "$tests/lib.bash"

mkdir docs
cp "$RECIPE_SOURCE_DIR/docs/architecture.md" docs
(cd "$RECIPE_SOURCE_DIR" && find src -name '*.[ch]' -o -name '*.inc' -o -name '*.def') | sort >names
sed 's|/[^/]*$||' names | sort -u | xargs mkdir -p
xargs touch <names
(cd "$RECIPE_SOURCE_DIR" && xargs awk -v to="$work/" '
    FNR == 1 { close(to last); last = FILENAME }
    /^[ \t]*#[ \t]*include/ { print >(to FILENAME) }') <names
cp docs/architecture.md pristine.md

complaints() { RECIPE_SOURCE_DIR=$PWD bash "$tests/arrows.sh" includes 2>&1 || true; }
complaints >before
[ "$(wc -l <names)" -gt 300 ] && grep -q 'include "base/' -r src || fail "there are no include lines to work on"

# add FILE TARGET…: a new file that includes them.
added=()
add() {
    local file=src/$1 target
    shift
    [ ! -e "$file" ] || fail "$file is there already"
    mkdir -p "${file%/*}"
    for target; do echo "#include \"$target\""; done >"$file"
    added+=("$file")
}

# refused WORDS…: they are complained of now, they were not before, and the tree is as it was again.
refused() {
    local words
    complaints >out
    for words; do
        says out "$words"
        ! grep -qF -e "$words" before || fail "'$words' was said before anything was added"
    done
    [ ${#added[@]} -eq 0 ] || rm "${added[@]}"
    added=()
    find src -type d -empty -delete
    cp pristine.md docs/architecture.md
    echo "refused: $1"
}

# against an arrow: across folders, between subfolders of one, and inside src/program
add base/added.h trace/model/event.h
refused "src/base/added.h: base/ may not include trace/model/ (trace/model/event.h)"
add runtime/added.c base/vec.h
refused "src/runtime/added.c: runtime/ may not include base/ (base/vec.h)"
add trace/model/added.h trace/store/reader.h
refused "src/trace/model/added.h: trace/model/ may not include trace/store/ (trace/store/reader.h)"
add program/ir/added.c program/explore/explore.h
refused "src/program/ir/added.c: program/ir/ may not include program/explore/ (program/explore/explore.h)"
add program/concrete/added.h program/explore/added.h
add program/explore/added.h
refused "src/program/concrete/added.h: program/concrete/ may not include program/explore/"

# circles: of headers, also through a third; of units by their sources, and by a part of a unit
add base/added_one.h base/added_two.h
add base/added_two.h base/added_one.h
refused "include cycle between headers: base/added_one.h -> base/added_two.h -> base/added_one.h"
add program/ir/one.h program/ir/two.h
add program/ir/two.h program/ir/three.h
add program/ir/three.h program/ir/one.h
refused "include cycle between headers: program/ir/one.h -> program/ir/two.h -> program/ir/three.h -> program/ir/one.h"
add instrument/one.h
add instrument/one.c instrument/one.h instrument/two.h
add instrument/two.h
add instrument/two.c instrument/one.h
refused "include cycle between units: instrument/one -> instrument/two -> instrument/one" \
    "instrument/one.c includes instrument/two.h"
add runtime/one.h
add runtime/one_part.c runtime/two.h
add runtime/two.h runtime/one.h
refused "include cycle between units: runtime/one -> runtime/two -> runtime/one" "runtime/one_part.c includes runtime/two.h"

# circles of folders, even where the table allows both ways
add report/added.h results/added.h
add results/added.h
add results/other.h report/other.h
add report/other.h
sed -i 's/^\(| `results\/` .*|\) *\(.*\) |$/\1 report \2 |/' docs/architecture.md
! cmp -s docs/architecture.md pristine.md || fail "the table's row of results/ was not changed"
refused "include cycle between folders: report -> results -> report"
sed -i 's/^\(| `order\/engine\/` .*|\) *\(.*\) |$/\1 proof \2 |/' docs/architecture.md
add order/engine/added.h order/proof/added.h
add order/proof/added.h
refused "include cycle between subfolders: order/engine -> order/proof -> order/engine"

# rows: a folder without one, at any depth; a row without a folder; a file that is not there; a file without its folder
add nowhere/added.h
refused "src/nowhere/: has no row in docs/architecture.md"
add base/deeper/added.h
refused "src/base/deeper/: has no row in docs/architecture.md"
echo '| `gone/` | nothing is there | base |' >>docs/architecture.md
refused "docs/architecture.md: a row for gone/, which is not there"
add base/added.h base/not_there.h
refused "src/base/added.h: includes base/not_there.h, which is not there"
add base/added.c vec.h
refused 'src/base/added.c: include by folder, "folder/name.h", not "vec.h"'

# doubled type names
cat >one.h <<'SOURCE'
typedef struct rcp_first {
    int at;
} rcp_first;
typedef struct rcp_opaque rcp_opaque;
typedef RCP_VEC(rcp_first) rcp_list;
typedef rcp_code rcp_visitor(void *context);
typedef struct {
    int v;
} rcp_bare;
SOURCE
cat >two.h <<'SOURCE'
enum rcp_first { RCP_A, RCP_B };
typedef uint32_t rcp_list; /* not that list */
typedef void rcp_visitor(rcp_first *first);
typedef struct rcp_bare { int v; } rcp_bare;
struct rcp_opaque {
    rcp_first *first;
};
SOURCE
awk -f "$tests/doubled.awk" one.h two.h >out
[ "$(cat out)" = "two.h: rcp_first is defined in one.h, too
two.h: rcp_list is defined in one.h, too
two.h: rcp_visitor is defined in one.h, too
two.h: rcp_bare is defined in one.h, too" ] || fail "doubled types: $(cat out)"
