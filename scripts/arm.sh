#!/usr/bin/env bash
# Cross-builds for 64-bit Arm, and runs the tests and the conformance cases on emulated processors: one with NEON alone, one with SVE2 and
# vectors of 128 bits, one with SVE and vectors of 256 bits. What came out goes to build/platforms (scripts/platforms.py).
#
#   scripts/arm.sh              all tests of programs, and the models of the proofs beside the instructions
#   scripts/arm.sh PLATFORM...  the same on these alone: neon, sve2_128, sve_256
#   scripts/arm.sh --smoke      the tests of targets and of some kernels; the conformance cases
#
# Without g++-aarch64-linux-gnu, qemu-user-static or mmdebstrap (scripts/setup.sh --arm) it says so and does nothing; nor does the smoke
# part where the packages cannot be fetched.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
smoke=no asked=()
for argument; do
  case "$argument" in
    --smoke) smoke=yes ;;
    neon | sve2_128 | sve_256) asked+=("$argument") ;;
    *) echo "arm.sh: unknown argument '$argument' (known: --smoke, neon, sve2_128, sve_256)" >&2; exit 2 ;;
  esac
done
[ ${#asked[@]} != 0 ] || asked=(neon sve2_128 sve_256)
for tool in aarch64-linux-gnu-g++ qemu-aarch64-static mmdebstrap; do
  if ! command -v "$tool" >/dev/null; then
    echo "arm.sh: $tool is not installed (scripts/setup.sh --arm): nothing was built for Arm or tested on it"
    exit 0
  fi
done
begin=$SECONDS
build=build/arm sysroot=build/arm-sysroot
mkdir -p build

# The packages of scripts/setup.sh that are linked, for Arm: extracted, not installed, so that this system stays as it is.
packages=libc6-dev,libstdc++-12-dev,libhwy-dev,libtbb-dev,libdlpack-dev,libonnx-dev,libprotobuf-dev,libfmt-dev,libzip-dev,libssl-dev,libxxhash-dev
packages+=,zlib1g-dev,libgtest-dev,libgmock-dev,libgmp-dev,nlohmann-json3-dev,libcli11-dev
if [ "$(cat $sysroot/packages 2>/dev/null)" != "$packages" ]; then
  echo "arm.sh: fetching packages for arm64 into $sysroot (320 MB)"
  rm -rf $sysroot
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  if ! timeout 600 mmdebstrap --variant=extract --architectures=arm64 --include="$packages" "$suite" $sysroot >build/arm-sysroot.log 2>&1; then
    tail -n 20 build/arm-sysroot.log
    echo "arm.sh: fetching packages failed; all output is in build/arm-sysroot.log" >&2
    [ $smoke = yes ] || exit 1
    echo "arm.sh: nothing was built for Arm or tested on it"
    exit 0
  fi
  echo "$packages" >$sysroot/packages
fi

targets=(all)
[ $smoke = no ] || targets=(kernels_test runner_supremum-cpp)
cmake -S . -B $build -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/arm64-linux.cmake -DSUPREMUM_BUILD_PYTHON=OFF -DSUPREMUM_INSTALL=OFF \
  >build/arm.log
if ! cmake --build $build --target "${targets[@]}" -j "$(nproc)" >>build/arm.log 2>&1; then
  grep -E -A 12 'error:|^FAILED' build/arm.log | head -n 100
  echo "arm.sh: building for Arm failed; all output is in build/arm.log" >&2
  exit 1
fi

# What is compiled for one instruction set must stay inside: the linker keeps one copy of an inline function, for all processors.
for object in simd_sve_256 simd_sve2_128; do
  shared=$(aarch64-linux-gnu-nm -C $build/src/CMakeFiles/supremum.dir/kernels/$object.cc.o | grep -E ' [WV] ' || true)
  if [ -n "$shared" ]; then
    echo "arm.sh: $object.cc has functions that others could share: $shared" >&2
    exit 1
  fi
done

# Not here: what says nothing about Arm (scripts, proofs, formatting), what has no build for it (the Python module, packages), and
# what an emulator is too slow for or does not have (valgrind).
unrelated='^(scripts|proofs|consume|python|packages)\.|^conformance\.(files_are|every_class|a_missing|the_check_of_runners)'
unrelated+='|^capi\.headers_and|^conformance\.runner_(numpy|onnx|onnxruntime|pytorch|eigen|onednn|xnnpack|supremum-python|supremum-wasm)$'

# Nor what QEMU's user emulation or this machine's own system would have to know (docs/platforms.md).
emulated='^(Apart\.MemoryIsLimited|Check\.WhatTheOnnxLibraryDoesNotMasterIsNotedAndTheRestIsJudged'
emulated+='|TestVerb\.TheCommandThatReproducesAFailureDoesSo'
emulated+='|Output\.(ColoursAreForTerminalsAlone|LongValuesAreShortenedOnATerminalAlone|WorkOverASecondShowsProgressOnATerminalAlone))$'

# run_tests PLATFORM CTEST-ARGUMENT...
run_tests() {
  local platform=$1 junit=$PWD/build/arm-$1.xml log=build/arm-$1.log
  shift
  if ! ctest --test-dir $build -j "$(nproc)" --output-on-failure --timeout 3000 --output-junit "$junit" "$@" >"$log" 2>&1; then
    cat "$log"
    echo "arm.sh: tests on $platform failed" >&2
    exit 1
  fi
  scripts/platforms.py tests "$platform" "$junit"
}

kit=$build/tests/conformance/cases
[ -f $kit/cases.json ] || [ $smoke = no ] || kit=build/release/tests/conformance/cases
for platform in neon=cortex-a57 sve2_128=max,sve-max-vq=1 sve_256=max,sve-max-vq=2; do
  target=${platform%%=*}
  [[ " ${asked[*]} " == *" $target "* ]] || continue
  export QEMU_CPU=${platform#*=}
  echo "== $target on QEMU's $QEMU_CPU"
  find $build -name '*_tests.cmake' -delete  # lists of tests, which have those of each target
  if [ $smoke = yes ]; then
    ctest --test-dir $build -j "$(nproc)" --output-on-failure --no-tests=error -R '^Target\.|/KernelTest\..*(RunsOf|LinesOf).*float' \
      >build/arm-smoke.log 2>&1 || { cat build/arm-smoke.log; exit 1; }
    grep 'tests passed' build/arm-smoke.log
  else
    run_tests "$target" -LE "large|exhaustive|callgrind|packages" -E "$unrelated|$emulated"
  fi
  if [ -f $kit/cases.json ]; then
    scripts/platforms.py cases "$target" $kit $build/libexec/supremum/runners/supremum-cpp --target "$target"
    [ "$target" != neon ] ||
      scripts/platforms.py cases arm64-portable $kit $build/libexec/supremum/runners/supremum-cpp --target portable
  else
    echo "arm.sh: no conformance cases in $kit (scripts/test.sh makes them): they were not computed"
  fi
done
# A vector length without kernels of its own: NEON's are used.
if [ $smoke = no ]; then
  QEMU_CPU=max,sve-max-vq=4 $build/launchers/supremum targets | grep -qE '^neon +yes +yes$'
  QEMU_CPU=max scripts/cosimulate_arm.sh
fi
echo "arm.sh: $((SECONDS - begin)) s"
