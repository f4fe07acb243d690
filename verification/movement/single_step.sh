#!/usr/bin/env bash
# Writes the table of a program's instructions and runs the program with it (single_step.cc).
#
#   verification/movement/single_step.sh PROGRAM EVERY [TARGET...]
set -euo pipefail
table=$(mktemp)
trap 'rm -f "$table"' EXIT
python3 "$(dirname "${BASH_SOURCE[0]}")/decode.py" "$1" "$table"
"$1" "$table" "${@:2}"
