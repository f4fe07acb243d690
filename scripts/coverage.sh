#!/usr/bin/env bash
# Coverage (docs/evidence/coverage.md) of core, rules, lane, ops, graph, reference and the checker: statements, branches and MC/DC, with
# clang 19 (scripts/setup.sh --dev).
#
#   scripts/coverage.sh [--write] [--strict]    --write: build/evidence/coverage.md; --strict: exit status 1 where something is neither
#                                               covered nor excluded
#   scripts/coverage.sh index    of the index code, what the tests reach that compare it with its definition for every input of a bounded
#                                size (docs/soundness.md)
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/coverage
options=() parts=()
for option in "$@"; do
  case "$option" in
    --write | --strict) options+=("$option") ;;
    rooms | index) parts+=("$option") ;;
    *) echo "coverage.sh: unknown option '$option' (known: --write, --strict, rooms, index)" >&2; exit 2 ;;
  esac
done
[ ${#parts[@]} != 0 ] || parts=(rooms)
if [ ${#options[@]} != 0 ] && [[ " ${parts[*]} " == *" index "* ]]; then
  echo "coverage.sh: 'index' only prints what is reached: it has no ${options[0]}" >&2
  exit 2
fi

# record FILTER TEST...: builds the test programs with counters, runs those of their tests that match, and exports what was reached.
record() {
  local filter=$1 tests=("${@:2}") name
  if ! command -v clang++-19 >/dev/null || ! command -v llvm-cov-19 >/dev/null; then
    echo "coverage.sh: clang 19 is not installed: run scripts/setup.sh --dev" >&2
    exit 1
  fi
  mkdir -p "$build"
  # Kernels for two targets only: the rooms that are measured do not depend on their number. Counters are placed before optimisation and
  # updated atomically, because the report subtracts counts.
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
    -DSUPREMUM_BUILD_PYTHON=OFF -DSUPREMUM_INSTALL=OFF \
    "-DCMAKE_CXX_FLAGS=-O1 -DNDEBUG -fprofile-instr-generate -fprofile-update=atomic -fcoverage-mapping -fcoverage-mcdc -Xclang -fmcdc-max-conditions=32 -DHWY_DISABLED_TARGETS=2304" >"$build.log"
  cmake --build "$build" --target "${tests[@]}" >>"$build.log"
  rm -f "$build"/*.profraw "$build"/*.json
  for name in "${tests[@]}"; do
    LLVM_PROFILE_FILE="$build/$name.profraw" "$build/bin/$name" --gtest_brief=1 "--gtest_filter=$filter" >"$build/$name.log" ||
      { cat "$build/$name.log"; exit 1; }
    llvm-profdata-19 merge -o "$build/$name.profdata" "$build/$name.profraw"
    llvm-cov-19 export "$build/bin/$name" -instr-profile="$build/$name.profdata" >"$build/$name.json"
  done
}

for part in "${parts[@]}"; do
  case "$part" in
    rooms)
      record '*' core_test rules_test lane_test reference_test ops_test kernels_test graph_test onnx_test onednn_test out_of_memory_test
      python3 verification/evidence/evidence_coverage.py "$build"/*.json "${options[@]}"
      ;;
    index)
      record 'IndexCode.*:LoopNest.VisitsEveryIndexOnce*:RangeBegin.*:ParallelFor.GivesEachUnitToExactlyOneRangeForAnyNumberOfThreads' \
        core_test ops_test
      python3 verification/evidence/evidence_coverage.py "$build"/*.json \
        --only 'src/core/(align|axes|overlap)\.(h|cc)|src/ops/(loop_nest\.(h|cc)|parallel\.h)'
      ;;
  esac
done
