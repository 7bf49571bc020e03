#!/usr/bin/env bash
# Does what a newcomer does on a new machine: makes a bare Debian in a folder of its own, clones the committed state of this
# repository into it, and types the README's two commands there. Needs root and debootstrap; prints how long each part takes.
#
# usage: tests/setup/bare_debian.sh [SUITE [COMMAND...]]
#   SUITE    bookworm (Debian 12, the default) or trixie (Debian 13)
#   COMMAND  what to run in the clone instead of ./dev demo and ./dev test
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

fail() {
  printf 'bare_debian: %s\n' "$1" >&2
  exit 1
}

suite=${1:-bookworm}
shift || true
[ "$(id -u)" = 0 ] || fail "only root can make a chroot"
command -v debootstrap >/dev/null || fail "debootstrap is needed and not on PATH"

# The mirror this machine takes Debian from itself, and its way to the network.
# shellcheck disable=SC2016 # The dollar is apt's.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | sed -n 1p)
[ -n "$mirror" ] || fail "this machine has no Debian package lists to take the mirror from; run 'apt-get update' first"

root=$(mktemp -d "${TMPDIR:-/tmp}/bare-debian.XXXXXX")
leave() {
  umount "$root/proc" 2>/dev/null || true
  mountpoint -q "$root/proc" || rm -rf --one-file-system "$root"
}
trap leave EXIT

timed() {
  local name=$1 began=$SECONDS status=0
  shift
  printf '\n### %s\n' "$name"
  "$@" || status=$?
  printf '### %s: %d s, exit code %d\n' "$name" $((SECONDS - began)) $status
  return $status
}

inside() {
  chroot "$root" env -i HOME=/root TERM="${TERM:-dumb}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" sh -c "cd /root/heddle && $*"
}

make_debian() {
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" || { tail -n 5 "$root.log"; return 1; }
  rm -f "$root.log"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  mount -t proc proc "$root/proc"
}

timed "bare Debian ($suite)" make_debian
timed "clone" git clone -q --no-hardlinks . "$root/root/heddle"
if [ $# -gt 0 ]; then
  timed "$*" inside "$@"
else
  timed "./dev demo" inside ./dev demo
  timed "./dev test" inside ./dev test
fi
