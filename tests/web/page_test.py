#!/usr/bin/env python3
"""The page of the WebAssembly package in Chromium: it computes, explains, refuses, obeys the keyboard, fits a phone, and says nothing
on the console.

    page_test.py PACKAGE [--pictures FOLDER]    exit status 77 where Chromium or its driver is not installed

--pictures keeps pictures of the page, light, dark and on a phone.
"""

from __future__ import annotations

import functools
import http.server
import sys
import threading
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "kit"))
import browser as driver  # noqa: E402
from audit_page_test import CONTRAST, check, texts  # noqa: E402
from browser import Browser  # noqa: E402


class Server(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_: object) -> None:
        pass


def fill(page: Browser, **values: str) -> None:
    for name, value in values.items():
        page.run("const e = document.forms[0][arguments[0]]; e.value = arguments[1]; e.dispatchEvent(new Event('input', {bubbles: true}))", name, value)


def show(page: Browser, address: str) -> None:
    page.open(address)
    page.wait("return document.documentElement.dataset.ready === 'yes'", "the library is loaded and the page draws")


def example(page: Browser, name: str) -> None:
    page.run("[...document.querySelectorAll('#examples button')].find(e => e.textContent === arguments[0]).click()", name)


def computes(page: Browser) -> None:
    check("wasm" in texts(page, "#version")[0], "which instructions compute")
    check(texts(page, "#elements .value") == ["1", "0.25", "4", "0.5", "5", "4"], f"the maximum: {texts(page, '#elements .value')}")
    check(texts(page, "#elements .bits")[0] == "0x3f800000", "its bits")
    check(texts(page, "#shapes tr") == ["a23", "b(1)3", "result23"], f"how the shapes meet: {texts(page, '#shapes tr')}")
    check("agree in every bit" in texts(page, "#summary")[0], "kernels and reference agree")
    example(page, "Two zeros")
    check(texts(page, "#elements .bits") == ["0x00000000", "0x00000000", "0x80000000", "0x00000000"], "+0 wins")
    check("of zeros, +0 is greater than -0" in texts(page, "#why")[0] and "ORD-2" in texts(page, "#why dt"), "why")
    check("-inf < every negative finite number" in texts(page, "#why dd")[0], "the rule's own text")
    check(texts(page, "#why li.won") == ["b[0] = 0  0x00000000  \u2190"], f"who won: {texts(page, '#why li.won')}")
    example(page, "NaN")
    check(set(texts(page, "#elements .bits")) == {"0x7fc00000"}, "every NaN is the canonical one")
    check(set(texts(page, "#elements .rule")) == {"ORD-3"}, "by ORD-3")
    check(page.run("return document.querySelectorAll('#elements td.surprise').length") == 4, "which is marked")
    example(page, "No elements")
    check(texts(page, "#elements .value") == ["-inf", "-inf"] and set(texts(page, "#elements .rule")) == {"RED-6"}, "a maximum of nothing")
    check(not page.run("return document.querySelector('fieldset.for-max').checkVisibility()"), "a reduction has one tensor")
    example(page, "Whole numbers")
    check(texts(page, "#elements .value")[0] == "9223372036854775807", "64-bit integers are exact")
    fill(page, dtype="uint8", shape0="2,1", values0="1 2", shape1="3", values1="0 2 255")
    check(texts(page, "#elements .value") == ["1", "2", "255", "2", "2", "255"], "what is typed is computed")


def refuses(page: Browser) -> None:
    example(page, "Not broadcastable")
    said = texts(page, "#refused")[0]
    check(page.run("return document.getElementById('result').hidden") and "E1" in said and "[2,3]" in said and "[2]" in said, f"E1 is shown: {said}")
    example(page, "Broadcasting")
    check(page.run("return document.getElementById('refused').hidden && !document.getElementById('result').hidden"), "and goes again")
    fill(page, values0="1 2 3 4 5 <b>six</b>")
    check("element 5" in texts(page, "#refused")[0] and "<b>six</b>" in texts(page, "#refused")[0], "what is no number is named, as text")
    fill(page, values0="1 2")
    check("6" in texts(page, "#refused")[0] and "2" in texts(page, "#refused")[0], "too few elements")
    fill(page, shape0="two")
    check("the shape of a" in texts(page, "#refused")[0], "what is no shape")
    fill(page, shape0="1000000,1000000,1000000,1000000")
    check(texts(page, "#refused")[0] != "", "a shape that nothing can hold")
    example(page, "Broadcasting")


def keyboard(page: Browser, address: str) -> None:
    page.open("about:blank")
    show(page, address)
    page.press("Tab")
    check(page.run("return document.activeElement.className") == "skip", "the first stop skips to the result")
    page.press("Enter")
    check(page.run("return document.activeElement.id") == "result", "it does")
    page.run("document.querySelector('#elements [tabindex=\"0\"]').focus()")
    page.press("ArrowRight", "ArrowDown")
    check(page.run("return document.activeElement.dataset.at") == "4", "arrow keys move")
    check(texts(page, "#why h3")[0].startswith("result[1,1] = 5"), f"and explain: {texts(page, '#why h3')}")
    page.press("Home", "ArrowUp")
    check(page.run("return document.activeElement.dataset.at") == "0", "Home and back")
    check(page.run("return document.querySelectorAll('#elements [tabindex=\"0\"]').length") == 1, "the grid is one stop")
    check(page.run("const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2"), "the focus is seen")


def structure(page: Browser) -> None:
    check(page.run("return document.documentElement.lang") == "en" and page.run("return document.querySelectorAll('h1').length") == 1, "a language, one title")
    nameless = page.run("return [...document.querySelectorAll('button, select, input, textarea')].filter(e => !(e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label'))).length")
    check(nameless == 0, "every control has a name")
    other = page.run("return performance.getEntriesByType('resource').map(e => e.name).filter(e => !e.startsWith(location.origin) && !e.startsWith('data:'))")
    check(other == [], f"nothing is loaded from elsewhere: {other}")


def phone(page: Browser) -> None:
    wide = page.run("""return [...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll, .unseen') &&
        e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.tagName + '.' + e.className).slice(0, 8)""")
    check(page.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), f"no horizontal scroll: {wide}")
    check(page.run("return document.documentElement.clientWidth") == 360, "at 360 pixels")


def picture(page: Browser, folder: str, name: str) -> None:
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(Path(folder) / f"{name}.png", whole=True)


def main() -> int:
    arguments = sys.argv[1:]
    pictures = arguments[arguments.index("--pictures") + 1] if "--pictures" in arguments else ""
    if not arguments:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    if program := driver.missing():
        print(f"skipped: {program} is not installed (scripts/setup.sh --browser)")
        return 77
    handler = functools.partial(Server, directory=arguments[0])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/page/index.html"
        for name, dark, mobile in (("light", False, False), ("dark", True, False), ("phone", False, True), ("phone-dark", True, True)):
            with Browser(width=360 if mobile else 1280, height=780 if mobile else 900, dark=dark, mobile=mobile) as page:
                show(page, address)
                check(page.run("return document.documentElement.dataset.theme") == ("dark" if dark else "light"), f"{name}: the theme is the system's")
                computes(page)
                refuses(page)
                example(page, "NaN")
                faint = page.run(CONTRAST)
                check(faint == [], f"{name}: text that is too faint: {faint}")
                picture(page, pictures, name)
                example(page, "Not broadcastable")
                faint = page.run(CONTRAST)
                check(faint == [], f"{name}: text that is too faint: {faint}")
                example(page, "Broadcasting")
                if mobile:
                    phone(page)
                else:
                    keyboard(page, address)
                structure(page)
                check((said := page.log()) == [], f"{name}: the console says {said}")
        server.shutdown()
    print("page_test.py: light, dark, and a phone's width: all held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
