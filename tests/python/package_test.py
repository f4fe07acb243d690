"""The package: docstrings, stubs, and a wheel in an empty virtual environment.

    package_test.py BUILD    BUILD being the folder in which CMake has built the module
"""

import ast
import doctest
import importlib.util
import inspect
import os
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from support import supremum

ROOT = Path(__file__).resolve().parents[2]

# Program that must run in an environment without other packages, not even NumPy.
BARE = """
import array, sys, supremum
assert supremum.__file__.startswith(sys.prefix), supremum.__file__
out = array.array("f", [0, 0])
assert supremum.maximum_of(array.array("f", [1, -5]), array.array("f", [-2, 3]), out=out) is out and list(out) == [1, 3]
one = array.array("i", [0])
assert supremum.max(array.array("i", [4, 9, 2]), keepdims=True, out=one) is one and one[0] == 9
try:
    supremum.maximum_of(out)
except supremum.InvalidValue as error:
    assert "NumPy" in str(error) and "pass out" in str(error), error
else:
    raise AssertionError("no error")
"""


def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise AssertionError(f"{command}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


class Documentation(unittest.TestCase):
    def test_examples_of_docstrings_run(self):
        attempted = 0
        for test in doctest.DocTestFinder().find(supremum, "supremum"):
            runner = doctest.DocTestRunner()
            runner.run(test)
            self.assertEqual(runner.failures, 0, test.name)
            attempted += runner.tries
        self.assertGreater(attempted, 20)

    def test_all_that_is_public_has_a_docstring(self):
        for name in [*supremum.__all__, "max"]:
            self.assertTrue(getattr(supremum, name).__doc__, name)


class Names(unittest.TestCase):
    def run_with_nothing_installed(self, code):
        """Runs `code` where an import of another package fails."""
        refused = "import sys\nfor name in ('numpy', 'onnx', 'torch', 'onnxruntime', 'hypothesis', 'pytest', 'dask', 'xarray', 'mpi4py'): sys.modules[name] = None\n"
        return run(sys.executable, "-c", refused + code)

    def test_import_of_everything_shadows_no_name_of_python(self):
        self.run_with_nothing_installed(
            "import builtins\nbefore = set(dir(builtins))\nfrom supremum import *\n"
            "assert maximum_of and not before & set(globals()) - {'__builtins__', '__doc__', '__loader__', '__name__', '__package__', '__spec__'}, globals()"
        )
        shadowed = "from supremum.numpy import *; assert maximum and max is __builtins__.max"
        run(sys.executable, "-c", shadowed)
        run(sys.executable, "-c", shadowed.replace("supremum.numpy", "supremum.kit").replace("maximum", "cases"))

    def test_modules_are_imported_when_they_are_first_used(self):
        files = {path.stem for path in (ROOT / "python" / "supremum").glob("[a-z]*.py")}
        self.assertEqual(files | {"kit"}, set(supremum._MODULES))
        code = "import sys, supremum\nloaded = set(sys.modules)\nassert not {m for m in loaded if m.split('.')[0] in ('numpy', 'torch', 'onnx')}\n"
        run(sys.executable, "-c", code + "assert supremum.numpy.maximum(1, 2) == 2 and 'torch' not in sys.modules and supremum.numpy is sys.modules['supremum.numpy']")
        self.run_with_nothing_installed("import supremum\ntry: supremum.torch\nexcept ImportError: pass\nelse: raise AssertionError")
        self.run_with_nothing_installed("import inspect, supremum; inspect.getmembers(supremum)")

    def test_a_name_that_is_gone_names_the_other(self):
        for name in ("reduce_max", "amax"):
            with self.assertRaisesRegex(AttributeError, rf"'{name}'; use supremum.max\(x, axis=...\)"):
                getattr(supremum, name)
        with self.assertRaisesRegex(AttributeError, "no attribute 'minimum'$"):
            supremum.minimum


class Version(unittest.TestCase):
    def test_it_is_one_everywhere(self):
        for path, pattern in (("CMakeLists.txt", r"project\(supremum VERSION (\S+)"), ("pyproject.toml", r'^version = "(.*)"$')):
            stated = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
            self.assertEqual(stated and stated[1], supremum.__version__, path)


class Stubs(unittest.TestCase):
    def stub(self, name):
        path = ROOT / "python" / "supremum" / f"{name}.pyi"
        return ast.parse(path.read_text(encoding="utf-8"))

    def test_they_name_what_is_there(self):
        names = set()
        for node in self.stub("__init__").body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, ast.ImportFrom):
                names |= {alias.asname for alias in node.names if alias.asname}
        self.assertEqual(names, {*supremum.__all__, *supremum._MODULES, "max"})

    def test_signatures_are_those_of_the_functions(self):
        functions = [node for node in self.stub("__init__").body if isinstance(node, ast.FunctionDef)]
        self.assertEqual(len(functions), 3)
        for node in functions:
            actual = inspect.signature(getattr(supremum, node.name)).parameters.values()
            defaults = [ast.literal_eval(default) for default in node.args.defaults + node.args.kw_defaults]
            by_position = [arg.arg for arg in node.args.posonlyargs]
            others = node.args.args + [node.args.vararg] * bool(node.args.vararg) + node.args.kwonlyargs
            listed = by_position + [arg.arg for arg in others]
            self.assertEqual([parameter.name for parameter in actual], listed)
            self.assertEqual([name.name for name in actual if name.kind == name.POSITIONAL_ONLY], by_position)
            given = [parameter.default for parameter in actual if parameter.default is not parameter.empty]
            self.assertEqual(given, defaults)

    def test_codes_are_those_of_the_module(self):
        (codes,) = (node for node in self.stub("_errors").body if getattr(node, "name", "") == "ErrorCode")
        listed = {node.targets[0].id: ast.literal_eval(node.value) for node in codes.body}
        self.assertEqual(listed, {code.name: code.value for code in supremum.ErrorCode})


class Setup(unittest.TestCase):
    def existing_build(self, root, environment):
        with unittest.mock.patch("setuptools.setup"):
            function = runpy.run_path(str(ROOT / "setup.py"))["existing_build"]
        with unittest.mock.patch.dict(function.__globals__, ROOT=root), unittest.mock.patch.dict(os.environ, environment):
            return function("_core.of-this-python.so")

    def test_a_build_of_this_tree_for_this_python_is_used(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            build = root / "build" / "release"
            (build / "python" / "supremum").mkdir(parents=True)
            module, cache = build / "python" / "supremum" / "_core.of-this-python.so", build / "CMakeCache.txt"
            self.assertIsNone(self.existing_build(root, {"SUPREMUM_BUILD_DIR": ""}))
            cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={root}\n")
            self.assertIsNone(self.existing_build(root, {"SUPREMUM_BUILD_DIR": ""}))
            module.touch()
            self.assertEqual(self.existing_build(root, {"SUPREMUM_BUILD_DIR": ""}), build)
            self.assertEqual(self.existing_build(root, {"SUPREMUM_BUILD_DIR": "elsewhere"}), Path("elsewhere"))
            cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={root}/other\n")  # a copied tree
            self.assertIsNone(self.existing_build(root, {"SUPREMUM_BUILD_DIR": ""}))


class Wheel(unittest.TestCase):
    def test_it_works_in_an_empty_virtual_environment(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            # CMake has built the compiled part already.
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-build-isolation", "--no-deps"]
            run(*pip, "-w", folder, str(ROOT), env={**environment, "SUPREMUM_BUILD_DIR": str(BUILD)})
            (wheel,) = Path(folder).glob("supremum-*.whl")
            run(sys.executable, "-m", "venv", f"{folder}/empty", env=environment)
            python = f"{folder}/empty/bin/python"
            run(python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", str(wheel), env=environment)
            run(python, "-c", BARE, env=environment, cwd=folder)
            count = run(python, "-c", "from supremum import kit; print(len(kit.cases()))", env=environment, cwd=folder)
            self.assertGreater(int(count), 9000)
            registered = "import importlib.metadata as m; print([(e.group, e.name, e.value) for e in m.distribution('supremum').entry_points])"
            found = run(python, "-c", registered, env=environment, cwd=folder)
            self.assertIn("('console_scripts', 'supremum-audit', 'supremum.kit.__main__:main')", found)
            with self.assertRaisesRegex(AssertionError, "No module named 'numpy'"):
                run(python, "-c", "import numpy", env=environment, cwd=folder)
            installed = run(python, "-m", "pip", "show", "-f", "supremum", env=environment)
            for name in ("py.typed", "__init__.pyi", "_core.pyi", "backend.py", "dask.py", "mpi.py", "numpy.py", "reference_ops.py", "torch.py", "xarray.py", "kit/__init__.py", "kit/page/page.html", "kit/runners/numpy", "kit/semantics.md", "kit/cases/max_signed_zeros.json", "kit/further/memory_in_place.json"):
                self.assertIn(f"supremum/{name}", installed)
            metadata = run(python, "-c", "import importlib.metadata as m; print(m.distribution('supremum').read_text('METADATA'))", env=environment, cwd=folder)
            for line in ("License: Apache-2.0", "Requires-Python: >=3.9", "Classifier: Typing :: Typed", "License-File: LICENSE", "Description-Content-Type: text/markdown"):
                self.assertIn(line, metadata)
            for module in (BUILD / "python" / "supremum").glob("*.so"):
                self.assertIn(f"supremum/{module.name}", installed)


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop()).resolve()
    if importlib.util.find_spec("setuptools") is None or importlib.util.find_spec("wheel") is None:
        print("skipped: python3-setuptools or python3-wheel is missing; scripts/setup.sh installs them")
        sys.exit(77)
    unittest.main()
