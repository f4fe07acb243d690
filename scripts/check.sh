#!/usr/bin/env bash
# The checks in addition to scripts/test.sh.
#
#   scripts/check.sh quick    under three minutes after a build: the tests of scripts/test.sh, formatting
#   scripts/check.sh ci       all that CI runs: scripts/test.sh; sanitizers; proofs, packages and evidence; clang 16; WebAssembly;
#                             emulated processors; Debian 13 in a minimal tree. Or some of the stages:
#                             scripts/check.sh ci [user|sanitizers|proofs|clang|wasm|emulated|debian-13]...
#   scripts/check.sh full     the long checks: large tensors, all pairs of 16-bit values and 10^9 pairs of wider ones, 10^8 pairs
#                             through each model of the proofs, every test on emulated processors, instruction counts, coverage with
#                             MC/DC, one corpus in many configurations, mutation tests, linear time, static analysis, the
#                             thread sanitizer, a minute of each fuzzer
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib/disk.sh

export SUPREMUM_WERROR=ON  # for a folder that is configured for the first time
deeper="large|exhaustive|callgrind|proofs|packages|evidence"
summary=()

# stage NAME FUNCTION: runs the function if the stage was requested, and records its seconds.
stage() {
  local name=$1 begin=$SECONDS
  [ ${#asked[@]} = 0 ] || [[ " ${asked[*]} packages " == *" $name "* ]] || return 0
  printf '\n==== %s\n' "$name"
  if ! "$2"; then
    echo "check.sh ci: the stage '$name' failed after $((SECONDS - begin)) s" >&2
    exit 1
  fi
  summary+=("$(printf '%-12s %5d s' "$name" $((SECONDS - begin)))")
  echo "==== $name: $((SECONDS - begin)) s"
}

# `set -e` does not apply inside a function that is called as a condition: hence && throughout.
user() { scripts/test.sh; }
packages() { scripts/setup.sh --ci; }
# Compiling the kernels of every instruction set with sanitizers or clang takes long, and so does MPI with sanitizers: only `full` does it.
# Nor are files and folders that change meanwhile, signals and limits of the system tried again in thousands of processes:
# without sanitizers they are.
sanitizers() {
  local of_system=Outputs ours
  # Scripts that check texts and case files run no code of ours that is compiled. The cases are written once, not again for comparison.
  local of_texts='^scripts\.|^conformance\.(files_are|further_files_are|every_class|a_missing_class|the_check_of_runners)'
  for ours in MountedFolder SharedFolderCommand ChangedInput ResourceLimit Signal; do
    of_system+=".*:$ours"
  done
  scripts/build.sh sanitize -DSUPREMUM_TARGETS=native -DSUPREMUM_BUILD_MPI=OFF &&
    GTEST_FILTER="-$of_system.*" scripts/run_tests.sh sanitize -LE "$deeper" -E "$of_texts"
}
proofs() {
  local provider=()
  [ ! -d build/peers/onnxruntime ] || provider=(-DSUPREMUM_BUILD_ONNXRUNTIME=ON)
  scripts/build.sh release -DSUPREMUM_BUILD_EVIDENCE=ON "${provider[@]}" &&
    scripts/run_tests.sh release:proofs -L "proofs|packages|evidence|onnxruntime" -LE "large|exhaustive|callgrind"
}
clang() {
  scripts/build.sh clang -DSUPREMUM_TARGETS=native -DCMAKE_PROJECT_INCLUDE=scripts/cmake/UnoptimisedPrograms.cmake supremum_command supremum_c kernels_test &&
    build/clang/bin/kernels_test --gtest_brief=1
}
wasm() { scripts/setup.sh --wasm && scripts/wasm.sh; }
emulated() { scripts/emulate.sh --smoke; }
debian_13() { scripts/platform.sh debian-13 smoke; }

case "${1:-}" in
  quick)
    scripts/build.sh release
    scripts/run_tests.sh release -LE "$deeper"
    if command -v clang-format >/dev/null; then
      git ls-files '*.h' '*.cc' ':!verification/proofs/extracted' | xargs clang-format --dry-run --Werror
    else
      echo "check.sh: clang-format is not installed (scripts/setup.sh --dev): formatting was not checked"
    fi
    ;;
  ci)
    asked=("${@:2}")
    for name in "${asked[@]}"; do
      [[ " user sanitizers proofs clang wasm emulated debian-13 " == *" $name "* ]] ||
        { echo "check.sh ci: there is no stage '$name' (known: user, sanitizers, proofs, clang, wasm, emulated, debian-13)" >&2; exit 2; }
    done
    [ ${#asked[@]} != 0 ] || require_free 15 "everything that CI runs"
    # ccache ignores paths below this folder, so that a new clone reuses what another clone has compiled.
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
    stage user user
    [ "${asked[*]}" = user ] || stage packages packages
    stage sanitizers sanitizers
    stage proofs proofs
    stage clang clang
    stage wasm wasm
    stage emulated emulated
    stage debian-13 debian_13
    printf '\n'
    printf '%s\n' "${summary[@]}" "$(printf '%-12s %5d s' all "$SECONDS")"
    # Some stages alone have no tests by name.
    if compgen -G 'build/*-tests.xml' >/dev/null; then tests/project/test_report.py --sum build/*-tests.xml; fi
    exit 0
    ;;
  full)
    scripts/setup.sh --dev
    scripts/check.sh ci
    scripts/test.sh --large
    scripts/build.sh clang -DSUPREMUM_TARGETS=all
    scripts/run_tests.sh clang -LE "$deeper"
    scripts/build.sh sanitize -DSUPREMUM_TARGETS=all -DSUPREMUM_BUILD_MPI=ON
    scripts/run_tests.sh sanitize -R '^(kernels|ops)_test|^mpi'
    for program in hardening_test tools_test; do "build/sanitize/bin/$program" --gtest_brief=1; done
    scripts/run_tests.sh release -L "exhaustive|callgrind"
    # The example of a new operator (docs/adding-an-operator.md), in a copy of the sources.
    rm -rf build/operator && mkdir build/operator && git archive HEAD | tar -x -C build/operator
    patch --strip=1 --directory=build/operator --silent <examples/min.patch
    cmake -S build/operator -B build/operator/build -G Ninja -DSUPREMUM_TARGETS=native -DSUPREMUM_BUILD_PYTHON=OFF -DSUPREMUM_BUILD_MPI=OFF >build/operator.log
    cmake --build build/operator/build --target onnx_test >>build/operator.log
    build/operator/build/bin/onnx_test --gtest_brief=1
    scripts/analyse.sh
    scripts/tsan.sh
    scripts/fuzz.sh 60
    scripts/emulate.sh
    scripts/coverage.sh --strict
    verification/determinism/evidence_determinism.py
    for judge in "" --kit --rules --movement; do verification/faults/faults.py $judge; done
    cmake -S . -B build/bench -G Ninja -DSUPREMUM_BUILD_ONNX=OFF -DSUPREMUM_BUILD_TESTS=OFF -DSUPREMUM_BUILD_BENCH=ON >build/bench.log
    cmake --build build/bench >>build/bench.log
    build/bench/bin/max_inputs_bench
    ;;
  *)
    echo "usage: scripts/check.sh quick|ci [STAGE...]|full" >&2
    exit 2
    ;;
esac
echo "check.sh $1: all checks passed"
