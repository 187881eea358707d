"""What the command `tune` does: search in a folder that can be resumed, write tuned.toml, score both side by side."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation.execute import Options, RunResult, execute, folder_for
from beholder.evaluation.plan import Evaluation, Plan, Request, plan
from beholder.evaluation.run import enlist
from beholder.evaluation.tune.search import Search, Trial, Tuned, ready, settled, spelt, tune, worded
from beholder.io.atomic import write_whole
from beholder.registry.models import Plug, models
from beholder.store import run_folder


class Found(NamedTuple):
    """What came out of a search."""

    done: RunResult  # the run of the model, as it is and tuned
    spec: str  # of the best parameter set
    says: str


def execute_tuning(request: Request, search: Search, how: Options, watch: Silent) -> Found:
    """Search, then run the model as it is and as it was tuned: two rows of one table, in the same folder."""
    what = plan(request)
    evaluation, model = _subject(what, request)
    _, search = ready(evaluation.benchmark, model, search)
    over = {f"--over {key}": str(one) for key, one in search.over.items()}
    what = what._replace(parts={**what.parts, **over, "--trials": str(search.trials), "--seed": str(search.seed)})
    place = folder_for(what, how).name
    folder = how.out or Path("runs", f"tune-{place}")
    config = run_folder.Config(what.digest, what.parts)
    with run_folder.own(folder, config, fresh=how.fresh, retry=how.retry) as (ledger, _):
        found = tune(evaluation.benchmark, model, search, jobs=how.jobs, ledger=ledger, watch=watch)
        best = _best(found)
        _write(folder / "tuned.toml", _facts(evaluation, model, search, found))
    pair = _side_by_side(evaluation, model, best)
    done = execute(what._replace(evaluations=(pair,)), replace(how, out=folder, fresh=False), watch)
    return Found(done, spelt(model.spec, best.settings), _sentence(model.name, found, best))


def _side_by_side(evaluation: Evaluation, model: Plug, best: Trial) -> Evaluation:
    """The model as it is and as it was tuned, without baselines."""
    bench = evaluation.benchmark
    lean = replace(bench, lineup=bench.lineup._replace(baselines={}), unjudged=bench.unjudged._replace(measures=()))
    rows: dict[str, Any] = {model.name: model}
    if best.settings:
        rows[f"{model.name} tuned"] = settled(model, best.settings)
    return Evaluation(lean, {entrant.name: entrant for entrant in enlist(lean, rows)})


def _subject(what: Plan, request: Request) -> tuple[Evaluation, Plug]:
    """The one benchmark and the one model."""
    if len(what.evaluations) != 1:
        raise Misuse(f"got {len(what.evaluations)} benchmarks in {request.target!r}; expected one: tune DOMAIN/NAME")
    evaluation = what.evaluations[0]
    named = {label: model for text in request.models for label, model in models(text, evaluation.benchmark).items()}
    if len(named) != 1:
        raise Misuse(f"got {len(named)} models; expected one --model to tune")
    ((name, model),) = named.items()
    if not isinstance(model, Plug):
        raise Misuse(f"got recorded answers as {name}; expected a function: only that has parameters to search over")
    return evaluation, replace(model, name=name)


def _best(found: Tuned) -> Trial:
    if found.best is None:
        raise Misuse(f"no setting could be scored; as it is: {found.trials[0].reason}")
    return found.best


def _sentence(name: str, found: Tuned, best: Trial) -> str:
    tried, before = len(found.trials), found.trials[0].score
    if not best.settings:
        return f"none of {tried - 1} settings is better than {name} as it is ({before:.4g})"
    return f"{name} with {worded(best.settings)}: {best.score:.4g}; as it is: {before:.4g} ({tried} trials)"


def _facts(evaluation: Evaluation, model: Plug, search: Search, found: Tuned) -> dict[str, Any]:
    bench, best = evaluation.benchmark, _best(found)
    return {
        "benchmark": bench.name,
        "version": bench.version,
        "measures": list(bench.official),
        "dataset": bench.dataset.name,
        "fingerprint": bench.dataset.fingerprint,
        "model": model.spec,
        "seed": search.seed,
        "better": "higher" if found.higher else "lower",
        "untuned": found.trials[0].score,
        "tuned": best.score,
        "spec": spelt(model.spec, best.settings),
        "over": {key: str(one) for key, one in search.over.items()},
        "trial": [{"score": t.score, "settings": dict(t.settings), "reason": t.reason} for t in found.trials],
    }


def _write(path: Path, facts: Mapping[str, Any]) -> None:
    """The record of a search as TOML, whole or not at all."""
    plain = [f"{key} = {_value(value)}" for key, value in facts.items() if key not in ("over", "trial")]
    over = ["", "[over]", *(f"{key} = {_value(value)}" for key, value in facts["over"].items())]
    trials = [
        line for one in facts["trial"] for line in ("", "[[trial]]", *(f"{k} = {_value(v)}" for k, v in one.items()))
    ]
    write_whole(path, "\n".join([*plain, *over, *trials, ""]))


def _value(of: Any) -> str:
    """A value as TOML writes it.

    >>> _value(float("nan")), _value("a"), _value({"k": 1}), _value(["x"])
    ('nan', '"a"', '{k = 1}', '["x"]')
    """
    if isinstance(of, Mapping):
        return "{" + ", ".join(f"{key} = {_value(value)}" for key, value in of.items()) + "}"
    if isinstance(of, float):
        return "nan" if math.isnan(of) else repr(of)
    return json.dumps(of, ensure_ascii=False)
