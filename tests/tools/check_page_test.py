#!/usr/bin/env python3
"""The page of `supremum check --report` in Chromium: it shows the findings, filters, fits a phone and paper, and says nothing on the console.

    check_page_test.py COMMAND [--pictures FOLDER]    exit status 77 where Chromium or its driver, or the onnx package, is not installed

--pictures keeps pictures of the page, and the page as PDF.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import browser as driver  # noqa: E402
from browser import Browser  # noqa: E402

MODEL = """<ir_version: 8, opset_import: ["": 13], producer_name: "trainer">
net (float[N, 3] a, float[4] b, float[2, 3] c) => (float[N, 1] best, float[2, 3] right) {
  t = Abs(a)
  m = Max(t, a)
  best = ReduceMax<axes = [1]>(m)
  wrong = Max(c, b)
  right = Max(c, c)
}"""


def check(condition: object, what: str) -> None:
    if not condition:
        raise AssertionError(what)


def texts(page: Browser, selector: str) -> list[str]:
    return page.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)


def shows(page: Browser, report: dict) -> None:
    everything = " ".join(texts(page, "main"))
    for text in (report["sha256"], "trainer", report["date"], "fails", "BRO-2", "What remains to be argued"):
        check(text in everything, f"the page shows {text!r}")
    failing = [node for node in report["nodes"] if any(one["verdict"] != "holds" for one in node["findings"])]
    check(0 < len(failing) < len(report["nodes"]), "the model has nodes of both kinds")
    check(len(texts(page, "section.node")) == len(failing), "only nodes with something to change are shown at first")
    check(len(texts(page, "section.node svg")) == len(failing), "each with a picture")
    check(not any("holds" == text for text in texts(page, "section.node .verdict")), "and no rule that holds")
    page.run("document.querySelector('input[type=checkbox]').click()")
    check(len(texts(page, "section.node")) == len(report["nodes"]), "then all nodes")
    shown = texts(page, "section.node td:nth-child(3)")
    for node in report["nodes"]:
        for finding in node["findings"]:
            check(any(text.startswith(finding["text"]) for text in shown), f"the finding {finding['text']!r} is shown")


def fits(page: Browser) -> None:
    wide = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(wide <= 0, f"nothing is wider than the window ({wide} pixels)")


def main(command: str, pictures: Path | None) -> int:
    missing = driver.missing()
    try:
        import onnx.parser
    except ImportError:
        missing = missing or "the onnx package"
    if missing:
        print(f"{missing} is not installed")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.onnx").write_bytes(onnx.parser.parse_model(MODEL).SerializeToString())
        done = subprocess.run([command, "check", "net.onnx", "--profile", "sonnx", "--report", "page"], cwd=folder, capture_output=True, text=True)
        check(done.returncode == 1, done.stderr)
        report = json.loads((folder / "page" / "report.json").read_text())
        for mobile in (False, True):
            with Browser(390 if mobile else 1280, 844 if mobile else 900, mobile=mobile) as page:
                page.open((folder / "page" / "index.html").as_uri())
                fits(page)
                if pictures:
                    page.screenshot(pictures / f"check-{'phone' if mobile else 'wide'}.png", whole=True)
                    if not mobile:
                        (pictures / "check.pdf").write_bytes(base64.b64decode(page.cdp("Page.printToPDF", printBackground=True)["data"]))
                shows(page, report)
                fits(page)
                check(page.log() == [], f"the console is silent: {page.log()}")
    print("the page of a check works")
    return 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    keep = Path(arguments[arguments.index("--pictures") + 1]) if "--pictures" in arguments else None
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    sys.exit(main(str(Path(arguments[0]).resolve()), keep))
