#!/usr/bin/env bash
# usage: futhark_heddle_test.sh FOLDER-OF-THE-SOURCES HEDDLE [FUTHARK]
# Compiles to libraries, for which no C compiler is needed: what is tiled is in the text, and where heddle fails, hangs or
# writes what the host rejects, the program is compiled as it was, with one line that says so.
set -uo pipefail
sources=$1
export HEDDLE=$2 FUTHARK=${3:-}
export HEDDLE_MEMORY=unlimited  # a heddle with sanitizers reserves terabytes of addresses
# shellcheck source=tests/need.sh
. "$sources/tests/need.sh"
[ -x "$FUTHARK" ] || missing "there is no futhark"
script=$sources/frontend_bridge/futhark/plugin/futhark-heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$sources/examples/conv.fut" "$sources/examples/mandelbrot.fut" .
failed=0

count() { grep -o 'segmap_intrablock_[0-9]*' "$1" | sort -u | wc -l; }

# compiles PROGRAM BLOCKS WARNING [BACKEND]: with so many block-level kernels, and what stderr must hold; empty: nothing.
compiles() {
  local said blocks
  rm -f out.c out.h out.json
  said=$("$script" "${4:-opencl}" --library "$1" -o out 2>&1) || { echo "$1: exit status $?: $said"; failed=1; }
  blocks=$(count out.c)
  [ "$blocks" = "$2" ] || { echo "$1: $blocks block-level kernels instead of $2"; failed=1; }
  if [ ! -f out.h ] || [ ! -f out.json ]; then echo "$1: no header, or no manifest"; failed=1; fi
  if [ -z "$3" ]; then
    [ -z "$said" ] || { echo "$1: says $said"; failed=1; }
  else
    case $said in
      *"$3"*) ;;
      *) echo "$1: says '$said' instead of '$3'"; failed=1 ;;
    esac
  fi
}

"$FUTHARK" opencl --library conv.fut -o plain
plain=$(count plain.c)
# In flat tiles and in square ones.
compiles conv.fut $((plain + 2)) ''
compiles conv.fut $((plain + 2)) '' cuda
compiles mandelbrot.fut 0 ''
cat >hanging <<'END'
#!/bin/sh
exec sleep 100
END
cat >wrong <<'END'
#!/bin/sh
echo nonsense >"$5"
END
chmod +x hanging wrong
HEDDLE=false compiles conv.fut "$plain" 'warning: heddle failed'
HEDDLE=$PWD/hanging HEDDLE_SECONDS=1 compiles conv.fut "$plain" 'warning: heddle failed (exit status 124)'
HEDDLE_MEMORY=10000 compiles conv.fut "$plain" 'warning: heddle failed'
HEDDLE=$PWD/wrong compiles conv.fut "$plain" 'warning: futhark does not take what heddle wrote'
echo 'entry main (x: i64) = x + true' >rejected.fut
"$script" opencl rejected.fut -o out >said 2>&1 && { echo "a program that is wrong compiles"; failed=1; }
grep -q 'rejected.fut:1' said || { echo "the error has no place: $(cat said)"; failed=1; }
[ "$("$script" --version | head -n 1)" = "$("$FUTHARK" --version | head -n 1)" ] || { echo "--version is not futhark's"; failed=1; }
exit $failed
