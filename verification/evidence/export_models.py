#!/usr/bin/env python3
"""Exports a small network with Max and ReduceMax nodes by PyTorch's exporter, for real_models.py --models FOLDER.

    verification/evidence/export_models.py FOLDER

Writes pytorch_N.onnx for opsets 8 to 20 as far as this PyTorch has them, pytorch_N_functions.onnx with the network's modules as functions,
pytorch_N_branches.onnx with a choice of two reductions in subgraphs, pytorch_17_external.onnx with its weights in another file, and
pytorch_17_to_N.onnx, which onnx's version converter makes of opset 17 for opsets 21 and 22. What cannot be made is said. Needs PyTorch 2.0
or later, and onnx.
"""

import pathlib
import subprocess
import sys
import warnings

OPSETS = range(8, 21)
CONVERTED = (21, 22)


def export(opset: int, kind: str, path: pathlib.Path) -> None:
    import torch

    class Pool(torch.nn.Module):
        def forward(self, x):
            return torch.amax(x, dim=(2, 3), keepdim=True)

    class Maxout(torch.nn.Module):
        def __init__(self, width):
            super().__init__()
            self.a, self.b = torch.nn.Linear(width, width), torch.nn.Linear(width, width)
            self.floor = torch.nn.Parameter(torch.zeros(width))

        def forward(self, x):
            return torch.maximum(torch.maximum(self.a(x), self.b(x)), self.floor)

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.convolution, self.pool = torch.nn.Conv2d(3, 16, 3), Pool()
            self.first, self.second = Maxout(16), Maxout(16)

        def forward(self, image):
            return torch.softmax(self.second(self.first(self.pool(self.convolution(image)).flatten(1))), -1)

    class Branches(torch.nn.Module):
        def forward(self, image, mask):
            if bool(mask.any()):
                scores = torch.amax(torch.maximum(image, mask), dim=(2, 3))
            else:
                scores = torch.amax(image, dim=(2, 3))
            return torch.maximum(scores, torch.zeros_like(scores))

    torch.manual_seed(1)
    warnings.simplefilter("ignore")
    if kind == "branches":
        images = torch.zeros(2, 3, 32, 32)
        torch.onnx.export(torch.jit.script(Branches().eval()), (images, images), str(path), opset_version=opset,
                          input_names=["image", "mask"], output_names=["scores"])
        return
    torch.onnx.export(Network().eval(), torch.zeros(2, 3, 32, 32), str(path), opset_version=opset, input_names=["image"],
                      output_names=["scores"], dynamic_axes={"image": {0: "batch"}},
                      export_modules_as_functions={Pool, Maxout} if kind == "functions" else False)


def main() -> None:
    if len(sys.argv) == 4:  # one export: PyTorch's state after a failed one makes the next fail
        export(int(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[1]))
        return
    if len(sys.argv) != 2:
        sys.exit((__doc__ or "").strip())
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for opset in OPSETS:
        for kind in ("plain", "functions", "branches"):
            path = folder / f"pytorch_{opset}{'' if kind == 'plain' else '_' + kind}.onnx"
            done = subprocess.run([sys.executable, __file__, path, str(opset), kind], capture_output=True, text=True)
            if done.returncode != 0:
                path.unlink(missing_ok=True)
                print(f"{path.name}: {done.stderr.strip().splitlines()[-1][:150]}")
    import onnx
    import onnx.version_converter

    onnx.save_model(onnx.load(folder / "pytorch_17.onnx"), folder / "pytorch_17_external.onnx", save_as_external_data=True,
                    location="pytorch_17.weights", size_threshold=64)
    for opset in CONVERTED:
        path = folder / f"pytorch_17_to_{opset}.onnx"
        try:
            onnx.save(onnx.version_converter.convert_version(onnx.load(folder / "pytorch_17.onnx"), opset), path)
        except (RuntimeError, ValueError) as error:
            print(f"{path.name}: {str(error).strip().splitlines()[-1][:150]}")


if __name__ == "__main__":
    main()
