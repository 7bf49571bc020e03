#!/bin/sh
# usage: futhark_server_client.sh PYTHON SERVER
# Lets the futhark-server package of PyPI, which PYTHON has, drive the hand-written server.
exec "$1" "$(dirname "$0")/futhark_server_client.py" "$2"
