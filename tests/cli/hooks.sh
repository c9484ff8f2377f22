#!/usr/bin/env bash
# The hot hooks stay hot: a loop around an access has no call and no spill on its fast path, and few instructions, on both
# architectures' code generators.
here=$(dirname "$(realpath "$0")")
source "$here/lib.bash"
build=$(dirname "$RECIPE")

cat >loops.c <<'SOURCE'
struct node { struct node *next; long value; };
long load(const long *p, long n) { long s = 0; for (long i = 0; i < n; i++) s += p[i]; return s; }
void store(int *p, long n, int v) { for (long i = 0; i < n; i++) p[i] = v; }
void copy(double *p, const double *q, long n) { for (long i = 0; i < n; i++) p[i] = q[i]; }
long chase(struct node *l) { long s = 0; while (l) { s += l->value; l = l->next; } return s; }
int bytes(const char *s) { int n = 0; while (s[n]) n++; return n; }
long atomic(_Atomic long *p, long n) { long s = 0; for (long i = 0; i < n; i++) s += __c11_atomic_fetch_add(p, i, 5); return s; }
long nothing(long n) { long s = 1; for (long i = 0; i < n; i++) s = s * s + i; return s; }
SOURCE

# Instructions on the way round, the loop's own included. The rest is: 5 for a reservation (load, add, store, load, compare),
# 4 or 5 for a load (its shadow's address, the shadow, differs, or precise, jump), 3 or 4 for a store, 1 or 2 for a branch.
# Without regions, which would put a second loop beside some.
check() { # check ARCH FUNCTION BOUND…
    local arch=$1 name count calls spills found
    shift
    clang-19 --target="$arch-linux-gnu" -march="${march[$arch]}" -ffreestanding -O1 -Xclang -disable-llvm-passes -fPIE -emit-llvm -c loops.c -o loops.bc
    "$build/tests/instrument_one" loops.bc hooked.bc "$build/lib/recipe/inline-$arch.bc" . no-regions >/dev/null
    clang-19 --target="$arch-linux-gnu" -march="${march[$arch]}" -O2 -fPIE -S -x ir hooked.bc -o "$arch.s"
    awk -f "$here/loops.awk" "$arch.s" >"$arch.loops"
    while [ $# -gt 0 ]; do
        found=$(awk -v name="$1" '$1 == name' "$arch.loops")
        [ "$(wc -l <<<"$found")" -eq 1 ] && [ -n "$found" ] || fail "$arch: '$1' should be one loop, is: $found"
        read -r name count calls spills <<<"$found"
        [ "$calls" -eq 0 ] && [ "$spills" -eq 0 ] ||
            { cat "$arch.s" >&2; fail "$arch: the fast path of '$name' has $calls calls and $spills spills"; }
        [ "$count" -le "$2" ] ||
            { cat "$arch.s" >&2; fail "$arch: the fast path of '$name' has $count instructions, more than $2"; }
        echo "$arch $name: $count instructions (at most $2)"
        shift 2
    done
}
declare -A march=([aarch64]=armv8.1-a [x86_64]=x86-64)
check aarch64 load 22 store 16 copy 25 chase 27 bytes 23 atomic 21 nothing 15
check x86_64 load 26 store 16 copy 28 chase 31 bytes 23 atomic 21 nothing 16

# Regions: the copy of a loop has no hook, and vectors are made of it.
plain() { # plain ARCH FUNCTION…: after check
    local arch=$1 name
    shift
    "$build/tests/instrument_one" loops.bc hooked.bc "$build/lib/recipe/inline-$arch.bc" . >report
    clang-19 --target="$arch-linux-gnu" -march="${march[$arch]}" -O2 -fPIE -S -x ir hooked.bc -o "$arch.s" -Rpass=loop-vectorize 2>remarks
    grep -q "regions $#," report || fail "$arch: of these loops $# should have a copy: $(cat report)"
    [ "$(grep -c 'vectorized loop' remarks)" -eq $# ] || { cat remarks >&2; fail "$arch: not all copies are vectors"; }
    awk -f "$here/loops.awk" "$arch.s" >"$arch.loops"
    for name; do
        awk -v name="$name" '$1 == name && $2 <= 14 && !$3 && !$4 { found = 1 } END { exit !found }' "$arch.loops" ||
            { cat "$arch.s" >&2; fail "$arch: no loop of '$name' is short: $(cat "$arch.loops")"; }
    done
    echo "$arch: plain copies of $*"
}
clang-19 --target=aarch64-linux-gnu -march=armv8.1-a -ffreestanding -O1 -Xclang -disable-llvm-passes -fPIE -emit-llvm -c loops.c -o loops.bc
plain aarch64 load store copy
clang-19 --target=x86_64-linux-gnu -march=x86-64 -ffreestanding -O1 -Xclang -disable-llvm-passes -fPIE -emit-llvm -c loops.c -o loops.bc
plain x86_64 load store copy
