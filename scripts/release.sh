#!/usr/bin/env bash
# Makes what a release consists of, in build/release-files: supremum-VERSION.tar.gz, the committed sources and what is generated of
# them, below the names that they have here; the .deb packages of build/release; the two-file library of c99/; SHA256SUMS of all.
#
#   scripts/release.sh    needs a work tree without changes, and the files that scripts/evidence.sh has made of it
#
# The same commit and the same evidence give the same archive.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -n "$(git status --porcelain)" ]; then
  echo "release.sh: the work tree has changes that are not committed; a release is made of a commit" >&2
  exit 1
fi
scripts/evidence.sh quick  # builds what is packaged, and makes again what describes that build
/usr/bin/python3 verification/evidence/evidence_pages.py --made
version=$(sed -n 's/^project(supremum VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
folder=$PWD/build/release-files
rm -rf "$folder"
mkdir -p "$folder"

name=supremum-$version tree=$folder/tree
mkdir -p "$tree/$name/build"
git archive HEAD | tar -x -C "$tree/$name"
cp -R build/evidence "$tree/$name/build/evidence"
find "$tree" -type d -exec chmod 755 {} + -o -type f -perm /111 -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
tar -c -C "$tree" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" "$name" | gzip -9n >"$folder/$name.tar.gz"
rm -rf "$tree"

cpack -G DEB --config build/release/CPackConfig.cmake -B "$folder/deb" >"$folder/cpack.log"
mv "$folder"/deb/*.deb "$folder"
rm -rf "$folder/deb" "$folder/cpack.log"

/usr/bin/python3 tests/c99/run_cases.py --folder "$PWD/build/c99"
/usr/bin/python3 c99/make.py "$folder"
(cd "$folder" && sha256sum -- *.deb *.tar.gz supremum_c99.* >SHA256SUMS && cat SHA256SUMS)
