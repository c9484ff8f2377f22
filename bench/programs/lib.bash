# SPDX-License-Identifier: Apache-2.0
# What run.sh and ../record.sh share: fetching, building and running the programs that the files beside this one describe.
#
# NAME.sh describes a program by
#   packages     Debian source packages, the program's own first
#   binary       what is built, under the directory that it is built in
#   configure    (optional) and
#   build        functions: in the current directory, a fresh copy where each package's source is the directory PACKAGE,
#                with CC, CXX, CFLAGS and CXXFLAGS set and nothing else said to the build; how long `build` takes is measured
#   inputs       (optional) a function: makes what the runs read, in the current directory, the same on every machine
#   run_program  a function (a program without it is for ../yardstick.sh alone): one run in an empty current directory,
#                "${launch[@]}" before the program, $built the directory
#                that was built in, $inputs the inputs'. What it prints and the files it leaves are compared with the native
#                run's.
#   measured     (optional) the same for ../record.sh, where a longer run tells more: one process; and
#   measured_input  a function: says how many bytes that run reads from outside
#   raced        (optional) the same for ../replay.sh, where a shorter run suffices
#   partly       (optional) the same for ../opaque.sh and ../libraries.sh, of a second at most: one process; $with_library: the latter;
#                `configure` and `build` see PARTLY set there; and
#   unlock       (optional) takes a lock out of its own code: then NAME+race is the program with that race; and
#   hunted       (optional) the same for ../hunt.sh (else `partly`): one process, of little input, that can be run again where it was, and prints to nobody; and
#   yard         (optional) the same for ../yardstick.sh, of as little input as has its races; and
#   ordered      (optional) which pairs that ThreadSanitizer reports are no races, and by which calls outside: 'a.c:1 b.c:2: shutdown poll'; and
#   visit        (optional) what the clients of a server do there, a function that needs no other: in the server's directory, $1 a directory of
#                their own; and
#   without_WHAT (optional) takes a lock out of its own code, in the current directory as `build`: then NAME+WHAT is the program so built
#   beside       (optional) what is done meanwhile by others, in the same directory: `partly` starts it, and a replay needs it again
# Everything is under $programs (default: build/programs in the sources): sources/, inputs/, and a directory per tool.

root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
programs=${RECIPE_PROGRAMS:-$root/build/programs}
mkdir -p "$programs"
programs=$(realpath "$programs")

# What whoever measures recipe begins with: RECIPE, and an empty directory in $work for as long as the script runs. Recordings map a lot.
begin_measuring() {
    RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
    [ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
    command -v jq >/dev/null || { echo "jq is missing" >&2; exit 2; }
    ulimit -v unlimited
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
}

all_programs() {
    local file
    for file in "$root"/bench/programs/*.sh; do
        ! grep -q '^run_program()' "$file" || basename "$file" .sh
    done
}

# describe NAME[+…]: its variables and functions, and none of another program's.
describe() {
    unset -f configure build inputs run_program measured measured_input raced partly beside unlock hunted yard visit
    description=$root/bench/programs/${1%%+*}.sh
    [ -f "$description" ] || {
        echo "no program is called '$1'; there are: $(all_programs | tr '\n' ' ')" >&2
        exit 2
    }
    # shellcheck disable=SC1090
    . "$description"
    [[ $1 != *+race ]] || declare -F unlock >/dev/null || { echo "$1: nobody says which lock to take out" >&2 && exit 2; }
    declare -F inputs >/dev/null || inputs() { :; }
    declare -F measured >/dev/null || measured() { run_program; }
    declare -F raced >/dev/null || raced() { run_program; }
    declare -F partly >/dev/null || partly() { raced; }
    declare -F hunted >/dev/null || hunted() { partly; }
    declare -F yard >/dev/null || yard() { raced; }
}

# apt_get ARGS…: with source entries for wherever the system gets its packages from, and lists of its own.
apt_get() {
    local apt=$programs/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    [ -s "$apt/sources.list" ] ||
        apt-get indextargets --format 'deb-src $(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        sort -u >"$apt/sources.list"
    apt-get -q -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/nonexistent \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="" \
        -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}

# fetch PACKAGE: its source in $programs/sources/PACKAGE, patched as Debian does where the mirror has the patches (they
# are small and not every mirror is whole), else as upstream made it; false where it can't be had.
fetch() {
    local sources=$programs/sources
    [ -d "$sources/$1" ] && return
    mkdir -p "$sources/.part"
    ( # bash ignores -e in what an 'if' or '||' of ours asks about
        [ -e "$programs/apt/updated" ] || apt_get update || exit
        touch "$programs/apt/updated"
        cd "$sources/.part" && rm -rf ./* || exit
        if apt_get source --download-only "$1"; then
            dpkg-source --no-check -x ./*.dsc "$1" || exit
        else
            rm -f ./*.asc
            apt_get source --download-only --tar-only "$1" || exit
            mkdir "$1" && tar -xf ./*.orig.tar.* -C "$1" --strip-components=1 || exit
        fi
        mv "$1" ..
    ) >>"$programs/apt.log" 2>&1
}

# prepare NAME: described, its sources and inputs are there; false where the sources can't be fetched.
prepare() {
    local package
    describe "$1"
    for package in "${packages[@]}"; do
        fetch "$package" || {
            echo "$1: Debian's source package $package can't be fetched (no network?): see $programs/apt.log" >&2
            return 1
        }
    done
    inputs=$programs/inputs/$1
    [ -d "$inputs" ] || {
        rm -rf "$inputs.part" && mkdir -p "$inputs.part"
        (cd "$inputs.part" && inputs) && mv "$inputs.part" "$inputs"
    }
}

# compilers TOOL: sets CC and CXX, and no more than that distinguishes the tools.
compilers() {
    case $1 in
    native) CC=clang-19 CXX=clang++-19 ;;
    recipe) CC="$RECIPE cc" CXX="$RECIPE c++" ;;
    tsan) CC="clang-19 -fsanitize=thread" CXX="clang++-19 -fsanitize=thread" ;;
    lines) # TSan again, every access with its own line: an optimiser makes one of several, and of none of these lines
        mkdir -p "$programs/lines"
        for CC in clang clang++; do
            printf '#!/bin/sh\nexec %s-19 "$@" -fsanitize=thread -g -O0\n' $CC >"$programs/lines/.$CC"
            chmod +x "$programs/lines/.$CC"
        done
        CC=$programs/lines/.clang CXX=$programs/lines/.clang++
        ;;
    *) echo "no tool is called '$1'" >&2 && exit 2 ;;
    esac
    export CC CXX CFLAGS="-O2 -g" CXXFLAGS="-O2 -g"
}

# build_program TOOL NAME: in $programs/TOOL/NAME, which becomes $built, unless it is there and the tool is no newer.
# Leaves the CPU seconds that the build took in build.seconds, what it said in build.log.
build_program() {
    local package
    built=$programs/$1/$2
    [ "$1" != recipe ] || [ ! "$RECIPE" -nt "$built/build.seconds" ] || rm -rf "$built"
    [ -e "$built/build.seconds" ] && return
    rm -rf "$built" && mkdir -p "$built"
    for package in "${packages[@]}"; do
        cp -a "$programs/sources/$package" "$built/$package"
    done
    [[ $2 != *+* ]] || (cd "$built" && "without_${2#*+}") || return
    # A shell of its own, because bash ignores -e in what an 'if' or '||' of ours asks about.
    (
        compilers "$1"
        cd "$built" || exit
        TIMEFORMAT='%U %S'
        bash -euc 'configure() { :; }; . "$1"; configure' configure "$description" >build.log 2>&1 &&
            { time bash -euc '. "$1"; build' build "$description" >>build.log 2>&1; } 2>seconds
    ) && awk '{ print $1 + $2 }' "$built/seconds" >"$built/build.seconds"
}

# text BYTES SEED: lines of words with some repetition, the same on every machine.
text() {
    awk -v size="$1" -v seed="$2" 'BEGIN {
        x = seed
        for (i = 0; i < 4096; i++) {
            w = ""
            x = (x * 69069 + 1) % 4294967296
            for (n = 2 + int(x / 65536) % 9; n > 0; n--) {
                x = (x * 69069 + 1) % 4294967296
                w = w substr("eeeetttaaooinnsshrrdlcumwfgypbvkjxqz", 1 + int(x / 65536) % 36, 1)
            }
            word[i] = w
        }
        while (written < size) {
            line = ""
            x = (x * 69069 + 1) % 4294967296
            for (n = 4 + int(x / 65536) % 12; n > 0; n--) {
                x = (x * 69069 + 1) % 4294967296
                a = int(x / 65536) % 64
                x = (x * 69069 + 1) % 4294967296
                line = line word[a * (int(x / 65536) % 64)] " "
            }
            print line
            written += length(line) + 1
        }
    }' | head -c "$1"
}
