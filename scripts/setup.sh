#!/usr/bin/env bash
# Installs the packages of the distribution that building, testing and the demo need (Debian 12, Debian 13, Ubuntu 24.04).
#
#   scripts/setup.sh          for scripts/test.sh
#   scripts/setup.sh --demo   for scripts/demo.sh: compiler and libraries of the command, and a CT scan of a head (220 MB to download)
#   scripts/setup.sh --gallery       for scripts/gallery.sh: the same, photographs, maps of the Earth, recordings (22 MB), and what reads them
#   scripts/setup.sh --proofs for the proofs: Why3 and two SMT solvers
#   scripts/setup.sh --dev    for all of scripts/check.sh, on Debian 12: also a second compiler, the formatter, benchmarks,
#                             instruction counts, and all of --emulate
#   scripts/setup.sh --ci     for scripts/check.sh ci: the proofs' tools, clang 16, valgrind, all of --emulate, --engines and --gallery and, if it can be
#                             fetched, of --onnxruntime
#   scripts/setup.sh --emulate       for scripts/emulate.sh: compilers and emulators for Arm and 32-bit x86 (400 MB), and mmdebstrap,
#                             which fetches those for RISC-V, IBM Z and POWER, and the packages to build against
#   scripts/setup.sh --wasm   for scripts/wasm.sh: emscripten and Node (1 GB); its page is tested if --browser is installed
#   scripts/setup.sh --bench  for scripts/bench.sh: the systems that it compares with, from packages; and ONNX Runtime, which has no
#                             package, from npm into build/peers, without running its install script
#   scripts/setup.sh --conformance   the same systems, for the conformance kit: a runner is built if its system is found
#   scripts/setup.sh --onnxruntime   for ONNX Runtime's execution provider (docs/onnxruntime.md): headers of ONNX Runtime from the
#                             distribution or, where it has none, of Debian testing, into build/peers; and ONNX Runtime from npm
#   scripts/setup.sh --browser       for the tests of the page of supremum-audit, which are otherwise skipped: Chromium and its driver (400 MB)
#   scripts/setup.sh --engines       for the tests of dask, xarray, mpi4py and Fortran (docs/many-machines.md), which are otherwise skipped
#   scripts/setup.sh --microcontroller   for scripts/microcontroller.sh: a compiler and an emulator for Cortex-M
#   scripts/setup.sh --c99           for all tests of C99 (docs/c99.md): compilers and emulators for 32-bit x86, RISC-V and IBM Z; Frama-C
#   scripts/setup.sh --platform      for scripts/platform.sh: mmdebstrap and Debian's keys.
#
# If packages are missing, it prints their names and runs apt-get, as root or through sudo. Otherwise it does nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# For the library, the command and the demo.
packages=(
  g++ cmake ninja-build ccache
  libhwy-dev libtbb-dev                           # the operators: instruction sets, threads
  libonnx-dev libprotobuf-dev protobuf-compiler   # ONNX models
  libcli11-dev libfmt-dev nlohmann-json3-dev      # the command
  libzip-dev libssl-dev zlib1g-dev  # .npz, digests
  python3 python3-onnx python3-numpy              # ONNX's own test cases, the project's scripts
)
demo=(python3-matplotlib invesalius-examples)     # pictures; the CT scan
gallery=(
  "${demo[@]}" python3-pil
  python3-skimage                                 # photographs of coins and of a rocket; template matching
  xplanet-images                                  # the Earth by day and by night
  alsa-utils                                      # recordings of a voice
)
tests=(
  libdlpack-dev                                   # the C interface, the Python module
  libgtest-dev libgmock-dev libgmp-dev            # tests; GMP is the `real` of the specification
  pybind11-dev python3-dev                        # the Python module
  python3-pip python3-venv python3-setuptools python3-wheel python3-hypothesis python3-pytest   # its package and its tests
  pkg-config dpkg-dev file groff-base             # tests of the installation, the .deb and the manual page
  libopenmpi-dev openmpi-bin                      # supremum::mpi
)
engines=(python3-dask python3-distributed python3-xarray python3-zarr python3-mpi4py gfortran)
proofs=(why3 z3 cvc5)                             # proofs of Max and ReduceMax, and of the lane algorithms
emulate=(
  g++-aarch64-linux-gnu g++-arm-linux-gnueabihf g++-i686-linux-gnu qemu-user-static mmdebstrap
)
c99=(gcc clang-16 gcc-i686-linux-gnu libc6-dev-i386-cross gcc-riscv64-unknown-elf gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user-static frama-c-base)
packaging=(debhelper dh-python lintian patchelf abigail-tools)   # the .deb packages, the wheel, the record of the C interface
apt_options=()
option=${1:-}
[ "$option" != --conformance ] || option=--bench
# Every option except these two includes what the tests need.
[[ "$option" = --demo || "$option" = --gallery ]] || packages+=("${tests[@]}")
case "$option" in
  "") ;;
  --demo) packages+=("${demo[@]}") ;;
  --gallery) packages+=("${gallery[@]}") ;;
  --proofs) packages+=("${proofs[@]}") ;;
  --dev) packages+=("${proofs[@]}" clang-16 libclang-rt-16-dev clang-19 llvm-19 libclang-rt-19-dev clang-format clang-tidy-16 cppcheck libbenchmark-dev valgrind "${emulate[@]}" "${c99[@]}") ;;
  --engines) packages+=("${engines[@]}") ;;
  --emulate) packages+=("${emulate[@]}") ;;
  --ci) packages+=("${proofs[@]}" "${emulate[@]}" "${packaging[@]}" "${gallery[@]}" "${engines[@]}" clang-16 debian-archive-keyring valgrind) ;;
  --release) packages+=("${packaging[@]}" autopkgtest diffoscope-minimal gpg emscripten nodejs mmdebstrap debian-archive-keyring) ;;
  --onnxruntime) packages+=(ca-certificates debian-archive-keyring) ;;
  --wasm) packages+=(emscripten nodejs libhwy-dev libfmt-dev) ;;
  --browser) packages+=(chromium chromium-driver) ;;
  --microcontroller) packages+=(gcc-arm-none-eabi qemu-system-arm) ;;
  --c99) packages=("${c99[@]}" python3) ;;
  --platform) packages=(mmdebstrap debian-archive-keyring ca-certificates) ;;
  --bench) packages+=(libdnnl-dev libxnnpack-dev libpthreadpool-dev libeigen3-dev python3-torch libtorch-dev) ;;
  *) echo "setup.sh: unknown option '$1' (known: --demo, --gallery, --proofs, --dev, --ci, --emulate, --engines, --wasm, --microcontroller, --c99, --bench, --conformance, --onnxruntime, --browser, --platform, --release)" >&2; exit 2 ;;
esac

if [[ "$option" = --bench || "$option" = --onnxruntime ]]; then
  # A nodejs from elsewhere often includes npm, and then the distribution's npm cannot be installed.
  command -v npm >/dev/null || packages+=(npm)
fi

missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing+=("$package")
done
# Container images often exclude the files of packages below /usr/share/doc, where the CT scan is.
if [[ "$option" =~ ^--(demo|gallery|ci)$ ]] && [ ! -f /usr/share/doc/invesalius-examples/examples/Cranium.inv3 ]; then
  [[ " ${missing[*]} " = *" invesalius-examples "* ]] || missing+=(invesalius-examples)
  apt_options=(--reinstall -o "Dpkg::Options::=--path-include=/usr/share/doc/invesalius-examples/*")
fi

# The headers of ONNX Runtime's execution providers, for --onnxruntime: the distribution's if they are new enough.
install_onnxruntime_headers() {
  local header=include/onnxruntime/onnxruntime_ep_c_api.h folder=build/peers/onnxruntime apt=build/peers/apt site
  if [ -f "/usr/$header" ] || [ -f "$folder/usr/$header" ]; then return 0; fi
  # Not that of Debian-Security or of backports.
  site=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(SITE)' 'Created-By: Packages' | sed -n 's/^Debian|Debian|//p' | head -n 1)
  if [ -z "$site" ]; then
    echo "setup.sh: no Debian here whose testing has the headers of ONNX Runtime 1.23; take those of ONNX Runtime's release, and" \
      "configure with -DSUPREMUM_ONNXRUNTIME_INCLUDE_DIR=FOLDER" >&2
    return 1
  fi
  echo "setup.sh: taking the headers of ONNX Runtime from Debian testing into $folder; nothing is installed"
  rm -rf $apt
  mkdir -p $apt/{etc,lists/partial,cache/archives/partial}
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site testing main" >$apt/etc/sources.list
  # The list of packages is not needed again. Testing's own date of expiry passes when a mirror is not updated.
  local options=(-q -o "Dir::Etc=$PWD/$apt/etc" -o Dir::Etc::sourcelist=sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null
    -o Dir::Etc::preferencesparts=/dev/null -o "Dir::State=$PWD/$apt" -o Dir::State::status=/dev/null -o "Dir::Cache=$PWD/$apt/cache"
    -o Acquire::Retries=3 -o Acquire::Check-Valid-Until=false -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=true)
  apt-get "${options[@]}" update &&
    (cd $apt && apt-get "${options[@]}" download libonnxruntime-dev) &&
    dpkg-deb -x $apt/libonnxruntime-dev_*.deb $folder &&
    rm -r $apt
}

install_onnxruntime_library() {
  if [ -d build/peers/node_modules/onnxruntime-node ]; then return 0; fi
  echo "setup.sh: installing with npm, into build/peers: onnxruntime-node (300 MB)"
  mkdir -p build/peers
  # By itself npm tries three times for each package that it cannot fetch, which takes 70 s.
  timeout 300 npm install --prefix build/peers --ignore-scripts --no-fund --no-audit --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=2000 \
    onnxruntime-node
}

# ONNX Runtime, for the options that need it. If CI cannot fetch it, its tests are skipped.
install_onnxruntime() {
  case "$option" in
    --bench) install_onnxruntime_library ;;
    --onnxruntime) install_onnxruntime_headers && install_onnxruntime_library ;;
    --ci)
      if ! { install_onnxruntime_headers && install_onnxruntime_library; }; then
        echo "setup.sh: ONNX Runtime could not be fetched: the tests of its execution provider will be skipped" >&2
      fi
      ;;
  esac
}

if [ "${#missing[@]}" = 0 ]; then
  install_onnxruntime
  exit 0
fi

echo "setup.sh: installing with apt-get: ${missing[*]}"
if [ "$(id -u)" = 0 ]; then
  as_root=()
elif command -v sudo >/dev/null; then
  echo "setup.sh: using sudo, which may ask for your password"
  as_root=(sudo)
else
  echo "setup.sh: not root and no sudo here; as root, run: apt-get install ${missing[*]}" >&2
  exit 1
fi
"${as_root[@]}" apt-get update -q -o Acquire::Retries=3
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q -o Acquire::Retries=3 --no-install-recommends "${apt_options[@]}" "${missing[@]}"
install_onnxruntime
