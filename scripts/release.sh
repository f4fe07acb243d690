#!/usr/bin/env bash
# Makes a release of the last commit, in build/release-VERSION, without a network:
#
#   supremum-VERSION.tar.gz            the sources; pip builds the Python package of it
#   supremum-VERSION-evidence.tar.gz   what scripts/evidence.sh has made of these sources and this build, and the conformance cases
#   *.deb                              packages for the distribution and processor of this machine
#   supremum-VERSION-*.whl             the Python package for this version of Python, with the libraries that it needs inside
#   supremum-VERSION.tgz               the npm package
#   supremum_c99.c, supremum_c99.h     the two-file library
#   supremum-VERSION.spdx.json         bill of materials
#   SHA256SUMS                         of all these, and its signature SHA256SUMS.asc
#
#   scripts/release.sh VERSION [--sign KEY]   a release: VERSION is that of CMakeLists.txt, CHANGELOG.md has its section, the tag
#                                      vVERSION names the last commit, and scripts/evidence.sh has made everything. KEY is what gpg
#                                      calls --local-user; without it the signature is left to the maintainer
#   scripts/release.sh VERSION --rehearse     any commit, without tag, section and measured evidence; nothing is signed.
#
# Everything is built from the archive of the sources, in build/release-VERSION/work, and packages are checked by lintian. The same
# commit, evidence and tools give the same bytes: scripts/release/reproduce.sh shows it. scripts/setup.sh --release installs what it needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fail() {
  echo "release.sh: $*" >&2
  exit 1
}
usage() {
  echo "usage: scripts/release.sh VERSION [--rehearse | --sign KEY]" >&2
  exit 2
}
[ $# -ge 1 ] && [[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || usage
version=$1 rehearse=false key=
case "${2:-}" in
  "") [ $# = 1 ] || usage ;;
  --rehearse) rehearse=true; [ $# = 2 ] || usage ;;
  --sign) key=${3:-}; [ $# = 3 ] && [ -n "$key" ] || usage ;;
  *) usage ;;
esac

# A release is made of one commit, whose files all state this version.
[ -z "$(git status --porcelain)" ] || fail "the work tree has changes that are not committed; a release is made of a commit"
stated=$(sed -n 's/^project(supremum VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
[ "$version" = "$stated" ] || fail "CMakeLists.txt states version $stated, not $version"
/usr/bin/python3 tests/project/check_text.py || fail "the files that state the version disagree, or a text is wrong (see above)"
if ! $rehearse; then
  grep -q "^## \[$version\] - [0-9]\{4\}-[0-9][0-9]-[0-9][0-9]$" CHANGELOG.md || fail "CHANGELOG.md has no section '## [$version] - DATE'"
  head -n 1 debian/changelog | grep -qv UNRELEASED || fail "debian/changelog says UNRELEASED"
  [ "$(git rev-parse --quiet --verify "refs/tags/v$version^{commit}")" = "$(git rev-parse HEAD)" ] ||
    fail "the tag v$version does not name the last commit"
  /usr/bin/python3 verification/evidence/trace.py --made
fi
for tool in dpkg-buildpackage dh dh_python3 lintian patchelf em++ node; do
  command -v "$tool" >/dev/null || fail "$tool is not installed; run: scripts/setup.sh --release"
done

# Nothing of this machine's settings may reach a file.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
unset LANGUAGE DEB_BUILD_OPTIONS CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CMAKE_BUILD_TYPE
umask 022
folder=$PWD/build/release-$version
rm -rf "$folder"
mkdir -p "$folder/work"
name=supremum-$version
tree=$folder/work/$name

step() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }

# logged FILE COMMAND...: with its output in work/FILE.log, which is shown if it fails.
logged() {
  local log=$folder/work/$1.log
  shift
  "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; fail "'$*' failed; all its output is in $log"; }
}

# archive OF FOLDER INTO: the folder below OF, as the gzipped tar file INTO, the same bytes whoever makes it.
archive() {
  (cd "$1" && find "$2" -type d -exec chmod 755 {} + -o -type f -perm /111 -exec chmod 755 {} + -o -type f -exec chmod 644 {} +)
  tar -c -C "$1" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" "$2" | gzip -9n >"$folder/$3"
}

step "archive of the sources"
mkdir "$tree"
git archive HEAD | tar -x -C "$tree"
/usr/bin/python3 scripts/release/pkg_info.py "$tree" >"$tree/PKG-INFO"
archive "$folder/work" "$name" "$name.tar.gz"

step "packages for $(dpkg --print-architecture), of this archive"
profiles=
if [ -d build/peers/onnxruntime ]; then
  profiles=pkg.supremum.onnxruntime
  mkdir -p "$tree/build/peers"
  cp -R build/peers/onnxruntime "$tree/build/peers"
else
  echo "without supremum-onnxruntime: scripts/setup.sh --onnxruntime brings the headers that it needs"
fi
# Compiled files of scripts/test.sh are used again, if ccache is there; they are the same bytes.
export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1
if command -v ccache >/dev/null; then CCACHE_DIR=$(ccache --get-config cache_dir) && export CCACHE_DIR; fi
(cd "$tree" && DEB_BUILD_PROFILES=$profiles logged packages dpkg-buildpackage --build=binary --no-sign)
mv "$folder/work/"*.deb "$folder"
ls "$folder"/*.deb | sed 's|.*/||'
logged lintian lintian --fail-on error --profile debian --info "$folder"/*.deb
grep -c . "$folder/work/lintian.log" | sed 's/$/ lines of lintian, without an error: work\/lintian.log/'

step "Python's wheel, of the same build"
(cd "$tree" && SUPREMUM_BUILD_DIR=$tree/build/release logged wheel /usr/bin/python3 setup.py --quiet \
  build --build-base "$folder/work/wheel-build" bdist_wheel --dist-dir "$folder/work/wheel")
/usr/bin/python3 scripts/release/wheel.py "$folder/work/wheel/"*.whl "$folder"

step "npm package"
(cd "$tree" && logged wasm scripts/wasm.sh)
mkdir "$folder/work/npm"
cp -R "$tree/build/wasm/package" "$folder/work/npm/package"
archive "$folder/work/npm" package "$name.tgz"

step "evidence of the same build, and the two-file library"
if [ -d build/evidence ] && ! $rehearse; then cp -R build/evidence "$tree/build/evidence"; fi
(cd "$tree" && logged configure cmake --preset release -DSUPREMUM_BUILD_TESTS=ON && logged evidence scripts/evidence.sh quick)
mkdir "$folder/work/evidence"
cp -R "$tree/build/evidence" "$folder/work/evidence/$name-evidence"
archive "$folder/work/evidence" "$name-evidence" "$name-evidence.tar.gz"
cp "$tree/build/evidence/sbom.spdx.json" "$folder/$name.spdx.json"
(cd "$tree" && logged c99-cases /usr/bin/python3 tests/c99/run_cases.py --folder "$tree/build/c99" && logged c99 /usr/bin/python3 src/c99/make.py "$folder")

step "digests"
rm -rf "$folder/work"
(cd "$folder" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS . && cat SHA256SUMS)
if [ -n "$key" ]; then
  gpg --local-user "$key" --armor --detach-sign --output "$folder/SHA256SUMS.asc" "$folder/SHA256SUMS"
  gpg --verify "$folder/SHA256SUMS.asc" "$folder/SHA256SUMS"
elif ! $rehearse; then
  echo "to sign it: gpg --local-user KEY --armor --detach-sign --output $folder/SHA256SUMS.asc $folder/SHA256SUMS"
fi
printf '\n%s: %d files, %d s\n' "${folder#"$PWD/"}" "$(find "$folder" -type f | wc -l)" "$SECONDS"
