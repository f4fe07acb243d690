#!/usr/bin/env bash
# Installs a build to a prefix, moves the prefix elsewhere, and uses what is there through CMake and through pkg-config.
#
#   tests/packages/installed.sh BUILD FOLDER LIBDIR    LIBDIR is the folder of libraries below the prefix; FOLDER is emptied
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:?} folder=${2:?} libdir=${3:?}
rm -rf "$folder"
mkdir -p "$folder"

"$CMAKE" --install "$build" --prefix "$folder/first" >"$folder/install.log"
mv "$folder/first" "$folder/second"
prefix=$folder/second
(cd "$prefix" && find . -type f -o -type l | sort) >"$folder/installed"
for file in bin/supremum "$libdir/libsupremum.so.0" "$libdir/libsupremum_onnx.so.0" "$libdir/libsupremum.a" "$libdir/libsupremum_onnx.a" \
    include/supremum/c_api.h include/supremum/c_models.h \
    include/supremum/supremum.h share/man/man1/supremum.1 share/bash-completion/completions/supremum \
    libexec/supremum/runners/{kit.js,kit.py,numpy,onnx,onnxruntime,onnxruntime-python,pytorch,supremum-{c,command,cpp,python,pytorch}}; do
  grep -qx "./$file" "$folder/installed" || { echo "$file is not installed"; exit 1; }
done
if [ -f "$build/lib/libsupremum_mpi.a" ]; then
  for file in "$libdir/libsupremum_mpi.a" "$libdir/libsupremum_mpi_preload.so" include/supremum/mpi.h include/supremum/mpi_c.h; do
    grep -qx "./$file" "$folder/installed" || { echo "$file is not installed"; exit 1; }
  done
fi
if [ -f "$build/lib/libsupremum_ort.so" ]; then
  for file in "$libdir/libsupremum_ort.so" include/supremum/onnxruntime.h libexec/supremum/runners/supremum-onnxruntime; do
    grep -qx "./$file" "$folder/installed" || { echo "$file is not installed"; exit 1; }
  done
fi
# Neither the first place nor the build may be named: nothing would be there.
if grep -rlI -e "$folder/first" -e "$build" "$prefix"; then
  echo "these files name a place that is gone"
  exit 1
fi

# Runners find the library and the command that were installed with them.
mkdir "$folder/kit"
echo '{"cases": []}' >"$folder/kit/cases.json"
for runner in supremum-c supremum-command supremum-cpp; do
  "$prefix/libexec/supremum/runners/$runner" "$folder/kit" >"$folder/runner.log"
  grep -q '"runtime": *"supremum"' "$folder/runner.log" || { cat "$folder/runner.log"; exit 1; }
done

# use_by_cmake NAME OPTION...
use_by_cmake() {
  local name=$1
  shift
  "$CMAKE" -S tests/consume/find_package -B "$folder/$name" "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$CC" \
    "-DCMAKE_CXX_COMPILER=$CXX" "$@" >"$folder/$name.log"
  "$CMAKE" --build "$folder/$name" -j 2 >>"$folder/$name.log" || { cat "$folder/$name.log"; exit 1; }
  (cd "$folder/$name" && "$CTEST" --output-on-failure --no-tests=error)
}
use_by_cmake all
use_by_cmake c_alone "-DCONSUMER_COMPONENTS=COMPONENTS;c;c_models"

# The README's lists of CMake, with its programs.
python3 tests/project/readme_examples.py --extract "$folder/readme" >"$folder/readme.sources"
cp "$folder/readme/example_1.cc" "$folder/readme/best.cc"
cp "$(grep '\.c$' "$folder/readme.sources" | head -n 1)" "$folder/readme/best.c"
awk '/^```sh$/ { block = ""; next } /^```$/ && block ~ /CMAKE_PREFIX_PATH/ { printf "%s", block; exit } { block = block $0 "\n" }' docs/library.md \
  >"$folder/readme.sh"
# The compilers that $CC and $CXX name are those that CMake takes.
(cd "$folder/readme" && DIR=$prefix PATH="$(dirname "$CMAKE"):$PATH" bash -e "$folder/readme.sh" >"$folder/readme.log" 2>&1) ||
  { cat "$folder/readme.log"; exit 1; }
tr '\n' ' ' <"$folder/readme.log" | grep -q "0.9 0.5 0.9 3 4 4"

# Without what `supremum` and `c` need, finding the package fails and says what to install; others are left out.
# fails_to_find PACKAGE OPTION...
fails_to_find() {
  local package=$1
  shift
  if "$CMAKE" -S tests/consume/find_package -B "$folder/without_$package" "-DCMAKE_PREFIX_PATH=$prefix" "$@" >"$folder/without.log" 2>&1 ||
      ! grep -q "(Debian: $package)" "$folder/without.log"; then
    echo "without $package:" && cat "$folder/without.log"
    exit 1
  fi
}
if grep -q 'supremum_needs_supremum.*TBB' "$prefix/$libdir/cmake/supremum/supremumConfig.cmake"; then
  fails_to_find libtbb-dev -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON
fi
fails_to_find libhwy-dev -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON
fails_to_find libdlpack-dev -DCMAKE_IGNORE_PATH=/usr/include
fails_to_find libprotobuf-dev -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON "-DCONSUMER_COMPONENTS=COMPONENTS;onnx"

export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
read -ra c_flags <<<"$(pkg-config --cflags --libs supremum)"
read -ra model_flags <<<"$(pkg-config --cflags --libs supremum-onnx)"
read -ra cxx_flags <<<"$(pkg-config --cflags --libs supremum-cxx)"
"$CC" -std=c99 tests/consume/uses_c.c "${c_flags[@]}" -o "$folder/uses_c"
LD_LIBRARY_PATH=$prefix/$libdir "$folder/uses_c"
"$CC" -std=c99 tests/consume/uses_c_models.c "${model_flags[@]}" -o "$folder/uses_c_models"
LD_LIBRARY_PATH=$prefix/$libdir "$folder/uses_c_models"
"$CXX" tests/consume/uses_cxx.cc "${cxx_flags[@]}" -o "$folder/uses_cxx"
"$folder/uses_cxx"
[ "$(pkg-config --modversion supremum)" = "$("$prefix/bin/supremum" --version | cut -d' ' -f2)" ]
echo "$(wc -l <"$folder/installed") files installed, moved, and used by CMake and by pkg-config"
