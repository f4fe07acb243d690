#!/usr/bin/env python3
"""Makes the score-fusion model and its inputs.

    /usr/bin/python3 examples/score_fusion/make_model.py DIR

writes DIR/score_fusion.onnx and DIR/{detector,lane,horizon,floor}.npy. The model keeps, for each pixel of a camera image, the
highest of four scores that come in four shapes:

    prior = Max(lane [160], horizon [120,1])              [120,160], a two-sided broadcast
    fused = Max(detector [1,120,160], prior, floor [])    [1,120,160]

Every type and shape is stated, so that the model passes the SONNX profile. A patch of the detector's map is NaN, as from dead
sensor pixels: no prior may hide that.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, checker, helper

HEIGHT, WIDTH = 120, 160
DEAD_ROWS, DEAD_COLUMNS = slice(46, 62), slice(108, 128)
# row, column, height, width, peak
OBJECTS = [(88, 40, 9, 14, 0.98), (70, 108, 6, 9, 0.90), (56, 66, 4, 6, 0.80), (54, 96, 3, 4, 0.62), (66, 20, 8, 4, 0.74)]

Map = NDArray[np.float32]


def detector() -> Map:
    """Scores of an object detector: a few elongated blobs on weak noise, and the dead patch."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    noise = np.random.default_rng(2024).uniform(0.0, 0.12, (HEIGHT, WIDTH))
    scores = noise.copy()
    for row, column, height, width, peak in OBJECTS:
        distance = ((rows - row) / height) ** 2 + ((columns - column) / width) ** 2
        scores = np.maximum(scores, peak * np.exp(-distance) + 0.3 * noise)
    scores = np.clip(scores, 0.0, 1.0)
    scores[DEAD_ROWS, DEAD_COLUMNS] = np.nan
    return scores[np.newaxis].astype(np.float32)


def lane() -> Map:
    """A prior over columns: objects stand on two lanes."""
    columns = np.arange(WIDTH)
    return sum(peak * np.exp(-(((columns - at) / 9) ** 2)) for at, peak in ((44, 0.46), (106, 0.38))).astype(np.float32)


def horizon() -> Map:
    """A prior over rows: objects appear just below the horizon."""
    rows = np.arange(HEIGHT)
    reach = np.where(rows < 46, 3.0, 14.0)
    return (0.42 * np.exp(-(((rows - 46) / reach) ** 2)))[:, np.newaxis].astype(np.float32)


def floor() -> Map:
    """No pixel scores less than this."""
    return np.float32(0.14).reshape(())


def model() -> bytes:
    """The two Max nodes, with every type and shape stated."""

    def value(name: str, *shape: int) -> object:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))

    graph = helper.make_graph(
        [
            helper.make_node("Max", ["lane", "horizon"], ["prior"], name="combine_priors"),
            helper.make_node("Max", ["detector", "prior", "floor"], ["fused"], name="fuse"),
        ],
        "score_fusion",
        inputs=[value("detector", 1, HEIGHT, WIDTH), value("lane", WIDTH), value("horizon", HEIGHT, 1), value("floor")],
        outputs=[value("fused", 1, HEIGHT, WIDTH)],
        value_info=[value("prior", HEIGHT, WIDTH)],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_operatorsetid("", 13)], producer_name="score_fusion")
    proto.ir_version = 7  # that of opset 13; newer packages would write their own
    checker.check_model(proto)
    return proto.SerializeToString(deterministic=True)


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "score_fusion.onnx").write_bytes(model())
    for name, make in {"detector": detector, "lane": lane, "horizon": horizon, "floor": floor}.items():
        np.save(folder / f"{name}.npy", make())
    print(f"{folder}: score_fusion.onnx and its inputs detector, lane, horizon, floor (.npy)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
