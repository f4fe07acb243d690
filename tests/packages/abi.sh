#!/usr/bin/env bash
# Compares the functions, types and values of the C interfaces, as the compiler sees them, with those of debian/*.abi. A recorded entity
# must not change, because compiled programs depend on it; --write records additions.
#
#   tests/packages/abi.sh DLPACK FOLDER            DLPACK is the folder of dlpack/dlpack.h; FOLDER is emptied
#   tests/packages/abi.sh DLPACK FOLDER --write    writes the records anew, for a review of their difference
set -euo pipefail
cd "$(dirname "$0")/../.."
dlpack=${1:?} folder=${2:?} write=${3:-}
command -v abidw >/dev/null || { echo "skipped: abigail-tools is not installed"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
# described INCLUDE HEADER EXPORTS LIBRARY: the functions that the header of this folder declares, each with an empty body, as abidw
# describes them.
described() {
  local gcc=(gcc -std=c2x -w -g -fPIC "-I$1" -idirafter "$dlpack")
  echo "#include \"supremum/$2\"" >"$folder/interface.c"
  "${gcc[@]}" -fsyntax-only -aux-info "$folder/declared" "$folder/interface.c"
  sed -nE 's|^/\* [^ ]*/supremum/'"${2//./\\.}"':[^ ]* \*/ (.*\bsupremum_[a-z_]+ \(.*\));.*|\1 { __builtin_trap(); }|p' "$folder/declared" >>"$folder/interface.c"
  "${gcc[@]}" -shared -nostdlib "-Wl,--version-script=src/bindings/$3/exports.map" "-Wl,-soname,$4" "$folder/interface.c" -o "$folder/$4"
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --type-id-style hash "$folder/$4"
}

# compare HEADER EXPORTS LIBRARY RECORD MEMBER: MEMBER is of a structure that functions take, and of type int32_t or uint32_t.
compare() {
  local header=$1 record=$4 member=$5 status=0
  if [ "$write" = --write ]; then
    described include "${@:1:3}" >"$record"
    return
  fi
  described include "${@:1:3}" >"$folder/now.abi"
  abidiff --no-architecture "$record" "$folder/now.abi" || status=$?
  if [ $status != 0 ]; then
    echo "the binary interface is not that of $record (abidiff's status is $status: 4 added, 8 or 12 incompatible)"
    exit 1
  fi

  # The comparison sees a change: a member that becomes wider moves all that follow it.
  rm -rf "$folder/include"
  mkdir -p "$folder/include"
  cp -R include/supremum "$folder/include"
  sed -i -E "s/^  (u?)int32_t $member;/  \1int64_t $member;/" "$folder/include/supremum/$header"
  if cmp -s {,"$folder/"}"include/supremum/$header"; then echo "$header has no member '$member' any more: change this script"; exit 1; fi
  described "$folder/include" "${@:1:3}" >"$folder/changed.abi"
  if abidiff --no-architecture "$record" "$folder/changed.abi" >"$folder/changed.log"; then
    echo "a change of the type of '$member' was not seen"
    exit 1
  fi
  echo "the binary interface is that of $record; a wider '$member' would be seen"
}

compare c_api.h c libsupremum.so.0 debian/libsupremum0.abi threads
compare c_models.h c_models libsupremum_onnx.so.0 debian/libsupremum-onnx0.abi rank
