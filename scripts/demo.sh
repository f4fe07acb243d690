#!/usr/bin/env bash
# Builds the library and the command. Runs them on ONNX's backend tests of Max and ReduceMax, and on a model of the project. Makes maximum-intensity
# projections of a CT scan of a head.
#
#   scripts/demo.sh
#
# All its output is under build/. Missing packages are installed first, by scripts/setup.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

source scripts/lib/examples.sh

supremum=build/demo/bin/supremum
cases=build/onnx-cases
results=build/demo/results

step=0 steps=7
heading() { step=$((step + 1)); printf '\n== %d of %d, %d s: %s\n' "$step" "$steps" "$SECONDS" "$*"; }

heading "installing missing packages"
scripts/setup.sh --demo
echo "all packages are installed"

heading "building the library and the command (a few minutes the first time)"
scripts/build.sh demo supremum_command
show "$supremum" --version

heading "ONNX's own test cases for Max and ReduceMax"
"$python" tests/project/generate_onnx_cases.py "$cases" Max ReduceMax
show "$supremum" test "$cases"

heading "a model that fuses four score maps of different shapes; does it follow the SONNX profile?"
mkdir -p "$results"
"$python" examples/score_fusion/make_model.py "$results"
show "$supremum" inspect "$results/score_fusion.onnx"
show "$supremum" check "$results/score_fusion.onnx" --profile sonnx

heading "running it; the first picture"
fuse_scores "$results" "$results/score_fusion.png"
echo "first picture: $PWD/$results/score_fusion.png"

heading "a CT scan of a head: the maximum along each axis"
project_scan "$results"

heading "the second picture"
"$python" examples/projection/show_projection.py "$results" "$results/projection.png"
echo "second picture: $PWD/$results/projection.png"

cat <<NEXT

Done in $SECONDS s. Three commands to try next:
  $supremum targets
  $supremum compare $results/axis_0.npy $results/axis_0.npy
  scripts/test.sh
NEXT
