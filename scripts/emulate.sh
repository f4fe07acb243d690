#!/usr/bin/env bash
# Cross-builds for other processors and runs tests and the conformance cases on them, emulated by QEMU. The results go to
# build/platforms (verification/determinism/platforms.py).
#
#   scripts/emulate.sh [--smoke] [PROCESSOR...]     all processors if none is named
#
#   neon, sve2_128, sve_256       64-bit Arm, one build: NEON only; SVE2 with vectors of 128 bits; SVE with vectors of 256 bits
#   riscv64, ppc64le              RISC-V and POWER, 64 bits
#   s390x                         IBM Z: 64 bits, big-endian
#   armhf, i386                   32 bits: Arm with hardware floats, x86 with SSE2
#
# Without --smoke: all test programs; on Arm also the comparison of the proofs' models with the instructions. With --smoke: the
# library, the C interface and the file readers are built, and their tests run, on the three Arm processors a part of them; then the
# conformance cases are computed through C++ and, except on the three Arm processors, through C. Libraries are compiled
# with -O1 and programs without optimisation, which takes half of the time.
#
# The cases are those of build/release (made by scripts/test.sh), or of the folder that SUPREMUM_KIT names.
#
# Exit status 1, and a message, if anything fails or is missing: scripts/setup.sh --emulate installs the compilers and the emulators.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# processor | Debian architecture | compiler's triplet | emulator | processor that is emulated
table='
neon      arm64    aarch64-linux-gnu      qemu-aarch64-static  cortex-a57
sve2_128  arm64    aarch64-linux-gnu      qemu-aarch64-static  max,sve-max-vq=1
sve_256   arm64    aarch64-linux-gnu      qemu-aarch64-static  max,sve-max-vq=2
riscv64   riscv64  riscv64-linux-gnu      qemu-riscv64-static  rv64
s390x     s390x    s390x-linux-gnu        qemu-s390x-static    qemu
ppc64le   ppc64el  powerpc64le-linux-gnu  qemu-ppc64le-static  power9
armhf     armhf    arm-linux-gnueabihf    qemu-arm-static      cortex-a15
i386      i386     i686-linux-gnu         qemu-i386-static     max
'
known=$(awk 'NF { print $1 }' <<<"$table" | paste -sd ' ')

fail() {
  echo "emulate.sh: $1" >&2
  exit 1
}

smoke=no options=(-DCMAKE_CXX_FLAGS_RELEASE="-O3 -DNDEBUG") asked=()
for argument; do
  if [ "$argument" = --smoke ]; then
    smoke=yes
    options=(-DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_PROJECT_INCLUDE=cmake/UnoptimisedPrograms.cmake)
  elif [[ " $known " == *" $argument "* ]]; then
    asked+=("$argument")
  else
    echo "emulate.sh: unknown argument '$argument' (known: --smoke, ${known// /, })" >&2
    exit 2
  fi
done
[ ${#asked[@]} != 0 ] || read -ra asked <<<"$known"

# Every tool is checked before anything is built.
row() { awk -v name="$1" '$1 == name { print $2, $3, $4, $5 }' <<<"$table"; }
for processor in "${asked[@]}"; do
  read -r _ triplet emulator _ <<<"$(row "$processor")"
  for tool in "$triplet-gcc" "$triplet-g++" "$emulator" mmdebstrap; do
    command -v "$tool" >/dev/null || fail "$tool is not installed, which $processor needs: scripts/setup.sh --emulate"
  done
done
kit=${SUPREMUM_KIT:-build/release/tests/kit/cases}
[ -f "$kit/cases.json" ] ||
  fail "there are no conformance cases in $kit: run scripts/test.sh, or write them (supremum gen-conformance DIR) and set SUPREMUM_KIT=DIR"

# The packages of scripts/setup.sh that are linked: extracted, not installed, so that this system is not changed.
packages=libc6-dev,libstdc++-12-dev,libhwy-dev,libtbb-dev,libdlpack-dev,libonnx-dev,libprotobuf-dev,libfmt-dev,libzip-dev,libssl-dev,libxxhash-dev
packages+=,zlib1g-dev,libgtest-dev,libgmock-dev,libgmp-dev,nlohmann-json3-dev,libcli11-dev

# configure ARCHITECTURE SOURCE BUILD OPTION...
configure() {
  local sysroot=$PWD/build/sysroot-$1
  cmake -S "$2" -B "$3" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/cross-linux.cmake" -DSUPREMUM_TRIPLET="$triplet" \
    -DSUPREMUM_SYSROOT="$sysroot" -DSUPREMUM_EMULATOR="$emulator" "${@:4}"
}

# build_googletest ARCHITECTURE
build_googletest() {
  local sysroot=build/sysroot-$1 folder=build/cross-$1/googletest log=build/googletest-$1.log
  { configure "$1" "$sysroot/usr/src/googletest" "$folder" -DCMAKE_BUILD_TYPE=Release && cmake --build "$folder" -j "$(nproc)" &&
    cp "$folder"/lib/*.a "$sysroot/usr/lib/$triplet/"; } >"$log" 2>&1 || { tail -n 30 "$log"; fail "building GoogleTest for $1 failed; all output is in $log"; }
}

# fetch_packages PROCESSOR
fetch_packages() {
  local architecture triplet emulator QEMU_CPU sysroot log suite mirror wanted VERSION_CODENAME
  read -r architecture triplet emulator QEMU_CPU <<<"$(row "$1")"
  sysroot=build/sysroot-$architecture log=build/sysroot-$architecture.log
  VERSION_CODENAME=$(. /etc/os-release && echo "$VERSION_CODENAME")
  suite=$VERSION_CODENAME
  # This system's mirror, without security updates: a mirror may have different versions of them for each architecture.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Release: $suite" 'Created-By: Packages' | head -n 1)
  # Debian 12 was not released for this processor.
  [ "$architecture/$suite" != riscv64/bookworm ] || suite=trixie
  wanted="$suite $packages without-dev"
  [ "$(cat "$sysroot/packages" 2>/dev/null)" != "$wanted" ] || return 0
  echo "emulate.sh: fetching packages of $suite for $architecture into $sysroot (320 MB)"
  rm -rf "$sysroot"
  timeout 1200 scripts/lib/debian_system.sh "$suite" "$sysroot" "$mirror" --variant=extract --architectures="$architecture" --include="$packages" \
    >"$log" 2>&1 || { tail -n 20 "$log"; fail "fetching packages for $architecture failed; all output is in $log"; }
  # QEMU opens a file of the sysroot in place of this system's file of that name, but examines this system's one by stat: without
  # this, the devices would differ.
  rm -rf --one-file-system "${sysroot:?}/dev"
  [ -e "$sysroot/lib" ] || ln -s usr/lib "$sysroot/lib"  # from Debian 13 on, a package that is not extracted has this link
  # An absolute link would lead out of the sysroot: ppc64el's dynamic linker.
  find "$sysroot"/lib*/ -maxdepth 1 -type l -lname '/*' -exec sh -c 'ln -sfrT "$1$(readlink "$2")" "$2"' - "$sysroot" {} \;
  # The linker of Debian 12 crashes on static libraries of Debian 13, so GoogleTest is built from its source.
  if [ "$suite" = trixie ] && [ "$VERSION_CODENAME" = bookworm ]; then build_googletest "$architecture"; fi
  echo "$wanted" >"$sysroot/packages"
}

# build_for ARCHITECTURE TARGET...
build_for() {
  local architecture=$1 build=build/cross-$1 log=build/cross-$1.log
  shift
  configure "$architecture" . "$build" -DSUPREMUM_BUILD_PYTHON=OFF -DSUPREMUM_BUILD_MPI=OFF -DSUPREMUM_INSTALL=OFF \
    "${options[@]}" >"$log" 2>&1 ||
    { grep -A 12 'CMake Error' "$log"; fail "configuring for $architecture failed; all output is in $log"; }
  cmake --build "$build" --target "$@" -j "$(nproc)" >>"$log" 2>&1 || {
    grep -E -A 12 'error:|^FAILED' "$log" | head -n 100
    fail "building for $architecture failed; all output is in $log"
  }
  if [ "$architecture" = arm64 ]; then check_sve_objects "$build"; fi
}

# Code compiled for one instruction set must have internal linkage: the linker keeps one copy of an inline function for all processors.
check_sve_objects() {
  local object shared symbols
  for object in simd_sve_256 simd_sve2_128; do
    symbols=$("$triplet-nm" -C "$1/src/CMakeFiles/supremum.dir/kernels/$object.cc.o") || fail "$triplet-nm failed on $object.cc.o"
    shared=$(grep -E ' [WV] ' <<<"$symbols" || true)
    [ -z "$shared" ] || fail "$object.cc has inline functions that other files could share: $shared"
  done
}

# Excluded: tests that do not depend on the processor (scripts, proofs, formatting), that have no build for it (the Python module,
# packages), and that an emulator runs too slowly or not at all (valgrind).
unrelated='^(scripts|proofs|microcontroller|consume|python|packages)\.|^conformance\.(files_are|every_class|a_missing|the_check_of_runners)'
unrelated+='|^capi\.headers_and|^conformance\.runner_(numpy|onnx|onnxruntime|pytorch|eigen|onednn|xnnpack|supremum-python|supremum-wasm)$'

# Nor tests of what QEMU's user emulation or this machine's own system would have to know (docs/platforms.md).
emulated=-Subprocess.MemoryIsLimited:Check.WhatTheOnnxLibraryDoesNotMasterIsNotedAndTheRestIsJudged
emulated+=:TestVerb.TheCommandThatReproducesAFailureDoesSo:Output.ColoursAreForTerminalsAlone
emulated+=:Output.LongValuesAreShortenedOnATerminalAlone:Output.WorkOverASecondShowsProgressOnATerminalAlone

# run_tests BUILD PROCESSOR CTEST-ARGUMENT...
run_tests() {
  local build=$1 processor=$2 ctest=$PWD/build/cross-ctest-$2.xml junit=$PWD/build/cross-tests-$2.xml log=build/cross-tests-$2.log
  shift 2
  rm -rf "$build/junit"
  GTEST_FILTER=$emulated ctest --test-dir "$build" -j "$(nproc)" --output-on-failure --no-tests=error --timeout 6000 --output-junit "$ctest" \
    "$@" >"$log" 2>&1 || { cat "$log"; fail "tests on $processor failed; all output is in $log"; }
  tests/project/test_report.py "$ctest" "$build/junit" "$junit" || fail "the test report of $processor does not agree with its programs' results"
  verification/determinism/platforms.py tests "$processor" "$junit"
}

# run_program PROCESSOR PROGRAM [FILTER]: a test program as one process, which is faster under emulation than one process a test.
run_program() {
  local log=build/cross-$1-$2.log program=build/cross-$architecture/bin/$2
  "$emulator" -L "build/sysroot-$architecture" "$program" --gtest_brief=1 --gtest_filter="${3:-*}" >"$log" 2>&1 ||
    { grep -vE '^\[ +OK|^\[-+\]' "$log" | tail -n 100; fail "tests of $2 on $1 failed; all output is in $log"; }
  grep -qE '^\[  PASSED  \] [1-9]' "$log" || fail "$2 ran no test; all output is in $log"
  echo "$1: $2: $(grep -E '^\[  (PASSED|SKIPPED)' "$log" | paste -sd ' ')"
}

# emulate PROCESSOR FOLLOWING: meanwhile, packages are fetched for the following processor, if there is one.
emulate() {
  local processor=$1 following=$2 begin=$SECONDS architecture triplet emulator build runners programs
  read -r architecture triplet emulator QEMU_CPU <<<"$(row "$processor")"
  export QEMU_CPU
  build=build/cross-$architecture runners=build/cross-$architecture/libexec/supremum/runners
  echo "== $processor: $emulator, $QEMU_CPU"
  if [ -n "$fetching" ]; then wait "$fetching" || exit 1; fi
  fetch_packages "$processor"
  fetching=
  if [ -n "$following" ]; then
    fetch_packages "$following" &
    fetching=$!
  fi
  if [ $smoke = no ]; then
    build_for "$architecture" all
    run_tests "$build" "$processor" -LE "large|exhaustive|callgrind|packages" -E "$unrelated"
  elif [ "$architecture" = arm64 ]; then
    build_for "$architecture" kernels_test runner_supremum-cpp
    run_program "$processor" kernels_test 'Target.*:*/KernelTest.*RunsOf*float*:*/KernelTest.*LinesOf*float*'
  else
    build_for "$architecture" core_test formats_test capi_test runner_supremum-cpp runner_supremum-c
    run_program "$processor" formats_test &
    programs=$!
    run_program "$processor" core_test
    run_program "$processor" capi_test
    wait "$programs" || exit 1
  fi
  if [ "$architecture" = arm64 ]; then
    verification/determinism/platforms.py cases "$processor" "$kit" $runners/supremum-cpp --target "$processor"
    [ "$processor" != neon ] || verification/determinism/platforms.py cases arm64-portable "$kit" $runners/supremum-cpp --target portable
  else
    verification/determinism/platforms.py cases "$processor" "$kit" $runners/supremum-cpp
    [ "$processor" != i386 ] || verification/determinism/platforms.py cases i386-portable "$kit" $runners/supremum-cpp --target portable
    verification/determinism/platforms.py cases "$processor" "$kit" $runners/supremum-c
  fi
  echo "emulate.sh: $processor: $((SECONDS - begin)) s"
}

begin=$SECONDS
mkdir -p build
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
fetching=  # the job that fetches packages for the following processor
for i in "${!asked[@]}"; do emulate "${asked[i]}" "${asked[i + 1]:-}"; done
if [ $smoke = no ] && [[ " ${asked[*]} " =~ " "(neon|sve) ]]; then
  # There are no kernels for this vector length: those of NEON are used.
  targets=$(QEMU_CPU=max,sve-max-vq=4 build/cross-arm64/launchers/supremum targets)
  grep -qE '^neon +yes +yes$' <<<"$targets" || fail "SVE with vectors of 512 bits does not use neon: $targets"
  QEMU_CPU=max verification/cosimulation/cosimulate_arm.sh
fi
echo "emulate.sh: $((SECONDS - begin)) s"
