"""A host on loopback that offers archives as the public one does, with the faults of a bad day."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from archives import COMMIT


class Host:
    """What is offered by path, how it misbehaves, and what was asked for."""

    def __init__(self):
        self.files, self.faults, self.asked = {}, [], []

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
            data = found.files.get(self.path)
            if isinstance(fault, int) or data is None:
                self.send_error(fault or 404)
                return
            if fault == "redirect":
                self.send_response(302)
                self.send_header("Location", self.path)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            start = int(self.headers["Range"][6:-1]) if self.headers.get("Range") else 0
            self.send_response(206 if start else 200)
            self.send_header("ETag", '"one"')
            if fault != "no length":
                self.send_header("Content-Length", str(len(data) - start + (100 if fault == "long" else 0)))
            self.end_headers()
            self.wfile.write(data[start : start + len(data) // 3] if fault == "cut" else data[start:])

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BEHOLDER_DATA_HOST", f"http://127.0.0.1:{server.server_port}")
    yield found
    server.shutdown()
    server.server_close()
