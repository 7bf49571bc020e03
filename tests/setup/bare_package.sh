#!/usr/bin/env bash
# Installs heddle's package on a bare Debian, as a user without sources does: makes the package on one bare Debian (or takes the
# one given), installs it on another one, has `heddle doctor` say what is there, fetches Futhark where Debian does not
# package it, runs the demo and the README's first program, reads the manual, asks three shells to complete, and compiles a host
# of the library by pkg-config and by CMake. Then it removes the package, sees that nothing stays, and does the same with
# the package's files unpacked elsewhere. Needs root, debootstrap and the network, and several minutes: no part of CI.
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

apt_install="DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends"

# readme_file NAME: the file of that name in the README.
readme_file() { awk -v name="$1" '$0 == "```" { on = 0 } on { print } /^```/ && $2 == name { on = 1 }' README.md; }

first_program() {
  readme_file filter.fut >"$root/root/filter.fut"
  local line
  line=$(sed -n 's/^\$ \(echo .* | \.\/filter\)$/\1/p' README.md)
  [ -n "$line" ] && [ -s "$root/root/filter.fut" ] || fail "the README has no first program"
  printf 'set -e\nheddle cpu filter.fut\n%s\n' "$line" >"$root/root/first"
  inside "sh first" | tee "$root.out"
  grep -qF "$(awk '/\| \.\/filter$/ { getline; print }' README.md)" "$root.out" || fail "the README's first program says something else"
  rm "$root.out"
}

manual() {
  inside "man heddle | col -b" >"$root.out"
  grep -q 'heddle explain FILE' "$root.out" || fail "man does not show the manual page"
  rm "$root.out"
}

# What the shells complete as they are set up on Debian, without being told where to look.
completions() {
  printf '%s\n' '. /usr/share/bash-completion/bash_completion; _completion_loader heddle || true' \
    'COMP_WORDS=(heddle expl) COMP_CWORD=1; _heddle; echo "${COMPREPLY[*]}"' >"$root/root/ask.bash"
  [ "$(inside "bash ask.bash")" = explain ] || fail "bash does not complete"
  printf '%s\n' 'autoload -Uz compinit; compinit -u -d /tmp/zcompdump; print $_comps[heddle]' >"$root/root/ask.zsh"
  [ "$(inside "zsh -f ask.zsh")" = _heddle ] || fail "zsh does not complete"
  inside "fish -c \"complete -C 'heddle expl'\"" | grep -q '^explain' || fail "fish does not complete"
}

# hosts FOLDER: two hosts of the library that is installed in FOLDER, which print what a kernel looks like, and end with 77 without a GPU.
hosts() {
  local host
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(host LANGUAGES C)' 'find_package(heddle 0.1 REQUIRED)' \
    "add_executable(host $1/share/heddle/examples/embedding/host.c)" \
    'target_link_libraries(host heddle::heddle ${CMAKE_DL_LIBS})' >"$root/root/CMakeLists.txt"
  printf '%s\n' 'set -e' "pc=\$(dirname \$(find $1/lib -name heddle.pc))" 'export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=$pc/..' \
    "gcc -Wall -Werror $1/share/heddle/examples/embedding/host.c -o host \$(pkg-config --cflags --libs heddle) -ldl" \
    "rm -rf made && cmake -S . -B made -DCMAKE_PREFIX_PATH=$1 >made.log && cmake --build made >made.log || { cat made.log; exit 1; }" \
    'for host in ./host made/host; do $host 100 || [ $? = 77 ]; done' >"$root/root/hosts"
  inside "sh hosts" >"$root.out" || { cat "$root.out"; fail "the library cannot be used"; }
  [ "$(grep -c '^averages_segmap_2: 1 blocks of 256 threads$' "$root.out")" = 2 ] || { cat "$root.out"; fail "a host says something else"; }
  rm "$root.out"
}

# Nothing that the package had is there, and nothing of heddle's but what the user's own cache folder has, logs, and pages that man keeps formatted.
removed() {
  inside "dpkg -L heddle" >"$root.files"
  inside "apt-get -qy purge heddle" >/dev/null
  local left
  left=$(while read -r file; do [ -d "$root$file" ] || [ ! -e "$root$file" ] || echo "$file"; done <"$root.files"
         find "$root" -xdev -path "$root/proc" -prune -o -path "$root/root" -prune -o -path "$root/var/log" -prune \
           -o -path "$root/var/cache/man" -prune -o -name '*heddle*' -print)
  rm "$root.files"
  [ -z "$left" ] || fail "these stay: $left"
}

moved() {
  inside "dpkg -x heddle.deb unpacked && mkdir -p 'a place' && mv unpacked/usr 'a place/moved' && ln -s 'a place/moved' moved"
  inside "PATH=/root/moved/bin:\$PATH && heddle doctor && moved/share/heddle/examples/demo/run" && hosts /root/moved
}

timed "bare Debian ($suite)" make_debian "$suite"
cp "$package" "$root/root/heddle.deb"
timed "install" inside "apt-get -q update && $apt_install ./heddle.deb"
[ ! -e "$root/root/heddle" ] || fail "the sources are there"
timed "heddle doctor" inside "heddle doctor" || timed "heddle doctor --install-futhark" inside "heddle doctor --install-futhark"
timed "the README's first program" first_program
timed "demo" inside /usr/share/heddle/examples/demo/run
timed "install what reads manuals, completes and compiles hosts" \
  inside "$apt_install man-db bsdextrautils bash-completion zsh fish cmake make pkgconf" >"$root.log" || { cat "$root.log"; exit 1; }
rm "$root.log"
timed "manual page" manual
timed "completions" completions
timed "library" hosts /usr
timed "its files" inside "dpkg -L heddle; dpkg -s heddle"
[ -s "$root/usr/share/doc/heddle/copyright" ] || fail "there is no copyright file"
timed "remove" removed
timed "moved" moved
