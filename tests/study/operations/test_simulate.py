"""A rehearsal goes through real HTTP, and verifies what a server promises; a broken promise is found."""

import csv
import json

import numpy as np
import pytest

import study_places
from beholder.errors import Misuse
from beholder.study.analysis.analyse import analyse
from beholder.study.design.file import read
from beholder.study.operations.observers import Looks, Observer, Population, with_kappa
from beholder.study.operations.place import place as where
from beholder.study.operations.rehearsal import rehearse
from beholder.study.operations.simulate import Found, Recovered, Rehearsal, refuse_real, server, text, verify
from beholder.study.operations.visitors import Diary
from beholder.study.server.store import Store


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return study_places.write(tmp_path_factory.mktemp("study"), top='platform = "prolific"')


@pytest.fixture(scope="module")
def running(place, tmp_path_factory):
    """A server in a process of its own: its address and its database."""
    db = str(tmp_path_factory.mktemp("db") / "simulated.sqlite")
    with server(where(str(place)), db) as address:
        yield {"url": address, "db": db}


@pytest.fixture(scope="module")
def whole(place, running, tmp_path_factory):
    """24 participants, eight at a time, all of whom stay: what was found, the tables, and the folder that was kept."""
    out = tmp_path_factory.mktemp("whole")
    found = rehearse(str(place), Rehearsal(n=24, dropout=0, at_once=8), out=out, **running)
    return found, tables_in(running["db"]), out


def tables_in(db):
    store = Store(db, b"another key does not matter here")
    tables = store.tables("small")
    store.close()
    return tables


def test_nobody_is_lost_and_every_promise_is_kept(whole):
    found, *_ = whole
    assert found.faults == []
    assert set(found.diary.outcomes.values()) == {"done"}
    assert len(found.diary.stored) == 24 * 9  # 6 trials, practice, check, repeat
    assert "verified" in text(found)


def recovered(one):
    """Within three half-widths: who comes when is chance, and one of twenty 95 % intervals misses."""
    wide = one.high - one.low
    return one.low - wide <= one.truth <= one.high + wide


def test_without_drop_out_exposure_differs_by_one_at_most(whole):
    found, *_ = whole
    assert found.spread == {"human": (9, 9), "synthetic": (9, 9)}  # 24 × 3 answers on 8 items


def test_what_was_put_in_lies_inside_its_interval(whole):
    found, *_ = whole
    assert [one.name for one in found.recovered] == ["d′", "κ"]
    assert all(map(recovered, found.recovered)), [str(one) for one in found.recovered]


def test_from_export_to_analysis(whole):
    *_, out = whole
    with (out / "export" / "answers.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    trials = [row for row in rows if row["use"] == "trial"]
    assert len(rows) == 24 * 9
    analysis = analyse(out / "export")
    assert analysis.everybody.participants == 24
    assert analysis.everybody.answers == len(trials)
    said = [row["value"] == "human" for row in trials if row["class"] == "human"]
    assert analysis.everybody.detected.hits == pytest.approx(np.mean(said), abs=0.01)
    assert any("simulated" in remark for remark in analysis.remarks)
    about = json.loads((out / "export" / "about.json").read_bytes())
    assert {one["name"] for one in about["cues"]} >= {"path length"}  # the analysis repeats them
    assert about["rows"]["sessions"] == 24


def test_a_broken_promise_is_found(whole, place):
    found, tables, _ = whole
    study = read(place)

    def faults(**changes):
        again = Found(Rehearsal(n=24, dropout=0), found.diary, 1.0)
        verify(study, tables | changes, again)
        return " ".join(again.faults)

    assert "acknowledged answers are not in the database" in faults(answers=tables["answers"][1:])
    assert "24 participants were admitted" in faults(sessions=tables["sessions"][1:])
    often = [
        one | {"item": "trial-0-human"} if one["use"] == "trial" and one["kind"] == "human" else one
        for one in tables["trials"]
    ]
    assert "passed over" in faults(trials=often)
    assert "differs by more than 1" in faults(trials=often)


def test_who_drops_out_and_who_comes_back(place, running, whole):
    """Of 12 more, three leave; the session of who comes back by the link is the same."""
    found = rehearse(str(place), Rehearsal(n=12, dropout=0.25, at_once=6, seed=1), **running)
    assert found.faults == []
    assert sorted(found.diary.outcomes.values()) == ["done"] * 9 + ["left"] * 3
    tables = tables_in(running["db"])
    assert len(tables["sessions"]) == 24 + 12
    assert all(one["simulated"] for one in tables["sessions"])
    before = len([one for one in whole[1]["events"] if one["what"] == "resumed"])
    assert len([one for one in tables["events"] if one["what"] == "resumed"]) > before > 0


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["open", "invite", "mturk"])
def test_every_way_in(platform, tmp_path):
    file = study_places.write(tmp_path / platform, top=f'platform = "{platform}"')
    found = rehearse(str(file), Rehearsal(n=6, dropout=0.2, at_once=3))
    assert found.faults == []
    assert set(found.diary.outcomes.values()) == {"done", "left"}


@pytest.mark.slow
@pytest.mark.parametrize("trial", ["two_alternative", "rating"])
def test_other_kinds_of_trials(trial, tmp_path):
    answers = '[{value = "first", label = "the first"}, {value = "second", label = "the second"}]'
    file = study_places.write(tmp_path, trial=trial, practice=0, checks=0)
    text = file.read_text()
    if trial == "two_alternative":
        text = text.replace(study_places.ANSWERS, answers).replace(', synthetic = "synthetic"}', "}")
    else:
        steps = ", ".join(f'{{value = "{at}", label = "{at}"}}' for at in range(1, 6))
        text = text.replace(study_places.ANSWERS, f"[{steps}]").replace("right =", "# right =")
    file.write_text(text)
    found = rehearse(str(file), Rehearsal(n=12, dropout=0, at_once=6, population=Population(1.0)))
    assert found.faults == []
    assert all(map(recovered, found.recovered)), [str(one) for one in found.recovered]


@pytest.mark.slow
def test_two_hundred_people_of_whom_a_fifth_leaves(tmp_path):
    """32 at a time; the numbers that docs/how-to/run-a-study.md tells of."""
    file = study_places.write(tmp_path, groups=24, count=20)
    found = rehearse(str(file), Rehearsal(n=200, dropout=0.2, at_once=32), out=tmp_path / "out")
    print(text(found))
    assert found.faults == []
    assert sorted(found.diary.outcomes.values()) == ["done"] * 160 + ["left"] * 40
    assert len(found.recovered) == 2
    assert all(map(recovered, found.recovered)), [str(one) for one in found.recovered]


@pytest.mark.slow
def test_what_drop_outs_left_open_is_topped_up(tmp_path):
    """Leases of those who left run out; who comes then gets what was answered least."""
    file = study_places.write(tmp_path / "study", groups=12, top="lease_minutes = 0.005")
    db = str(tmp_path / "answers.sqlite")
    first = rehearse(str(file), Rehearsal(n=24, dropout=0.4, at_once=8), db=db)
    second = rehearse(str(file), Rehearsal(n=24, dropout=0, at_once=1, seed=1), db=db)
    assert first.faults == second.faults == []
    assert max(most - least for least, most in second.spread.values()) <= 1


def test_real_people_are_never_mixed_with_simulated_ones(place):
    study = read(place)
    real = [{"simulated": 0}, {"simulated": 1}]
    with pytest.raises(Misuse, match="1 real session of small; expected one without"):
        refuse_real(study, real, force=False)
    refuse_real(study, real, force=True)
    refuse_real(study, real[1:], force=False)


WRONG = [{"n": 0}, {"n": 10**6}, {"dropout": 1.5}, {"dropout": np.nan}, {"at_once": 0}, {"seed": -1}]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_rehearsals_that_cannot_be(wrong):
    (name,) = wrong
    with pytest.raises(Misuse, match=f"got --{name.replace('_', '-')} .*; expected"):
        Rehearsal(**wrong)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e9])
@pytest.mark.parametrize("name", ["dprime", "item_sd", "person_sd"])
def test_people_who_cannot_be(name, value):
    with pytest.raises(Misuse, match=f"got --{name.replace('_', '-')} .*; expected"):
        Population(**{name: value})


def test_who_comes_to_a_full_study_is_turned_away_and_no_promise_is_broken(tmp_path):
    file = study_places.write(tmp_path / "study", top='platform = "prolific"\nparticipants = 2')
    found = rehearse(str(file), Rehearsal(n=4, dropout=0), db=str(tmp_path / "simulated.sqlite"))
    assert found.faults == []
    assert sorted(found.diary.outcomes.values()) == ["done", "done", "turned away", "turned away"]
    assert "note: 2 were turned away, because the study admits 2" in text(found)
    verify(read(file).model_copy(update={"participants": 3}), tables_in(str(tmp_path / "simulated.sqlite")), found)
    assert "2 participants were turned away, although 2 of 3 places are taken" in found.faults


def test_a_server_behind_a_proxy_whose_cookies_are_for_https(tmp_path):
    """The rehearsal comes by plain HTTP, from behind the proxy; a browser would not send such cookies back."""
    file = study_places.write(tmp_path / "study", top='platform = "prolific"\nretain_until = 2999-01-01')
    db = str(tmp_path / "simulated.sqlite")
    with server(where(str(file)), db, public_url="https://study.example.org") as address:
        found = rehearse(str(file), Rehearsal(n=2, dropout=0), url=address, db=db)
    assert found.faults == []
    assert set(found.diary.outcomes.values()) == {"done"}


def test_a_server_elsewhere_needs_its_database(place):
    with pytest.raises(Misuse, match="--url without --db"):
        rehearse(str(place), Rehearsal(n=1), url="http://127.0.0.1:1")


def test_kappa_and_d_prime_are_those_that_were_asked_for(tmp_path):
    """Many people, all of whom see everything: d′ and κ by their definitions."""
    study = read(study_places.write(tmp_path, groups=300, count=6))
    population = with_kappa(0.2, 0.8, 0.3)
    assert population.kappa == pytest.approx(0.2, abs=1e-6)
    looks = Looks(study, population)
    judged = [item for item in study.items if item.use == "trial"]
    trials = [{"use": "trial", "item": item.id, "other": "", "kind": item.kind} for item in judged]
    people = [Observer(looks, who) for who in range(40)]
    said = np.array([[one.answer(trial)["human"] == "human" for trial in trials] for one in people])
    human = np.array([item.kind == "human" for item in judged])
    from scipy.special import ndtri

    assert ndtri(said[:, human].mean()) - ndtri(said[:, ~human].mean()) == pytest.approx(0.8, abs=0.12)
    yes = said.sum(axis=0)
    n = len(said)
    agree = np.mean((yes * (yes - 1) + (n - yes) * (n - yes - 1)) / (n * (n - 1)))
    share = said.mean()
    chance = share**2 + (1 - share) ** 2
    assert (agree - chance) / (1 - chance) == pytest.approx(0.2, abs=0.03)


def test_who_sees_an_item_again_says_mostly_but_not_always_the_same(place):
    study = read(place)
    looks = Looks(study, Population())
    item = next(one.id for one in study.items if one.use == "trial")
    trial = {"item": item, "other": "", "use": "trial"}
    people = [Observer(looks, who) for who in range(400)]
    same = np.mean([who.answer(trial) == who.answer(trial) for who in people])
    assert 0.6 < same < 0.9


def test_a_kappa_that_cannot_be():
    with pytest.raises(Misuse, match="the classes alone give"):
        with_kappa(0.0, 2.0, 0.3)


def test_a_number_without_an_interval_is_neither_inside_nor_outside():
    assert str(Recovered("d′", 0.2, 0.0, np.nan, np.nan)) == "d′ simulated 0.200; too few answers for an interval"


def test_a_diary_of_nobody_is_told():
    assert "0 answers" in text(Found(Rehearsal(n=1), Diary(), 1.0))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_several_processes_keep_the_same_promises(kind, tmp_path, request):
    db = str(tmp_path / "answers.sqlite") if kind == "sqlite" else request.getfixturevalue("postgres_db")
    file = study_places.write(tmp_path / "study")
    found = rehearse(str(file), Rehearsal(n=16, dropout=0, at_once=8), db=db, workers=2)
    assert found.faults == []
    assert set(found.diary.outcomes.values()) == {"done"}
