#!/usr/bin/env bash
# Measures supremum, bare loops and every installed peer. Writes build/bench/results.json, and from it
# build/evidence/performance.md and performance-cases.txt.
#
#   scripts/bench.sh                 the plain cases, in memory from malloc and in huge pages, with one and two threads: 2 minutes
#   scripts/bench.sh --all           the cases that the thresholds of schedules were chosen by, too
#   scripts/bench.sh --target avx2   by supremum's kernels of this target, the peers held to the same instruction set by their settings
#                                    (Eigen is compiled for AVX2; XNNPACK and ONNX Runtime have no setting)
#   scripts/bench.sh --record [--target NAME]
#                                    also writes the page of this family of processors and this instruction set in docs/performance,
#                                    which is committed
#   scripts/bench.sh --calls         whole calls in C++ and C, functions and models, beside a session of ONNX Runtime: a table
#
# Other arguments go to supremum_bench: --only PART-OF-NAME, --threads N, --seconds FOR-A-CASE; with any argument all is written below
# build/bench. Nothing is installed: scripts/setup.sh --bench does that. Peers that are not there are left out and named.
set -euo pipefail
cd "$(dirname "$0")/.."

record=()
if [ "${1:-}" = --record ]; then
  record=(--record docs/performance)
  shift
  [[ "$*" =~ ^(--target [a-z0-9_]+)?$ ]] || { echo "bench.sh: a page is of the plain cases: --record [--target NAME]" >&2; exit 2; }
fi
onnx=OFF
[ "${1:-}" != --calls ] || onnx=ON
made=build/bench results=results
[ $# != 0 ] || made=build/evidence

# hold_peers FOR-ONEDNN FOR-PYTORCH FOR-NUMPY: the peers read these settings when they are loaded. Older and newer oneDNN read one each.
hold_peers() {
  export DNNL_MAX_CPU_ISA=$1 ONEDNN_MAX_CPU_ISA=$1 ATEN_CPU_CAPABILITY=$2 NPY_DISABLE_CPU_FEATURES=$3
}
avx512="AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
for ((i = 1; i < $#; ++i)); do
  [ "${!i}" = --target ] || continue
  value=$((i + 1))
  made=build/bench/${!value} results=results-${!value}
  case "${!value}" in
    avx2) hold_peers AVX2 avx2 "$avx512" ;;
    sse4) hold_peers SSE41 default "$avx512 AVX2 FMA3 AVX F16C" ;;
  esac
done
python=/usr/bin/python3  # the one that has the distribution's packages; another may come first on PATH
folder=build/bench
mkdir -p "$folder"
if ! { cmake -S . -B "$folder" -G Ninja -DSUPREMUM_BUILD_ONNX=$onnx -DSUPREMUM_BUILD_TESTS=OFF -DSUPREMUM_BUILD_BENCH=ON &&
       cmake --build "$folder"; } >"$folder/build.log" 2>&1; then
  tail -n 50 "$folder/build.log"
  echo "bench.sh: building failed; all output is in $folder/build.log (scripts/setup.sh --bench installs what it needs)" >&2
  exit 1
fi

library=$(find build/peers/node_modules/onnxruntime-node/bin -path '*linux/x64/libonnxruntime.so*' 2>/dev/null | sort | tail -n 1 || true)
export SUPREMUM_BENCH_ONNXRUNTIME=$library

[ $onnx = OFF ] || exec "$folder/bin/supremum_calls"

# The sources that are measured; nothing outside a git checkout.
commit=$(git rev-parse --short HEAD 2>/dev/null || true)
[ -z "$(git status --porcelain -- src include 2>/dev/null || true)" ] || commit+=", changed"
begin=$SECONDS
if "$python" -c 'import numpy' 2>/dev/null; then
  measure=("$python" bench/peers.py "$folder/lib/libsupremum_bench_core.so")
else
  echo "bench.sh: $python has no NumPy: neither NumPy nor PyTorch is measured"
  measure=("$folder/bin/supremum_bench")
fi
status=0
"${measure[@]}" "$@" --output "$folder/$results.json" || status=$?
[ "$status" -le 1 ] || exit "$status"
"$python" bench/report.py "$folder/$results.json" --made "$made" --commit "$commit" "${record[@]}"
echo "bench.sh: $((SECONDS - begin)) s; $folder/$results.json, $made/performance.md, $made/performance-cases.txt"
[ "$status" = 0 ] || echo "bench.sh: a result of supremum was wrong" >&2
exit "$status"
