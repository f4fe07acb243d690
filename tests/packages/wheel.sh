#!/usr/bin/env bash
# Makes the complete wheel of a build, as scripts/release.sh does, installs it in an environment without the distribution's modules,
# and computes there, with the libraries inside the wheel alone.
#
#   tests/packages/wheel.sh BUILD FOLDER    FOLDER is emptied
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:?} folder=${2:?}
rm -rf "$folder"
mkdir -p "$folder"
command -v patchelf >/dev/null || { echo "skipped: patchelf is not installed (scripts/setup.sh --ci)"; exit 77; }
compgen -G "$build/python/supremum/_core*.so" >/dev/null || { echo "skipped: the Python module was not built"; exit 77; }

export PYTHONDONTWRITEBYTECODE=1
tree=$folder/supremum
mkdir "$tree"
tar -c --exclude=./build --exclude=./.git --exclude=__pycache__ --exclude="$folder" . | tar -x -C "$tree"
(cd "$tree" && SUPREMUM_BUILD_DIR="$build" /usr/bin/python3 setup.py --quiet build --build-base "$folder/build" bdist_wheel --dist-dir "$folder/made") \
  >"$folder/made.log" 2>&1 || { cat "$folder/made.log"; exit 1; }
# PyTorch and its libraries are left out, and a module that needs any other library is refused.
inside=$folder/inside
/usr/bin/python3 -m wheel unpack --dest "$inside" "$folder"/made/*.whl >/dev/null
echo 'int answer(void) { return 42; }' | cc -shared -fPIC -x c - -Wl,-soname,libforeign.so.1 -o "$folder/libforeign.so.1"
stub=$(echo "$inside"/supremum-*/supremum)/_torch.so
echo 'int answer(void); int ask(void) { return answer(); }' | cc -shared -fPIC -x c - -x none "$folder/libforeign.so.1" -o "$stub"
mkdir "$folder/with_torch" "$folder/refused"
/usr/bin/python3 -m wheel pack --dest-dir "$folder/with_torch" "$inside"/supremum-* >/dev/null
mv "$stub" "${stub%_torch.so}_other.so"
/usr/bin/python3 -m wheel pack --dest-dir "$folder/refused" "$inside"/supremum-* >/dev/null
export LD_LIBRARY_PATH=$folder
if /usr/bin/python3 scripts/release/wheel.py "$folder"/refused/*.whl "$folder/refused" 2>"$folder/refused.log"; then
  echo "a library that is not in the list was copied"; exit 1
fi
grep -q '_other.so needs libforeign.so.1, which is not among the libraries' "$folder/refused.log"
/usr/bin/python3 scripts/release/wheel.py "$folder"/with_torch/*.whl "$folder"
unset LD_LIBRARY_PATH
ls "$folder" | grep -q 'manylinux_2_[0-9]*_.*\.whl$'
contents=$(/usr/bin/python3 -m zipfile --list "$folder"/*manylinux*.whl)
grep -q 'supremum.libs/libonnx' <<<"$contents"
grep -q 'licenses/libonnx.*\.txt' <<<"$contents"
if grep -e '_torch' -e 'libtorch' -e 'libforeign' <<<"$contents"; then exit 1; fi

/usr/bin/python3 -m venv "$folder/environment"
"$folder/environment/bin/pip" install --quiet --no-index --disable-pip-version-check "$folder"/*manylinux*.whl
cd "$folder"
environment/bin/python - <<'END'
import array
import supremum

y = array.array("f", [0])
supremum.max(array.array("f", [0, float("nan"), 2]), keepdims=True, out=y)
assert y.tobytes() == array.array("I", [0x7FC00000]).tobytes(), y
with open("/proc/self/maps") as maps:
    loaded = {line.split()[-1] for line in maps if ".so" in line}
outside = sorted(name for name in loaded if any(part in name for part in ("onnx", "protobuf", "tbb", "hwy", "zip")) and "supremum.libs" not in name)
assert "supremum.libs" in " ".join(loaded) and not outside, outside
print("computed with the libraries inside the wheel:", *sorted(name.rpartition("/")[2] for name in loaded if "supremum.libs" in name))
END
