#!/usr/bin/env python3
"""The page of supremum-audit in Chromium: it draws, filters, has an order of stops, fits a phone, and says nothing on the console.

    audit_page_test.py [--pictures FOLDER]    exit status 77 where Chromium or its driver is not installed

--pictures keeps pictures of the page, light, dark and on a phone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))
import audit_fixture  # noqa: E402
import browser as driver  # noqa: E402
from browser import Browser  # noqa: E402


def check(condition: object, what: str) -> None:
    if not condition:
        raise AssertionError(what)


def texts(page: Browser, selector: str) -> list[str]:
    return page.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)


def choose(page: Browser, name: str, value: str) -> None:
    page.run("const e = document.querySelector(`[name=${arguments[0]}]`); e.value = arguments[1]; e.dispatchEvent(new Event('input', {bubbles: true}))", name, value)


def cells(page: Browser) -> dict[str, dict[str, list[int]]]:
    """What the matrix counts: runner -> rule -> [passed, failed, unsupported, unanswered], read from its labels."""
    labels = page.run("return [...document.querySelectorAll('#matrix td[aria-label]')].map(e => e.getAttribute('aria-label'))")
    names = {"passed": 0, "failed": 1, "unsupported": 2, "without an answer": 3}
    found: dict[str, dict[str, list[int]]] = {}
    for label in labels:
        where, words = label.split(": ")
        runner, rule = where.rsplit(", ", 1)
        counts = [0, 0, 0, 0]
        for part in words.split(", ") if words != "no case" else []:
            count, name = part.split(" ", 1)
            counts[names[name]] = int(count.replace(",", ""))
        found.setdefault(runner, {})[rule] = counts
    return found


def draws(page: Browser, report: dict[str, Any]) -> None:
    ran = [one for one in report["runners"] if one["status"] == "ran"]
    matrix = cells(page)
    for runner in ran:
        row = matrix[runner["name"] if runner["own"] else runner["runtime"]]
        for rule in report["rules"]:
            given = runner["rules"].get(rule["id"], {})
            expected = [given.get(name, 0) for name in ("passed", "failed", "unsupported", "unanswered")]
            check(row[rule["id"]] == expected, f"{runner['name']} {rule['id']}: {row[rule['id']]}, report.json has {expected}")
    check(len(texts(page, "#bars tbody th[scope=row]")) == len(ran), "a bar for each runtime")
    check("not-there: not installed, not-there: no module" in texts(page, "#absent")[0] or "no module named there" in texts(page, "#absent")[0], "who is absent is named")
    check(len(texts(page, ".finding")) == len(report["deviations"]), "a finding for each deviation")
    check(texts(page, "#questions tbody tr")[:2] == ["expected+0+0nan-inf", "Arrays 1.24.2✗ -0+0nan✗ error"], f"small questions and their answers: {texts(page, '#questions tbody tr')[:2]}")
    check("✓ supremum passes all" in texts(page, "#verdict")[0], "supremum's own verdict")
    check(texts(page, "#types-title") == ["Types"] and len(texts(page, "#heat thead th.column")) == 13, "a column for each type and for models")


def opens(page: Browser, report: dict[str, Any]) -> None:
    page.run("document.querySelector('.finding summary').click()")
    page.wait("return document.querySelector('.finding .body') !== null", "a finding opens")
    first = report["deviations"]
    body = texts(page, ".finding .body")[0]
    check(any(one["smallest"]["id"] in body and one["smallest"]["reproduce"] in body for one in first), "its smallest case and its command")
    check(len(texts(page, ".finding .body .elements li")) > 0, "its elements")
    page.run("document.querySelector('.finding .command button').click()")
    page.wait("return document.querySelector('.finding .command button').textContent === 'Copied'", "the command is copied")
    choose(page, "q", "zero-size Arrays")
    page.wait("return document.querySelectorAll('.finding').length === 1", "the search finds what a runtime said")
    page.run("document.querySelector('.finding summary').click()")
    page.wait("return document.querySelector('.finding .said') !== null", "what a runtime said is shown")
    check("<b>zero-size array</b>" in texts(page, ".finding .said")[0], "as text, not as markup")
    choose(page, "q", "")


def filters(page: Browser, report: dict[str, Any]) -> None:
    choose(page, "runtime", "arrays")
    expected = [one for one in report["deviations"] if one["runner"] == "arrays"]
    check(len(texts(page, ".finding")) == len(expected), "the runtime's findings alone")
    check("runtime=arrays" in page.run("return location.hash"), "the address has the filter")
    choose(page, "type", "float16")
    expected = [one for one in expected if "float16" in one["types"]]
    check(len(texts(page, ".finding")) == len(expected), "of the type alone")
    of_type = sum(one.get("type") == "float16" and "TYP-1" in one["rules"] for one in report["cases"])
    check(cells(page)["Arrays"]["TYP-1"][0] == of_type > 0, "counts of one type alone")
    choose(page, "outcome", "unsupported")
    check("Nothing matches" in texts(page, "#list")[0], "reports that nothing matches")
    choose(page, "type", "bfloat16")
    check("no kernel for bfloat16" in texts(page, ".finding")[0], "what is unsupported, in the runtime's words")
    page.run("document.getElementById('reset').click()")
    check(page.run("return location.hash") == "" and len(texts(page, ".finding")) == len(report["deviations"]), "reset shows all")
    page.run("location.hash = '#rule=ORD-2&runtime=lightning&outcome=any'")
    page.wait("return document.querySelector('[name=rule]').value === 'ORD-2'", "the address sets the filters")
    check(all("Lightning" in one for one in texts(page, "#list h3")), "and the list follows")
    page.run("location.hash = '#rule=nonsense&runtime=%3Cimg%3E&type=toString'")
    page.wait("return document.querySelector('[name=rule]').value === ''", "an address that names nothing is no filter")
    check(len(texts(page, ".finding")) == len(report["deviations"]), "and shows all")
    page.run("document.getElementById('reset').click()")


def show(page: Browser, address: str) -> None:
    page.open("about:blank")
    page.open(address)
    page.wait("return document.querySelectorAll('#matrix td').length > 0", "the page draws")


def keyboard(page: Browser, address: str) -> None:
    show(page, address)
    page.press("Tab")
    check(page.run("return document.activeElement.id") == "skip", "the first stop skips to the findings")
    check(page.run("return document.activeElement.getBoundingClientRect().top >= 0"), "and is seen")
    page.press("Enter")
    check(page.run("return document.activeElement.id") == "findings", "it does")
    stops: list[str] = []
    page.run("document.getElementById('skip').focus()")
    for _ in range(12):
        page.press("Tab")
        stops.append(page.run("const e = document.activeElement; return e.name || e.id || e.closest('table')?.id || e.tagName"))
    check(stops[:7] == ["runtime", "rule", "operator", "type", "outcome", "q", "reset"], f"the order of stops: {stops}")
    page.run("document.querySelector('#matrix td.f4, #matrix td.f3, #matrix td.f2').click()")
    check("runtime=" in page.run("return location.hash") and "rule=" in page.run("return location.hash"), "a cell filters")
    check(page.run("return document.querySelectorAll('#matrix td.chosen').length === 1"), "and is marked")
    page.run("document.querySelector('#matrix td.chosen').click()")
    check(page.run("return location.hash") == "", "and again undoes it")


def structure(page: Browser) -> None:
    check(page.run("return document.documentElement.lang") == "en" and page.run("return document.querySelectorAll('h1').length") == 1, "a language, one title")
    nameless = page.run("return [...document.querySelectorAll('button, select, input')].filter(e => !(e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label'))).length")
    check(nameless == 0, "every control has a name")
    check(page.run("return [...document.querySelectorAll('#matrix thead th.column, #heat thead th.column')].every(e => e.scope === 'col')"), "columns have headers")
    check(page.run("return [...document.querySelectorAll('#matrix td.f1, #matrix td.f2, #matrix td.f3, #matrix td.f4')].every(e => e.textContent.startsWith('✗'))"),
          "what failed is not told by colour alone")
    check(page.run("return performance.getEntriesByType('resource').filter(e => !e.name.startsWith('data:')).length") == 0, "nothing is loaded")


CONTRAST = """
const parse = (c) => c.match(/[\\d.]+/g).map(Number);
const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.99) return c.slice(0, 3); } return [255, 255, 255]; };
const faint = [];
for (const e of document.querySelectorAll('p, h1, h2, h3, dt, dd, label, select, button, th, td, li, summary span, code')) {
  if (!e.textContent.trim() || e.closest('.unseen, .skip, .away, .dim') || e.offsetParent === null || !e.checkVisibility()) continue;
  const a = light(parse(getComputedStyle(e).color).slice(0, 3)), b = light(ground(e));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) faint.push(`${e.tagName}.${e.className} ${e.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
}
return faint.slice(0, 10);
"""


def phone(page: Browser) -> None:
    # Everything that can open is open.
    page.run("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    page.wait("return document.querySelectorAll('.finding .body').length > 3", "findings open")
    page.run("document.querySelectorAll('.finding .all').forEach(e => { e.open = true; })")
    wide = page.run("""return [...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll, .command code, .unseen') &&
        e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.tagName + '.' + e.className).slice(0, 8)""")
    check(page.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), f"no horizontal scroll: {wide}")
    check(page.run("return document.documentElement.clientWidth") == 360, "at 360 pixels")
    check(page.run("const b = document.querySelector('#matrix').closest('.scroll'); return b.scrollWidth > b.clientWidth"), "the matrix scrolls in its box")
    page.run("document.querySelector('#matrix').closest('.scroll').scrollLeft = 300")
    check(page.run("const b = document.querySelector('#matrix').closest('.scroll'); return Math.abs(b.querySelector('tbody th.row').getBoundingClientRect().left"
                   " - b.getBoundingClientRect().left) <= 2"), "its first column stays")


def make_report(folder: Path) -> tuple[dict[str, Any], str]:
    audit_fixture.write(folder)
    command = [sys.executable, "-m", "supremum.kit", "--cases", "cases", "--runners", "runners", "--report", "report"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "kit")}, check=False)
    check(done.returncode == 0, f"supremum-audit: exit status {done.returncode}: {done.stderr}")
    report = folder / "report"
    return json.loads((report / "report.json").read_text(encoding="utf-8")), (report / "index.html").as_uri()


def main() -> int:
    if (absent := driver.missing()) is not None:
        print(f"audit_page_test.py: skipped: there is no {absent}; scripts/setup.sh --browser installs it")
        return 77
    pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as name:
        report, address = make_report(Path(name))
        for kind in ({}, {"dark": True}, {"width": 360, "height": 800, "mobile": True}, {"width": 360, "height": 800, "mobile": True, "dark": True}):
            with Browser(**kind) as page:
                show(page, address)
                title = "-".join(["phone" if kind.get("mobile") else "desktop", "dark" if kind.get("dark") else "light"])
                if pictures:
                    pictures.mkdir(parents=True, exist_ok=True)
                    page.screenshot(pictures / f"{title}.png", whole=True)
                check(page.run("return getComputedStyle(document.documentElement).colorScheme") == title.split("-")[1], "the colours are the system's")
                faint = page.run(CONTRAST)
                check(not faint, f"{title}: text of too little contrast: {faint}")
                if kind.get("mobile"):
                    phone(page)
                elif not kind.get("dark"):
                    structure(page)
                    draws(page, report)
                    opens(page, report)
                    filters(page, report)
                    keyboard(page, address)
                said = page.log()
                check(not said, f"{title}: the console says: {said}")
                print(f"{title}: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
