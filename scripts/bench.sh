#!/usr/bin/env bash
# Measures supremum beside bare loops and every peer that is installed, and writes what came out: build/bench/results.json, and of it
# build/evidence/performance.md, performance.svg and performance-cases.txt.
#
#   scripts/bench.sh            everything: about 25 minutes
#   scripts/bench.sh --record   everything, and the page docs/performance.md, which is committed: the figures of one processor
#   scripts/bench.sh --quick    a part, to try things: under 3 minutes; writes below build/bench alone
#
# Other arguments go to supremum_bench: --only PART-OF-NAME, --threads N, --target NAME, --seconds FOR-A-CASE; with any of them,
# too, all is written below build/bench. Nothing is installed: scripts/setup.sh --bench does that. Peers that are not there are left out and named.
set -euo pipefail
cd "$(dirname "$0")/.."

record=()
if [ "$*" = --record ]; then
  record=(--page docs/performance.md)
  shift
fi
python=/usr/bin/python3  # the one that has the distribution's packages; another may come first on PATH
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
if [ $# = 0 ]; then made=build/evidence; else made=$folder; fi
"$python" bench/report.py "$folder/results.json" --made "$made" "${record[@]}"
echo "bench.sh: $((SECONDS - begin)) s; $folder/results.json, $made/performance.md, $made/performance-cases.txt"
[ "$status" = 0 ] || echo "bench.sh: a result of supremum or of an exact loop was wrong" >&2
exit "$status"
