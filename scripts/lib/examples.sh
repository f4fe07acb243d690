# The examples that scripts/demo.sh and scripts/gallery.sh both run, with the command `$supremum`. They source this file.

python=/usr/bin/python3  # the one with the distribution's packages; PATH may have another one first
cranium=/usr/share/doc/invesalius-examples/examples/Cranium.inv3

show() { printf '$ %s\n' "$*"; "$@"; }

# fuse_scores FOLDER PICTURE: runs the model that examples/score_fusion/make_model.py wrote to FOLDER.
fuse_scores() {
  local inputs=() name
  for name in detector lane horizon floor; do inputs+=(--input "$name=$1/$name.npy"); done
  show "$supremum" run "$1/score_fusion.onnx" "${inputs[@]}" --profile sonnx --output-dir "$1/out"
  "$python" examples/score_fusion/show_fusion.py "$1" "$1/out/fused.npy" "$2"
}

# project_scan FOLDER: the maximum of the CT scan along each axis.
project_scan() {
  local axis
  "$python" examples/projection/make_volume.py "$cranium" "$1"
  for axis in 0 1 2; do
    show "$supremum" reduce-max "$1/volume.npy" --axes "$axis" -o "$1/axis_$axis.npy"
  done
}
