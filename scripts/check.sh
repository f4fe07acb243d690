#!/usr/bin/env bash
# The checks beside scripts/test.sh.
#
#   scripts/check.sh quick    under three minutes after a build: release tests but for proofs and packages, rules, includes, texts,
#                             formatting
#   scripts/check.sh full     what takes longer: second compiler, large tensors, all pairs of 16-bit values and 10^9 pairs of wider
#                             ones, 10^8 pairs through each model of the proofs, Arm's under emulation, instruction counts, coverage
#                             with MC/DC, one corpus in many configurations, faults put in on purpose, linear time, static analysis,
#                             the thread sanitizer, a minute of each fuzzer
set -euo pipefail
cd "$(dirname "$0")/.."

longer="large|exhaustive|callgrind|packages"
case "${1:-}" in
  quick)
    scripts/build.sh release
    ctest --preset release -j "$(nproc)" -LE "$longer|proofs|packages" --quiet
    if command -v clang-format >/dev/null; then
      git ls-files '*.h' '*.cc' | xargs clang-format --dry-run --Werror
    else
      echo "check.sh: clang-format is not installed (scripts/setup.sh --dev): formatting was not checked"
    fi
    ;;
  full)
    scripts/setup.sh --dev
    scripts/build.sh clang
    ctest --preset clang -j "$(nproc)" -LE "$longer" --quiet
    scripts/test.sh --large
    ctest --preset release -j "$(nproc)" -L "exhaustive|callgrind" --quiet
    scripts/analyse.sh
    scripts/tsan.sh
    scripts/fuzz.sh 60
    scripts/arm.sh
    scripts/wasm.sh
    scripts/coverage.sh --strict
    scripts/evidence_determinism.py
    scripts/mutants.py
    scripts/mutants.py --kit
    cmake -S . -B build/bench -G Ninja -DSUPREMUM_BUILD_ONNX=OFF -DSUPREMUM_BUILD_TESTS=OFF -DSUPREMUM_BUILD_BENCH=ON >build/bench.log
    cmake --build build/bench >>build/bench.log
    build/bench/bin/max_inputs_bench
    ;;
  *)
    echo "usage: scripts/check.sh quick|full" >&2
    exit 2
    ;;
esac
echo "check.sh $1: all held"
