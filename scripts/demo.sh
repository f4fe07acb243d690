#!/usr/bin/env bash
# Builds supremum and shows it at work: on the models of Max and ReduceMax that ONNX publishes as backend tests, on a model of the
# project's own, and on the computed tomography of a head, which it projects along each axis.
#
#   scripts/demo.sh
#
# Everything that it writes lies under build/. What is missing is installed first, by scripts/setup.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=/usr/bin/python3  # the one that has the distribution's packages; another may come first on PATH
supremum=build/release/bin/supremum
cases=build/onnx-cases
demo=build/demo
cranium=/usr/share/doc/invesalius-examples/examples/Cranium.inv3

heading() { printf '\n== %s\n' "$*"; }
show() { printf '$ %s\n' "$*"; "$@"; }

heading "What is needed"
scripts/setup.sh --demo
echo "complete"

heading "Building"
cmake --preset release >/dev/null
cmake --build --preset release

heading "ONNX's own test cases for Max and ReduceMax"
"$python" scripts/generate_onnx_cases.py "$cases" Max ReduceMax
show "$supremum" test "$cases"

heading "A model that fuses four score maps of different shapes"
mkdir -p "$demo"
"$python" examples/score_fusion/make_model.py "$demo"
show "$supremum" inspect "$demo/score_fusion.onnx"

heading "Does it keep the SONNX profile?"
show "$supremum" check "$demo/score_fusion.onnx" --profile sonnx

heading "Running it"
inputs=()
for name in detector lane horizon floor; do inputs+=(--input "$name=$demo/$name.npy"); done
show "$supremum" run "$demo/score_fusion.onnx" "${inputs[@]}" --profile sonnx --output-dir "$demo/out"

heading "The first picture"
"$python" examples/score_fusion/show_fusion.py "$demo" "$demo/out/fused.npy" "$demo/score_fusion.png"
echo "$PWD/$demo/score_fusion.png"

heading "A head, from above, from the front and from the side"
"$python" examples/projection/make_volume.py "$cranium" "$demo"
for axis in 0 1 2; do
  show "$supremum" reduce-max "$demo/volume.npy" --axes "$axis" -o "$demo/axis_$axis.npy"
done

heading "The second picture"
"$python" examples/projection/show_projection.py "$demo" "$demo/projection.png"
echo "$PWD/$demo/projection.png"
