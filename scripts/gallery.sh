#!/usr/bin/env bash
# Makes five pictures of what Max and ReduceMax are for, from data of the distribution's packages, and checks each result by another way of
# computing it. docs/gallery.md says what they show.
#
#   scripts/gallery.sh                          installs missing packages, builds the command, and puts the pictures into build/gallery
#   scripts/gallery.sh --command FILE FOLDER    by this command, into this folder; installs and builds nothing; exit status 77 if a package
#                                               is missing. It also checks that the checks notice a wrong element
set -euo pipefail

[ $# = 0 ] || [ "$#,$1" = 3,--command ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
supremum=build/demo/bin/supremum
results=build/gallery
[ $# = 0 ] || { supremum=$(realpath "$2"); results=$(realpath -m "$3"); }
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib/examples.sh
export PYTHONDONTWRITEBYTECODE=1  # no caches in the folders of the examples

skip() { echo "skipped: $*; scripts/setup.sh --gallery installs it"; exit 77; }

# The packages are those of scripts/setup.sh --gallery.
require_packages() {
  local file module
  for file in "$cranium" /usr/share/xplanet/images/{earth,night}.jpg /usr/lib/python3/dist-packages/skimage/data/{rocket.jpg,coins.png} \
    /usr/share/sounds/alsa/{Front_Left,Front_Center,Front_Right,Side_Left,Side_Right,Rear_Left,Rear_Center,Rear_Right}.wav; do
    [ -f "$file" ] || skip "there is no $file"
  done
  for module in matplotlib numpy onnx PIL skimage.feature; do
    "$python" -c "import $module" 2>/dev/null || skip "Python has no module $module"
  done
}

if [ $# = 0 ]; then
  scripts/setup.sh --gallery
  scripts/build.sh demo supremum_command
else
  require_packages
fi
mkdir -p "$results"

printf '\n== 1 of 5: a CT scan of a head, projected along each axis\n'
project_scan "$results"
"$python" examples/projection/show_projection.py "$results" "$results/projection.png"

printf '\n== 2 of 5: four maps of scores, fused\n'
"$python" examples/score_fusion/make_model.py "$results"
fuse_scores "$results" "$results/score_fusion.png"

printf '\n== 3 of 5: the brighter one of two photographs, the brightest channel of a third\n'
"$python" examples/brightest/make_photographs.py "$results"
show "$supremum" max "$results/day.npy" "$results/night.npy" -o "$results/lighten.npy"
show "$supremum" reduce-max "$results/rocket.npy" --axes 2 -o "$results/value.npy"
"$python" examples/brightest/show_brightest.py "$results" "$results/brightest.png"

printf '\n== 4 of 5: non-maximum suppression of detected coins\n'
"$python" examples/suppression/detect_coins.py "$results"
show "$supremum" max "$results/edges_column.npy" "$results/edges_row.npy" -o "$results/intersections.npy"
"$python" examples/suppression/make_overlaps.py "$results"
show "$supremum" reduce-max "$results/overlaps.npy" --axes 0 -o "$results/worst.npy"
"$python" examples/suppression/show_suppression.py "$results" "$results/suppression.png"

printf '\n== 5 of 5: peak envelopes of eight recordings\n'
"$python" examples/envelope/make_windows.py "$results"
show "$supremum" reduce-max "$results/windows.npy" --axes 3 -o "$results/peaks.npy"
"$python" examples/envelope/show_envelope.py "$results" "$results/envelope.png"

printf '\n== the results, computed in another way\n'
"$python" examples/check_results.py "$results"
[ $# = 0 ] || "$python" examples/check_results.py "$results" --faults
printf '\nThe pictures are in %s:\n' "$results"
(cd "$results" && ls ./*.png)
