"""Screenshots of the built documentation, wide and narrow, light and dark, and a list of what runs off a page.

``sphinx-build -q docs build/docs && python docs/screenshots.py build/docs build/screenshots`` needs chromium on the
PATH and nothing else: the browser is driven through a pipe. Names of pages after the folders choose pages.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

WIDTHS, MODES = (1280, 400), ("light", "dark")
FAULTS = """[...document.querySelectorAll('article *')].filter(each => {
  const box = each.getBoundingClientRect();
  if (!box.width || box.right <= innerWidth + 1) return false;
  for (let up = each.parentElement; !up.matches('.content'); up = up.parentElement)
    if (/auto|scroll|hidden/.test(getComputedStyle(up).overflowX)) return false;
  return true;
}).map(each => `runs off: ${each.tagName} ${each.textContent.trim().slice(0, 40)}`).concat(
  [...document.querySelectorAll('.content thead')].filter(each => !each.getBoundingClientRect().height)
    .map(each => `no header: ${each.textContent.trim().slice(0, 40)}`)).concat(
  [...document.images].filter(each => !each.naturalWidth).map(each => `no picture: ${each.src}`)).join('\\n')"""


class Browser:
    """Chromium with its DevTools protocol on two pipes, file descriptors 3 and 4: JSON, ended by null bytes."""

    def __init__(self, profile: str) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            raise SystemExit("screenshots need chromium on the PATH")
        read, self.write = os.pipe()
        self.read, write = os.pipe()
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec 3<&{read} 4>&{write}; exec "$@"', "sh", program, *options, "--remote-debugging-pipe"],
            pass_fds=(read, write),
            stderr=subprocess.DEVNULL,
        )
        os.close(read), os.close(write)
        self.left, self.number, self.session = b"", 0, ""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")

    def message(self) -> dict[str, Any]:
        """The next message of the browser."""
        while b"\0" not in self.left:
            if not (more := os.read(self.read, 1 << 20)):
                raise SystemExit("the browser ended")
            self.left += more
        first, self.left = self.left.split(b"\0", 1)
        return json.loads(first)

    def ask(self, method: str, until: str = "", **parameters: Any) -> dict[str, Any]:
        """What the browser answers, and the event ``until`` after it if there is one to wait for."""
        self.number += 1
        sent = {"id": self.number, "method": method, "params": parameters}
        os.write(self.write, json.dumps(sent | ({"sessionId": self.session} if self.session else {})).encode() + b"\0")
        answer, waiting = None, bool(until)
        while answer is None or waiting:
            found = self.message()
            waiting = waiting and found.get("method") != until
            answer = found if found.get("id") == self.number else answer
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def show(self, page: Path, width: int, mode: str) -> tuple[bytes, str]:
        """The picture of a page in this width and mode, and its faults."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": mode}])
        self.ask("Page.navigate", until="Page.loadEventFired", url=page.resolve().as_uri())
        faults = self.ask("Runtime.evaluate", expression=FAULTS)["result"]["value"]
        height = self.ask("Page.getLayoutMetrics")["cssContentSize"]["height"]
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 12000), "scale": 1}
        found = self.ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(found["data"]), faults


def main(site: Path, folder: Path, pages: list[str]) -> int:
    """Save the pictures; 1 if something runs off a page, a table has lost its header or a picture is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    found = [page for page in sorted(site.rglob("*.html")) if not pages or page.stem in pages]
    wrong = 0
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        for page in found:
            for width in WIDTHS:
                for mode in MODES:
                    picture, faults = browser.show(page, width, mode)
                    name = str(page.relative_to(site).with_suffix("")).replace("/", "-")
                    (folder / f"{name}-{width}-{mode}.png").write_bytes(picture)
                    if faults and mode == MODES[0]:
                        sys.stdout.write("\n  ".join([f"{name} at {width}:", *faults.splitlines()[:5]]) + "\n")
                        wrong = 1
        browser.ask("Browser.close")
        browser.process.wait()
    sys.stdout.write(f"{len(found)} pages in {folder}\n")
    return wrong


if __name__ == "__main__":
    site, folder, *pages = sys.argv[1:]
    sys.exit(main(Path(site), Path(folder), pages))
