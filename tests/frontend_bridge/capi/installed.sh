#!/usr/bin/env bash
# installed.sh BUILD SOURCE CC: the installed library is found by pkg-config and by CMake, wherever it was moved, and hosts that were
# compiled so run.
set -euo pipefail
build=$1 source=$2 cc=$3
. "$source/tests/need.sh"
command -v pkg-config >/dev/null || missing "there is no pkg-config"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --component capi --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved"

pc=$(dirname "$(find "$work/moved" -name heddle.pc)")
libraries=$(dirname "$pc")
export PKG_CONFIG_PATH=$pc
# shellcheck disable=SC2046
$cc -std=gnu11 -Wall -Werror "$source/examples/embedding/host.c" -o "$work/by-pkg-config" $(pkg-config --cflags --libs heddle) -ldl

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(host LANGUAGES C)
find_package(heddle 0.1 REQUIRED)
add_executable(host $source/examples/embedding/host.c)
target_link_libraries(host heddle::heddle \${CMAKE_DL_LIBS})
CMAKE
cmake -G Ninja -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1 &&
  cmake --build "$work/project/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

for host in "$work/by-pkg-config" "$work/project/build/host"; do
  status=0
  LD_LIBRARY_PATH=$libraries "$host" 100 >"$work/out" || status=$?
  grep -q '^averages_segmap_2: 1 blocks of 256 threads$' "$work/out"
  [ $status = 0 ] || [ $status = 77 ]
done
