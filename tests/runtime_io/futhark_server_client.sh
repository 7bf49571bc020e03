#!/bin/sh
# usage: futhark_server_client.sh SERVER
# Lets the futhark-server package of PyPI drive the hand-written server.
. "$(dirname "$0")/../need.sh"
python=${HEDDLE_TEST_PYTHON:-python3}
"$python" -c 'import futhark_server, numpy' 2> /dev/null || missing "futhark_server or numpy cannot be imported"
exec "$python" "$(dirname "$0")/futhark_server_client.py" "$1"
