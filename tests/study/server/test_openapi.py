"""What the OpenAPI description says can be sent, and much that it does not, leads to no fault of the server."""

import threading
import time
import warnings

import pytest
import uvicorn
from hypothesis import HealthCheck, Phase, given, settings

from damage import DEEP
from study_servers import SECRET, free_port, running

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis

PAGES = ("", "enter", "go", "consent", "form", "device", "instructions", "comment", "withdraw", "done")
JSON = ("api/next", "api/answer", "api/event", "media/{mtoken}")
ADMIN = ("status", "status.json", "export.zip", "reject", "delete")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("study"), comment=True) as it:
        yield it


@pytest.fixture(scope="module")
def address(server):
    """The same application behind a real socket."""
    port = free_port()
    config = uvicorn.Config(server.client.app, port=port, lifespan="off", log_level="critical", access_log=False)
    real = uvicorn.Server(config)
    thread = threading.Thread(target=real.run)
    thread.start()
    end = time.monotonic() + 240
    while not real.started and time.monotonic() < end:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}"
    real.should_exit = True
    thread.join()


def description(server):
    """Only who has the secret is told what can be asked."""
    return server.browser().get("/openapi.json", headers={"Authorization": f"Bearer {SECRET}"}).json()


def test_the_description_names_every_route(server):
    assert server.browser().get("/openapi.json").status_code == 401
    assert server.browser().get("/openapi.json", headers={"Authorization": "Bearer guess"}).status_code == 401
    found = set(description(server)["paths"])
    assert {f"/s/{{study}}/{name}" for name in (*PAGES, *JSON)} <= found
    assert {f"/admin/{{study}}/{name}" for name in ADMIN} <= found
    assert {"/admin", "/admin/login", "/health"} <= found


def cases_of(operation, many):
    """Requests as the description has them, and others."""
    wrong = operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)
    found = []

    @settings(
        max_examples=many, deadline=None, database=None, phases=[Phase.generate], derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy() | wrong)
    def collect(case):
        found.append(case)

    collect()
    return found


def test_schemathesis_finds_no_fault_of_the_server(server, address):
    person = server.participant()
    person.until_trials()
    token = person.browser.cookies["beholder_session"]
    people = [{"Authorization": f"Bearer {token}", "X-Beholder": "1"}, {"Authorization": f"Bearer {SECRET}"}, {}]
    schema = schemathesis.openapi.from_dict(description(server))
    faults, asked = [], 0
    for operation in (result.ok() for result in schema.get_all_operations()):
        for at, case in enumerate(cases_of(operation, 60 if DEEP else 6)):
            if at % 4 and "study" in (case.path_parameters or {}):
                case.path_parameters["study"] = "gaze"
            reply = case.call(base_url=address, headers=people[at % len(people)])
            asked += 1
            if reply.status_code >= 500:
                faults.append((case.method, case.path, case.body, reply.status_code))
    assert asked > 80
    assert faults == []
