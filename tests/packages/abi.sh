#!/usr/bin/env bash
# Compares the functions, types and values of the C interface, as the compiler sees them, with those of debian/libsupremum0.abi. What
# programs were compiled against may not change; what is added is recorded by this script.
#
#   tests/packages/abi.sh DLPACK FOLDER            DLPACK is the folder of dlpack/dlpack.h; FOLDER is emptied
#   tests/packages/abi.sh DLPACK FOLDER --write    writes the record anew, for a review of its difference
set -euo pipefail
cd "$(dirname "$0")/../.."
dlpack=${1:?} folder=${2:?} record=debian/libsupremum0.abi
command -v abidw >/dev/null || { echo "skipped: abigail-tools is not installed"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
# described INCLUDE: the functions that c_api.h of this folder declares, each with an empty body, as abidw describes them.
described() {
  local gcc=(gcc -std=c2x -w -g -fPIC "-I$1" -idirafter "$dlpack")
  echo '#include "supremum/c_api.h"' >"$folder/interface.c"
  "${gcc[@]}" -fsyntax-only -aux-info "$folder/declared" "$folder/interface.c"
  sed -nE 's|^/\* [^ ]*/supremum/c_api\.h:[^ ]* \*/ (.*\bsupremum_[a-z_]+ \(.*\));.*|\1 { __builtin_trap(); }|p' "$folder/declared" >>"$folder/interface.c"
  "${gcc[@]}" -shared -nostdlib -Wl,--version-script=src/bindings/c/exports.map -Wl,-soname,libsupremum.so.0 "$folder/interface.c" -o "$folder/libsupremum.so.0"
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --type-id-style hash "$folder/libsupremum.so.0"
}

if [ "${3:-}" = --write ]; then
  described include >"$record"
  exit
fi
described include >"$folder/now.abi"
status=0
abidiff --no-architecture "$record" "$folder/now.abi" || status=$?
if [ $status != 0 ]; then
  echo "the binary interface is not that of $record (abidiff's status is $status: 4 added, 8 or 12 incompatible)"
  exit 1
fi

# The comparison sees a change: an option that becomes wider moves all that follow it.
mkdir -p "$folder/include"
cp -R include/supremum "$folder/include"
sed -i 's/^  uint32_t threads;/  uint64_t threads;/' "$folder/include/supremum/c_api.h"
if cmp -s {,"$folder/"}include/supremum/c_api.h; then echo "c_api.h has no option 'threads' any more: change this script"; exit 1; fi
described "$folder/include" >"$folder/changed.abi"
if abidiff --no-architecture "$record" "$folder/changed.abi" >"$folder/changed.log"; then
  echo "a change of the type of an option was not seen"
  exit 1
fi
echo "the binary interface is that of $record; a wider option would be seen"
