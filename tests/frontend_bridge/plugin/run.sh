#!/usr/bin/env bash
# usage: run.sh PLUGIN FUTHARK HEDDLE [LIBHEDDLE [CUDA]]
# What the plugin (`./dev plugin`) makes of examples, for each backend; that programs that fail say what Futhark's say, with all
# places; what it does where heddle fails; and, with LIBHEDDLE, that heddle within the process does the same. Programs are run where
# an OpenCL device is (PoCL will do): "no device" at the end says that none was. CUDA is a folder with a driver and an NVRTC, such as
# build/tests/campaign/gpu, which pretends a GPU: with it heddle's own CUDA programs run, too. No part of ctest, which has no plugin.
set -uo pipefail
plugin=$(readlink -f "$1") futhark=$(readlink -f "$2")
HEDDLE=$(readlink -f "$3")
library=${4:+$(readlink -f "$4")}
cuda=${5:+$(readlink -f "$5")}
export HEDDLE LC_ALL=C.UTF-8 CUDA_HOME=/nowhere
unset HEDDLE_LIBRARY CPATH C_INCLUDE_PATH CFLAGS CC
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../../examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/stock" "$work/ours" "$work/cuda_12"
# What the C compiler finds by itself, before a CUDA 13 where it looks, whose calls are another text.
echo '#define CUDA_VERSION 12080' >"$work/cuda_12/cuda.h"
export C_INCLUDE_PATH=$work/cuda_12
cd "$work" || exit 1
failed=0

fail() { echo "FAILED: $*"; failed=1; }
blocks() { grep -o 'segmap_intrablock_[0-9]*' "$1" | sort -u | wc -l; }
is_same() { cmp -s "$1.c" "$2.c" && cmp -s "$1.h" "$2.h" && cmp -s "$1.json" "$2.json"; }

# plain PROGRAM BACKEND WHY [OPTION...]: the plugin compiles it, with one line of warning that holds WHY, or none, as Futhark does.
plain() {
  local program=$1 backend=$2 why=$3
  shift 3
  "$futhark" "$backend" --library "$program" -o stock/p "$@" || fail "futhark does not compile $program"
  "$plugin" "$backend" --library "$program" -o ours/p "$@" >said 2>&1 || fail "exit status $? for $program: $(cat said)"
  is_same stock/p ours/p || fail "$program is not compiled as futhark does ($backend, '$why')"
  if [ -z "$why" ]; then
    [ -s said ] && fail "$program: says $(cat said)"
  elif [ "$(wc -l <said)" != 1 ] || ! grep -q "^futhark-heddle: warning: .*$why.*; compiling as futhark does\$" said; then
    fail "$program: says '$(cat said)' instead of '$why'"
  fi
}

# --- Kernels.
for backend in opencl cuda hip; do
  for program in conv blur; do
    "$futhark" $backend --library "$examples/$program.fut" -o stock/p || fail "futhark does not compile $program"
    "$plugin" $backend --library "$examples/$program.fut" -o ours/p >said 2>&1 || fail "$program does not compile: $(cat said)"
    [ -s said ] && fail "$program: says $(cat said)"
    more=1
    [ $program = conv ] && more=2  # flat tiles and square ones
    [ "$(blocks ours/p.c)" = $(($(blocks stock/p.c) + more)) ] || fail "$program is not tiled ($backend)"
    cmp -s stock/p.h ours/p.h || fail "$program: another header ($backend)"
    [ $program = conv ] && cp ours/p.c "conv_$backend.c"
  done
  plain "$examples/mandelbrot.fut" $backend ''
done
plain "$examples/mandelbrot.fut" opencl '' --safe --entry-point mandelbrot -w

# --- Failures of heddle.
says() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
says crashing 'kill -SEGV $$'
says hanging 'exec sleep 100'
says complaining 'echo this is why >&2; echo and more >&2; exit 3'
says nonsense 'echo nonsense'
says silent 'exit 0'
says mistyped '"$REAL" "$@" | sed "s/fadd32/fadd64/"'
export REAL=$HEDDLE
conv=$examples/conv.fut
HEDDLE=$work/missing plain "$conv" opencl 'exit status 127'
HEDDLE=$work/crashing plain "$conv" opencl 'killed by signal 11'
HEDDLE=$work/complaining plain "$conv" cuda 'exit status 3: this is why'
HEDDLE=$work/hanging HEDDLE_SECONDS=1 plain "$conv" hip 'took more than 1 s'
# More text than a pipe holds, which nobody reads.
HEDDLE=$work/complaining plain "$here/fails.fut" opencl 'exit status 3: this is why'
HEDDLE=$work/nonsense plain "$conv" opencl 'cannot read'
HEDDLE=$work/silent plain "$conv" opencl 'heddle wrote another program'
HEDDLE=$work/mistyped plain "$conv" opencl 'futhark does not take what heddle wrote'
HEDDLE_MEMORY=10000 plain "$conv" opencl 'heddle failed'

# --- Within the process.
if [ -n "$library" ]; then
  HEDDLE_LIBRARY=$library HEDDLE=/nowhere "$plugin" opencl --library "$conv" -o ours/p >said 2>&1 || fail "in process: exit status $?"
  [ -s said ] && fail "in process: says $(cat said)"
  cmp -s ours/p.c conv_opencl.c || fail "in process, conv is another program"
  HEDDLE_LIBRARY=$work/missing plain "$conv" opencl 'heddle failed (.*missing'
fi

# --- CUDA 13.
mkdir -p cuda/include
for version in 12080 13000; do
  echo "#define CUDA_VERSION $version" >cuda/include/cuda.h
  CUDA_HOME=$work/cuda "$plugin" cuda --library "$conv" -o ours/p || fail "CUDA $version: exit status $?"
  diff conv_cuda.c ours/p.c >changes
  case $version in
    12080) [ -s changes ] && fail "CUDA 12: another text" ;;
    *) if [ "$(grep -c '^>' changes)" != 1 ] || ! grep -q '^> .*cuCtxCreate(&ctx->cu_ctx, NULL, 0, ctx->dev)' changes; then
         fail "CUDA 13: $(cat changes)"
       fi ;;
  esac
done

# --- What the command line says. Usage has the program's name within it.
cp "$plugin" ours/futhark && cp "$futhark" stock/futhark 2>/dev/null
as_stock() {
  local status ours
  "$(readlink -f stock/futhark)" "$@" >stock/said 2>&1 </dev/null; status=$?
  "$(readlink -f ours/futhark)" "$@" >ours/said 2>&1 </dev/null; ours=$?
  [ $status = $ours ] || fail "futhark $*: exit status $ours instead of $status"
  cmp -s stock/said ours/said || fail "futhark $*: says otherwise: $(diff stock/said ours/said)"
}
printf 'entry main (x: i64) = x + true\n' >wrong.fut
printf 'entry main (x: i64) = let y = 1 in x\n' >warned.fut
as_stock --version
as_stock
as_stock opencl --help
as_stock opencl --nothing
as_stock cuda
as_stock hip missing.fut
as_stock opencl wrong.fut
as_stock opencl --library warned.fut -o p
as_stock opencl --library --Werror warned.fut -o p
as_stock opencl -w --library --Werror warned.fut -o p
as_stock check wrong.fut
# Futhark cannot do this, which it finds where it makes the kernels.
cat >limitation.fut <<'END'
def grown (xs: []i64) (times: i64) : []i64 = loop xs for i < times do xs ++ [reduce (+) 0 xs]
entry main (n: i64) = map (\r -> reduce (+) 0 (grown [1, r] r)) (iota n)
END
as_stock opencl --library limitation.fut -o p
grep -q 'Known compiler limitation' ours/said || fail "limitation.fut compiles"
CC=false as_stock opencl "$conv" -o p

# --- Running. Both programs have the same name, since their messages begin with it.
for program in fails conv blur; do cp "$here/$program.fut" . 2>/dev/null || cp "$examples/$program.fut" .; done
# runs_as_stock ERRORS: so many of these runs fail with a place, and all are as Futhark's.
runs_as_stock() {
  local entry size at side errors=0
  while read -r entry size at; do
    for side in stock ours; do
      (cd $side && echo "$size" "$at" | ./fails -e "$entry" >"$entry.out" 2>"$entry.err"; echo $? >>"$entry.err")
    done
    cmp -s "stock/$entry.out" "ours/$entry.out" || fail "$entry $size $at: other results"
    cmp -s "stock/$entry.err" "ours/$entry.err" || fail "$entry $size $at: $(diff "stock/$entry.err" "ours/$entry.err")"
    grep -q 'fails.fut:' "ours/$entry.err" && errors=$((errors + 1))
  done <<'END'
kernel 20 3
kernel 20 17
kernel 20 100
host 20 3
host 20 90
host 20 200
callee 20 3
callee 20 90
within 20 0
within 20 1
within 3 5
END
  [ $errors = "$1" ] || fail "$errors of $1 runs fail with a place"
}
# heddle's own backends have Futhark's call stacks.
"$futhark" c fails.fut -o stock/fails || fail "futhark does not compile fails.fut"
"$plugin" heddle-cpu fails.fut -o ours/fails >said 2>&1 || fail "heddle does not compile fails.fut: $(cat said)"
runs_as_stock 7
if [ -n "$cuda" ]; then
  "$plugin" heddle-cuda fails.fut -o ours/fails >said 2>&1 || fail "heddle does not compile fails.fut for CUDA: $(cat said)"
  LD_LIBRARY_PATH=$cuda runs_as_stock 7
fi
"$plugin" heddle-cuda wrong.fut >said 2>&1
[ $? = 2 ] || fail "heddle-cuda wrong.fut: exit status is not 2: $(cat said)"
"$plugin" opencl -v --library fails.fut -o ours/p >said 2>&1
for entry in kernel host callee within; do
  grep -q "heddle: tiled.*entry_$entry" said || fail "nothing of fails.fut's $entry is tiled: $(grep heddle said)"
done
device='no device: nothing was run'
if "$futhark" opencl fails.fut -o stock/fails >said 2>&1 && echo 20 3 | stock/fails -e host >/dev/null 2>said; then
  device=''
  "$plugin" opencl fails.fut -o ours/fails || fail "fails.fut does not compile"
  runs_as_stock 7
  for program in conv blur; do
    "$futhark" test --backend=opencl --futhark="$plugin" --no-terminal $program.fut >said 2>&1 || fail "$program: $(tail -n 5 said)"
  done
fi
[ $failed = 0 ] && echo "all as expected${device:+; $device}"
exit $failed
