#!/usr/bin/env bash
# Runs a program under valgrind: no error, and no block left at the end, be it reachable or not, except protobuf's descriptions of messages.
# Without valgrind it is skipped.
#
#   tests/bindings/c/valgrind.sh PROGRAM ARGUMENT...
set -euo pipefail
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed (scripts/setup.sh --dev)"; exit 77; }
exec valgrind --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=1 "--suppressions=$(dirname "$0")/../../support/valgrind.supp" "${1:?}" "${@:2}"
