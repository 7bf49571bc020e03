#!/bin/sh
# usage: python_clients.sh FOLDER
# Makes a Python environment in FOLDER with the packages of python_clients.txt, unless it is there already.
set -eu
packages=$(dirname "$0")/python_clients.txt
cmp -s "$packages" "$1/installed" && exit 0
rm -rf "$1"
python3 -m venv "$1"
"$1/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$packages"
cp "$packages" "$1/installed"
