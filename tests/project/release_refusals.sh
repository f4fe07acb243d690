#!/usr/bin/env bash
# scripts/release.sh refuses what is not one known commit of one stated version, before it builds or writes anything.
#
#   tests/project/release_refusals.sh FOLDER    FOLDER is emptied
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:?}
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: this is no git checkout"; exit 77; }
rm -rf "$folder"
git clone --quiet . "$folder"
cd "$folder"
version=$(sed -n 's/^project(supremum VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
git -c user.name=test -c user.email=test@example.org commit --quiet --allow-empty --message "A commit without a tag"

# refused STATUS TEXT ARGUMENT...
refused() {
  local status=0 wanted=$1 text=$2 output
  shift 2
  output=$(scripts/release.sh "$@" 2>&1) || status=$?
  [ $status = "$wanted" ] && [[ $output == *"$text"* ]] || { echo "release.sh $*: status $status, not $wanted with '$text': $output"; exit 1; }
  [ ! -e build ] || { echo "release.sh $*: something was written"; exit 1; }
}
refused 2 "usage: scripts/release.sh VERSION"
refused 2 "usage: scripts/release.sh VERSION" next
refused 2 "usage: scripts/release.sh VERSION" "$version" --sign
refused 1 "CMakeLists.txt states version $version, not 9.9.9" 9.9.9 --rehearse
sed -i "s/^version = .*/version = \"9.9.9\"/" pyproject.toml
refused 1 "changes that are not committed" "$version"
git -c user.name=test -c user.email=test@example.org commit --quiet --all --message "Another version in one file"
refused 1 "pyproject.toml: version 9.9.9, not $version" "$version" --rehearse
git reset --quiet --hard HEAD~1
grep -q "^## \[$version\] - " CHANGELOG.md || refused 1 "CHANGELOG.md has no section '## [$version] - DATE'" "$version"
sed -i "s/^## \[Unreleased\]/## [$version] - 2026-12-01/" CHANGELOG.md
sed -i '1s/UNRELEASED/unstable/' debian/changelog
git -c user.name=test -c user.email=test@example.org commit --quiet --all --message "A release without a tag" --allow-empty
refused 1 "the tag v$version does not name the last commit" "$version"
echo "refused, with nothing written: no version, another version, changes, disagreeing files, no section, no tag"
