"""Chromium without a window, through chromedriver's own protocol (W3C WebDriver), by the standard library alone."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Optional

OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"]
KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010",
        "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c"}


def missing() -> Optional[str]:
    """What is not installed, if anything."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return program
    return None


class Browser:
    """A browser with a profile of its own; to be used in a `with`."""

    def __init__(self, width: int = 1280, height: int = 900, dark: bool = False, mobile: bool = False) -> None:
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.session = ""
        try:
            self.address = f"http://127.0.0.1:{self._port()}"
            arguments = [*OPTIONS, f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}"]
            chrome: dict[str, Any] = {"args": arguments}
            if mobile:
                chrome["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}}
            wanted = {"browserName": "chrome", "goog:chromeOptions": chrome, "goog:loggingPrefs": {"browser": "ALL"}}
            self.session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
            self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self.session:
            self._call("DELETE", f"/session/{self.session}")
        self.driver.terminate()
        self.driver.wait()
        self.profile.cleanup()

    def _port(self) -> int:
        assert self.driver.stdout is not None
        for line in self.driver.stdout:
            if "successfully on port " in line:  # the line before names what was asked for, 0
                return int(line.rsplit("on port ", 1)[1].rstrip(".\n"))
        raise RuntimeError("chromedriver does not say its port")

    def _call(self, method: str, path: str, body: Optional[dict[str, Any]] = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        # Whatever proxy the environment names is not for this machine's own address.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.read().decode()[:500]}") from None

    def _do(self, path: str, body: Optional[dict[str, Any]] = None, method: str = "POST") -> Any:
        return self._call(method, f"/session/{self.session}{path}", body if method == "POST" else None)

    def open(self, address: str) -> None:
        self._do("/url", {"url": address})

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a script's `return`."""
        return self._do("/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script: str, what: str, seconds: float = 20) -> None:
        """Until the script returns something true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {seconds} s")
            time.sleep(0.05)

    def press(self, *keys: str, control: bool = False) -> None:
        """Keys, pressed and released one after the other, to whatever has the focus."""
        actions: list[dict[str, str]] = []
        for key in keys:
            stroke = [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")]
            hold = [{"type": kind, "value": "\ue009"} for kind in ("keyDown", "keyUp")]
            actions += [hold[0], *stroke, hold[1]] if control else stroke
        self._do("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def cdp(self, command: str, **parameters: Any) -> Any:
        return self._do("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self) -> list[str]:
        """What the page wrote to the console since the last call, errors among it."""
        return [f"{one['level']}: {one['message']}" for one in self._do("/se/log", {"type": "browser"})]

    def screenshot(self, file: Path, whole: bool = False) -> None:
        if not whole:
            content = self._do("/screenshot", method="GET")
        else:
            width, height = self.run("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
            clip = {"x": 0, "y": 0, "width": width, "height": min(height, 16000), "scale": 1}
            content = self.cdp("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        file.write_bytes(base64.b64decode(content))
