#!/bin/sh
# usage: futhark_ffi_client.sh {cpu|cuda} HEDDLE FUTHARK CC GPU_LIBRARIES
# Makes a Python module of a library with the futhark-ffi package of PyPI, and calls it. For CUDA, the libraries of
# GPU_LIBRARIES compute on the processor.
set -eu
here=$(readlink -f "$(dirname "$0")")
. "$here/../need.sh"
device=$1 heddle=$2 cc=$4 gpu=$5
# The package takes addresses on the device for pointers, which they are not, in Futhark's own libraries either.
export HEDDLE_FUTHARK="$3" CFLAGS='-O0 -Wno-int-conversion' CC="$cc"
[ -x "$HEDDLE_FUTHARK" ] || missing "there is no Futhark compiler"
python=${HEDDLE_TEST_PYTHON:-python3}
"$python" -c 'import futhark_ffi' 2> /dev/null || missing "futhark_ffi cannot be imported"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/python.fut" "$folder"
cd "$folder"
"$heddle" "$device" --library -w python.fut
if [ "$device" = cuda ]; then
  # The package links with all that Futhark's own libraries for CUDA need.
  mkdir lib gpu
  ln -s "$gpu/libcuda.so.1" lib/libcuda.so
  ln -s "$gpu"/libnvrtc.so.* lib/libnvrtc.so
  "$cc" -shared -x c /dev/null -o lib/libcudart.so
  export LIBRARY_PATH="$folder/lib" LD_LIBRARY_PATH="$gpu:$folder/lib" CPU_AS_GPU_FOLDER="$folder/gpu"
fi
"$(dirname "$python")/build_futhark_ffi" python > log 2>&1 || { cat log; exit 1; }
if grep -q warning log; then
  cat log
  exit 1
fi
"$python" "$here/futhark_ffi_client.py"
