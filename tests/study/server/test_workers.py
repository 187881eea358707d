"""Several processes serve one study, with either database."""

from concurrent.futures import ThreadPoolExecutor

from beholder.study.server.store import Store
from study_servers import Process, Remote, served, server_key, write_file

PEOPLE = 6


def test_two_workers_serve_one_study_evenly_and_keep_everything(db, tmp_path):
    study = served(tmp_path / "study", platform="prolific", comment=True)
    store = Store(db, server_key())
    try:
        with Process(write_file(study), db, workers=2) as process:
            site = Remote(process.address, store, study)

            def take_part(at):
                person = site.participant(PROLIFIC_PID=f"{at:024x}", STUDY_ID="s", SESSION_ID="x")
                said = person.until_trials()
                while not said["done"]:
                    reply = person.answer(said["trial"], person.right(said["trial"]))
                    assert reply.status_code == 200, reply.text
                    said = reply.json()["next"]
                person.get("/go")
                person.post("/comment", comment="fine")
                done = person.get("/done").text
                person.browser.close()
                return done

            with ThreadPoolExecutor(PEOPLE) as threads:
                last = list(threads.map(take_part, range(PEOPLE)))
        assert all("DONE1" in text for text in last)
        tables = store.tables("gaze")
        assert [row["outcome"] for row in tables["sessions"]] == ["complete"] * PEOPLE
        assert len(tables["answers"]) == PEOPLE * 7
        assert not [event for event in tables["events"] if event["what"] == "uneven"]
        for row in store.status("gaze")["simulated"]["exposure"].values():
            assert row["answered_most"] - row["answered_least"] <= 1
    finally:
        store.close()
