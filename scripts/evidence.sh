#!/usr/bin/env bash
# Makes everything that is generated, in build/evidence, from a release build, and checks it: about two hours on two cores.
# docs/decisions/0019-generated-files.md lists the files and the command of each.
#
#   scripts/evidence.sh          everything
#   scripts/evidence.sh quick    what needs no further build or tool: the trace matrix, the conformance cases and
#                                their counts, the graph of calls, the bill of materials, the configuration index, the checks of the pages
#
# The parts, each of which can be run by itself, say more in their first lines.
set -euo pipefail
cd "$(dirname "$0")/.."
quick=false
case "${1:-}" in
  "") scripts/setup.sh --dev; scripts/setup.sh --bench; scripts/setup.sh --microcontroller; scripts/setup.sh --c99 ;;
  quick) quick=true ;;
  *) echo "usage: scripts/evidence.sh [quick]" >&2; exit 2 ;;
esac
python=/usr/bin/python3 build=build/release made=build/evidence
# `quick` describes what has been built already.
targets=()
! $quick || targets=(supremum_command supremum_c supremum_c_models stack_probe)
scripts/build.sh release -DSUPREMUM_BUILD_EVIDENCE=ON "${targets[@]}"
$quick || rm -rf "$made"
echo "== trace matrix, pages";   $python verification/evidence/trace.py --write
echo "== conformance cases";     $python kit/cases/write_cases.py "$made/conformance-cases"
$python kit/cases/write_cases.py --check "$made/conformance-cases"
$python kit/cases/write_cases.py --further "$made/further-cases"
$python kit/cases/write_cases.py --further --check "$made/further-cases"
$python kit/cases/completeness.py --check
echo "== coding standard";       $python verification/evidence/evidence_misra.py --check
echo "== calls and stack";       $python verification/evidence/evidence_calls.py "$build/src/CMakeFiles/supremum_plain.dir" "$build/bin/stack_probe" --write
echo "== bill of materials";     $python verification/evidence/evidence_sbom.py --build "$build" --self-test --write "$made/sbom.spdx.json"
echo "== configuration index";   $python verification/evidence/evidence_configuration.py --build "$build" --write
if $quick; then exit 0; fi
echo "== instruction counts";    $python verification/evidence/instruction_counts.py "$build/bin/instruction_probe" --write
echo "== determinism";           $python verification/determinism/evidence_determinism.py --write
echo "== coverage";              scripts/coverage.sh --write --strict
echo "== microcontrollers";      scripts/microcontroller.sh --write
echo "== two-file library";      $python src/c99/size.py --write
echo "== speed";                 scripts/bench.sh
echo "== pages";                 $python verification/evidence/trace.py --made
