#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C++ library is part of the program: what is linked in front of it breaks no way of putting a program together, and the races
# of tests/programs/cxx are found, with nothing reported of their twins (one column of bench/cxx.sh; CXX_COLUMN is another one).
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
sources=$RECIPE_SOURCE_DIR/tests/programs/cxx
clang=${RECIPE_CLANG:-clang-19}
column=${CXX_COLUMN:-c++17/libstdc++/-O1}

cat >words.h <<'C'
#include <map>
#include <string>
std::map<std::string, int> count(const std::string &text);
C
cat >words.cpp <<'C'
#include "words.h"
#include <list>
#include <unordered_map>
std::map<std::string, int> count(const std::string &text) {
    std::list<std::string> words(1);
    for (char c : text)
        if (c == ' ')
            words.emplace_back();
        else
            words.back() += c;
    std::unordered_map<std::string, int> counts;
    for (auto &word : words)
        counts[word]++;
    return {counts.begin(), counts.end()};
}
C
cat >main.cpp <<'C'
#include "words.h"
#include <cstdio>
int main() {
    for (auto &entry : count("a b a c b a"))
        printf("%s%d", entry.first.c_str(), entry.second);
    puts("");
}
C
answers() { # PROGRAM: prints what it should, natively and recorded
    [ "$("./$1")" = a3b2c1 ] || fail "$1 does not run as it should"
    run 0 record -o "$1.recipe" -- "./$1"
    [ "$(cat out)" = a3b2c1 ] || fail "$1 prints '$(cat out)' when it is recorded"
    run 0 trace reexecute "$1.recipe"
    rm -rf "$1.recipe" "$1"
}
has() { # FILE WORDS: its recorded functions of the library are in it
    nm -C "$1" >names
    grep -E " [tTwW] $2" names >/dev/null
}
cxx() { "$RECIPE" c++ -std=c++17 -g -O1 "$@" || fail "recipe c++ $*"; }

cxx main.cpp words.cpp -o together
has together 'std::_Rb_tree_insert_and_rebalance' && has together 'std::__detail::_List_node_base::_M_hook' || fail "the containers' code is not recorded"
has together 'std::__cxx11::basic_string<.*>::(_M_create|_M_mutate)' || fail "strings are not instantiated in the program"
answers together
cxx -c main.cpp && cxx -c words.cpp && ! nm words.o | grep -q '[TW] _ZSt29_Rb_tree' || fail "an object has the library's code"
cxx main.o words.o -o apart && answers apart
cxx main.o words.o -static-libstdc++ -static-libgcc -o statically && answers statically
cxx main.o words.o -nostdlib++ -lstdc++ -o named && answers named
"$RECIPE" cc main.o words.o -lstdc++ -o by_cc && answers by_cc
archive=$("$clang" --driver-mode=g++ -print-file-name=libstdc++.a)
[ ! -e "$archive" ] || { cxx main.o words.o -lstdc++ "$archive" -o both && answers both; }
cxx -fPIC -shared words.cpp -o libwords.so
has libwords.so 'std::_Rb_tree_insert_and_rebalance' || fail "a shared library has no code of its own for its containers"
! nm -D --defined-only libwords.so | grep -q '_ZSt29_Rb_tree' || fail "a shared library shows the code for its containers"
cxx -fPIC -shared -Wl,-z,defs words.cpp -o strictly.so
cxx main.o -L. -lwords -Wl,-rpath,"$PWD" -o with_library && answers with_library
"$clang" --driver-mode=g++ -std=c++17 -O1 -c words.cpp -o plain.o
cxx main.o plain.o -o half && answers half
cxx -r main.o words.o -o partial.o && cxx partial.o -o from_partial && answers from_partial
# What is set in front of the first header counts: the library's settings are read where the program includes them.
cat >settings.cpp <<'C'
#define _GLIBCXX_USE_CXX11_ABI 0
#include <string>
#if defined __GLIBCXX__ && _GLIBCXX_USE_CXX11_ABI
#error the library's settings were read before the program's
#endif
int main() { return std::string("four").size() != 4; }
C
cxx settings.cpp -o settings && ./settings || fail "settings of the program's own"
"$RECIPE" c++ -std=c++17 -E main.cpp >main.ii && cxx main.ii words.cpp -o preprocessed && answers preprocessed
"$RECIPE" c++ -std=c++17 -g -O1 -x c++-header words.h -o words.h.pch && cxx -include-pch words.h.pch main.cpp words.cpp -o precompiled && answers precompiled

# With libc++: threads, locks, conditions, counts and futures are recipe's own code, and do what the library's do.
if [ -e "$("$clang" -print-file-name=libc++.so)" ]; then
    cxx -stdlib=libc++ main.cpp words.cpp -o other_library && answers other_library
    for program in concurrency arena_and_path; do
        source=$RECIPE_SOURCE_DIR/tests/programs/system/$program.cpp
        "$clang" --driver-mode=g++ -std=c++17 -stdlib=libc++ -O1 -pthread "$source" -o native && ./native >want
        cxx -stdlib=libc++ -pthread "$source" -o $program
        run 0 record -o dir.$program -- ./$program
        diff want out >&2 || fail "recorded with libc++ $program does something else"
        run 0 trace reexecute dir.$program
    done
    has concurrency 'std::__1::mutex::lock' && has concurrency 'std::__1::condition_variable::wait' || fail "libc++'s locks are not recorded"
    cxx -stdlib=libc++ -pthread "$sources/string_name.cpp" -o string_name
    run 1 run -o dir.name ./string_name
else
    echo "there is no libc++ here: it is not looked at" >&2
fi

# The programs.
case $column in *libc++*) [ -e "$("$clang" -print-file-name=libc++.so)" ] || exit 77 ;; esac
library=${column#*/} library=${library%%/*}
known=$(sed -n "s|^- .\(.*\).: missed with $library\..*|\1|p" "$sources/README.md")
mapfile -t names < <(cd "$sources" && printf '%s\n' *.cpp | sed 's/\.cpp$//' | grep -vxF "$known")
take_part 9 "C++ programs" "${names[@]}"
RECIPE=$RECIPE "$RECIPE_SOURCE_DIR/bench/cxx.sh" --columns "$column" --keep "$PWD/kept" "${part[@]}" >table || fail "a twin was reported: $(cat table kept/results.tsv)"
! grep -l '/\.\./' kept/reports/*.json >&2 || fail "paths go up and down again"
awk -F '\t' '$3 == "race" && $4 != "confirmed" { print $2 ": " $4 }' kept/results.tsv >missed
[ ! -s missed ] || fail "not found and confirmed, in $column: $(cat missed)"
