#!/usr/bin/env bash
# Installs heddle's package on a bare Debian, as a user without sources does: makes the package on one bare Debian (or takes the
# one given), installs it on another one, has `heddle doctor` say what is there, fetches Futhark where Debian does not
# package it, and runs the demo. Needs root, debootstrap and the network, and several minutes: no part of CI.
#
# usage: tests/setup/bare_package.sh [SUITE [PACKAGE]]
#   SUITE    bookworm (Debian 12, the default) or trixie (Debian 13)
#   PACKAGE  a .deb made on that release
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
. tests/setup/chroot.sh

suite=${1:-bookworm}
package=${2:-}
if [ -z "$package" ]; then
  timed "bare Debian to build on ($suite)" make_debian "$suite"
  timed "clone" git clone -q --no-hardlinks . "$root/root/heddle"
  timed "./dev package" inside "cd heddle && ./dev package"
  work=$(mktemp -d)
  trap 'leave; rm -rf "$work"' EXIT
  cp "$root"/root/heddle/build/heddle_*.deb "$work"
  package=$(echo "$work"/heddle_*.deb)
  leave
fi

timed "bare Debian ($suite)" make_debian "$suite"
cp "$package" "$root/root/heddle.deb"
timed "install" inside "apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends ./heddle.deb"
[ ! -e "$root/root/heddle" ] || fail "the sources are there"
timed "heddle doctor" inside "heddle doctor" || timed "heddle doctor --install-futhark" inside "heddle doctor --install-futhark"
timed "demo" inside /usr/share/heddle/examples/demo/run
timed "its files" inside "dpkg -L heddle"
