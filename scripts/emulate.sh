#!/usr/bin/env bash
# Cross-builds for other processors and runs tests and the conformance cases on them, emulated by QEMU. The results go to
# build/platforms (verification/determinism/platforms.py).
#
#   scripts/emulate.sh [--smoke] [PROCESSOR...]     all processors if none is named
#
#   neon, sve2_128, sve_256       64-bit Arm, one build: NEON only; SVE2 with vectors of 128 bits; SVE with vectors of 256 bits
#   riscv64, rvv_256              64-bit RISC-V, one build: vectors of 128 bits and none; vectors of 256 bits
#   ppc64le                       POWER, 64 bits
#   s390x                         IBM Z: 64 bits, big-endian
#   armhf, i386                   32 bits: Arm with hardware floats, x86 with SSE2.
#
# RISC-V, POWER and IBM Z have kernels only with GCC 14 and Highway 1.2: their compilers, packages and emulators are those of Debian 13,
# extracted into build/debian-13 and used there by chroot (scripts/lib/other_system.sh), whatever this system is.
#
# Without --smoke: all test programs; on Arm also the comparison of the proofs' models with the instructions. With --smoke: a part of the
# kernels' tests, except on armhf and i386, whose kernels are portable or those of x86-64. The tests of the library, of the C interface and
# of the file readers run on s390x and i386 alone, a big-endian and a 32-bit machine. Then the conformance cases are computed through C++ by
# several sets of kernels and, except on the three Arm processors and rvv_256, through C. Libraries are compiled with -O1, programs without
# optimisation, and several sources at once (SUPREMUM_JOIN_SOURCES), to halve the time.
#
# The cases are those of build/release (made by scripts/test.sh), or of the folder that SUPREMUM_KIT names.
#
# Exit status 1, and a message, if anything fails or is missing: scripts/setup.sh --emulate installs the compilers and the emulators.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# processor | Debian architecture | compiler's triplet | tools | emulated processor | kernels for the cases, the best first
# Tools: those of this system, or of Debian 13. KERNELS@PROCESSOR: a processor whose best kernels they are; otherwise they are requested.
table='
neon      arm64    aarch64-linux-gnu      system     cortex-a57                neon/portable
sve2_128  arm64    aarch64-linux-gnu      system     max,sve-max-vq=1          sve2_128
sve_256   arm64    aarch64-linux-gnu      system     max,sve-max-vq=2          sve_256
riscv64   riscv64  riscv64-linux-gnu      debian-13  rv64,v=true,vlen=128      rvv_128/portable@rv64
rvv_256   riscv64  riscv64-linux-gnu      debian-13  rv64,v=true,vlen=256      rvv_256/portable@rv64,v=true,vlen=512
s390x     s390x    s390x-linux-gnu        debian-13  max                       z14/portable@max,vxeh=off,vxeh2=off
ppc64le   ppc64el  powerpc64le-linux-gnu  debian-13  power10                   ppc10/ppc9@power9/ppc8/portable
armhf     armhf    arm-linux-gnueabihf    system     cortex-a15                portable
i386      i386     i686-linux-gnu         system     max                       sse4/portable
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
    options=(-DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_PROJECT_INCLUDE=scripts/cmake/UnoptimisedPrograms.cmake -DSUPREMUM_JOIN_SOURCES=ON)
  elif [[ " $known " == *" $argument "* ]]; then
    asked+=("$argument")
  else
    echo "emulate.sh: unknown argument '$argument' (known: --smoke, ${known// /, })" >&2
    exit 2
  fi
done
[ ${#asked[@]} != 0 ] || read -ra asked <<<"$known"

# Every tool is checked before anything is built.
row() { awk -v name="$1" '$1 == name { print $2, $3, $4, $5, $6 }' <<<"$table"; }
system13=$PWD/build/debian-13
source scripts/lib/other_system.sh

# emulator_of TRIPLET TOOLS
emulator_of() {
  local name=${1%%-*}
  case "$name" in i686) name=i386 ;; powerpc64le) name=ppc64le ;; esac
  if [ "$2" = system ]; then echo "qemu-$name-static"; else echo "$system13/usr/bin/qemu-$name"; fi
}

for processor in "${asked[@]}"; do
  read -r _ triplet tools _ <<<"$(row "$processor")"
  wanted=(mmdebstrap)
  [ "$tools" != system ] || wanted+=("$triplet-gcc" "$triplet-g++" "$(emulator_of "$triplet" system)")
  for tool in "${wanted[@]}"; do
    command -v "$tool" >/dev/null || fail "$tool is not installed, which $processor needs: scripts/setup.sh --emulate"
  done
  [ "$tools" = system ] || choose_namespaces
done
kit=${SUPREMUM_KIT:-build/release/tests/kit/cases}
[ -f "$kit/cases.json" ] ||
  fail "there are no conformance cases in $kit: run scripts/test.sh, or write them (supremum-audit cases DIR) and set SUPREMUM_KIT=DIR"

# The packages of scripts/setup.sh that are linked: extracted, not installed, so that this system is not changed.
packages=libc6-dev,libhwy-dev,libtbb-dev,libdlpack-dev,libonnx-dev,libprotobuf-dev,libfmt-dev,libzip-dev,libssl-dev
packages+=,zlib1g-dev,libgtest-dev,libgmock-dev,libgmp-dev,nlohmann-json3-dev,libcli11-dev

# with_tools TOOLS COMMAND...
with_tools() {
  local folders=("$PWD:$PWD") name command
  if [ "$1" = system ]; then
    "${@:2}"
    return
  fi
  command=$(printf '%q ' "${@:2}")
  if command -v ccache >/dev/null; then
    name=${CCACHE_DIR:-$(ccache --get-config cache_dir)}
    mkdir -p "$name"
    folders+=("$name:$name" "CCACHE_DIR=$name")
  fi
  for name in SUPREMUM_WERROR CCACHE_BASEDIR CCACHE_NOHASHDIR; do
    [ -z "${!name:-}" ] || folders+=("$name=${!name}")
  done
  in_system "$system13" "$PWD" "$command" "${folders[@]}"
}

# extract SUITE FOLDER LOG OPTION...: packages, by mmdebstrap.
extract() {
  local mirror suite
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # This system's mirror, without security updates: a mirror may have different versions of them for each architecture.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Release: $suite" 'Created-By: Packages' | head -n 1)
  timeout 1200 scripts/lib/debian_system.sh "$1" "$2" "$mirror" --variant=extract "${@:4}" >"$3" 2>&1 || {
    tail -n 20 "$3"
    fail "fetching packages of $1 into $2 failed; all output is in $3"
  }
}

# fetch_tools: Debian 13's compilers for the processors of the table, and what else a build and the emulation start.
fetch_tools() {
  local triplets wanted
  triplets=$(awk '$4 == "debian-13" { print "g++-" $3 }' <<<"$table" | sort -u | paste -sd ,)
  wanted="base-files,bash,coreutils,dash,cmake,ninja-build,ccache,python3,qemu-user,$triplets without-dev"
  [ "$(cat "$system13/packages" 2>/dev/null)" != "$wanted" ] || return 0
  echo "emulate.sh: fetching compilers and emulators of Debian 13 into ${system13#"$PWD"/} (1.6 GB)"
  rm -rf --one-file-system "$system13"
  extract trixie "$system13" build/debian-13.log --include="${wanted% *}"
  # The first entry of every new namespace mounts them again.
  rm -rf --one-file-system "$system13/dev"
  echo "$wanted" >"$system13/packages"
}

# fetch_packages PROCESSOR
fetch_packages() {
  local architecture triplet tools sysroot suite wanted folder
  read -r architecture triplet tools _ <<<"$(row "$1")"
  sysroot=build/sysroot-$architecture
  suite=trixie
  if [ "$tools" = system ]; then suite=$(. /etc/os-release && echo "$VERSION_CODENAME"); else fetch_tools; fi
  wanted="$suite $packages,libstdc++-$(awk -v suite="$suite" 'BEGIN { print suite == "bookworm" ? 12 : 14 }')-dev without-dev"
  [ "$(cat "$sysroot/packages" 2>/dev/null)" != "$wanted" ] || return 0
  echo "emulate.sh: fetching packages of $suite for $architecture into $sysroot (320 MB)"
  rm -rf "$sysroot" "build/cross-$architecture"  # what was built against others
  extract "$suite" "$sysroot" "build/sysroot-$architecture.log" --architectures="$architecture" --include="$(cut -d ' ' -f 2 <<<"$wanted")"
  # QEMU opens a file of the sysroot in place of this system's file of that name, but examines this system's one by stat: without
  # this, the devices would differ.
  rm -rf --one-file-system "${sysroot:?}/dev"
  # From Debian 13 on, a package that is not extracted has these links.
  for folder in lib lib64; do
    [ -e "$sysroot/$folder" ] || [ ! -e "$sysroot/usr/$folder" ] || ln -s "usr/$folder" "$sysroot/$folder"
  done
  # An absolute link would lead out of the sysroot: ppc64el's dynamic linker.
  find "$sysroot"/lib*/ -maxdepth 1 -type l -lname '/*' -exec sh -c 'ln -sfrT "$1$(readlink "$2")" "$2"' - "$sysroot" {} \;
  # Debian 13's package of onnx names the folder of protobuf's headers without the sysroot.
  find "$sysroot/usr/lib" -name ONNXConfig.cmake -exec sed -i 's|"/usr/include"|"${CMAKE_SYSROOT}/usr/include"|' {} +
  echo "$wanted" >"$sysroot/packages"
}

# build_for ARCHITECTURE TARGET...
build_for() {
  local architecture=$1 build=build/cross-$1 log=build/cross-$1.log
  shift
  with_tools "$tools" cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/cmake/cross-linux.cmake" -DSUPREMUM_TRIPLET="$triplet" \
    -DSUPREMUM_SYSROOT="$PWD/build/sysroot-$architecture" -DSUPREMUM_EMULATOR="$emulator" -DSUPREMUM_BUILD_PYTHON=OFF \
    -DSUPREMUM_BUILD_MPI=OFF -DSUPREMUM_INSTALL=OFF "${options[@]}" >"$log" 2>&1 ||
    { grep -A 12 'CMake Error' "$log"; fail "configuring for $architecture failed; all output is in $log"; }
  with_tools "$tools" cmake --build "$build" --target "$@" -j "$processes" >>"$log" 2>&1 || {
    grep -E -A 12 'error:|^FAILED' "$log" | head -n 100
    fail "building for $architecture failed; all output is in $log"
  }
  check_kernel_objects "$build"
}

# Code compiled for one instruction set must have internal linkage: the linker keeps one copy of an inline function for all processors.
# In the files that options make code of one instruction set, that holds for all.
check_kernel_objects() {
  local object shared symbols
  for object in "$1"/src/CMakeFiles/supremum.dir/kernels/simd_{sve,rvv,z1}*.o; do
    [ -e "$object" ] || continue
    symbols=$(with_tools "$tools" "$triplet-nm" -C "$object") || fail "$triplet-nm failed on $object"
    shared=$(grep -E ' [WV] ' <<<"$symbols" || true)
    [ -z "$shared" ] || fail "$object has inline functions that other files could share: $shared"
  done
}

# Excluded: tests that do not depend on the processor (scripts, proofs, formatting), that have no build for it (the Python module,
# packages), and that an emulator runs too slowly or not at all (valgrind).
unrelated='^(scripts|proofs|microcontroller|c99|consume|python|packages)\.|^conformance\.(files_are|further_files_are|the_further_cases|differences|audits|every_class|a_missing|the_check_of_runners)'
unrelated+='|^capi\.headers_and|^conformance\.runner_(numpy|onnx|onnxruntime|onnxruntime-python|pytorch|eigen|onednn|xnnpack|supremum-python|supremum-pytorch|supremum-wasm)$'

# Nor tests of what QEMU's user emulation or this machine's own system would have to know (docs/platforms.md).
emulated=-Subprocess.MemoryIsLimited:Check.WhatTheOnnxLibraryDoesNotMasterIsNotedAndTheRestIsJudged
emulated+=:TestVerb.TheCommandThatReproducesAFailureDoesSo:Output.ColoursAreForTerminalsAlone
emulated+=:Output.LongValuesAreShortenedOnATerminalAlone:Output.WorkOverASecondShowsProgressOnATerminalAlone

# On s390x QEMU's fstat gives no nanoseconds.
without_nanoseconds=FileBytes.AFileThatIsChangedAfterItWasOpenedIsNotRead:FileBytes.AnIdentityTellsFilesApart

# run_tests BUILD PROCESSOR PLATFORM CTEST-ARGUMENT...
run_tests() {
  local build=$1 processor=$2 platform=$3 ctest=$PWD/build/cross-ctest-$2.xml junit=$PWD/build/cross-tests-$2.xml log=build/cross-tests-$2.log
  shift 3
  rm -rf "$build/junit"
  GTEST_FILTER=$emulated$([ "$processor" != s390x ] || echo ":$without_nanoseconds") ctest --test-dir "$build" -j "$(nproc)" --output-on-failure --no-tests=error --timeout 6000 --output-junit "$ctest" \
    "$@" >"$log" 2>&1 || { cat "$log"; fail "tests on $processor failed; all output is in $log"; }
  tests/project/test_report.py "$ctest" "$build/junit" "$junit" || fail "the test report of $processor does not agree with its programs' results"
  verification/determinism/platforms.py tests "$platform" "$junit"
}

part_of_kernels_test='Target.*:*/KernelTest.*RunsOf*float*:*/KernelTest.*LinesOf*float*'

# run_program PROCESSOR PROGRAM [FILTER]: a test program as one process, which is faster under emulation than one process a test.
run_program() {
  local log=build/cross-$1-$2.log program=build/cross-$architecture/bin/$2
  "$emulator" -L "build/sysroot-$architecture" "$program" --gtest_brief=1 --gtest_filter="${3:-*}" >"$log" 2>&1 ||
    { grep -vE '^\[ +OK|^\[-+\]' "$log" | tail -n 100; fail "tests of $2 on $1 failed; all output is in $log"; }
  grep -qE '^\[  PASSED  \] [1-9]' "$log" || fail "$2 ran no test; all output is in $log"
  echo "$1: $2: $(grep -E '^\[  (PASSED|SKIPPED)' "$log" | paste -sd ' ')"
}

# run_cases PROCESSOR CASES: CASES as in the table.
run_cases() {
  local runners=build/cross-$architecture/libexec/supremum/runners kernels first=${2%%[/@]*} with_processor
  for with_processor in ${2//\// }; do
    kernels=${with_processor%@*}
    if [ "$kernels" != "$with_processor" ]; then
      QEMU_CPU=${with_processor#*@} verification/determinism/platforms.py cases "$architecture-$kernels" "$kit" $runners/supremum-cpp
    else
      verification/determinism/platforms.py cases "$architecture-$kernels" "$kit" $runners/supremum-cpp --target "$kernels"
    fi
  done
  [ $only_kernels = yes ] || verification/determinism/platforms.py cases "$architecture-$first" "$kit" $runners/supremum-c
}

# emulate PROCESSOR FOLLOWING: meanwhile, packages are fetched for the following processor, if there is one.
emulate() {
  local processor=$1 following=$2 begin=$SECONDS architecture triplet tools cases emulator build programs background only_kernels=no stands_for_others=no with_kernels=yes
  read -r architecture triplet tools QEMU_CPU cases <<<"$(row "$processor")"
  export QEMU_CPU
  emulator=$(emulator_of "$triplet" "$tools") build=build/cross-$architecture
  if [ "$architecture" = arm64 ] || [ "$processor" = rvv_256 ]; then only_kernels=yes; fi
  if [ "$processor" = s390x ] || [ "$processor" = i386 ]; then stands_for_others=yes; fi
  if [ "$processor" = armhf ] || [ "$processor" = i386 ]; then with_kernels=no; fi
  echo "== $processor: ${emulator##*/}, $QEMU_CPU"
  if [ -n "$fetching" ]; then wait "$fetching" || exit 1; fi
  fetch_packages "$processor"
  fetching=
  if [ -n "$following" ]; then
    fetch_packages "$following" &
    fetching=$!
  fi
  if [ $smoke = no ]; then
    build_for "$architecture" all
    run_tests "$build" "$processor" "$architecture-${cases%%[/@]*}" -LE "large|exhaustive|callgrind|packages" -E "$unrelated"
  else
    programs=(runner_supremum-cpp)
    [ $only_kernels = yes ] || programs+=(runner_supremum-c)
    [ $with_kernels = no ] || programs+=(kernels_test)
    [ $stands_for_others = no ] || programs+=(core_test capi_test formats_test)
    build_for "$architecture" "${programs[@]}"
    if [ $stands_for_others = yes ]; then
      run_program "$processor" formats_test "$([ "$processor" != s390x ] || echo "-$without_nanoseconds")" &
      background=$!
      run_program "$processor" core_test
      run_program "$processor" capi_test
    fi
    [ $with_kernels = no ] || run_program "$processor" kernels_test "$part_of_kernels_test"
    [ $stands_for_others = no ] || wait "$background" || exit 1
  fi
  run_cases "$processor" "$cases"
  echo "emulate.sh: $processor: $((SECONDS - begin)) s"
}

# emulate_in_turn PROCESSOR...
emulate_in_turn() {
  local processors=("$@") i
  set +m
  trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
  fetching=  # the job that fetches packages for the following processor
  for i in "${!processors[@]}"; do emulate "${processors[i]}" "${processors[i + 1]:-}"; done
}

begin=$SECONDS
mkdir -p build
# Each job has a process group of its own, with all that it starts, so that it can be ended.
set -m
trap 'for job in $(jobs -p); do kill -- "-$job" 2>/dev/null || true; done' EXIT
# Those of this system's compilers and those of Debian 13's side by side: fetching packages and the tests, each one process, leave up to a
# quarter of the time of two processors free.
of_system=() of_debian_13=() jobs=0 processes=$(nproc)
for processor in "${asked[@]}"; do
  read -r _ _ tools _ <<<"$(row "$processor")"
  if [ "$tools" = system ]; then of_system+=("$processor"); else of_debian_13+=("$processor"); fi
done
# Optimised, a kernel takes a gigabyte.
if [ $smoke = no ] && [ ${#of_system[@]} != 0 ] && [ ${#of_debian_13[@]} != 0 ]; then processes=$(((processes + 1) / 2)); fi
if [ ${#of_system[@]} != 0 ]; then emulate_in_turn "${of_system[@]}" </dev/null & jobs=$((jobs + 1)); fi
if [ ${#of_debian_13[@]} != 0 ]; then emulate_in_turn "${of_debian_13[@]}" </dev/null & jobs=$((jobs + 1)); fi
while [ $jobs != 0 ]; do
  wait -n || fail "a processor failed, as said above; what runs for others is ended"
  jobs=$((jobs - 1))
done
if [ $smoke = no ] && [[ " ${asked[*]} " =~ " "(neon|sve) ]]; then
  # There are no kernels for this vector length: those of NEON are used.
  targets=$(QEMU_CPU=max,sve-max-vq=4 build/cross-arm64/launchers/supremum targets)
  grep -qE '^neon +yes +yes$' <<<"$targets" || fail "SVE with vectors of 512 bits does not use neon: $targets"
  verification/cosimulation/cosimulate_arm.sh
fi
echo "emulate.sh: $((SECONDS - begin)) s"
