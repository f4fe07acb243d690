#!/usr/bin/env bash
# Installs missing packages, builds everything, and runs the tests that check the project on this machine. The last line has the counts.
#
#   scripts/test.sh            all tests except those that need gigabytes, hours or valgrind
#   scripts/test.sh --large    also tensors of more than 2^31 elements (9 GiB of memory, 5 GiB of disk)
#
# scripts/check.sh runs the sanitizers, proofs, packages, emulated processors and other distributions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
deeper="exhaustive|callgrind|proofs|packages|evidence"
case "${1:-}" in
  "") selection=(-LE "large|$deeper") ;;
  --large) selection=(-LE "$deeper") ;;
  *) echo "test.sh: unknown option '$1' (known: --large)" >&2; exit 2 ;;
esac

echo "== 1 of 3: packages"
scripts/setup.sh
echo "== 2 of 3: building library, command, Python module and tests into build/release"
scripts/build.sh release
echo "== 3 of 3: tests"
status=0
scripts/run_tests.sh release "${selection[@]}" || status=$?
[ "$status" = 0 ] || echo "test.sh: tests failed after $SECONDS s; all output is in build/release-tests.log" >&2
exit "$status"
