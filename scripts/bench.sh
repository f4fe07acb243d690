#!/usr/bin/env bash
# Measures supremum, plain loops and every installed peer, and writes the results: build/bench/results.json, a table of all cases in
# the same folder, docs/performance.md and docs/performance.svg.
#
#   scripts/bench.sh            everything: about 25 minutes
#   scripts/bench.sh --quick    a part, for trials: under 3 minutes; writes only below build/bench
#
# Other arguments are passed to supremum_bench: --only PART-OF-NAME, --threads N, --target NAME, --seconds FOR-A-CASE; with any of
# them, docs is not changed either. Nothing is installed: scripts/setup.sh --bench does that. Peers that are missing are skipped and
# reported.
set -euo pipefail
cd "$(dirname "$0")/.."

python=/usr/bin/python3  # the one with the distribution's packages; PATH may have another one first
folder=build/bench
mkdir -p "$folder"
if ! { cmake -S . -B "$folder" -G Ninja -DSUPREMUM_BUILD_ONNX=OFF -DSUPREMUM_BUILD_TESTS=OFF -DSUPREMUM_BUILD_BENCH=ON &&
       cmake --build "$folder"; } >"$folder/build.log" 2>&1; then
  tail -n 50 "$folder/build.log"
  echo "bench.sh: building failed; all output is in $folder/build.log (scripts/setup.sh --bench installs what it needs)" >&2
  exit 1
fi

library=$(find build/peers/node_modules/onnxruntime-node/bin -path '*linux/x64/libonnxruntime.so*' 2>/dev/null | sort | tail -n 1 || true)
export SUPREMUM_BENCH_ONNXRUNTIME=$library

begin=$SECONDS
if "$python" -c 'import numpy' 2>/dev/null; then
  measure=("$python" bench/peers.py "$folder/lib/libsupremum_bench_core.so")
else
  echo "bench.sh: $python has no NumPy: neither NumPy nor PyTorch is measured"
  measure=("$folder/bin/supremum_bench")
fi
status=0
"${measure[@]}" "$@" --output "$folder/results.json" || status=$?
[ "$status" -le 1 ] || exit "$status"
if [ $# = 0 ]; then docs=docs; else docs=$folder; fi
"$python" bench/report.py "$folder/results.json" --table "$folder/results.txt" --docs "$docs"
echo "bench.sh: $((SECONDS - begin)) s; $folder/results.json, $folder/results.txt, $docs/performance.md"
[ "$status" = 0 ] || echo "bench.sh: a result of supremum or of an exact loop was wrong" >&2
exit "$status"
