"""Small exports of studies, as `beholder study export` writes them, from people who answer by a known model."""

import csv
import json

import numpy as np

from beholder.study.design.simulation import Crowd, Design, assign, say

TRIAL = ("study", "session", "position", "use", "item", "other", "class", "group", "system", "stimulus")
GIVEN = ("dimension", "value", "right", "expected", "seconds", "replays", "frames", "dropped", "hidden", "at")
SESSIONS = ("session", "kind", "outcome", "excluded", "form_knowledge", "trials", "answered", "consistency")


def study(**changes):
    """A study file of the source's design, as JSON."""
    made = {
        "name": "made", "title": "Which scanpaths are human?", "trial": "yes_no",
        "questions": [{"dimension": "human", "text": "Human?", "answers": [
            {"value": "human", "label": "Human"}, {"value": "synthetic", "label": "Synthetic"}]}],
        "right": {"human": "human", "synthetic": "synthetic"}, "instructions": "Look.",
        "consent": {"version": "1", "text": "Yes?", "contact": "us"},
        "trials": {"count": 20, "practice": 0, "checks": 0, "repeats": 0},
        "form": [{"name": "knowledge", "label": "Knowledge of eye movements"}],
        "groups": [{"name": "expert", "field": "knowledge", "at_least": 3},
                   {"name": "naive", "field": "knowledge", "at_most": 2}],
        "exclude": [{"rule": "checks", "most": 0}],
        "items": [{"id": f"{kind}{at}", "class": kind, "group": f"g{at}", "track": "t.json",
                   "system": "gravity" if kind == "synthetic" else f"s{at % 3}",
                   "stimulus": "film" if at % 2 else "picture"}
                  for kind in ("human", "synthetic") for at in range(60)],
    }  # fmt: skip
    return made | changes


def write(folder, *, people=40, crowd=None, seed=0, excluded=(), changes=None):
    """A yes/no export; `excluded` are the numbers of sessions that break a rule and answer at random."""
    design, rng = Design(60, 60, 10, 10), np.random.default_rng(seed)
    assigned = assign(design, people, rng)
    said = say(design, crowd or Crowd(), assigned, runs=1, rng=rng)[0]
    made = study(**(changes or {}))
    answers, sessions = [], []
    for who in range(people):
        knowledge = 1 + who % 5
        kind = "expert" if knowledge >= 3 else "naive"
        sessions.append({"session": f"p{who:03}", "kind": kind, "outcome": "complete", "form_knowledge": knowledge,
                         "excluded": "checks" if who in excluded else "", "trials": 20, "answered": 20})  # fmt: skip
        order = np.random.default_rng([seed, who]).permutation(len(assigned[who]))  # classes are mixed
        for position, place in enumerate(order):
            item = made["items"][assigned[who, place]]
            value = "human" if said[who, place] else "synthetic"
            answers.append(
                {"study": "made", "session": f"p{who:03}", "position": position, "use": "trial", "item": item["id"],
                 **{name: item[name] for name in ("class", "group", "system", "stimulus")}, "dimension": "human",
                 "value": value, "right": int(value == item["class"]), "expected": item["class"], "seconds": 1.5}
            )  # fmt: skip
        answers.append(answers[-1] | {"use": "practice", "value": "human"})
    return written(folder, made, answers, sessions)


def written(folder, made, answers, sessions):
    """The files of an export."""
    folder.mkdir(exist_ok=True)
    items = [{"item": item["id"], **{k: item.get(k, "") for k in ("class", "group", "system", "stimulus")}}
             for item in made["items"]]  # fmt: skip
    tables = {
        "answers": ((*TRIAL, *GIVEN), answers),
        "sessions": (SESSIONS, sessions),
        "items": (list(items[0]), items),
    }
    for name, (columns, rows) in tables.items():
        with (folder / f"{name}.csv").open("w", newline="") as file:
            out = csv.DictWriter(file, columns, restval="")
            out.writeheader()
            out.writerows(rows)
    (folder / "study.json").write_text(json.dumps(made))
    return folder


def rows(folder, name="answers"):
    """A table of an export."""
    with (folder / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))
