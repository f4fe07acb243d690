#!/usr/bin/env bash
# Builds the library as WebAssembly, an npm package in build/wasm/package. Runs the package's tests and all conformance cases in Node. If Chromium
# is installed, it also tests the page.
#
#   scripts/wasm.sh
#
# Without emscripten or Node (scripts/setup.sh --wasm) it prints a message and does nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for tool in em++ node; do
  if ! command -v "$tool" >/dev/null; then
    echo "wasm.sh: $tool is not installed (scripts/setup.sh --wasm): nothing was built as WebAssembly"
    exit 0
  fi
done
begin=$SECONDS
# Debian's emscripten needs Debian's Node packages, which a Node from elsewhere does not find by itself.
export NODE_PATH=/usr/share/nodejs
build=build/wasm
mkdir -p build
toolchain=$(dirname "$(readlink -f "$(command -v em++)")")/cmake/Modules/Platform/Emscripten.cmake
[ -f "$toolchain" ] || toolchain=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake
if ! { cmake -S src/bindings/web -B $build -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" && cmake --build $build -j "$(nproc)"; } >build/wasm.log 2>&1; then
  grep -E -A 12 'error:|^FAILED|CMake Error' build/wasm.log | head -n 60
  echo "wasm.sh: building as WebAssembly failed; all output is in build/wasm.log" >&2
  exit 1
fi
node --test tests/web/
kit=build/release/tests/kit/cases
[ -f $kit/cases.json ] || kit=build/cross-arm64/tests/kit/cases
if [ -f $kit/cases.json ]; then
  verification/determinism/platforms.py cases wasm $kit kit/runners/supremum-wasm
else
  echo "wasm.sh: no conformance cases in build/release (scripts/test.sh makes them): they were not run"
fi
python3=/usr/bin/python3
status=0
$python3 tests/web/page_test.py $build/package || status=$?
[ $status = 0 ] || [ $status = 77 ] || exit $status
echo "wasm.sh: $((SECONDS - begin)) s"
