#!/usr/bin/env bash
# Installs the Debian packages that a part of the project needs and the system lacks: tools/setup.sh PART…
# Prints nothing and needs no rights where all are there.
set -euo pipefail

packages() {
    case $1 in
    build) echo gcc libc6-dev cmake ninja-build pkg-config libzstd-dev libxxhash-dev libsqlite3-dev libz3-dev check \
        clang-19 llvm-19-dev libclang-rt-19-dev ;;
    check | fuzz) echo jq llvm-19 libstdc++-12-dev make ;; # gcc 12's leak check takes seconds per process
    format) echo clang-format-19 ;;
    gtest) echo libgtest-dev ;; # tests/cli/testcases.sh: cases of gtest itself
    gdb) echo gdb ;; # tests/cli/replay.sh: races under a debugger
    page) echo chromium ;; # tests/cli/html.sh, tools/screenshots.sh: the HTML report as a browser shows it
    programs) echo make dpkg-dev tcl libevent-dev zlib1g-dev autoconf automake libtool pkg-config libpcre3-dev liblzma-dev liblzo2-dev liblz4-dev libbz2-dev ;; # bench/programs: Debian's sources, and what those need
    bench) echo valgrind time make dpkg-dev libevent-dev zlib1g-dev ;; # bench/record.sh: the rivals, how long and how much
    cxx) echo valgrind jq libstdc++-12-dev libc++-19-dev libc++abi-19-dev ;; # bench/cxx.sh: the rivals, and the other library
    bare) echo debootstrap ;;
    deb) echo debhelper lintian ;;
    cross) case $(uname -m) in # tools/cross.sh: the other architecture's libraries, and an emulator
        x86_64) echo qemu-user llvm-19 binutils-aarch64-linux-gnu libc6-dev-arm64-cross libstdc++-12-dev-arm64-cross ;;
        *) echo qemu-user llvm-19 binutils-x86-64-linux-gnu libc6-dev-amd64-cross libstdc++-12-dev-amd64-cross ;;
        esac ;;
    *) echo "tools/setup.sh: no part is called '$1'" >&2 && exit 2 ;;
    esac
}

wanted=()
for part in "$@"; do
    list=$(packages "$part")
    read -ra names <<<"$list"
    wanted+=("${names[@]}")
done

missing=()
for name in "${wanted[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$name")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "recipe needs these Debian packages, and this system has no apt-get: ${missing[*]}" >&2
    exit 1
fi
root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "recipe needs root once, to install: ${missing[*]}" >&2; exit 1; }
    root=(sudo)
fi
echo "installing: ${missing[*]}" >&2
"${root[@]}" apt-get update -qq
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
