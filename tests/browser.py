# SPDX-License-Identifier: Apache-2.0
"""A page in a headless Chromium, by the DevTools protocol over a pipe: what tests and pictures of the HTML report need.

    with browser.Page("report.html", width=400, dark=True) as page:
        page.press("j")
        assert page.ask("document.title") == "..."
        page.picture("narrow.png")

What the page says on its console, and every exception of its script, is kept in page.complaints; what it asked the
network for in page.requests.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
KEYS = {"Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9, "Enter": 13}


class Page:
    def __init__(self, path, width=1280, height=900, dark=False, fragment=""):
        self.complaints, self.requests, self.events, self.number = [], [], [], 0
        self.home = tempfile.mkdtemp()
        here, there = os.pipe(), os.pipe()  # its commands, its answers: it has them as descriptors 3 and 4
        self.commands, self.answers = open(here[1], "wb", buffering=0), open(there[0], "rb")
        low = here[0], there[1]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{low[0]} 4>&{low[1]}', "sh", PROGRAM, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.home}", "about:blank"],
            pass_fds=low, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in low:
            os.close(fd)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in "Page", "Runtime", "Network", "Log":
            self.call(f"{part}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        self.wait("Page.loadEventFired")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        self.call("Browser.close")
        self.process.wait()
        self.commands.close()
        self.answers.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def receive(self):
        message = bytearray()
        while (byte := self.answers.read(1)) != b"\0":
            if not byte:
                raise RuntimeError("the browser is gone")
            message += byte
        message = json.loads(message)
        if message.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(message["params"]["exceptionDetails"]))
        elif message.get("method") in ("Runtime.consoleAPICalled", "Log.entryAdded"):
            self.complaints.append(json.dumps(message["params"]))
        elif message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer.get("method"))

    def wait(self, event):
        while event not in self.events:
            self.events.append(self.receive().get("method"))
        self.events.clear()

    def ask(self, expression):
        """The value of an expression of JavaScript."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def press(self, *keys):
        for key in keys:
            text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            code = KEYS.get(key, ord(key[0].upper()))
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, words):
        self.call("Input.insertText", text=words)

    def picture(self, path, whole=False):
        """A PNG of what is seen; `whole`: of all that can be scrolled to."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
