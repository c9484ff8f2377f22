#!/usr/bin/env bash
# Shows that a clean clone needs no step by hand: makes a Debian 12 system that has a C compiler, make and git and nothing
# else, clones HEAD into it and runs 'make check' (or the command given) there. With a package that 'make deb' made: a system
# with nothing at all, in which it is installed; 'recipe doctor' (or the command given) then has a race found. Needs root.
#   tools/bare-system.sh [--package FILE.deb] [COMMAND…]
set -euo pipefail
cd "$(dirname "$0")/.."
package=
[ "${1:-}" != --package ] || { package=$2 && shift 2; }

tools/setup.sh bare
[ "$(id -u)" -eq 0 ] || { echo "tools/bare-system.sh: chroot needs root" >&2; exit 1; }

system=$(mktemp -d)
cleanup() {
    for place in proc dev; do
        ! mountpoint -q "$system/$place" || umount --recursive --lazy "$system/$place"
    done
    rm -rf --one-file-system "$system"
}
trap cleanup EXIT

# the mirror that this system itself uses
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | awk '$2 == "bookworm" {print $1; exit}')
include=gcc,libc6-dev,make,git,ca-certificates
[ -z "$package" ] || include=ca-certificates
debootstrap --variant=minbase --include=$include bookworm "$system" "$mirror" >&2
cp /etc/resolv.conf /etc/hosts "$system/etc/"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
mount --make-rslave "$system/dev"

inside() { chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb "$@"; }
command=("$@")
if [ -n "$package" ]; then
    cp "$package" "$system/recipe.deb"
    cp /etc/apt/sources.list "$system/etc/apt/" 2>/dev/null || true
    cp -r /etc/apt/sources.list.d "$system/etc/apt/"
    inside apt-get update -qq
    inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /recipe.deb >&2
    rm "$system/recipe.deb"
    [ ${#command[@]} -gt 0 ] || command=(recipe doctor)
    inside "${command[@]}"
else
    git clone -q . "$system/recipe"
    git config --file "$system/etc/gitconfig" safe.directory /recipe
    [ ${#command[@]} -gt 0 ] || command=(make check)
    inside sh -c 'cd /recipe && exec "$@"' sh "${command[@]}"
fi
