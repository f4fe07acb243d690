#!/usr/bin/env bash
# Regenerates docs/evidence from a release build, and checks it: about an hour on two cores, most of it compiling.
#
#   scripts/evidence.sh          everything
#   scripts/evidence.sh quick    what needs no further build: the trace matrix, the graph of calls, the bill of materials, the
#                                configuration index, the checks of the pages
#
# The parts, each of which can be run by itself, say more in their first lines: scripts/evidence_*.py, scripts/coverage.sh,
# scripts/instruction_counts.py.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  "") scripts/setup.sh --dev ;;
  quick) ;;
  *) echo "usage: scripts/evidence.sh [quick]" >&2; exit 2 ;;
esac
python=/usr/bin/python3 build=build/release
scripts/build.sh release
echo "== trace matrix";          $python scripts/evidence_trace.py --write
echo "== coding standard";       $python scripts/evidence_misra.py --check
echo "== calls and stack";       $python scripts/evidence_calls.py "$build/src/CMakeFiles/supremum_plain.dir" "$build/bin/stack_probe" --write
echo "== bill of materials";     $python scripts/evidence_sbom.py --build "$build" --write docs/evidence/sbom.spdx.json
echo "== configuration index";   $python scripts/evidence_configuration.py --build "$build" --write
if [ "${1:-}" != quick ]; then
  echo "== instruction counts";  $python scripts/instruction_counts.py "$build/bin/instruction_probe" --write
  echo "== determinism";         $python scripts/evidence_determinism.py --write
  echo "== coverage";            scripts/coverage.sh --write --strict
fi
echo "== pages";                 $python scripts/evidence_pages.py
