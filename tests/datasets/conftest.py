"""A host on loopback that offers archives as the public one does, with the faults of a bad day."""

import contextlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from archives import COMMIT

MOVED = "/moved"  # where the archives lie to which some requests are redirected
PIECES = 20  # of an archive that trickles


class Host:
    """What is offered by path, how it misbehaves, and what was asked for."""

    def __init__(self):
        self.files, self.faults, self.asked = {}, [], []
        self.pause = 0.05  # seconds between pieces of what trickles; what stalls is silent for a hundred times that

    def offer(self, repository, data, commit=COMMIT):
        self.files[f"/{repository}/archive/{commit}.tar.gz"] = data


@pytest.fixture
def host(monkeypatch, tmp_path):
    found = Host()

    class Answer(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            found.asked.append((self.path, self.headers.get("Range")))
            fault = found.faults.pop(0) if found.faults else ""
            data = found.files.get(self.path.removeprefix(MOVED))
            if isinstance(fault, int) or data is None:
                self.send_error(fault or 404)
                return
            if fault in ("redirect", "moved"):
                self.send_response(302)
                self.send_header("Location", MOVED * (fault == "moved") + self.path)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if fault == "silent":
                time.sleep(20 * found.pause)
                return
            start = int(self.headers["Range"][6:-1]) if self.headers.get("Range") else 0
            self.send_response(206 if start else 200)
            self.send_header("ETag", '"one"')
            if fault != "no length":
                self.send_header("Content-Length", str(len(data) - start + {"long": 100, "short": -100}.get(fault, 0)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):  # whoever asked may have given up
                self.send(data[start:], fault)

        def send(self, data, fault):
            third = len(data) // 3
            if fault == "trickle":
                for at in range(0, len(data), len(data) // PIECES + 1):
                    self.wfile.write(data[at : at + len(data) // PIECES + 1])
                    time.sleep(found.pause)
            elif fault == "stall":
                self.wfile.write(data[:third])
                time.sleep(100 * found.pause)
            else:
                self.wfile.write(data[: {"cut": third, "short": -100}.get(fault, len(data))])

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BEHOLDER_DATA_HOST", f"http://127.0.0.1:{server.server_port}")
    yield found
    server.shutdown()
    server.server_close()
